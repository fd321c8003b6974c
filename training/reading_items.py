"""The pairs that the reader is trained on: a question or a statement, a passage, and their labels."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assistant.reader.pair import Pair, PairTokenizer
from assistant.reader.reading import ReadText
from assistant.retrieval.sentences import QUOTABLE
from ingest.markup import inline_text, reading_text
from training.candidates import Found, FoundPassage
from training.chunks import TrainingChunk, by_section, positives
from training.rows import Row, is_answered

_UNKNOWN = math.nan  # a label that no loss is made of
_VERDICTS = {"yes": 0, "supported": 0, "no": 1, "contradicted": 1, "unsaid": 2}
_STEP = 16  # tokens by which lengths go
_SORTED = 256  # groups that are sorted by length together
_WRONG = 2  # passages that do not answer, of each question
_EVIDENCE = 0.6  # share of statements that are read with the deciding sentences alone, as the proof does
_FOREIGN = 0.25  # share of statements that are read with the digest in the other language
_BARE = 0.15  # share of groups read without headings: not all notes have telling ones
_SUMMARIES = ("overview", "status")  # sections that repeat what others say


@dataclass(frozen=True)
class Item:
    """A pair with its labels.

    Attributes:
        pair: token ids.
        answers: 1 if the passage answers, 0 if not, NaN if that is not asked.
        sentences: the same of each sentence that is read.
        verdict: 0 yes, 1 no, 2 unsaid, -1 not asked.
    """

    pair: Pair
    answers: float
    sentences: Sequence[float]
    verdict: int = -1


class ItemMaker:
    """Makes the pairs of rows.

    Args:
        pairs: makes token ids.
        chunks: of the digests.
        found: what retrieval found for each row, by its id.
    """

    def __init__(
        self, pairs: PairTokenizer, chunks: Sequence[TrainingChunk], found: Mapping[str, Found]
    ) -> None:
        self._pairs = pairs
        self._chunks = chunks
        self._sections = by_section(chunks)
        self._found = found

    def group(self, row: Row, generator: random.Random) -> list[Item]:
        """Return the pairs of a row: of a question that the notes answer, the right passage comes first.

        Args:
            row: a question or a statement.
            generator: draws among what may be read.
        """
        bare = generator.random() < _BARE
        if row.kind == "statement":
            return self._statement(row, generator, bare)
        found = self._found[row.id]
        items: list[Item] = []
        wrong = list(found.passages)
        if is_answered(row):
            right = self._right(row, found, generator, bare)
            if right is None:
                return []
            items.append(right)
            wrong = [passage for passage in wrong if passage.section not in row.sections]
        chosen = [p for p in wrong if p.section in row.sections][:1]  # a near miss is the hardest
        while len(chosen) < min(_WRONG if row.sections else 1, len(wrong)):
            left = [p for p in wrong if not any(p is one for one in chosen)]
            chosen += generator.choices(left, [1 / (1 + place) for place in range(len(left))])
        return items + [self._wrong(row, found.question, passage, bare) for passage in chosen]

    def batches(self, rows: Sequence[Row], epoch: int, tokens: int) -> Iterator[list[list[Item]]]:
        """Yield batches of groups, those of like length together.

        Args:
            rows: to train on.
            epoch: seeds the order and what is drawn for each row.
            tokens: of a batch at most, padding included.
        """
        generator = random.Random(epoch)
        order = generator.sample(list(rows), len(rows))
        for at in range(0, len(order), _SORTED):
            groups = [group for row in order[at : at + _SORTED] if (group := self.group(row, generator))]
            groups.sort(key=_longest)
            batches: list[list[list[Item]]] = [[]]
            for group in groups:
                items = sum(map(len, batches[-1])) + len(group)
                if batches[-1] and items * _longest(group) > tokens:
                    batches.append([])
                batches[-1].append(group)
            generator.shuffle(batches)
            yield from filter(None, batches)

    def _right(self, row: Row, found: Found, generator: random.Random, bare: bool) -> Item | None:
        told = positives(row, self._chunks, self._sections)
        if not told.chunks:
            return None
        own = [number for number in told.chunks if self._chunks[number].language == found.language]
        number = generator.choice(own or list(told.chunks))
        right = {place for chunk, place in told.sentences if chunk == number}
        places = self._quotable(number)
        text = self._text(number, places, right, generator)
        for passage in found.passages:  # as it will be read: with the sentences nearest to the question
            if list(passage.sentences) == list(text.sentences):
                text = replace(text, nearness=passage.nearness)
        (pair,) = self._pairs.pairs(found.question, [replace(text, context="") if bare else text])
        labels = [float(places[at] in right) if right else _UNKNOWN for at in pair.sentences]
        return Item(pair, 1.0, labels, _VERDICTS.get(row.polarity, -1))

    def _wrong(self, row: Row, asked: str, passage: FoundPassage, bare: bool) -> Item:
        text = ReadText("" if bare else passage.context, passage.sentences, passage.nearness)
        (pair,) = self._pairs.pairs(asked, [text])
        unsaid = row.polarity == "unsaid" and passage.section in row.sections
        release, _, section = passage.section.partition("/")
        repeats = section in _SUMMARIES and any(one.startswith(f"{release}/") for one in row.sections)
        answers = _UNKNOWN if repeats and is_answered(row) else 0.0
        return Item(pair, answers, [answers] * len(pair.spans), 2 if unsaid else -1)

    def _statement(self, row: Row, generator: random.Random, bare: bool) -> list[Item]:
        language = "zh" if row.language == "zh" else "en"
        if generator.random() < _FOREIGN:
            language = {"zh": "en", "en": "zh"}[language]
        told = positives(row, self._chunks, self._sections)
        everywhere = told.chunks or [n for s in row.sections for n in self._sections.get(s, ())]
        numbers = [n for n in everywhere if self._chunks[n].language == language] or list(everywhere)
        if not numbers:
            return []
        number = generator.choice(numbers)
        right = {place for chunk, place in told.sentences if chunk == number}
        places = sorted({*self._quotable(number), *right})
        if right and generator.random() < _EVIDENCE:
            places = sorted(right)
        text = self._text(number, places, right, generator)
        if bare:
            text = replace(text, context="")
        (pair,) = self._pairs.pairs(row.text, [text], statement=True)
        labels = [float(places[at] in right) if right else _UNKNOWN for at in pair.sentences]
        if row.verdict == "unsaid":
            labels = [_UNKNOWN] * len(labels)
        return [Item(pair, _UNKNOWN, labels, _VERDICTS[row.verdict])]

    def _quotable(self, number: int) -> list[int]:
        sentences = self._chunks[number].sentences
        return [place for place, sentence in enumerate(sentences) if sentence.kind in QUOTABLE]

    def _text(
        self, number: int, places: Sequence[int], right: set[int], generator: random.Random
    ) -> ReadText:
        """Return a chunk as text; the right sentences have room first, the others by chance."""
        chunk = self._chunks[number]
        quotes = [chunk.sentences[place].quote for place in places]
        nearness = [2.0 if place in right else generator.random() for place in places]
        context = chunk.text.split("\n", 1)[0]
        return ReadText(context, [inline_text(reading_text(quote)) for quote in quotes], nearness)


def _longest(group: Sequence[Item]) -> int:
    return -(-max(len(item.pair.ids) for item in group) // _STEP) * _STEP
