"""Scores one answer against its gold question.

An answer is right if its first characters state every fact and contain no forbidden text, and if it cites a
passage that proves it. The limit on the length keeps a dump of the corpus from being right. If the notes do
not answer the question, declining is right.
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
LEAD: dict[Language, int] = {"en": 320, "zh": 160}  # characters that everybody reads
# [1] and the target of a link, in code too and after any name, unlike assistant.text.citation_marks.MARK:
# figures must stay comparable with earlier ones.
_MARK = re.compile(r"\[\d+\]|(?<=\])\([^)]*\)")
# The common block alone, unlike ingest.language.HAN, for the same reason.
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")
_CHINESE = 6  # a text is Chinese if at least one letter in six is: names stay English

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
    """Retrieval result for one piece of evidence.

    Attributes:
        rank: rank of the best passage that matches, from 1, or None if no passage does.
        cited: whether the answer cites a matching passage.
    """

    rank: int | None
    cited: bool


@dataclass(frozen=True, slots=True)
class Score:
    """Measurements of one answer. Values that do not apply to a question that should be declined are None.

    Attributes:
        question: the gold question.
        answer: the assistant's answer.
        seconds: time to answer.
        found: retrieval results, parallel to `question.evidence`.
        missing: facts that the answer's first `READ` characters do not state.
        late: facts of `missing` that the answer states after those characters.
        forbidden: forbidden texts within those characters.
        chinese: whether the answer is written in Chinese.
        leads: whether the answer's first `LEAD` characters state the deciding fact, the question's first.
    """

    question: GoldQuestion
    answer: Answer
    seconds: float
    found: tuple[EvidenceRank, ...]
    missing: tuple[Alternatives, ...]
    late: tuple[Alternatives, ...]
    forbidden: tuple[str, ...]
    chinese: bool
    leads: bool

    @property
    def declined(self) -> bool:
        """Whether the assistant declined to answer."""
        return self.answer.abstained

    @property
    def recall(self) -> float | None:
        """Share of the evidence ranked within the first `TOP` passages."""
        return _share(found.rank is not None and found.rank <= TOP for found in self.found)

    @property
    def reciprocal_rank(self) -> float | None:
        """Reciprocal rank of the first passage that holds evidence, 0 if there is none."""
        if not self.question.answerable:
            return None
        return max((1 / found.rank for found in self.found if found.rank), default=0.0)

    @property
    def facts(self) -> float | None:
        """Share of the facts that the answer states."""
        return _share(fact not in self.missing for fact in self.question.facts)

    @property
    def cited(self) -> float | None:
        """1 if the answer cites evidence, else 0."""
        return float(any(found.cited for found in self.found)) if self.question.answerable else None

    @property
    def in_language(self) -> float | None:
        """1 if the answer is in the language of the question or was declined, else 0."""
        if not self.question.answerable:
            return None
        return float(self.declined or self.chinese == (self.question.language == "zh"))

    @property
    def characters(self) -> int | None:
        """Length of the answer in characters."""
        return len(self.answer.text) if self.question.answerable else None

    @property
    def led(self) -> float | None:
        """1 if a right answer opens with the deciding fact, else 0; None for answers that are not right."""
        return float(self.leads) if self.right and self.question.facts else None

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults of the answer."""
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
        """Whether the answer has no fault other than its language."""
        return not set(self.faults) - {"wrong language"}

    def to_dict(self) -> dict[str, Any]:
        """Return the values that apply as a JSON-serializable dictionary."""
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
            "lead": self.led,
        }
        return {key: value for key, value in row.items() if value is not None}


def score(question: GoldQuestion, answer: Answer, seconds: float) -> Score:
    """Score an answer.

    Args:
        question: the gold question.
        answer: the assistant's answer to it.
        seconds: time to answer.
    """
    passages = [(passage.release, fold(passage.text)) for passage in answer.passages]
    cited = [(citation.passage.release, fold(citation.text)) for citation in answer.citations]
    shown = _MARK.sub("", answer.text)
    said, whole = fold(shown[: READ[question.language]]), fold(shown)
    lead = fold(shown[: LEAD[question.language]])
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
        leads=any(_holds(lead, fact) for fact in question.facts[:1]),
    )


def fold(text: str) -> str:
    r"""Normalize a text for comparison: NFKC, lower case, no white space.

    Args:
        text: any text.

    >>> fold("ＴＣＰ Store\n2.4")
    'tcpstore2.4'
    """
    return "".join(unicodedata.normalize("NFKC", text).split()).lower()


def _places(evidence: GoldEvidence, texts: Sequence[tuple[Release | None, str]]) -> Iterator[int]:
    """Yield the ranks, from 1, of the folded texts that hold the evidence."""
    for place, (release, text) in enumerate(texts, 1):
        if release == evidence.release and all(_holds(text, key) for key in evidence.keys):
            yield place


def _holds(folded: str, alternatives: Alternatives) -> bool:
    return any(fold(text) in folded for text in alternatives)


def _share(truths: Iterable[bool]) -> float | None:
    """Return the share of true values, or None if there are no values."""
    listed = list(truths)
    return sum(listed) / len(listed) if listed else None
