"""Reading: what a reader says changes the probability of an answer, and by how much."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import pytest

from assistant.assistant import Assistant
from assistant.reader.reading import Reading, ReadText, Verdict
from assistant.retrieval import reading
from assistant.retrieval.reading import DEPTH, NOTHING_READ, Readings, load_fusion, read_text
from index.search.passage import Passage
from ingest.document import Kind
from tests.assistant.passages import passage

STORE = passage("## TCPStore\n\nThe backend is libuv. It starts 16x faster.\n", score=0.9)


@dataclass
class FakeReader:
    """Says what it is told to, and keeps what it was given."""

    says: Sequence[Reading]
    kinds: Collection[Kind] = ()
    given: list[tuple[str, Sequence[ReadText]]] = field(default_factory=list)

    def read(self, question: str, texts: Sequence[ReadText]) -> list[Reading]:
        self.given.append((question, texts))
        return list(self.says)[: len(texts)]

    def judge(self, statements: Sequence[str], evidence: Sequence[ReadText]) -> list[Verdict]:
        raise AssertionError(f"no statement is judged to answer: {statements}")


@pytest.fixture
def weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights by hand instead of those that ship."""
    monkeypatch.setattr(reading, "load_fusion", lambda: (-1.0, 0.5, 2.0, 3.0))


def distinct(found: Passage, name: str) -> Passage:
    return replace(found, chunk=replace(found.chunk, id=name))


def test_headings_and_code_are_not_read() -> None:
    found = passage(
        "## Lamps\n\nUse **often** `dim()` [here](https://x.y/z). It works (#12345).\n\n"
        "```python\nlamp.dim()\n```\n\n- an item of a list\n"
    )
    text = read_text(found)
    assert text.sentences == ["Use often dim() here.", "It works.", "an item of a list"]
    assert text.context == found.chunk.context and "Lamps" in text.context
    assert len(text.nearness) == len(text.sentences)


def test_only_the_first_passages_are_read() -> None:
    many = [distinct(STORE, f"c{number}") for number in range(DEPTH + 2)]
    reader = FakeReader([Reading(float(number)) for number in range(DEPTH + 2)])
    assert len(Readings.of(reader, "?", many).passages) == DEPTH
    assert reader.given == [("?", [read_text(STORE)] * DEPTH)]
    assert Readings.of(reader, "?", []).passages == () and len(reader.given) == 1


def test_a_reader_that_reads_nothing_changes_nothing() -> None:
    assert Readings.of(FakeReader([]), "?", [STORE]).probability(0.3, 0.7) == 0.3
    assert NOTHING_READ.probability(0.3, 0.7) == 0.3


@pytest.mark.usefixtures("weights")
def test_the_best_passage_and_the_best_sentence_decide() -> None:
    found = Readings([Reading(0.5, {0: -0.2, 2: 0.3}), Reading(-0.5, {0: 0.1})])
    assert found.best(0.5) == (0.0, 0.5, 0.3)
    logit = math.log(0.7 / 0.3) - 1 + 0.5 * math.log(0.8 / 0.2) + 2 * 0.5 + 3 * 0.3
    assert found.probability(0.8, 0.7) == pytest.approx(1 / (1 + math.exp(-logit)))
    assert Readings([Reading(-1.0), Reading(-2.0)]).best(0.5) == (0.0, -1.0, 0.0)  # no sentence had room


@pytest.mark.usefixtures("weights")
def test_the_probability_grows_with_each_of_them() -> None:
    def probability(before: float = 0.5, passage: float = 0.0, sentence: float = 0.0) -> float:
        return Readings([Reading(passage, {1: sentence})]).probability(before, 0.5)

    odds = (-9.0, -1.0, 0.0, 1.0, 9.0)
    gate = [probability(before=each) for each in (1e-300, 0.01, 0.5, 0.99, 1 - 1e-16)]
    for rising in (gate, [probability(passage=x) for x in odds], [probability(sentence=x) for x in odds]):
        assert rising == sorted(set(rising))
        assert rising[0] > 0 and rising[-1] < 1


@pytest.mark.usefixtures("weights")
def test_where_the_gate_is_sure_or_always_open_nothing_changes() -> None:
    assert Readings([Reading(-3.0)]).probability(0.4, 0.0) == 0.4
    assert [Readings([Reading(-3.0)]).probability(sure, 0.7) for sure in (0.0, 1.0)] == [0.0, 1.0]


@pytest.mark.usefixtures("weights")
def test_a_reader_may_be_far_from_sure() -> None:
    assert Readings([Reading(-1000.0)]).probability(0.5, 0.7) == pytest.approx(0.0)


def test_the_weights_that_ship_let_each_speak_for_an_answer() -> None:
    _, *shipped = load_fusion()
    assert len(shipped) == 3 and min(shipped) > 0


def test_notes_of_a_kind_that_it_was_not_trained_for_are_not_read(
    digest_assistant: Assistant, assistant: Assistant
) -> None:
    """`assistant` holds documents of a user's, `digest_assistant` the digests."""
    for each, read in ((digest_assistant, True), (assistant, False)):
        _, found = each.examine("What is the default backend of TCPStore in 2.4?")
        assert bool(found.passages) == read
