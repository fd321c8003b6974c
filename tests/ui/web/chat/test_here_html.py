"""What of an answer applies to the reader's machine, below its sources."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.applicability.marks import mark
from assistant.assistant import Assistant
from assistant.checks.machine import Machine
from ingest.document import LANGUAGES, Language
from ui.web.chat.answer_html import answer_to_html
from ui.web.chat.here_html import here_to_html

ROOT = Path(__file__).resolve().parents[4]
OLD = Machine("Linux 6", "CPU", ("avx2",), 2, 2**34, "3.11.7", torch="2.13.0+cpu", processor="x86_64")
ASKED: dict[Language, str] = {
    "en": "Which CPUs does the AVX512 kernel support of 2.1 need?",
    "zh": "2.1 的 AVX512 内核支持是什么？",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_needs_another_machine_is_marked_with_the_reason(
    digest_assistant: Assistant, language: Language
) -> None:
    answer = digest_assistant.ask(ASKED[language])
    marks = mark(answer, OLD)
    assert [m for m in marks if m.applicability.result == "not-here"]
    html = answer_to_html(answer, "t-1", OLD)
    assert {"en": "does not apply here", "zh": "不适用于本机"}[language] in html
    assert "AVX512" in html.partition("tn-here")[2] and "torch 2.13.0+cpu" in html
    assert 'data-source="' in html.partition("tn-here")[2]
    line = html.partition('<details class="tn-here"')[2].partition("</summary>")[0]
    assert {"en": "not apply here", "zh": "不适用于本机"}[language] in line and "torch 2.13.0" in line
    assert "tn-here" not in answer_to_html(answer, "t-1"), "of another machine nothing is told"


def test_an_answer_without_conditions_has_no_marks(digest_assistant: Assistant) -> None:
    answer = digest_assistant.ask("How many commits went into PyTorch 2.4?")
    assert mark(answer, OLD) == () and here_to_html((), OLD, "en") == ""
    assert "tn-here" not in answer_to_html(answer, "t-1", OLD)


def test_a_machine_of_every_kind_is_told_in_one_line(digest_assistant: Assistant) -> None:
    answer = digest_assistant.ask(ASKED["en"])
    for name, facts in json.loads((ROOT / "tests/quality/machines.json").read_text("utf-8")).items():
        facts = {key: tuple(value) if isinstance(value, list) else value for key, value in facts.items()}
        machine = Machine(**facts)
        html = here_to_html(mark(answer, machine), machine, "en")
        assert not html or "Python" in html, name
