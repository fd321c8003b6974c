"""Renders a verified draft as the text of an answer with citation marks."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.answer import Citation, Unproved
from assistant.text.messages import UNPROVED
from assistant.verification.draft import Statement, joined
from assistant.verification.verifier import Proof
from ingest.document import Language


def written(
    proofs: Sequence[Proof], language: Language, *, unfiltered: bool = False
) -> tuple[str, tuple[Citation, ...], tuple[Unproved, ...]]:
    """Render the supported statements of a draft.

    Args:
        proofs: results of verifying its statements, in order.
        language: language of the answer.
        unfiltered: whether to include unsupported statements, marked as such.

    Returns:
        The text, its citations in order of appearance, and the unsupported statements.
    """
    citations: dict[tuple[str, int, int], Citation] = {}
    told: list[tuple[Statement, str]] = []
    for proof in proofs:
        statement = proof.statement
        if not proof.holds:
            if unfiltered:
                told.append((statement, f"{_shown(statement)} {UNPROVED[language]}"))
            continue
        numbers = []
        for quote in proof.quotes:
            span = quote.sentence.span
            key = (quote.passage.document_id, span.start, span.end)
            number = len(citations) + 1
            citation = citations.setdefault(key, Citation(number, quote.passage, span.start, span.end))
            numbers.append(citation.number)
        marks = "".join(f"[{number}]" for number in numbers)
        told.append((statement, f"{_shown(statement)} {marks}"))
    unproved = tuple(Unproved(p.statement.text, p.reason) for p in proofs if not p.holds)
    return joined(told), tuple(citations.values()), unproved


def _shown(statement: Statement) -> str:
    return f"{statement.text}\n" if statement.kind == "code" else statement.text
