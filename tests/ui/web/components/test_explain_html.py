"""Terms in an answer: explained once, in the language of the answer, never inside links and code."""

from __future__ import annotations

import pytest

from corpus.glossary import load_glossary
from ui.web.components.explain_html import explanation
from ui.web.components.markdown_html import markdown_to_html

TERMS = {term.id: term for term in load_glossary().terms}
LIBUV = TERMS["libuv"]


def test_a_term_tells_what_it_is_for_in_the_language_of_the_answer() -> None:
    english = markdown_to_html("It uses libuv now.", language="en")
    assert (
        f'<abbr class="tn-term" tabindex="0" title="{explanation(LIBUV, "en")}">libuv</abbr> now.' in english
    )
    assert explanation(LIBUV, "zh") in markdown_to_html("换成了 libuv。", language="zh")
    assert LIBUV.what_zh in explanation(LIBUV, "zh") and LIBUV.what_en in explanation(LIBUV, "en")


def test_a_word_of_a_machine_translation_is_explained_by_the_right_one() -> None:
    term = next(term for term in TERMS.values() if "三通内核" in term.mistranslations)
    shown = markdown_to_html("用户定义的三通内核", language="zh")
    assert f'title="{term.en}' in shown and ">三通内核</abbr>" in shown


def test_a_term_is_explained_at_its_first_mention_only() -> None:
    assert markdown_to_html("libuv and libuv\n\n- `libuv`", language="en").count("<abbr") == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[libuv](https://example.org)", id="link"),
        pytest.param("```\nlibuv\n```", id="fence"),
        pytest.param("`x = libuv()`", id="code"),
        pytest.param("nothing known", id="no term"),
    ],
)
def test_links_and_code_are_left_alone(text: str) -> None:
    assert "<abbr" not in markdown_to_html(text, language="en")


def test_words_of_every_day_are_left_alone() -> None:
    assert any("训练" in term.names for term in TERMS.values())
    assert "<abbr" not in markdown_to_html("训练 dim 卡住", language="zh")


def test_code_that_is_a_name_is_explained_as_code() -> None:
    assert '"><code>libuv</code></abbr>' in markdown_to_html("the `libuv` backend", language="en")


def test_nothing_is_explained_without_a_language() -> None:
    assert "<abbr" not in markdown_to_html("libuv")


def test_marks_stay_marks_beside_terms() -> None:
    shown = markdown_to_html("Now libuv [1]", [1], "7", "en")
    assert (
        '<a href="#source-7-1" class="tn-cite" data-source="1">1</a>' in shown and "libuv</abbr> <a" in shown
    )
