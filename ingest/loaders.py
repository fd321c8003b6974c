"""Loading of documents from files, folders and web addresses.

Sources that cannot be read are reported in one line and skipped.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePath
from urllib.parse import urlsplit

from corpus.shipped import SHIPPED
from ingest.document import Document
from ingest.encoding import decode
from ingest.errors import SourceError
from ingest.fetch import MAX_BYTES, Page, fetch, is_public
from ingest.github import read_releases
from ingest.html import html_to_markdown
from ingest.reading import read_document

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
#: Prefix of the origin of files uploaded to the web page; no path or web address starts with it.
UPLOADED = "upload://"
#: Characters of a document, four times those of the longest notes: to read so many takes up to half a minute.
MAX_CHARACTERS = 1_000_000
_MAX_OF_LIST = 6 * MAX_CHARACTERS  # of a list of releases, many documents
_MEGABYTE = 1024 * 1024


def load(
    source: str | Path, *, on_skip: OnSkip, allow_private: bool = False, timeout: float = 20.0
) -> Iterator[Document]:
    """Load all documents of a source, in a fixed order.

    Folders are read recursively, sorted by name; hidden files and folders such as .git are skipped. The ids
    of documents depend on the resolved absolute path of a file, or on the address of a page.

    Args:
        source: an http(s) address, a file (Markdown, plain text, HTML, or JSON of the GitHub releases API),
            or a folder of files.
        on_skip: called with an error for each thing that cannot be read.
        allow_private: also fetch from private, loopback and link-local addresses.
        timeout: maximum seconds for each request, from connecting to the last byte.
    """
    for part in _parts(source, on_skip):
        try:
            yield from _read(part, on_skip, allow_private, timeout)
        except SourceError as error:
            on_skip(error)


def load_upload(path: Path, name: str, *, on_skip: OnSkip) -> Iterator[Document]:
    """Load the documents of an uploaded file.

    A file uploaded again under the same name replaces the earlier one.

    Args:
        path: temporary path of the file.
        name: name of the file at its owner, without folders.
        on_skip: called with an error for each thing that cannot be read.
    """
    origin = f"{UPLOADED}{name}"
    try:
        form, data = _format_of_file(origin), _bytes_of_file(path, origin)
        yield from _documents(data, form, origin, origin, on_skip)
    except SourceError as error:
        on_skip(error)


def read_page(page: Page, *, trusted: Mapping[str, str], origin: str) -> Document:
    """Convert a fetched page to a document.

    Args:
        page: HTML, Markdown or plain text.
        trusted: metadata that overrides the page's own, as in `read_document`.
        origin: address for the document's `origin` and id.

    Raises:
        SourceError: the page cannot be read.
    """
    form = _format_of_page(origin, page)
    if form == "releases":
        raise SourceError(origin, "JSON was sent where a page was expected")
    try:
        return _document(decode(page.body), form, origin, trusted=trusted)
    except ValueError as error:
        raise SourceError(origin, str(error)) from error


def _parts(source: str | Path, on_skip: OnSkip) -> Iterator[str | Path]:
    """Yield the web address, or the files, of a source."""
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


def _read(part: str | Path, on_skip: OnSkip, allow_private: bool, timeout: float) -> Iterator[Document]:
    if isinstance(part, Path):
        origin, place = str(part), os.path.realpath(part)
        if origin.startswith(SHIPPED):  # a user's file must not look like a shipped document
            origin = os.path.join(os.curdir, origin)
        form, data = _format_of_file(origin), _bytes_of_file(part, origin)
    else:
        page = fetch(part, timeout=timeout, permitted=(lambda _: True) if allow_private else is_public)
        form, data = _format_of_page(part, page), page.body
        origin = place = page.url
    yield from _documents(data, form, origin, place, on_skip)


def _documents(data: bytes, form: str, origin: str, place: str, on_skip: OnSkip) -> Iterator[Document]:
    try:
        text = decode(data)
        if form == "releases":
            yield from _releases(text, origin, place, on_skip)
        else:
            yield _document(text, form, origin, place)
    except ValueError as error:
        raise SourceError(origin, str(error)) from error


def _document(
    text: str, form: str, origin: str, place: str | None = None, trusted: Mapping[str, str] | None = None
) -> Document:
    if form == "html" or text[:500].lstrip().lower().startswith(("<!doctype html", "<html")):
        facts, markdown = html_to_markdown(text)  # its pictures and scripts may be far longer than its text
        _check_length(markdown, origin, MAX_CHARACTERS)
        return read_document(markdown, origin, place=place, facts=facts, trusted=trusted)
    _check_length(text, origin, MAX_CHARACTERS)
    return read_document(text, origin, place=place, trusted=trusted)


def _check_length(text: str, origin: str, most: int) -> None:
    if len(text) > most:
        reason = f"it has {len(text):,} characters, more than the {most:,} allowed; split it"
        raise SourceError(origin, reason)


def _releases(text: str, origin: str, place: str, on_skip: OnSkip) -> Iterator[Document]:
    _check_length(text, origin, _MAX_OF_LIST)
    seen: Counter[str] = Counter()
    for notes in read_releases(text):
        seen[notes.name] += 1
        part = f"#{notes.name}" if seen[notes.name] == 1 else f"#{notes.name}#{seen[notes.name]}"
        try:
            if notes.problem:
                raise SourceError(f"{origin}{part}", notes.problem)
            _check_length(notes.body, f"{origin}{part}", MAX_CHARACTERS)
            yield read_document(notes.body, f"{origin}{part}", place=f"{place}{part}", facts=notes.facts)
        except SourceError as error:
            on_skip(error)


def _format_of_file(origin: str) -> str:
    suffix = PurePath(origin).suffix
    form = FORMATS.get(suffix.lower())
    if form is None:
        kind = f"files of type {suffix}" if suffix else "files without an ending"
        raise SourceError(origin, f"{kind} are not read; allowed are {_ALLOWED}")
    return form


def _format_of_page(url: str, page: Page) -> str:
    named = FORMATS.get(PurePath(urlsplit(page.url).path).suffix.lower())
    sent = _MEDIA_TYPES.get(page.media_type)
    # Raw files of any format are often served as plain text.
    form = named if named and sent in ("text", None) else sent
    if form is None:
        allowed = "allowed are HTML, Markdown, text and JSON"
        raise SourceError(url, f"pages of type {page.media_type} are not read; {allowed}")
    return form


def _bytes_of_file(path: Path, origin: str) -> bytes:
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
