"""The notes of an invented project, in a library of its own: what was learned carries over in part.

The gate takes questions about something else than PyTorch for less likely to be answered; the reader judges
digests alone: four of twelve are declined though the notes tell.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.settings import Settings
from ingest.loaders import load

NOTES = Path(__file__).with_name("quillon-3.2.md")

ANSWERED = [
    ("our long scans get started twice on two workers, what changed about that?", ["heartbeat"]),
    ("长时间的测量会被另一个 worker 重复执行，新版本解决了吗？", ["heartbeat"]),
    ("spool takes too much disk, anything new?", ["Zstandard"]),
    ("how do I convert my old yaml jobs", ["migrate-jobs"]),
    ("YAML 的任务文件还能用吗", ["TOML"]),
    (
        "failed jobs are not tried again since the upgrade, how do I get the old behaviour back?",
        ["retries = 3"],
    ),
    ("失败的任务不再自动重试了，怎么恢复以前的行为", ["retries"]),
    ("which Python does Quillon 3.2 need at least?", ["3.9"]),
    ("what replaces push_many?", ["Queue.extend"]),
    ("push_many 什么时候删掉", ["4.0"]),
    ("can I see how deep the queues are in a browser", ["dashboard"]),
    ("worker exits when the broker connection drops", ["reconnects"]),
]
NOT_ANSWERED = [
    "does the dashboard work on Windows Server 2019?",
    "How many jobs per second can the broker take?",
    "dashboard 支持 LDAP 登录吗",
    "Why was Zstandard chosen rather than LZ4?",
    "how do I make carrot cake",
    "今天天气怎么样",
]


@pytest.fixture(scope="module")
def quillon(tmp_path_factory: pytest.TempPathFactory) -> Assistant:
    factory = AssistantFactory(Settings(home=tmp_path_factory.mktemp("quillon"), shipped_corpus=False))
    factory.update(list(load(NOTES, on_skip=_refuse)))
    return factory.assistant()


def test_most_questions_are_answered(quillon: Assistant) -> None:
    missed = []
    for question, facts in ANSWERED:
        answer = quillon.ask(question)
        if answer.abstained or not all(fact in answer.text for fact in facts):
            missed.append(question)
    assert len(missed) <= 4, missed


def test_what_the_notes_do_not_tell_is_declined(quillon: Assistant) -> None:
    assert [question for question in NOT_ANSWERED if not quillon.ask(question).abstained] == []


def _refuse(error: Exception) -> None:
    raise error
