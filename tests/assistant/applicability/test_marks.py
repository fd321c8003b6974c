"""Marks: the cited sentences of an answer on a machine."""

from __future__ import annotations

import json
from dataclasses import replace

from assistant.applicability.marks import in_section, mark
from benchmarks.applies import machines
from tests.ui.answers import answer

KNOWN = machines()
MAC = KNOWN["mac-m2"]


def test_each_sentence_of_a_quote_is_marked() -> None:
    told = answer("a [1] b [2]", ["It works on Linux. It is fast.", "On Apple GPUs, `mm` is faster."])
    marks = mark(told, MAC)
    assert [(m.numbers, m.statement, m.applicability.result) for m in marks] == [
        ((1,), "It works on Linux.", "not-here"),
        ((2,), "On Apple GPUs, mm is faster.".replace("mm", "`mm`"), "applies"),
    ]
    assert json.loads(json.dumps([m.to_dict() for m in marks]))[0] == {
        "numbers": [1],
        "statement": "It works on Linux.",
        "result": "not-here",
        "label": {"en": "does not apply here", "zh": "不适用于本机"},
        "reasons": [{"en": "about Linux; this is macOS 14", "zh": "涉及 Linux；本机是 macOS 14"}],
    }


def test_a_sentence_cited_twice_has_one_mark() -> None:
    (only,) = mark(answer("a [1] b [2]", ["It works on Linux.", "It works on Linux."]), MAC)
    assert only.numbers == (1, 2)


def test_an_answer_that_declines_and_code_have_no_marks() -> None:
    told = answer("a [1]", ["It works on Linux."])
    assert mark(replace(told, abstained=True), MAC) == ()
    assert mark(answer("a [1]", ["```python\n# It works on Linux.\n```"]), MAC) == ()


def test_the_heading_joins_the_conditions_of_a_sentence() -> None:
    said = "The profiler works on Windows and Linux."
    told = in_section(said, "Enhanced Intel GPU support", None, KNOWN["h100-linux"])
    assert told and told.result == "not-here"
    assert in_section("It is faster.", "Enhanced Intel GPU support", None, MAC) is None
