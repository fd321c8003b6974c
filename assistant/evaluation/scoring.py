"""How right an answer is, by what its question says that a right one holds.

An answer is right when it says every fact within its first characters (a dump of the corpus is no answer),
cites a passage that proves it, and says nothing forbidden. Where the notes do not tell, declining is right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assistant.answer import Answer
from assistant.evaluation.gold import Alternatives, GoldEvidence, GoldQuestion
from ingest.document import Language
from ingest.release import Release

TOP = 5  # passages that evidence must be among
READ: dict[Language, int] = {"en": 1200, "zh": 700}  # characters in which a fact must stand
_MARK = re.compile(r"\[\d+\]|(?<=\])\([^)]*\)")  # [1], and the target of a link
# The common block alone, unlike ingest.language.HAN: figures must stay comparable with earlier ones.
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")
_CHINESE = 6  # one letter of so many is enough: names stay English

Fault = Literal[
    "wrongly answered",
    "wrongly declined",
    "evidence not retrieved",
    "evidence retrieved but not cited",
    "fact missing",
    "forbidden text",
    "wrong language",
]


@dataclass(frozen=True, slots=True)
class EvidenceRank:
    """What became of a piece of evidence: the place of its best passage, from 1, and whether one is cited."""

    rank: int | None
    cited: bool


@dataclass(frozen=True, slots=True)
class Score:
    """An answer measured. Figures that a question to be declined does not have are None.

    Attributes:
        question, answer: what was asked, and what was said.
        seconds: that it took.
        found: what became of each piece of evidence.
        missing: facts that the answer does not say, or too late.
        late: those of them that it says after its first characters.
        forbidden: what it says and must not.
        chinese: whether its text is Chinese.
    """

    question: GoldQuestion
    answer: Answer
    seconds: float
    found: tuple[EvidenceRank, ...]
    missing: tuple[Alternatives, ...]
    late: tuple[Alternatives, ...]
    forbidden: tuple[str, ...]
    chinese: bool

    @property
    def declined(self) -> bool:
        """Whether it says that the notes do not tell."""
        return self.answer.abstained

    @property
    def recall(self) -> float | None:
        """Share of the evidence among the first passages."""
        return _share(found.rank is not None and found.rank <= TOP for found in self.found)

    @property
    def reciprocal_rank(self) -> float | None:
        """One by the place of the first passage with evidence, 0 where there is none."""
        if not self.question.answerable:
            return None
        return max((1 / found.rank for found in self.found if found.rank), default=0.0)

    @property
    def facts(self) -> float | None:
        """Share of the facts that it says."""
        return _share(fact not in self.missing for fact in self.question.facts)

    @property
    def cited(self) -> float | None:
        """1 where it cites evidence, else 0."""
        return float(any(found.cited for found in self.found)) if self.question.answerable else None

    @property
    def in_language(self) -> float | None:
        """1 where it is in the language of its question, else 0; a decline counts as such."""
        if not self.question.answerable:
            return None
        return float(self.declined or self.chinese == (self.question.language == "zh"))

    @property
    def characters(self) -> int | None:
        """Length of its text."""
        return len(self.answer.text) if self.question.answerable else None

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What is wrong with it."""
        if not self.question.answerable:
            return () if self.declined else ("wrongly answered",)
        retrieved = any(found.rank for found in self.found)
        faults: dict[Fault, bool] = {
            "wrongly declined": self.declined,
            "evidence not retrieved": not self.cited and not retrieved,
            "evidence retrieved but not cited": not self.cited and retrieved,
            "fact missing": bool(self.missing) and not self.declined,
            "forbidden text": bool(self.forbidden),
            "wrong language": not self.in_language,
        }
        return tuple(fault for fault, there in faults.items() if there)

    @property
    def right(self) -> bool:
        """Whether nothing is wrong with it but, at most, the language."""
        return not set(self.faults) - {"wrong language"}

    def to_dict(self) -> dict[str, Any]:
        """The figures, JSON-ready."""
        row = {
            "id": self.question.id,
            "kind": self.question.kind,
            "lang": self.question.language,
            "seconds": round(self.seconds, 4),
            "declined": self.declined,
            "right": self.right,
            "recall": self.recall,
            "rr": self.reciprocal_rank,
            "facts": self.facts,
            "cited": self.cited,
            "forbidden": bool(self.forbidden) if self.question.answerable else None,
            "language": self.in_language,
            "chars": self.characters,
        }
        return {key: value for key, value in row.items() if value is not None}


def score(question: GoldQuestion, answer: Answer, seconds: float) -> Score:
    """Measure an answer that took so long."""
    passages = [(passage.release, fold(passage.text)) for passage in answer.passages]
    cited = [(citation.passage.release, fold(citation.text)) for citation in answer.citations]
    shown = _MARK.sub("", answer.text)
    said, whole = fold(shown[: READ[question.language]]), fold(shown)
    missing = tuple(fact for fact in question.facts if not _holds(said, fact))
    han, latin = len(_HAN.findall(answer.text)), len(_LATIN.findall(answer.text))
    return Score(
        question=question,
        answer=answer,
        seconds=seconds,
        found=tuple(
            EvidenceRank(next(_places(evidence, passages), None), any(_places(evidence, cited)))
            for evidence in question.evidence
        ),
        missing=missing,
        late=tuple(fact for fact in missing if _holds(whole, fact)),
        forbidden=tuple(text for text in question.forbidden if fold(text) in said),
        chinese=han * _CHINESE >= han + latin,
    )


def fold(text: str) -> str:
    """Lower case without white space, full-width forms made narrow: texts are compared so.

    >>> fold("ＴＣＰ Store\\n2.4")
    'tcpstore2.4'
    """
    return "".join(unicodedata.normalize("NFKC", text).split()).lower()


def _places(evidence: GoldEvidence, texts: Sequence[tuple[Release | None, str]]) -> Iterator[int]:
    """Places, from 1, of the folded texts that hold the evidence."""
    for place, (release, text) in enumerate(texts, 1):
        if release == evidence.release and all(_holds(text, key) for key in evidence.keys):
            yield place


def _holds(folded: str, alternatives: Alternatives) -> bool:
    return any(fold(text) in folded for text in alternatives)


def _share(truths: Iterable[bool]) -> float | None:
    """How many are true, 0 to 1; None where there are none."""
    listed = list(truths)
    return sum(listed) / len(listed) if listed else None
