"""From a text and where it came from to a Document."""

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
from ingest.tables import flatten_tables

_RELEASE_PAGE = re.compile(r"^https://github\.com/pytorch/pytorch/releases/tag/")


def read_document(
    text: str,
    origin: str,
    *,
    place: str | None = None,
    facts: Mapping[str, str] | None = None,
    trusted: Mapping[str, str] | None = None,
) -> Document:
    """Read one document.

    The result depends on the arguments alone; nothing is opened.

    Args:
        text: Markdown, with or without front matter, or plain text.
        origin: path or URL it came from, as the user gave it.
        place: the same in a form that tells it from all others (an absolute path); None: the origin does.
        facts: what is known of it from elsewhere, under the names of front matter fields (title, url,
            release, kind, language, date); the text's own front matter comes first.
        trusted: the same, known for certain, as from the catalogue: it comes before the front matter.

    Raises:
        SourceError: there is no text, or what is no text.
    """
    _check_characters(text, origin, facts or {})
    fields, body = split_front_matter(normalise_lines(text).removeprefix("\ufeff"))
    fields = {**(facts or {}), **fields, **(trusted or {})}
    cleaned, removed = clean(body)
    restored = unescape(flatten_tables(restore_structure(cleaned)))
    if not restored.strip():
        raise SourceError(origin, "it holds no text besides navigation and boxes; give the text itself")
    metadata = _with_original(detect(fields, body, restored, origin))
    if metadata.heading_misleads and (own := title_of(restored)):
        # As a heading it would stand above every section, and name the wrong release there.
        restored = restored.lstrip("\n").partition("\n")[2].lstrip("\n")
        removed = (Removal("title of another release", 1, own[:80]), *removed)
    return Document(
        id=document_id(metadata, origin if place is None else place),
        title=metadata.title,
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
    """Refuse what cannot be written as UTF-8."""
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
    """The address and date of the official post, for a copy of it that links to the release only.

    Posts exist in English once; translations are many, and a copy of one says nothing of which it is.
    """
    if metadata.kind != "blog" or metadata.language != "en" or not _RELEASE_PAGE.search(metadata.url):
        return metadata
    original = find_original(str(metadata.release), metadata.kind, metadata.language)
    if original is None:
        return metadata
    return replace(metadata, url=original.url, date=metadata.date or original.date)


def document_id(metadata: Metadata, place: str) -> str:
    """A short id such as blog-2.4-zh-0123456789; its last part names the source, see `document.source_of`.

    It does not depend on the text: an edited document keeps its id as long as it is of the same kind, release
    and language.

    Args:
        metadata: the facts of the document.
        place: what tells its source from all others: an absolute path, a URL, or a name of ours.
    """
    digest = hashlib.sha256(place.encode("utf-8", "backslashreplace")).hexdigest()[:SOURCE_DIGITS]
    parts = (metadata.kind, str(metadata.release or ""), metadata.language, digest)
    return "-".join(part for part in parts if part)
