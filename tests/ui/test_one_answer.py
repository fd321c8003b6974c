"""One answer, four faces: the page, Slack, the command line and JSON have the same numbers and sources."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from assistant.answer import Answer
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.feedback.store import record
from ingest.document import Language
from tests.ui.slack.block_kit import problems
from ui.agents.tools import Tools
from ui.cli.text.answer import to_terminal
from ui.shared.console import json_text
from ui.shared.labels import NEAREST_QUOTES, SOURCES
from ui.slack.blocks import answer_messages
from ui.web.chat.answer_html import answer_to_html, panel_to_html

MARK = re.compile(r"(?<![A-Za-z0-9_)`])\[(\d+)\]")
#: Numbers with the address of their source, in order.
Sources = list[tuple[int, str]]

QUESTIONS = [
    "Which backend does TCPStore use by default in 2.4?",
    "How do I turn libuv off for TCPStore in 2.4?",
    "2.4 里 TCPStore 默认用什么后端？",
    "2.6 的分组矩阵乘内核有多快？",
    "Does torch.compile work on Python 3.12?",
    "What changed for torch.load in 2.7?",
    "Which platforms have wheels in 2.5?",
    "AOTInductor 是做什么的？",
    "Who won the football world cup?",
    "谁赢了世界杯？",
]


def of_json(answer: Answer) -> tuple[list[int], Sources]:
    told = json.loads(json_text(answer.to_dict()))
    marks = [int(number) for number in MARK.findall(told["text"])]
    return marks, [(each["number"], each["url"]) for each in told["citations"]]


def of_terminal(answer: Answer) -> tuple[list[int], Sources]:
    head = (NEAREST_QUOTES if answer.abstained else SOURCES)[answer.language]
    text, _, below = re.sub(r"\x1b\[\d+m", "", to_terminal(answer)).partition(f"\n\n{head}\n\n")
    sources: Sources = []
    for first, last, url in re.findall(r"(?m)^\[(\d+)\](?:-\[(\d+)\])? .* · (\S+)$", below):
        sources += [(number, url) for number in range(int(first), int(last or first) + 1)]
    return [int(number) for number in MARK.findall(text)], sources


def of_page(answer: Answer) -> tuple[list[int], Sources]:
    shown = answer_to_html(answer, "s").partition('class="tn-sources"')[0]
    marks = [int(number) for number in re.findall(r'class="tn-cite"[^>]*>(\d+)<', shown)]
    sources: Sources = []
    for card in panel_to_html(answer, "s").split("<article")[1:]:
        (url,) = re.findall(r'class="tn-foot".*?href="([^"]+)"', card)
        sources += [(int(n), html.unescape(url)) for n in re.findall(r'id="source-s-(\d+)"', card)]
    return marks, sources


def of_slack(answer: Answer) -> tuple[list[int], Sources]:
    messages = answer_messages(answer, "kept-1234", "1.1")
    assert [wrong for message in messages for wrong in problems(message.to_dict())] == []
    texts = [block["text"]["text"] for message in messages for block in message.blocks if "text" in block]
    head = (NEAREST_QUOTES if answer.abstained else SOURCES)[answer.language]
    text, _, below = "\n\n".join(texts).partition(f"*{head}*\n")
    sources: Sources = []
    for numbers, url in re.findall(r"(?m)^((?:\[\d+\] )+)<([^|>]+)\|", below):
        sources += [(int(number), html.unescape(url)) for number in re.findall(r"\d+", numbers)]
    return [int(number) for number in MARK.findall(text)], sources


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("language", [None, "zh", "en"])
def test_four_faces_agree(assistant: Assistant, question: str, language: Language | None) -> None:
    answer = assistant.ask(question, language=language)
    marks, sources = of_json(answer)
    assert [number for number, _ in sources] == list(range(1, len(sources) + 1))
    assert set(marks) == {number for number, _ in sources}
    for face in (of_terminal, of_page, of_slack):
        assert face(answer) == (marks, sources), face.__name__


def test_all_faces_tell_the_same_versions(factory: AssistantFactory, tmp_path: Path) -> None:
    """JSON, what the page and Slack keep for a rating, and MCP."""
    assistant = factory.latest()
    answer = assistant.ask(QUESTIONS[0])
    versions = json.loads(json_text(answer.to_dict()))["versions"]
    assert versions == assistant.versions and versions["index"] and versions["reader"]
    assert record(answer)["versions"] == versions
    assert Tools(factory, tmp_path).ask(QUESTIONS[0]).versions == versions
