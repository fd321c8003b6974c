"""An answer as text for a terminal."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.ui.answers import answer
from ui.cli.text.answer import to_terminal
from ui.shared.console import json_text, printable


def test_terminal_text_cuts_long_quotes_only() -> None:
    shown = to_terminal(answer("A [1]\nB [2]", ["x" * 400, "short"]))
    assert "[1]-[2] PyTorch 2.4 · New <i>things</i> · https://example.org/a?b=1&c=2" in shown
    assert f"    [1] {'x' * 299}…\n    [2] short" in shown


def test_terminal_text_turns_bold_outside_code() -> None:
    shown = to_terminal(answer("**Head**\n```\n**kept**\n```\n"))
    assert "\x1b[1mHead\x1b[0m" in shown
    assert "\n**kept**\n" in shown


def test_terminal_text_turns_what_opens_a_line_bold() -> None:
    assert to_terminal(answer("**No, since 2.5:** A [1]")) == "\x1b[1mNo, since 2.5:\x1b[0m A [1]"


def test_terminal_text_keeps_the_stars_of_names() -> None:
    text = "**Powers · `a**b`**\n- `x**2 + y**2` and 2**3**4 [1]\n- **kwargs and **options [2]"
    shown = to_terminal(answer(text))
    assert shown == text.replace("**Powers · `a**b`**", "\x1b[1mPowers · `a**b`\x1b[0m")


def test_what_to_ask_next_is_told_to_people_only() -> None:
    told = replace(answer("A [1]"), suggestions=("Is it\x1b[1m fast?", "Since when?"))
    assert to_terminal(told, suggests=True).endswith("\x1b[1mNext\x1b[0m\n- Is it[1m fast?\n- Since when?")
    assert to_terminal(replace(told, abstained=True), suggests=True).count("Ask instead") == 1
    assert "Since when?" not in to_terminal(told)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\x1b]0;owned\x07b", "a]0;ownedb", id="escape"),
        pytest.param("a\u202eb", "ab", id="direction"),
        pytest.param("a\tb\n中文", "a\tb\n中文", id="kept"),
        pytest.param("👩\u200d💻", "👩\u200d💻", id="joined-emoji"),
    ],
)
def test_documents_cannot_command_the_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\x9b31m\x1b[0m", r"a\u009b31m\u001b[0m", id="escape"),
        pytest.param("a\u202eb\u2066c\u200f", r"a\u202eb\u2066c\u200f", id="direction"),
        pytest.param("\U000110bd", r"\ud804\udcbd", id="two-units"),
        pytest.param("\ud800", r"\ud800", id="surrogate"),
        pytest.param("中文 👩\u200d💻 ❤\ufe0f", "中文 👩\u200d💻 ❤\ufe0f", id="kept"),
    ],
)
def test_json_cannot_command_the_terminal(text: str, shown: str) -> None:
    dumped = json_text({text: [text]})
    assert dumped == f'{{\n  "{shown}": [\n    "{shown}"\n  ]\n}}'
    assert json.loads(dumped) == {text: [text]}


def test_a_source_without_an_address_is_named_by_its_file() -> None:
    shown = to_terminal(answer("A [1]", ["first"], url=""))
    assert "[1] PyTorch 2.4 · New <i>things</i> · notes.md\n" in shown


def test_a_notice_stands_above_the_answer() -> None:
    told = replace(
        answer("It is so. [1]", ["q"]),
        notices=(
            "It is\nnew.",
            "The model\nfailed: \x1b[31m<b>no</b>",
        ),
    )
    first, text, *_ = to_terminal(told).split("\n\n")
    new, failed = first.split("\n")
    assert "It is new." in new and "The model failed: " in failed
    assert "<b>no</b>" in failed and text == "It is so. [1]"
    assert "\x1b[31m" not in first


def test_what_is_pending_is_not_told() -> None:
    assert "more" not in to_terminal(replace(answer("It is so. [1]", ["q"]), pending="more"))
