"""Renders a verified draft as the text of an answer, with citation marks where a quote proves a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.answer import Citation, DraftSentence
from assistant.llm.prompt import NOT_TOLD
from assistant.text.messages import ADVICE_MARK, UNCONFIRMED_MARK
from assistant.verification.draft import Statement, joined
from assistant.verification.proof import ADVICE, Proof
from ingest.document import Language


def written(
    proofs: Sequence[Proof], language: Language, *, strict: bool = False
) -> tuple[str, tuple[Citation, ...], tuple[DraftSentence, ...]]:
    """Render the statements of a draft that are shown.

    Args:
        proofs: results of verifying its statements, in order.
        language: language of the answer.
        strict: whether to leave out unconfirmed statements, which are marked otherwise.

    Returns:
        The text, its citations in order of appearance, and all sentences with their outcomes.
    """
    citations: dict[tuple[str, int, int], Citation] = {}
    told: list[tuple[Statement, str]] = []
    sentences: list[DraftSentence] = []
    for proof in proofs:
        if NOT_TOLD in proof.statement.text.upper():  # beside sentences that do answer
            continue
        numbers = []
        for quote in proof.quotes if proof.holds else ():
            span = quote.sentence.span
            key = (quote.passage.document_id, span.start, span.end)
            number = len(citations) + 1
            citation = citations.setdefault(key, Citation(number, quote.passage, span.start, span.end))
            numbers.append(citation.number)
        marks = "".join(f"[{number}]" for number in dict.fromkeys(numbers))
        if proof.outcome == "unconfirmed":
            marks = ADVICE_MARK[language] if proof.reason == ADVICE else UNCONFIRMED_MARK
        shown = proof.outcome != "contradicted" and not (strict and proof.outcome == "unconfirmed")
        if shown:
            told.append((proof.statement, _marked(proof.statement, marks)))
        text = proof.statement.text
        sentences.append(DraftSentence(text, proof.outcome, proof.reason, tuple(numbers), shown))
    return joined(told), tuple(citations.values()), tuple(sentences)


def _marked(statement: Statement, marks: str) -> str:
    """Return a statement with its marks: below code, and in the last cell of a table row."""
    text = statement.text
    if not marks:
        return text
    if statement.kind == "code":
        return f"{text}\n\n{marks}"
    if statement.row:
        head, newline, rule = text.partition("\n")
        return f"{head.rstrip().removesuffix('|').rstrip()} {marks} |{newline}{rule}"
    return f"{text} {marks}"
