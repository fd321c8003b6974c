"""The text of what was proved: marks, citations, and what is left out."""

from __future__ import annotations

import pytest

from assistant.llm.render_draft import written
from assistant.text.messages import UNPROVED
from assistant.verification.draft import Statement
from assistant.verification.evidence import EvidenceSentence, grounds_of
from assistant.verification.verifier import Proof
from ingest.document import Language
from tests.assistant.passages import passage

FIRST, SECOND = (
    ground
    for ground in grounds_of(passage("## Store\n\nIt runs on libuv.\nIt needs no flag."))
    if ground.sentence.span.kind == "prose"
)


def proof(
    text: str, *quotes: EvidenceSentence, bullet: bool = False, paragraph: int = 0, reason: str = ""
) -> Proof:
    return Proof(Statement(text, (1,), bullet=bullet, paragraph=paragraph), reason, quotes)


def test_each_sentence_has_marks_of_its_quotes() -> None:
    text, citations, unproved = written([proof("A.", FIRST), proof("B.", SECOND, FIRST)], "en")
    assert text == "A. [1] B. [2][1]" and unproved == ()
    assert [(c.number, c.quote) for c in citations] == [(1, "It runs on libuv."), (2, "It needs no flag.")]


def test_what_is_not_proved_is_left_out_and_told() -> None:
    text, citations, unproved = written([proof("A.", reason="no mark"), proof("B.", SECOND)], "en")
    assert text == "B. [1]" and [c.quote for c in citations] == ["It needs no flag."]
    assert [(each.text, each.reason) for each in unproved] == [("A.", "no mark")]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_unfiltered_it_stays_with_a_mark_that_says_so(language: Language) -> None:
    proofs = [proof("A.", reason="no mark"), proof("B.", FIRST)]
    text, citations, unproved = written(proofs, language, unfiltered=True)
    assert text == f"A. {UNPROVED[language]} B. [1]"
    assert len(citations) == len(unproved) == 1


def test_lists_and_paragraphs_stay() -> None:
    proofs = [
        proof("Both:", FIRST),
        proof("A.", FIRST, bullet=True, paragraph=1),
        proof("B.", SECOND, bullet=True, paragraph=2),
        proof("End.", SECOND, paragraph=3),
    ]
    assert written(proofs, "en")[0] == "Both: [1]\n\n- A. [1]\n- B. [2]\n\nEnd. [2]"


def test_the_mark_of_code_stands_below_its_fence() -> None:
    code = Proof(Statement("```python\nx = 1\n```", (), "code"), "", (FIRST,))
    assert written([code], "en")[0].splitlines() == ["```python", "x = 1", "```", " [1]"]


def test_of_nothing_there_is_no_text() -> None:
    assert written([], "en") == ("", (), ())
    assert written([proof("A.", reason="no mark")], "zh")[0] == ""
