"""Reading: the first passages are read together with the question, to tell whether they answer it.

A logistic regression over the gate's probability and what the reader says (`make fusion`, reading.json) gives
a new one, on the scale of the gate.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from assistant.reader.reading import Reader, Reading, ReadText
from assistant.retrieval.sentences import QUOTABLE, text_of
from index.search.passage import Passage
from ingest.markup import inline_text, reading_text

MODEL = Path(__file__).with_name("reading.json")
DEPTH = 5  # passages that are read
_FAR = 700.0  # log odds below which a probability is 0; exp overflows soon after


@dataclass(frozen=True, slots=True)
class Readings:
    """What the reader found in the first passages of a search; empty where nothing was read."""

    passages: Sequence[Reading] = ()

    @classmethod
    def of(cls, reader: Reader, question: str, passages: Sequence[Passage]) -> Readings:
        """Read a question with the first of some passages.

        Args:
            reader: reads them.
            question: understood by itself.
            passages: best first.
        """
        few = passages[:DEPTH]
        return cls(reader.read(question, [read_text(passage) for passage in few]) if few else ())

    def probability(self, before: float, threshold: float) -> float:
        """Return the probability that the notes answer, on the scale of the gate.

        Args:
            before: that of the gate, 0 to 1.
            threshold: of the gate.
        """
        if not self.passages or not (0 < before < 1 and 0 < threshold < 1):
            return before
        bias, *weights = load_fusion()
        odds = bias + sum(w * v for w, v in zip(weights, self.best(before), strict=True))
        odds += math.log(threshold / (1 - threshold))
        return 1 / (1 + math.exp(-odds)) if odds > -_FAR else 0.0

    def best(self, before: float) -> tuple[float, float, float]:
        """Return what decides whether to answer: log odds of the gate, of the best passage and sentence.

        Args:
            before: probability that the gate gives, between 0 and 1.
        """
        passage = max(reading.answers for reading in self.passages)
        sentences = [odds for reading in self.passages for odds in reading.sentences.values()]
        return math.log(before / (1 - before)), passage, max(sentences, default=0.0)


NOTHING_READ = Readings()


def read_text(passage: Passage) -> ReadText:
    """Return a passage as a reader reads it.

    Args:
        passage: found for a question.
    """
    sentences = [sentence for sentence in passage.sentences if sentence.span.kind in QUOTABLE]
    texts = [inline_text(reading_text(text_of(passage, sentence))) for sentence in sentences]
    return ReadText(passage.chunk.context, texts, [sentence.cosine for sentence in sentences])


@lru_cache(maxsize=1)
def load_fusion(path: Path = MODEL) -> tuple[float, float, float, float]:
    """Return bias and weights: of the log odds of the gate, of the best passage and of the best sentence.

    Where they sum up to zero the threshold of the gate is reached.

    Args:
        path: of the JSON file.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    bias, gate, passage, sentence = data["weights"]
    return bias, gate, passage, sentence
