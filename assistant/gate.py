"""The gate: whether what was found can answer the question, decided before a word is written.

A logistic regression over a dozen features: nearness of the vectors, how much of the question stands in
what was found, and above all whether the names in the question (a product, a device, an API) do. Its
weights are trained on our own questions (`make gate`, tests/quality) and kept in gate.json.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from assistant.asked import missing
from assistant.question import Question
from index.passage import Passage
from index.terms import TermIndex
from ingest.chunk import lexical_text
from ingest.segment import ENGLISH_STOPWORDS, Segmenter

MODEL = Path(__file__).with_name("gate.json")
_DEPTH = 5
_CLOSE = 3
_COMPARED = re.compile(
    r"\b(?:vs|versus|than|against|compared? (?:with|to)|beat)\b|[比跟和与].{1,24}(?:快|慢|强|好|省|谁|哪个)|相比",
    re.I,
)
_RELEASE = re.compile(r"[12]\.\d{1,2}")
#: Words that every note has, so that their presence says nothing.
_COMMON = frozenset("pytorch torch releas version 版本 use need get work make want new thing way".split())
_CODED = r"[A-Za-z][\w+/-]*\d[\w+-]*|\b[A-Z][a-z0-9]*[A-Z]\w*|\b[A-Z]{2,}\w*|\w+(?:[._]\w+)+"
_SUFFIX = re.compile(r"^(\w*[A-Z0-9]\w*)(?:-[a-z]+)+$")  # "A100-only" names an A100
_NAMES = {
    # Among Chinese any Latin word is a name; in English a capital inside a sentence makes one.
    "zh": re.compile(rf"{_CODED}|(?<![A-Za-z])[A-Za-z][A-Za-z-]{{2,}}(?![A-Za-z])", re.ASCII),
    "en": re.compile(rf"{_CODED}|(?<![.?!] )(?<!^)\b[A-Z][a-z]+\b", re.ASCII),
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the gate looks at.

    Attributes:
        question: as understood.
        passages: what retrieval returned, best first.
        nearness: cosine of the nearest glossary description.
    """

    question: Question
    passages: Sequence[Passage]
    nearness: float


@dataclass(frozen=True, slots=True)
class Gate:
    """A trained logistic regression.

    Attributes:
        features: their names, in the order of the numbers.
        mean, scale: of each feature over the training questions.
        weights, bias: of the regression.
        threshold: a question with a lower probability is declined.
    """

    features: tuple[str, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float
    threshold: float

    def probability(self, features: Mapping[str, float]) -> float:
        """Probability that the notes answer, 0 to 1."""
        rows = zip(self.features, self.mean, self.scale, self.weights, strict=True)
        score = self.bias + sum(w * (features[name] - mean) / scale for name, mean, scale, w in rows)
        return 1 / (1 + math.exp(-score))

    def opens(self, features: Mapping[str, float]) -> bool:
        """Whether to answer."""
        return self.probability(features) >= self.threshold


@lru_cache(maxsize=1)
def load_gate(path: Path = MODEL) -> Gate:
    """The trained gate."""
    data = json.loads(path.read_text(encoding="utf-8"))
    rows = data["features"]
    return Gate(
        features=tuple(row["name"] for row in rows),
        mean=tuple(row["mean"] for row in rows),
        scale=tuple(row["scale"] for row in rows),
        weights=tuple(row["weight"] for row in rows),
        bias=data["bias"],
        threshold=data["threshold"],
    )


def measure(evidence: Evidence, segmenter: Segmenter, terms: TermIndex) -> dict[str, float]:
    """The features of a question and what was found for it."""
    question, passages = evidence.question, evidence.passages[:_DEPTH]
    typed = [
        term
        for term in dict.fromkeys(segmenter.terms(question.clean))
        if term not in _COMMON and not _RELEASE.fullmatch(term)
    ]
    texts = [lexical_text(p.chunk, p.document) for p in passages]
    held = [set(segmenter.terms(text)) for text in texts]
    everywhere: set[str] = set().union(*held)
    latin = [term for term in typed if term.isascii() and len(term) > 1]
    names = entities(question)
    folded = [text.casefold() for text in texts]
    by_passage = [_share([any(n in text for n in spellings) for spellings in names]) for text in folded]
    chinese = float(question.language == "zh")
    # A figure counts only where the subject is spoken of: in the best passages that hold most of the names.
    most = max(by_passage[:_CLOSE], default=0.0)
    on_subject = [p.text for p, share in zip(passages[:_CLOSE], by_passage, strict=False) if share == most]
    compared = bool(_COMPARED.search(question.clean)) and not question.releases[1:]
    known = [any(segmenter_knows(n, segmenter, terms) for n in spellings) for spellings in names]
    cosine = max((s.cosine for s in passages[0].sentences), default=0.0) if passages else 0.0
    own = [any(n in text for text in folded for n in spellings) for spellings in names]
    return {
        "cosine": cosine,
        "cosine_zh": cosine * chinese,
        "nearness": evidence.nearness,
        "nearness_zh": evidence.nearness * chinese,
        "chinese": chinese,
        "lists": float(max((len(p.ranks) for p in passages[:3]), default=0)),
        "unknown_words": _weight([t for t in typed if t not in terms], typed, terms),
        "latin_covered": _weight([t for t in latin if t in everywhere], latin, terms, default=0.5),
        "latin_covered_best": _weight([t for t in latin if held and t in held[0]], latin, terms, default=0.5),
        "held": max((_weight([t for t in typed if t in h], typed, terms) for h in held), default=0.0),
        "held_best": _weight([t for t in typed if held and t in held[0]], typed, terms),
        "asked_missing": float(missing(question.clean, on_subject)),
        "names": float(len(names)),
        "names_missing": float(own.count(False)),
        "names_covered": max(by_passage, default=0.0),
        "names_covered_best": by_passage[0] if by_passage else 0.0,
        "names_known": _share(known),
        "names_unheard": float(
            sum(_unheard(spellings, segmenter, terms) for spellings in names[len(question.terms) :])
        ),
        "compared_missing": float(compared and not all(own)),
        "release_named": float(bool(question.releases)),
        "release_unknown": float(bool(question.scope.unknown)),
    }


def entities(question: Question) -> list[tuple[str, ...]]:
    """The names in a question, each with the spellings that count as it, in lower case."""
    found = [tuple(name.casefold() for name in term.names) for term in question.terms]
    spelled = {name for names in found for name in names}
    for match in _NAMES[question.language].finditer(question.clean):
        name = _SUFFIX.sub(r"\1", match[0]).casefold().strip("-/.")
        if name in ("pytorch", "torch", "i") or name in ENGLISH_STOPWORDS or re.fullmatch(r"[\d.]+", name):
            continue
        if not any(name in other or other in name for other in spelled):
            found.append((name,))
    return found


def segmenter_knows(name: str, segmenter: Segmenter, terms: TermIndex) -> bool:
    """Whether a name occurs in the corpus."""
    words = segmenter.terms(name)
    return bool(words) and words[0] in terms


def _unheard(spellings: Sequence[str], segmenter: Segmenter, terms: TermIndex) -> bool:
    """Whether a name stands nowhere in the corpus, nor one that a slip of the keys would make of it."""
    words = [segmenter.terms(name) for name in spellings]
    if any(
        found and (found[0] in terms or all(word in terms for word in found[1:] or found)) for found in words
    ):
        return False
    return not any(terms.resembling(word) for found in words for word in found[:1])


def _share(hits: Sequence[bool]) -> float:
    """Share of hits; one half where there is nothing to hit."""
    return sum(hits) / len(hits) if hits else 0.5


def _weight(part: Sequence[str], whole: Sequence[str], terms: TermIndex, *, default: float = 0.0) -> float:
    """Share of the terms' weight (idf) that a part of them has."""
    total = sum(terms.idf(term) for term in whole)
    return sum(terms.idf(term) for term in part) / total if total else default
