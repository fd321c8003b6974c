"""Documents as shown by the command line and the web page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from ui.shared.console import one_line, plural

if TYPE_CHECKING:
    from index.storage.changes import UpdateReport
    from ingest.document import Document

Fate = Literal["new", "changed", "unchanged"]
_NEAR = 3


def fates(documents: Sequence[Document], report: UpdateReport) -> tuple[list[tuple[Fate, Document]], int]:
    """Return what became of each given document, and how many shipped digests were added or changed.

    Args:
        documents: documents that were given.
        report: report of the update.
    """
    left_out = {left.origin for left in report.left_out}
    by_id: dict[str, Fate] = {
        **dict.fromkeys(report.added, "new"),
        **dict.fromkeys(report.changed, "changed"),
        **dict.fromkeys(report.unchanged, "unchanged"),
    }
    taken: list[tuple[Fate, Document]] = []
    for document in documents:
        if document.origin not in left_out and document.id in by_id:
            taken.append((by_id.pop(document.id), document))
    return taken, sum(fate != "unchanged" for fate in by_id.values())


def describe(document: Document) -> str:
    """Format release, language, kind, date and title of a document as one line.

    Args:
        document: the document.
    """
    release = f"PyTorch {document.version}" if document.version else "no release"
    day = document.date.isoformat() if document.date else ""
    facts = (release, document.language, document.kind, day, one_line(document.title))
    return " · ".join(fact for fact in facts if fact)


def cleaned(document: Document) -> str:
    """Format how many lines cleaning removed from a document, by reason.

    Args:
        document: the document.
    """
    lines: dict[str, int] = {}
    for removal in document.removed:
        lines[removal.reason] = lines.get(removal.reason, 0) + removal.lines
    return ", ".join(f"{reason} ({plural(count, 'line')})" for reason, count in lines.items())


def ships(document: Document, *, shipped_corpus: bool) -> bool:
    """Return whether a document ships with torchnotes and must not be removed.

    Args:
        document: the document.
        shipped_corpus: whether shipped documents belong in the index.
    """
    from corpus.shipped import SHIPPED

    return shipped_corpus and document.origin.startswith(SHIPPED)


def check_removable(documents: Mapping[str, Document], ids: Iterable[str], *, shipped_corpus: bool) -> None:
    """Check that documents are in the index and do not ship with torchnotes.

    Args:
        documents: documents of the index, by id.
        ids: ids of the documents to remove.
        shipped_corpus: whether shipped documents belong in the index.

    Raises:
        TorchnotesError: a document cannot be removed.
    """
    from ingest.errors import TorchnotesError

    for name in ids:
        if name not in documents:
            near = get_close_matches(name, documents, n=_NEAR, cutoff=0.4)
            hint = f"; near it are {', '.join(near)}" if near else ""
            raise TorchnotesError(f"no document {name!r} is in the index{hint}; see `torchnotes sources`")
        if ships(documents[name], shipped_corpus=shipped_corpus):
            raise TorchnotesError(
                f"{name} ships with torchnotes and stays; set TORCHNOTES_SHIPPED_CORPUS=false to leave all "
                "shipped digests out"
            )


def known_as(origin: str) -> str:
    """Return the name of a source that may be shown to others: its address, or its file name without folders.

    Args:
        origin: origin of a document.

    >>> known_as("upload://notes.md"), known_as("/home/me/notes.md"), known_as("https://example.org/a/b")
    ('notes.md', 'notes.md', 'https://example.org/a/b')
    """
    from corpus.shipped import SHIPPED
    from ingest.addresses import is_web

    if is_web(origin) or origin.startswith(SHIPPED):
        return one_line(origin)
    return one_line(PurePath(origin).name)
