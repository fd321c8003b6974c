"""Planning of updates: which documents are added, changed, unchanged, removed or left out, and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ingest.document import Document, source_of


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document that was given but not indexed.

    Attributes:
        document_id: its id, "" if unknown.
        origin: the file or address that it comes from.
        reason: short explanation.
    """

    document_id: str
    origin: str
    reason: str


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """The result of an update. Documents are given by id, in sorted order.

    Attributes:
        added: new documents.
        changed: documents whose content changed.
        unchanged: given documents that were stored already.
        removed: documents that are no longer stored.
        left_out: documents that were not indexed.
        embedded: number of texts embedded.
        restored: damaged documents that were recovered from an older generation.
        generation: name of the current generation, "" if there is none.
        written: whether this update wrote it; False if there was nothing to do.
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
    """Determine the documents of the updated index, and how they differ from the stored ones.

    A document replaces the stored ones of its source. A document is left out, and its stored version removed,
    if it has no text, if its text is identical to that of another document, or if its id was given before for
    another one. If a stored and a new document have the same text, the stored one stays.

    Args:
        stored: stored documents by id.
        add: documents to add or replace.
        remove: ids to remove; ids that are also in `add` are kept, unknown ones ignored.

    Returns:
        The documents by id, in index order, and the report.
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
    """Return a sort key that is the same on every machine; ids are derived from paths and are not."""
    facts = (document.kind, document.version, document.language, document.title, document.url)
    return (*facts, document.text, document.id)


def _same(document: Document) -> str:
    return f"it is the same document as {document.origin}"
