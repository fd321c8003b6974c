"""What an update comes to: which documents are new, changed, unchanged, removed or left out, and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ingest.document import Document, source_of


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document that was given but not indexed.

    Attributes:
        document_id, origin: which one.
        reason: why, in a few words.
    """

    document_id: str
    origin: str
    reason: str


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """What an update did; documents are named by their ids, in the order of the ids.

    Attributes:
        added, changed, unchanged, removed: what became of the documents given, and of those to be removed.
        left_out: what was not taken.
        embedded: how many texts were given to the embedder.
        restored: documents that were damaged, and were taken from an older generation.
        generation: name of the generation now in force, "" if there is none.
        written: whether it was written by this update; False when there was nothing to do.
    """

    added: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    embedded: int = 0
    restored: tuple[str, ...] = ()
    generation: str = ""
    written: bool = False


def plan_update(
    stored: Mapping[str, Document], add: Sequence[Document], remove: Collection[str]
) -> tuple[dict[str, Document], UpdateReport]:
    """The documents an index is to hold, ordered by what they are, and how that differs from what it holds.

    A document replaces the stored one of its source; the same one given twice counts once. A document without
    text, with the text of another byte for byte, or with the id of one given before it is left out, and what
    was stored of it goes; where a stored document and a new one share a text, the stored one stays.

    Args:
        stored: what the index holds, by id.
        add: documents to take in.
        remove: ids to take out; an id that is also in `add` stays, an unknown one is no error.
    """
    given: dict[str, Document] = {}
    left_out: list[LeftOut] = []
    for document in add:
        first = given.get(document.id)
        if first is not None:
            same = first.content_hash == document.content_hash
            if not same or first.origin != document.origin:
                reason = _same(first) if same else f"its id {document.id!r} is also that of {first.origin}"
                left_out.append(LeftOut(document.id, document.origin, reason))
        elif not document.text.strip():
            left_out.append(LeftOut(document.id, document.origin, "it has no text"))
        else:
            given[document.id] = document
    refused = {left.document_id for left in left_out} - given.keys()

    gone = {*remove, *refused}
    sources = set(map(source_of, given))
    kept = {
        document_id: document
        for document_id, document in stored.items()
        if source_of(document_id) not in sources and document_id not in gone
    }
    unchanged = {
        document_id: stored[document_id]
        for document_id, document in given.items()
        if document_id in stored and stored[document_id].content_hash == document.content_hash
    }
    result = kept | unchanged
    holders = {document.text: document for document in result.values()}
    for document_id, document in given.items():
        if document_id in unchanged:
            continue
        holder = holders.setdefault(document.text, document)
        if holder is document:
            result[document_id] = document
        else:
            same = holder.content_hash == document.content_hash
            reason = _same(holder) if same else f"its text is that of {holder.id!r} ({holder.origin})"
            left_out.append(LeftOut(document_id, document.origin, reason))
    report = UpdateReport(
        added=tuple(sorted(result.keys() - stored.keys())),
        changed=tuple(sorted((result.keys() & stored.keys() & given.keys()) - unchanged.keys())),
        unchanged=tuple(sorted(unchanged)),
        removed=tuple(sorted(stored.keys() - result.keys())),
        left_out=tuple(left_out),
    )
    return dict(sorted(result.items(), key=lambda item: _rank(item[1]))), report


def _rank(document: Document) -> tuple[str, ...]:
    """What documents are ordered by: the same on every machine, as ids, made from paths, are not."""
    facts = (document.kind, document.version, document.language, document.title, document.url)
    return (*facts, document.text, document.id)


def _same(document: Document) -> str:
    return f"it is the same document as {document.origin}"
