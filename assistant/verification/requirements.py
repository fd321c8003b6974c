"""What a statement demands of its quotes: its names, and for each clause its amounts, releases and statuses.

An amount is proved by a sentence that speaks of what its clause speaks of. Where another sentence speaks of
it more nearly and gives another figure, the amount is that of something else; where it names another
release, so is the release.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.text.claim_facts import (
    MATURITY,
    ClaimFacts,
    code_in,
    holds_amount,
    maturities,
    points,
    says_status,
)
from assistant.text.quantities import Amount, amounts
from assistant.verification.evidence import EvidenceSentence, TextMatcher, bare_code, share
from assistant.verification.numeric_checks import counted, listed
from ingest.document import Language
from ingest.segment import stem

_NEARER = 0.15  # by which a sentence with another figure must cover more of a clause
_AS_NEAR = 0.05
_LISTS = 3  # sentences whose lists may give a number that none of them writes
_RELEASE = re.compile(r"(?:0\.\d|1\.(?:\d|1[0-3])|2\.1?\d)(?:\.\d)?")
#: What may be planned only: "will be removed" proves no "is removed".
_PLANNED = frozenset(("removed", "deprecated", "default"))
_FUTURE = re.compile(
    r"\bwill\b|\bplan\w*|\bgoing to\b|\bupcoming\b|\bfuture\b|将|会|计划|未来|下一?个?版", re.I
)
_ARGUMENTS = re.compile(r"\w\([^()]*[^()\s][^()]*\)|\w\s*=\s*[^=\s]")


class UnmetRequirement(Exception):  # noqa: N818 - no error: what a statement fails by
    """A demand that no quote meets; the message says which."""


@dataclass(frozen=True, slots=True)
class ClaimRequirements:
    """Finds the grounds that meet the demands of one statement.

    Attributes:
        text: the statement.
        ranked: the grounds of the passages that it marks, nearest first.
    """

    reading: TextMatcher
    text: str
    ranked: Sequence[EvidenceSentence]
    language: Language

    def quotes(self) -> list[EvidenceSentence]:
        """The grounds that hold what is demanded.

        Raises:
            Unproved: none holds one of the demands.
        """
        self._check_names()
        whole = points(self.text, self.language)
        found: dict[int, EvidenceSentence] = {}
        for clause in self.reading.clauses(self.text):
            wanted, words = points(clause, self.language), self.reading.words(clause)
            fits = self.reading.fitting(wanted.names, words, self.ranked)
            for amount in wanted.amounts:
                if _is_release(amount):
                    ground = self._release(amount, clause)
                else:
                    ground = self._amount(amount, clause, [*found.values(), *fits])
                if ground:
                    found.setdefault(id(ground), ground)
            for status in wanted.statuses:
                ground = self._status(status, clause, whole, [*found.values(), *fits], fits)
                found.setdefault(id(ground), ground)
        for name in sorted(whole.names):
            told = [*found.values(), self.ranked[0]]
            if not any(self.reading.holds(name, ground.below) for ground in told):
                naming = [g for g in self.ranked if self.reading.holds(name, g.below)]
                found.update({id(ground): ground for ground in naming[:1]})
        return list(found.values())

    def _check_names(self) -> None:
        """Names, and code with its arguments, stand somewhere in the passages."""
        passages = {ground.passage.chunk.id: ground.passage for ground in self.ranked}
        told = (f"{p.text} {p.heading} {p.title} {p.version} {p.url}" for p in passages.values())
        whole = " ".join([*told, *(ground.text for ground in self.ranked)])  # raw, and without escapes
        for name in sorted(points(self.text, self.language).names):
            if not self.reading.holds(name, whole):
                raise UnmetRequirement(f"{name} does not occur in the passage")
        bare = bare_code(whole)
        for code in code_in(self.text):
            if _ARGUMENTS.search(code) and bare_code(code) not in bare:
                raise UnmetRequirement(f"{code} does not occur in the passage")

    def _release(self, amount: Amount, clause: str) -> EvidenceSentence | None:
        """The ground that says so of a release; None where the passage's own release is meant."""
        reading, best = self.reading, self.ranked[0]
        names, words = points(clause, self.language).names, reading.words(clause)
        holding = [ground for ground in self.ranked if holds_amount(amount, amounts(ground.text))]
        told = {id(ground): share(words, reading.words(ground.text)) for ground in self.ranked}
        nearest = max(self.ranked, key=lambda ground: reading.covered(words, [ground]))
        other = _other_release(amount, best, self.text)
        least = told[id(best)] + _AS_NEAR if other else max(told.values()) - _AS_NEAR
        whole = [g for g in holding if told[id(g)] >= least and reading.says(clause, names, g)]
        if not whole and (other or _other_release(amount, nearest, self.text)):
            raise UnmetRequirement(f"the passage says so of another release than {amount.value}")
        if amount.value == nearest.passage.version:
            return None
        if not holding:
            raise UnmetRequirement(f"no quote has {amount.value}")
        return (whole or holding)[0]

    def _amount(
        self, amount: Amount, clause: str, fits: Sequence[EvidenceSentence]
    ) -> EvidenceSentence | None:
        """The ground that holds an amount; None where it counts what is listed."""
        reading, best = self.reading, self.ranked[0]
        names, words = points(clause, self.language).names, reading.words(clause)
        lacking = UnmetRequirement(f"no quote has {amount.value} {amount.unit}".rstrip())
        holding = [ground for ground in fits if holds_amount(amount, amounts(ground.text))]
        if not holding:
            if listed(amount, [self.text, *(ground.text for ground in fits[:_LISTS])]):
                return None
            raise lacking
        measured = [a for a in amounts(self.text) if a.unit]
        full = [g for g in holding if all(holds_amount(a, amounts(g.text)) for a in measured)]
        if full and len(measured) > 1:
            return full[0]
        proof = holding[0]
        for other in (*fits, best):
            more = reading.named(names, other) > reading.named(names, proof)
            nearer = reading.covered(words, [other]) - reading.covered(words, [proof]) > _NEARER
            if (more or nearer) and _rivals(amount, other, clause):
                raise lacking
        if _rivals(amount, best, self.text):
            raise lacking
        return proof

    def _status(
        self,
        status: str,
        clause: str,
        whole: ClaimFacts,
        fits: Sequence[EvidenceSentence],
        own: Sequence[EvidenceSentence],
    ) -> EvidenceSentence:
        """The ground that calls the subject of a clause so."""
        words = self.reading.words(clause)
        names = points(clause, self.language).names
        calling = next(
            (ground for ground in fits if _called(status, clause, ground) and self._speaks_of(names, ground)),
            None,
        )
        nearest = max(own, key=lambda ground: self.reading.covered(words, [ground]))
        if calling is None or _conflicts(status, whole, nearest) or self._of_another(status, calling, own):
            raise UnmetRequirement(f"no quote calls it {status}")
        return calling

    def _speaks_of(self, names: frozenset[str], ground: EvidenceSentence) -> bool:
        """Whether a ground is about what is named: a sentence with other names is about those."""
        others = points(ground.raw, ground.passage.language).names
        return not names or not others or any(self.reading.holds(name, ground.text) for name in names)

    def _of_another(self, status: str, calling: EvidenceSentence, own: Sequence[EvidenceSentence]) -> bool:
        """Whether it is called so in another release, and something else in that of the statement."""
        mine, theirs = _releases(self.text), _releases(calling.text)
        if status not in MATURITY or not mine or not theirs or mine & theirs:
            return False
        told = [maturities(ground.raw) for ground in own if mine & _releases(ground.text)]
        return any(called and status not in called for called in told)


def _called(status: str, clause: str, ground: EvidenceSentence) -> bool:
    """Whether a sentence, or the status of its section, says so of now, not of what is planned."""
    planned = status in _PLANNED and _FUTURE.search(ground.text) and not _FUTURE.search(clause)
    return not planned and says_status(status, ground.below, ground.passage.status)


def _conflicts(status: str, wanted: ClaimFacts, nearest: EvidenceSentence) -> bool:
    """Whether the nearest sentence calls it something else, which the statement leaves out."""
    own = {"prototype" if name == "experimental" else name for name in wanted.statuses | {status}}
    return status in MATURITY and bool(maturities(nearest.raw) - own)


def _is_release(amount: Amount) -> bool:
    """Whether an amount is a release of PyTorch, as far as it can be told from other numbers."""
    return not amount.unit and bool(_RELEASE.fullmatch(amount.value))


def _releases(text: str) -> set[str]:
    return {amount.value for amount in amounts(text) if _is_release(amount)}


def _other_release(amount: Amount, ground: EvidenceSentence, text: str) -> bool:
    """Whether a quote tells of another release than a statement."""
    told = _releases(ground.text)
    return bool(told) and amount.value not in told and not told & _releases(text)


def _rivals(amount: Amount, other: EvidenceSentence, text: str) -> bool:
    """Whether another sentence gives another figure of the same unit or thing, which the text does not."""
    figures = {a.value for a in amounts(other.text) if a.unit and a.unit == amount.unit}
    if not amount.unit:
        things = {noun for value, noun in counted(text, stem) if value == amount.value}
        figures = {value for value, noun in counted(other.text, stem) if noun in things}
    return bool(figures) and amount.value not in figures and not figures & {a.value for a in amounts(text)}
