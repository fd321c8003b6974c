"""Questions for a whole list, in other words."""

from __future__ import annotations

import pytest

from assistant.assistant import Assistant


@pytest.mark.parametrize("words", ["有哪些？全列出来", "都列出来", "列一下", "列举一下"])
def test_words_of_asking_for_a_list_change_nothing(digest_assistant: Assistant, words: str) -> None:
    usual = digest_assistant.ask("2.4 的原型功能有哪些？")
    assert not usual.abstained and len(usual.citations) > 1
    assert digest_assistant.ask(f"2.4 的原型功能{words}").text == usual.text


def test_breaking_changes_come_by_whom_they_hit(digest_assistant: Assistant) -> None:
    answer = digest_assistant.ask("What breaks when I go from 2.6 to 2.9?")
    groups = [line.strip("*") for line in answer.text.splitlines() if line.startswith("**")]
    assert groups == [
        "Platforms and installation",
        "Changed defaults",
        "Python: removed or incompatible",
        "C++ and builds",
    ]
    platforms = answer.text.split("**Changed defaults**")[0]
    assert "- 2.9: Python 3.10 is the minimum [" in platforms and "2.8: Maxwell" in platforms
    releases = [citation.passage.version for citation in answer.citations]
    assert set(releases) == {"2.7", "2.8", "2.9"}


def test_breaking_changes_of_one_release_do_not_repeat_it(digest_assistant: Assistant) -> None:
    text = digest_assistant.ask("2.9 有哪些不兼容变更？").text
    assert text.startswith("**平台与安装**") and "- 2.9" not in text and "2.9：" not in text
