"""Reading of zip archives that somebody sends: in memory, and a bounded part of what they hold.

Nothing is extracted to a disk. What is odd (a name that leads out of the folder, a link, a bomb, a wrong
checksum) costs a line and is not read; the rest is.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import PurePosixPath

from assistant.upgrade.finding import Skipped
from assistant.upgrade.source_files import MAX_DEPTH, MAX_SIZE, is_left_out, kind_of

MAX_ARCHIVE = 1_500_000  # bytes, packed
MAX_ENTRIES = 20_000  # of an archive
MAX_FILES = 1_000  # of all archives and files together
MAX_UNPACKED = 4_000_000  # bytes of all archives together
MAX_RATIO = 100  # of a file of which the rest of the bounds would let much through
_EACH = 1_000  # bytes that an entry counts for beside its own
_SMALL = 100_000  # bytes of a file that may be packed as tightly as it likes
_MOST_SKIPPED = 20  # lines on one archive
_LONGEST = 200  # characters of a name
_ENCRYPTED = 0x1
_FAILURES = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,  # a password is asked for
    ValueError,
    MemoryError,
)


@dataclass
class Unpacked:
    """Files in memory.

    Attributes:
        files: bytes by relative path.
        skipped: what was not read.
        bytes: of the files that came out of archives.
    """

    files: dict[str, bytes]
    skipped: list[Skipped]
    bytes: int = 0


def unpack(name: str, data: bytes, into: Unpacked) -> None:
    """Add the files of an archive that are searched.

    Args:
        name: name of the archive.
        data: its bytes.
        into: what the files and the lines on others are added to.
    """
    shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
    if len(data) > MAX_ARCHIVE:
        into.skipped.append(Skipped(shown, f"an archive larger than {MAX_ARCHIVE / 1_000_000:.1f} MB"))
        return
    skipped: list[Skipped] = []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if len(entries) > MAX_ENTRIES:
                skipped.append(
                    Skipped(shown, f"the entries after the first {MAX_ENTRIES:,} of {len(entries):,}")
                )
            _read(archive, entries[:MAX_ENTRIES], into, skipped)
    except _FAILURES:
        skipped.append(Skipped(shown, "no zip archive that can be read"))
    more = len(skipped) - _MOST_SKIPPED
    into.skipped += skipped[:_MOST_SKIPPED]
    if more > 0:
        into.skipped.append(Skipped(shown, f"{more:,} more of its entries"))


def _read(
    archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], into: Unpacked, skipped: list[Skipped]
) -> None:
    left = 0
    for entry in entries:
        if entry.is_dir():
            continue
        shown = entry.filename if len(entry.filename) <= _LONGEST else f"{entry.filename[:_LONGEST]}…"
        *folders, last = PurePosixPath(entry.filename).parts or ("",)
        if last.lower().endswith(".zip"):
            skipped.append(Skipped(shown, "an archive in an archive"))
        if kind_of(last) is None or (any(map(is_left_out, folders)) and ".." not in folders):
            continue
        if reason := _odd(entry, folders) or ("there is one already" if entry.filename in into.files else ""):
            skipped.append(Skipped(shown, reason))
        elif len(into.files) >= MAX_FILES or into.bytes + entry.file_size > MAX_UNPACKED:
            left += 1
        else:
            _read_one(archive, entry, shown, into, skipped)
    if left:
        skipped.append(Skipped("…", f"{left:,} more files of the archive; type torchnotes upgrade PATH"))


def _odd(entry: zipfile.ZipInfo, folders: list[str]) -> str:
    """Return why an entry is not read, "" if it may be."""
    name = entry.filename
    if name.startswith("/") or ".." in folders or "\\" in name or ":" in name.partition("/")[0]:
        return "its name leads out of the archive"
    if len(name) > _LONGEST or not name.isprintable():
        return "no name of a file"
    if len(folders) > MAX_DEPTH:
        return f"more than {MAX_DEPTH} folders deep"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "a symbolic link"
    if entry.flag_bits & _ENCRYPTED:
        return "encrypted"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "packed in a way that is not read"
    if entry.file_size > MAX_SIZE:
        return f"larger than {MAX_SIZE // 1_000_000} MB"
    if entry.file_size > _SMALL and entry.file_size > MAX_RATIO * entry.compress_size:
        return f"packed more than {MAX_RATIO} times"
    return ""


def _read_one(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, shown: str, into: Unpacked, skipped: list[Skipped]
) -> None:
    """Read an entry: never more than the bytes that it says it has."""
    into.bytes += entry.file_size + _EACH  # those that fail count as well
    try:
        with archive.open(entry) as file:
            into.files[entry.filename] = file.read(entry.file_size)
            file.read(1)  # the checksum is compared at the end
    except _FAILURES:
        into.files.pop(entry.filename, None)
        skipped.append(Skipped(shown, "it cannot be unpacked"))
