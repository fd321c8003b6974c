"""The bytes of files and web pages: what is read of a source before its documents are made.

Reading bytes needs this machine's files and network; making documents of them (`ingest/loaders.py`) needs
neither, and may happen elsewhere.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from urllib.parse import urlsplit

from corpus.shipped import SHIPPED
from ingest.errors import SourceError
from ingest.fetch import MAX_BYTES, Page, fetch, is_public

OnSkip = Callable[[SourceError], None]

#: Format of a file, by suffix.
FORMATS: dict[str, str] = {
    ".md": "text",
    ".markdown": "text",
    ".txt": "text",
    ".text": "text",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".json": "releases",
}
_MEDIA_TYPES = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/plain": "text",
    "text/markdown": "text",
    "text/x-markdown": "text",
    "application/json": "releases",
    "application/vnd.github+json": "releases",
}
_ALLOWED = ", ".join(FORMATS)
_GIVE = "give a file, a folder or an http(s) address"
_MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class RawSource:
    """A file or page as it was received.

    Attributes:
        origin: path or address, as a document's `origin`.
        place: unique form of the origin: an absolute path or an address; decides the ids of documents.
        form: format of `data`: "text", "html" or "releases".
        data: its bytes.
    """

    origin: str
    place: str
    form: str
    data: bytes


def parts_of(source: str | Path, on_skip: OnSkip) -> Iterator[str | Path]:
    """Yield the web address, or the files, of a source, in a fixed order.

    Args:
        source: an http(s) address, a file, or a folder of files.
        on_skip: called with an error for each folder that cannot be read.
    """
    if isinstance(source, str) and "://" in source:
        yield source
        return
    path = Path(source)
    # Not the methods of Path: they raise for names that are too long and links into unreadable folders.
    if os.path.isdir(path):
        yield from _walk(path, frozenset(), on_skip)
    elif os.path.lexists(path):
        yield path
    else:
        on_skip(SourceError(str(source), f"there is no such file or folder; {_GIVE}"))


def _walk(folder: Path, above: frozenset[tuple[int, int]], on_skip: OnSkip) -> Iterator[Path]:
    try:
        status = folder.stat()
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError as error:
        on_skip(SourceError(str(folder), f"the folder cannot be read ({error.strerror})"))
        return
    here = (status.st_dev, status.st_ino)
    if here in above:
        on_skip(SourceError(str(folder), "the link leads back into a folder above it, which is read already"))
        return
    for name in names:
        path = folder / name
        if os.path.isdir(path):
            yield from _walk(path, above | {here}, on_skip)
        else:
            yield path


def read_part(part: str | Path, *, allow_private: bool = False, timeout: float = 20.0) -> RawSource:
    """Read a file, or fetch an address.

    Args:
        part: one of `parts_of`.
        allow_private: also fetch from private, loopback and link-local addresses.
        timeout: maximum seconds for a request, from connecting to the last byte.

    Raises:
        SourceError: it cannot be read.
    """
    if isinstance(part, Path):
        origin, place = str(part), os.path.realpath(part)
        if origin.startswith(SHIPPED):  # a user's file must not look like a shipped document
            origin = os.path.join(os.curdir, origin)
        return RawSource(origin, place, format_of_file(origin), bytes_of_file(part, origin))
    page = fetch(part, timeout=timeout, permitted=(lambda _: True) if allow_private else is_public)
    return RawSource(page.url, page.url, format_of_page(part, page), page.body)


def format_of_file(origin: str) -> str:
    """Return the format of a file.

    Args:
        origin: path or name of the file.

    Raises:
        SourceError: files of its type are not read.
    """
    suffix = PurePath(origin).suffix
    form = FORMATS.get(suffix.lower())
    if form is None:
        kind = f"files of type {suffix}" if suffix else "files without an ending"
        raise SourceError(origin, f"{kind} are not read; allowed are {_ALLOWED}")
    return form


def format_of_page(url: str, page: Page) -> str:
    """Return the format of a fetched page.

    Args:
        url: its address as given, for the error.
        page: the page.

    Raises:
        SourceError: pages of its type are not read.
    """
    named = FORMATS.get(PurePath(urlsplit(page.url).path).suffix.lower())
    sent = _MEDIA_TYPES.get(page.media_type)
    # Raw files of any format are often served as plain text.
    form = named if named and sent in ("text", None) else sent
    if form is None:
        allowed = "allowed are HTML, Markdown, text and JSON"
        raise SourceError(url, f"pages of type {page.media_type} are not read; {allowed}")
    return form


def bytes_of_file(path: Path, origin: str) -> bytes:
    """Return the bytes of a regular file.

    Args:
        path: the file.
        origin: its name in errors.

    Raises:
        SourceError: it cannot be read, or is too large.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SourceError(origin, f"it is no regular file; {_GIVE}")
        if status.st_size > MAX_BYTES:
            size, limit = status.st_size / _MEGABYTE, MAX_BYTES // _MEGABYTE
            raise SourceError(origin, f"it has {size:.0f} MB, more than the {limit} MB allowed; split it")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise SourceError(origin, "the link leads nowhere; give the file itself") from error
    except OSError as error:
        reason = f"it cannot be read ({error.strerror}); check its permissions"
        raise SourceError(origin, reason) from error
    if len(data) > MAX_BYTES:  # it has grown since stat
        raise SourceError(origin, f"it has more than the {MAX_BYTES // _MEGABYTE} MB allowed; split it")
    return data
