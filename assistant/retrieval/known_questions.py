"""Known questions: those that were written for the sections of the shipped digests, as vectors.

A question that is like one of them is likely answered by the same section and the same sentences, however few
words the texts share (Nogueira et al. 2019, "Document Expansion by Query Prediction",
https://arxiv.org/abs/1904.08375, with questions as people ask them in place of predicted ones). Others are
known not to be answered by the notes: likeness to one of these speaks for declining. The file is written by
`make questions`, for the embedding model that ships.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.embedding.base import Vectors
from index.search.passage import Passage
from ingest.locked_property import locked_cached_property

MODEL = Path(__file__).with_name("known_questions.npz")
#: Owner of a question that the notes do not answer.
UNANSWERED = -1
_MOST = 20  # sections that are suggested to retrieval
_NEAREST = 50  # questions whose sentences count
_FAR = 0.6  # cosine below which two questions have no more in common than any two about PyTorch


@dataclass(frozen=True, slots=True)
class NearQuestions:
    """How near a question is to known ones; cosines from 0.6 to 1, as 0 to 0.4.

    Attributes:
        sections: of each section, such as "2.4/tcpstore-libuv", the nearest question; best first.
        unanswered: the nearest question that the notes do not answer.
        sentences: of each sentence that answers one, by `sentence_key`, the nearest question.
        known: the questions compared with; None for none.
    """

    sections: Mapping[str, float] = field(default_factory=dict)
    unanswered: float = 0.0
    sentences: Mapping[int, float] = field(default_factory=dict)
    known: KnownQuestions | None = field(default=None, compare=False, repr=False)

    def likeness(self, passage: Passage) -> float:
        """Return how near a question that a passage's section answers is; 0 if none is.

        Args:
            passage: of the index.
        """
        return self.sections.get(section_name(passage), 0.0) if passage.document.kind == "digest" else 0.0

    def asked_of(self, sentence: int) -> int:
        """Return how many known questions a sentence answers, near or not.

        Args:
            sentence: its `sentence_key`.
        """
        return self.known.counts[1].get(sentence, 0) if self.known else 0

    def asked_in(self, section: str) -> int:
        """Return how many known questions a section answers, near or not.

        Args:
            section: its `section_name`.
        """
        return self.known.counts[0].get(section, 0) if self.known else 0

    @property
    def suggested(self) -> Sequence[str]:
        """Sections that retrieval should consider, best first."""
        return list(self.sections)[:_MOST]


NONE_NEAR = NearQuestions()


@dataclass(frozen=True)
class KnownQuestions:
    """Vectors of known questions.

    Attributes:
        embedder: name of the embedding model that made them.
        sections: names of the sections that have a question.
        owners: of each question, the number of its section, or `UNANSWERED`; shape (questions,).
        vectors: unit length, shape (questions, dimension).
        answers: keys of the sentences that answer each question, in both languages, 0 where there are fewer;
            shape (questions, sentences).
    """

    embedder: str
    sections: Sequence[str]
    owners: NDArray[np.int16]
    vectors: Vectors
    answers: NDArray[np.uint32]

    def near(self, vector: Vectors) -> NearQuestions:
        """Compare a question with all known ones.

        Args:
            vector: of the question, unit length, shape (dimension,).
        """
        cosines = self.vectors @ vector - np.float32(_FAR)
        best = np.zeros(len(self.sections) + 1, np.float32)  # the last one stands for UNANSWERED
        np.maximum.at(best, self.owners, cosines)
        order = np.argsort(-best[:-1], kind="stable")
        near = {self.sections[at]: float(best[at]) for at in order[: int((best[:-1] > 0).sum())].tolist()}
        sentences: dict[int, float] = {}
        alike = np.flatnonzero(cosines > 0)  # few of many: the others need no order
        for at in alike[np.argsort(-cosines[alike], kind="stable")][:_NEAREST].tolist():
            for key in self.answers[at].tolist():
                if key:
                    sentences.setdefault(key, float(cosines[at]))
        return NearQuestions(near, float(best[UNANSWERED]), sentences, self)

    @locked_cached_property
    def counts(self) -> tuple[Mapping[str, int], Mapping[int, int]]:
        """How many questions each section answers, and each sentence; those that none answers are missing."""
        owned = self.answers.any(axis=1)  # of some, no sentence is named
        owners, asked = np.unique(self.owners[owned], return_counts=True)
        keys, told = np.unique(self.answers[owned], return_counts=True)
        sections = {self.sections[at]: int(n) for at, n in zip(owners.tolist(), asked, strict=True)}
        return sections, {key: int(n) for key, n in zip(keys.tolist(), told, strict=True) if key}


def section_name(passage: Passage) -> str:
    """Return release and section id of a passage, such as "2.4/tcpstore-libuv".

    Args:
        passage: of a digest.
    """
    return f"{passage.version}/{passage.chunk.section_id}"


def sentence_key(text: str) -> int:
    """Return the key of a sentence, its CRC-32.

    Args:
        text: as it stands in the document.
    """
    return zlib.crc32(text.encode())


@lru_cache(maxsize=1)
def load_known_questions(path: Path = MODEL) -> KnownQuestions:
    """Read the questions that ship.

    Args:
        path: of the file that `write_known_questions` wrote.
    """
    with np.load(path, allow_pickle=False) as data:
        vectors = data["vectors"].astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        sections = [str(name) for name in data["sections"]]
        return KnownQuestions(str(data["embedder"]), sections, data["owners"], vectors, data["answers"])


def write_known_questions(questions: KnownQuestions, path: Path = MODEL) -> None:
    """Write questions, each vector as integers of 8 bits.

    Args:
        questions: to write.
        path: of the file.
    """
    scale = 127 / np.abs(questions.vectors).max(axis=1, keepdims=True)
    np.savez_compressed(
        path,
        embedder=questions.embedder,
        sections=np.array(questions.sections),
        owners=questions.owners,
        vectors=np.rint(questions.vectors * scale).astype(np.int8),
        answers=questions.answers,
    )
