"""Conversion of a source text to a `Document`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace

from corpus.catalog import find_original
from ingest.cleaning import clean
from ingest.document import SOURCE_DIGITS, Document, Removal
from ingest.encoding import normalise_lines
from ingest.errors import SourceError
from ingest.front_matter import split_front_matter
from ingest.markup import unescape
from ingest.metadata import Metadata, detect, title_of
from ingest.restore import restore_structure
from ingest.section import MAX_TITLE
from ingest.tables import flatten_tables
from ingest.white_space import bounded

_RELEASE_PAGE = re.compile(r"^https://github\.com/pytorch/pytorch/releases/tag/")


def read_document(
    text: str,
    origin: str,
    *,
    place: str | None = None,
    facts: Mapping[str, str] | None = None,
    trusted: Mapping[str, str] | None = None,
) -> Document:
    """Clean a text and detect its metadata.

    The result depends on the arguments alone; no files are read, except for the shipped catalogue.

    Args:
        text: Markdown, with or without front matter, or plain text.
        origin: path or URL that it comes from, as given by the user.
        place: unique form of the origin, such as an absolute path; None: the origin itself.
        facts: metadata from elsewhere, named like front matter fields (title, url, release, kind, language,
            date); the front matter of the text has precedence.
        trusted: metadata that has precedence over the front matter, such as that of the catalogue.

    Raises:
        SourceError: the text is empty after cleaning, or cannot be encoded as UTF-8.
    """
    _check_characters(text, origin, facts or {})
    fields, body = split_front_matter(bounded(normalise_lines(text).removeprefix("\ufeff")))
    fields = {**(facts or {}), **fields, **(trusted or {})}
    cleaned, removed = clean(body)
    restored = unescape(flatten_tables(restore_structure(cleaned)))
    if not restored.strip():
        raise SourceError(origin, "it holds no text besides navigation and boxes; give the text itself")
    metadata = _with_original(detect(fields, body, restored, origin))
    if metadata.heading_misleads and (own := title_of(restored)):
        # As a heading it would be in the path of every section, with the wrong release.
        restored = restored.lstrip("\n").partition("\n")[2].lstrip("\n")
        removed = (Removal("title of another release", 1, own[:80]), *removed)
    return Document(
        id=document_id(metadata, origin if place is None else place),
        title=metadata.title[:MAX_TITLE],
        url=metadata.url,
        release=metadata.release,
        kind=metadata.kind,
        language=metadata.language,
        date=metadata.date,
        text=restored,
        origin=origin,
        removed=removed,
    )


def _check_characters(text: str, origin: str, facts: Mapping[str, str]) -> None:
    """Raise an error if something cannot be encoded as UTF-8."""
    try:
        origin.encode()
    except UnicodeEncodeError as error:
        raise SourceError(origin, "its name is not UTF-8; rename it") from error
    try:
        "\0".join((text, *facts.values())).encode()
    except UnicodeEncodeError as error:
        reason = f"it holds half a character ({error.object[error.start]!a}); give it in whole characters"
        raise SourceError(origin, reason) from error


def _with_original(metadata: Metadata) -> Metadata:
    """Add address and date of the official post to a copy that only links to the release.

    Each post exists in English once; there are several translations, and a copy does not say of which.
    """
    if metadata.kind != "blog" or metadata.language != "en" or not _RELEASE_PAGE.search(metadata.url):
        return metadata
    original = find_original(str(metadata.release), metadata.kind, metadata.language)
    if original is None:
        return metadata
    return replace(metadata, url=original.url, date=metadata.date or original.date)


def document_id(metadata: Metadata, place: str) -> str:
    """Return an id such as blog-2.4-zh-0123456789; its last part names the source, see `document.source_of`.

    It does not depend on the text: an edited document keeps its id while kind, release and language stay the
    same.

    Args:
        metadata: metadata of the document.
        place: unique name of its source: an absolute path, a URL, or an internal name.
    """
    digest = hashlib.sha256(place.encode("utf-8", "backslashreplace")).hexdigest()[:SOURCE_DIGITS]
    parts = (metadata.kind, str(metadata.release or ""), metadata.language, digest)
    return "-".join(part for part in parts if part)
