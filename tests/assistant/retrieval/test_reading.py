"""Reading: what a reader is given, and what it says."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from assistant.assistant import Assistant
from assistant.reader.reading import PassageReading, ReaderVerdict, ReadText
from assistant.retrieval.reading import DEPTH, NOTHING_READ, Readings, read_text
from index.search.passage import Passage
from ingest.document import Kind
from tests.assistant.passages import passage

STORE = passage("## TCPStore\n\nThe backend is libuv. It starts 16x faster.\n", score=0.9)


@dataclass
class FakeReader:
    """Says what it is told to, and keeps what it was given."""

    says: Sequence[PassageReading]
    kinds: Collection[Kind] = ()
    name: str = "fake"
    given: list[tuple[str, Sequence[ReadText]]] = field(default_factory=list)

    def read(self, question: str, texts: Sequence[ReadText]) -> list[PassageReading]:
        self.given.append((question, texts))
        return list(self.says)[: len(texts)]

    def judge(self, statements: Sequence[str], evidence: Sequence[ReadText]) -> list[ReaderVerdict]:
        raise AssertionError(f"no statement is judged to answer: {statements}")


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
    reader = FakeReader([PassageReading(float(number)) for number in range(DEPTH + 2)])
    assert len(Readings.of(reader, "?", many).passages) == DEPTH
    assert reader.given == [("?", [read_text(STORE)] * DEPTH)]
    assert Readings.of(reader, "?", []).passages == () and len(reader.given) == 1


def test_a_reader_that_reads_nothing_says_nothing() -> None:
    assert not Readings.of(FakeReader([]), "?", [STORE]).passages and not NOTHING_READ.passages


def test_notes_of_a_kind_that_it_was_not_trained_for_are_not_read(
    digest_assistant: Assistant, assistant: Assistant
) -> None:
    """`assistant` holds documents of a user's, `digest_assistant` the digests."""
    for each, read in ((digest_assistant, True), (assistant, False)):
        found = each.examine("What is the default backend of TCPStore in 2.4?")
        assert bool(found.readings.passages) == read
