"""Verdicts on yes/no questions: only where the fitted odds allow, before the sentence that proves them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from assistant.answering import verdict
from assistant.answering.compose import compose
from assistant.answering.verdict import FEATURES, load_verdicts, measured, with_verdict
from assistant.reader.reading import PassageReading, ReaderVerdict
from assistant.retrieval.pick import Pick
from assistant.retrieval.reading import Readings
from corpus.glossary import load_glossary
from tests.assistant.passages import passage, question
from tests.assistant.rules import check_text

FOUND = passage("## [Beta] TCPStore {#tcpstore}\n\nTCPStore runs on libuv. TCPStore starts faster.\n")
CHINESE = passage("## [测试] TCPStore {#tcpstore}\n\nTCPStore 默认使用 libuv 后端。\n", "zh-2.4")
NOTHING = dict.fromkeys(FEATURES, 0.0)
BY_MARGIN = {"yes": {**NOTHING, "bias": -1.0, "margin": 1.0}, "no": {**NOTHING, "bias": -1.0, "margin": -1.0}}


def readings(margin: float, chunk: str = FOUND.chunk.id) -> Readings:
    return Readings([PassageReading(0.0, {}, ReaderVerdict(margin, 0.0, -1.0))], [chunk])


@pytest.fixture(autouse=True)
def fitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "verdict.json"
    path.write_text(json.dumps(BY_MARGIN), encoding="utf-8")
    held = load_verdicts.__wrapped__(path)
    monkeypatch.setattr(verdict, "load_verdicts", lambda: held)


def text(asked: str, margin: float, pick: Pick | None = None) -> str:
    pick = pick or Pick(FOUND, FOUND.sentences[1:])
    parsed = question(asked)
    picks = with_verdict(parsed, [pick], readings(margin, pick.passage.chunk.id))
    said, citations = compose(parsed, picks, load_glossary())
    check_text(said, citations, parsed.language)
    return said


@pytest.mark.parametrize(
    ("margin", "opening"),
    [
        (
            2.0,
            "**Yes (PyTorch 2.4, Beta):** TCPStore runs on libuv. [1]\n\n**PyTorch 2.4 · Beta · TCPStore**\n",
        ),
        (-2.0, "**No (PyTorch 2.4, Beta):** TCPStore runs on libuv. [1]\n"),
        (0.5, "**PyTorch 2.4 · Beta · TCPStore**\n- TCPStore runs on libuv. [1]"),
    ],
)
def test_an_answer_begins_with_a_verdict_that_is_sure(margin: float, opening: str) -> None:
    assert text("Does TCPStore run on libuv?", margin).startswith(opening)


@pytest.mark.parametrize(
    ("asked", "margin", "opening"),
    [
        ("TCPStore 能用 libuv 吗？", 2.0, "**能（"),
        ("TCPStore 能用 libuv 吗？", -2.0, "**不能（"),
        ("TCPStore 是不是用 libuv？", 2.0, "**是的（"),
        ("TCPStore 有没有 libuv 后端？", -2.0, "**没有（"),
        ("TCPStore 不能用 libuv 了吗？", 2.0, "**是的（"),  # the verb is negated: "能" would say the opposite
    ],
)
def test_a_chinese_verdict_repeats_the_verb(asked: str, margin: float, opening: str) -> None:
    assert text(asked, margin, Pick(CHINESE, CHINESE.sentences[1:])).startswith(opening)


def test_only_what_was_read_of_a_yes_no_question_counts() -> None:
    pick = Pick(FOUND, FOUND.sentences[1:])
    assert measured(question("What does TCPStore run on?"), [pick], readings(2.0)) is None
    assert measured(question("Does TCPStore run on libuv?"), [pick], readings(2.0, "other")) is None
    assert measured(question("Does TCPStore run on libuv?"), [], readings(2.0)) is None
    features: Mapping[str, float] | None = measured(
        question("Does TCPStore run on libuv?"), [pick], readings(2.0)
    )
    assert features and set(features) == set(FEATURES) and features["margin"] == 2.0


def test_a_verdict_goes_with_its_sentence() -> None:
    (pick,) = with_verdict(
        question("Does TCPStore run on libuv?"), [Pick(FOUND, FOUND.sentences[1:])], readings(2.0)
    )
    assert pick.opening and not Pick(pick.passage, pick.sentences[1:], lead=pick.lead).opening


def test_a_verdict_that_was_never_sure_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "verdict.json"
    path.write_text(json.dumps({"yes": None, "no": BY_MARGIN["no"]}), encoding="utf-8")
    assert list(load_verdicts.__wrapped__(path)) == ["no"]
    assert set(load_verdicts.__wrapped__()) <= {"yes", "no"}
