"""Questions for a whole list, in other words."""

from __future__ import annotations

import pytest

from assistant.assistant import Assistant


@pytest.mark.parametrize("words", ["有哪些？全列出来", "都列出来", "列一下", "列举一下"])
def test_words_of_asking_for_a_list_change_nothing(digest_assistant: Assistant, words: str) -> None:
    usual = digest_assistant.ask("2.4 的原型功能有哪些？")
    assert not usual.abstained and len(usual.citations) > 1
    assert digest_assistant.ask(f"2.4 的原型功能{words}").text == usual.text
