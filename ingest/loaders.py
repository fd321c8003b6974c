"""Loading of documents from files, folders and web addresses.

Sources that cannot be read are reported in one line and skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from ingest.document import Document
from ingest.encoding import decode
from ingest.errors import SourceError
from ingest.fetch import Page
from ingest.github import read_releases
from ingest.html import html_to_markdown
from ingest.reading import read_document
from ingest.sources import (
    OnSkip,
    RawSource,
    bytes_of_file,
    format_of_file,
    format_of_page,
    parts_of,
    read_part,
)

#: Prefix of the origin of files uploaded to the web page; no path or web address starts with it.
UPLOADED = "upload://"
#: Characters of a document, four times those of the longest notes: to read so many takes up to half a minute.
MAX_CHARACTERS = 1_000_000
_MAX_OF_LIST = 6 * MAX_CHARACTERS  # of a list of releases, many documents


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
    for part in parts_of(source, on_skip):
        try:
            raw = read_part(part, allow_private=allow_private, timeout=timeout)
        except SourceError as error:
            on_skip(error)
        else:
            yield from documents_of(raw, on_skip=on_skip)


def documents_of(raw: RawSource, *, on_skip: OnSkip) -> Iterator[Document]:
    """Make the documents of a file or page; the result depends on the arguments alone.

    Args:
        raw: its bytes.
        on_skip: called with an error for each document that cannot be read.
    """
    try:
        yield from _documents(raw.data, raw.form, raw.origin, raw.place, on_skip)
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
        form, data = format_of_file(origin), bytes_of_file(path, origin)
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
    form = format_of_page(origin, page)
    if form == "releases":
        raise SourceError(origin, "JSON was sent where a page was expected")
    try:
        return _document(decode(page.body), form, origin, trusted=trusted)
    except ValueError as error:
        raise SourceError(origin, str(error)) from error


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
