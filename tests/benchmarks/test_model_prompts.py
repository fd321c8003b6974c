"""The prompts that are printed are those that a model is sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.factory import AssistantFactory
from assistant.llm.prompt import NOT_TOLD
from assistant.settings import Settings
from benchmarks.model_prompts import sent_for

QUESTION = "how do I go back to the old TCPStore backend in 2.4"


@pytest.mark.long
def test_the_passages_of_a_prompt_are_told_with_their_sections(shipped_home: Path) -> None:
    assistant = AssistantFactory(Settings(home=shipped_home)).assistant()
    sent, chat = sent_for(assistant, [QUESTION, "thanks!"])
    assert NOT_TOLD in sent.prompt and sent.prompt.endswith(QUESTION)
    assert len(sent.passages) > 1 and sent.passages[0].section == "2.4/tcpstore-libuv"
    places = [sent.prompt.find(passage.text) for passage in sent.passages]
    assert -1 not in places and places == sorted(places)
    assert {passage.language for passage in sent.passages} == {"en"}
    assert not chat.prompt and not chat.passages and chat.reply
