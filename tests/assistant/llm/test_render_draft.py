"""The text of what was proved: marks, citations, and what is left out."""

from __future__ import annotations

import pytest

from assistant.answer import Outcome
from assistant.llm.prompt import NOT_TOLD
from assistant.llm.render_draft import written
from assistant.text.messages import ADVICE_MARK
from assistant.verification.draft import Statement
from assistant.verification.evidence import EvidenceSentence, grounds_of
from assistant.verification.proof import ADVICE, Proof
from ingest.document import Language
from tests.assistant.passages import passage

FIRST, SECOND = (
    ground
    for ground in grounds_of(passage("## Store\n\nIt runs on libuv.\nIt needs no flag."))
    if ground.sentence.span.kind == "prose"
)


def proof(
    text: str,
    *quotes: EvidenceSentence,
    lead: str = "",
    paragraph: int = 0,
    outcome: Outcome = "proved",
    reason: str = "",
) -> Proof:
    return Proof(Statement(text, (1,), lead=lead, paragraph=paragraph), outcome, reason, quotes)


def test_each_sentence_has_marks_of_its_quotes() -> None:
    text, citations, sentences = written([proof("A.", FIRST), proof("B.", SECOND, FIRST)], "en")
    assert text == "A. [1] B. [2][1]"
    assert [(s.outcome, s.citations, s.shown) for s in sentences] == [
        ("proved", (1,), True),
        ("proved", (2, 1), True),
    ]
    assert [(c.number, c.quote) for c in citations] == [(1, "It runs on libuv."), (2, "It needs no flag.")]


def test_what_is_contradicted_is_left_out_and_told() -> None:
    proofs = [proof("A.", FIRST, outcome="contradicted", reason="no 3x"), proof("B.", SECOND)]
    text, citations, sentences = written(proofs, "en")
    assert text == "B. [1]" and [c.quote for c in citations] == ["It needs no flag."]
    first = sentences[0]
    assert (first.text, first.reason, first.citations, first.shown) == ("A.", "no 3x", (), False)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_not_confirmed_has_a_mark_that_says_so(language: Language) -> None:
    proofs = [
        proof("A.", outcome="unconfirmed", reason="no mark"),
        proof("I would.", outcome="unconfirmed", reason=ADVICE),
        proof("B.", FIRST),
        proof("C:", outcome="neutral"),
    ]
    text, citations, sentences = written(proofs, language)
    assert text == f"A. [?] I would. {ADVICE_MARK[language]} B. [1] C:"
    assert len(citations) == 1 and all(sentence.shown for sentence in sentences)
    text, _, sentences = written(proofs, language, strict=True)
    assert text == "B. [1] C:" and [s.shown for s in sentences] == [False, False, True, True]


def test_lists_and_paragraphs_stay() -> None:
    proofs = [
        proof("Both:", FIRST),
        proof("A.", FIRST, lead="- ", paragraph=1),
        proof("B.", SECOND, lead="- ", paragraph=2),
        proof("End.", SECOND, paragraph=3),
    ]
    assert written(proofs, "en")[0] == "Both: [1]\n\n- A. [1]\n- B. [2]\n\nEnd. [2]"


def test_the_mark_of_a_row_stands_in_its_last_cell() -> None:
    head = Proof(Statement("| a | b |\n|---|---|", (), "heading"), "neutral")
    rows = [proof("| x | y |", FIRST, paragraph=1), proof("| z | w |", paragraph=2, outcome="unconfirmed")]
    assert written([head, *rows], "en")[0] == "| a | b |\n|---|---|\n| x | y [1] |\n| z | w [?] |"


def test_the_mark_of_code_stands_below_its_fence() -> None:
    code = Proof(Statement("```python\nx = 1\n```", (), "code"), "proved", "", (FIRST,))
    assert written([code], "en")[0].splitlines() == ["```python", "x = 1", "```", "", "[1]"]


def test_that_nothing_is_told_is_not_shown_beside_what_is() -> None:
    proofs = [proof("A.", FIRST), proof(f"{NOT_TOLD}.", outcome="unconfirmed")]
    assert written(proofs, "en")[0] == "A. [1]"


def test_of_nothing_there_is_no_text() -> None:
    assert written([], "en") == ("", (), ())
    assert written([proof("A.", outcome="contradicted")], "zh")[0] == ""
