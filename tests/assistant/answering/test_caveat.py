"""A warning of the section is not dropped where the question is about using what it describes."""

from __future__ import annotations

import pytest

from assistant.answering.caveat import with_caveat
from assistant.retrieval.pick import Pick
from tests.assistant.passages import passage, question, quotes

BODY = "## {}TCPStore\n\nTCPStore runs on libuv.\n\nIt is new.\n\nBeware: libuv is slow on Windows.\n"
CHINESE = "## [测试] TCPStore\n\nTCPStore 使用 libuv 后端。\n\n- 注意：Windows 上较慢。\n"


def told(asked: str, body: str, name: str = "en-2.4") -> list[str]:
    found = passage(body, name)
    (pick,) = with_caveat(question(asked), [Pick(found, (found.sentences[1],))])
    return quotes(found, pick.sentences)


@pytest.mark.parametrize("asked", ["How do I use TCPStore?", "Can I use TCPStore on Windows?"])
def test_it_is_added_once_in_its_place(asked: str) -> None:
    said = told(asked, BODY.format("[Beta] "))
    assert said == ["TCPStore runs on libuv.", "Beware: libuv is slow on Windows."]


def test_in_chinese() -> None:
    assert told("TCPStore 怎么用？", CHINESE, "zh-2.4")[-1].endswith("注意：Windows 上较慢。")


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("What does TCPStore run on?", "[Beta] "),  # not about its use
        ("How do I use TCPStore?", ""),  # of a list, perhaps about a neighbour
    ],
)
def test_other_answers_are_left_as_they_are(asked: str, status: str) -> None:
    assert told(asked, BODY.format(status)) == ["TCPStore runs on libuv."]
