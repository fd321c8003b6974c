"""Zip archives that somebody sends: read in memory, and what is hostile in one costs a line."""

from __future__ import annotations

import io
import random
import stat
import time
import zipfile
from unittest.mock import patch

import pytest

from assistant.upgrade.archives import MAX_ARCHIVE, MAX_ENTRIES, MAX_FILES, MAX_UNPACKED, Unpacked, unpack
from assistant.upgrade.pasted import report_on_files
from ingest.errors import TorchnotesError
from ingest.release import Release
from tests.rows import each_row

LOAD = b"import torch\n\ntorch.load(path)\n"


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes], pack: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive with some entries, in their order."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", pack) as archive:
        for name, content in entries:
            if isinstance(name, zipfile.ZipInfo):
                name.compress_type = pack
            archive.writestr(name, content)
    return data.getvalue()


def unpacked(data: bytes, name: str = "a.zip") -> Unpacked:
    """What is read of an archive. Nothing may be written."""
    into = Unpacked({}, [])
    with patch.object(zipfile.ZipFile, "extract", side_effect=AssertionError("nothing is extracted")):
        unpack(name, data, into)
    return into


def reasons(data: bytes) -> list[str]:
    """Why entries were not read; nothing else was either."""
    found = unpacked(data)
    assert set(found.files) <= {"ok.py"}
    return [each.reason for each in found.skipped]


def link(name: str) -> zipfile.ZipInfo:
    """An entry that is a symbolic link."""
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def flagged(data: bytes, flag: int) -> bytes:
    """An archive whose only entry has another flag in its central directory."""
    at = data.index(b"PK\x01\x02") + 8
    return data[:at] + flag.to_bytes(2, "little") + data[at + 2 :]


def test_what_is_searched_is_read() -> None:
    found = unpacked(
        zipped(
            ("p/a.py", LOAD),
            ("p/sub/requirements.txt", b"torch==2.3\n"),
            ("p/picture.png", b"x"),
            ("p/.git/hooks/a.py", LOAD),
            ("p/node_modules/b.py", LOAD),
            ("__MACOSX/", b""),
        )
    )
    assert set(found.files) == {"p/a.py", "p/sub/requirements.txt"} and found.skipped == []


def test_the_report_on_an_archive() -> None:
    report = report_on_files({}, Release(2, 3), Release(2, 8), archives={"p.zip": zipped(("p/a.py", LOAD))})
    (finding,) = report.findings
    assert (finding.place.file, finding.place.line, finding.symbol) == (
        "p/a.py",
        3,
        "torch.load(weights_only=)",
    )


@each_row(
    "name",
    ["../a.py", "/etc/a.py", "a/../../b.py", "..\\a.py", "C:\\a.py", "c:/a.py", "a/" * 60 + "a.py", "a\t.py"],
)
def test_names_that_lead_out(name: str) -> None:
    assert len(reasons(zipped((name, LOAD), ("ok.py", LOAD)))) == 1


def test_long_names_cost_a_short_line() -> None:
    (skipped,) = unpacked(zipped(("a" * 5_000 + ".py", LOAD))).skipped
    assert len(skipped.file) < 300


@each_row(
    ("data", "reason"),
    [
        (b"", "no zip archive"),
        (b"PK\x03\x04" + b"\0" * 100, "no zip archive"),
        (zipped(("ok.py", LOAD))[:-10], "no zip archive"),
        (b"x" * (MAX_ARCHIVE + 1), "an archive larger than"),
        (zipped((link("a.py"), b"/etc/passwd")), "a symbolic link"),
        (zipped(("a.zip", zipped(("a.py", LOAD)))), "an archive in an archive"),
        (zipped(("bomb.py", b"#" * 2_900_000)), "packed more than"),
        (zipped(("large.py", b"#" * 3_100_000)), "larger than 3 MB"),
        (zipped(("a.py", LOAD), pack=zipfile.ZIP_LZMA), "packed in a way"),
        (zipped(("a.py", LOAD), pack=zipfile.ZIP_BZIP2), "packed in a way"),
        (flagged(zipped(("a.py", LOAD)), 1), "encrypted"),
        (
            zipped(("a.py", LOAD), pack=zipfile.ZIP_STORED).replace(b"torch.load", b"torch.lord"),
            "cannot be unpacked",
        ),
        (zipped(("a.py", LOAD)).replace(b"PK\x03\x04", b"PK\x03\x05"), "cannot be unpacked"),
    ],
)
def test_hostile_archives_cost_a_line(data: bytes, reason: str) -> None:
    (told,) = reasons(data)
    assert reason in told


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_the_first_of_two_entries_with_one_name() -> None:
    found = unpacked(zipped(("a.py", LOAD), ("a.py", b"other")))
    assert found.files == {"a.py": LOAD} and [each.reason for each in found.skipped] == [
        "there is one already"
    ]


def test_many_files_and_much_text_are_cut() -> None:
    many = unpacked(zipped(*((f"{number}.py", b"") for number in range(MAX_FILES + 7))))
    assert len(many.files) == MAX_FILES and "7 more files" in many.skipped[0].reason
    noise = random.Random(1)
    pages = [bytes(noise.choice(b"abcd\n") for _ in range(1_000)) * 50 for _ in range(9)]
    rows = [(f"{number}.py", pages[number % 9]) for number in range(100)]
    much = unpacked(zipped(*rows))
    assert 0 < much.bytes <= MAX_UNPACKED and "more files of the archive" in much.skipped[-1].reason


def test_many_odd_entries_cost_few_lines_and_little_time() -> None:
    entries = [(f"../{number}.py", b"") for number in range(MAX_ENTRIES // 2)]
    begun = time.thread_time()
    found = unpacked(zipped(*entries, pack=zipfile.ZIP_STORED)[:MAX_ARCHIVE])
    assert time.thread_time() - begun < 5 and len(found.skipped) <= 21


def test_entries_that_share_their_bytes_cannot_multiply_them() -> None:
    """Each of the entries says that it is 2 MB long, and all lead to the same packed bytes."""
    noise = bytes(random.Random(1).choices(b"abcdefgh", k=20_000)) * 100
    data = zipped(("0.py", noise))
    start = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    central = b"".join(data[start:end].replace(b"0.py", b"%d.py" % number) for number in range(10))
    tail = data[end : end + 8] + (10).to_bytes(2, "little") * 2 + len(central).to_bytes(4, "little")
    found = unpacked(data[:start] + central + tail + data[end + 16 :])
    assert found.bytes <= MAX_UNPACKED and len(found.files) <= 2


def test_archives_are_few() -> None:
    archives = {f"{number}.zip": zipped(("a.py", LOAD)) for number in range(6)}
    with pytest.raises(TorchnotesError, match="give at most 5"):
        report_on_files({}, None, None, archives=archives)


def test_bytes_at_random_end_nothing() -> None:
    noise = random.Random(3)
    whole = zipped(("a.py", LOAD), ("b/c.py", LOAD * 50))
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(noise.randrange(1, 6)):
            data[noise.randrange(len(data))] = noise.randrange(256)
        unpacked(bytes(data))
