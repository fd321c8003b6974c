"""jieba's dictionary: made once, read from where it is kept, made anew where it cannot be read."""

from __future__ import annotations

import hashlib
from pathlib import Path

import jieba
import pytest

from ingest.dictionary import load_tokenizer

DICTIONARY = "编译 500 n\n编译器 300 n\n分布式 200 n\n训练 100 n\n"


@pytest.fixture(autouse=True)
def small(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dictionary of a few words: jieba's own takes more than a second to parse."""
    if "own" not in request.fixturenames:
        path = tmp_path / "small.txt"
        path.write_text(DICTIONARY, encoding="utf-8")
        monkeypatch.setattr(jieba.Tokenizer, "get_dict_file", lambda _: path.open("rb"))


@pytest.fixture
def own() -> None:
    """Asks for jieba's own dictionary."""


@pytest.mark.usefixtures("own")
def test_the_dictionary_is_kept_in_the_given_folder_and_read_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "caches" / "jieba"
    made = load_tokenizer(folder)
    assert [path.name for path in folder.iterdir()] == ["dictionary.bin"]
    monkeypatch.setattr(jieba.Tokenizer, "gen_pfdict", None)  # nothing is parsed again
    read = load_tokenizer(folder)
    assert (read.FREQ, read.total) == (made.FREQ, made.total)
    assert read.lcut("分布式训练") == made.lcut("分布式训练")


@pytest.mark.parametrize(
    "kept",
    [b"", b"no dictionary", b"torchnotes dictionary 1 0.42.1 00\n"],
    ids=["empty", "text", "cut"],
)
def test_a_file_that_cannot_be_read_is_made_anew(tmp_path: Path, kept: bytes) -> None:
    (tmp_path / "dictionary.bin").write_bytes(kept)
    assert load_tokenizer(tmp_path).lcut("编译器") == ["编译器"]
    assert (tmp_path / "dictionary.bin").read_bytes().endswith("训练\n训".encode())


@pytest.mark.parametrize("harm", ["cut", "flipped", "folder"])
def test_a_damaged_file_is_made_anew(tmp_path: Path, harm: str) -> None:
    load_tokenizer(tmp_path)
    cache = tmp_path / "dictionary.bin"
    whole = cache.read_bytes()
    cache.unlink()
    if harm == "cut":
        cache.write_bytes(whole[: len(whole) // 2])
    elif harm == "flipped":
        cache.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    else:
        cache.mkdir()
    assert load_tokenizer(tmp_path).lcut("编译器") == ["编译器"]
    assert cache.is_dir() or cache.read_bytes() == whole


@pytest.mark.parametrize(
    "body",
    [b"0 1\n\0\0\0\0a", b"9 2\n\1\0\0\0a", b"9 99999999999\n", b"9 -1\n", b"9 1\n\1\0\0\0\xff", b"x\n", b""],
)
def test_a_forged_file_with_a_fitting_checksum_is_not_taken(tmp_path: Path, body: bytes) -> None:
    head = f"torchnotes dictionary 1 {jieba.__version__} {hashlib.sha256(body).hexdigest()}\n"
    (tmp_path / "dictionary.bin").write_bytes(head.encode() + body)
    assert load_tokenizer(tmp_path).lcut("编译器") == ["编译器"]


def test_jiebas_own_cache_is_never_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read with marshal, from a folder that others may write to."""

    def refuse(*_: object) -> None:
        raise AssertionError("marshal was used")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for folder in (tmp_path / "home", tmp_path):
        folder.mkdir(exist_ok=True)
        (folder / "jieba.cache").write_bytes(b"\xda\x05hello")
    for name in ("load", "loads"):
        monkeypatch.setattr(f"marshal.{name}", refuse)
    assert load_tokenizer(tmp_path / "home").lcut("编译") == ["编译"]
    assert not (tmp_path / "home" / "jieba.cache").exists()  # what an earlier version kept goes
    assert load_tokenizer(None).lcut("编译") == ["编译"]


@pytest.mark.parametrize("harm", ["a file in its place", "no space left"])
def test_a_folder_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], harm: str
) -> None:
    folder = tmp_path / "home" / "cache"
    if harm == "no space left":

        def full(path: Path, content: bytes) -> int:
            with path.open("wb") as file:
                file.write(content[:50])
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "write_bytes", full)
    else:
        (tmp_path / "home").touch()
    assert load_tokenizer(folder).lcut("编译") == ["编译"]
    assert not folder.is_dir() or not list(folder.iterdir())
    out, err = capfd.readouterr()
    assert not out and not err
