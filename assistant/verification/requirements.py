"""Requirements of a statement: the names, amounts, releases and statuses that its quotes must contain.

Amounts and statuses are checked clause by clause. An amount must be in a sentence on the same subject as its
clause; if a sentence closer to the clause has another figure or release, it belongs to something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

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

_NEARER = 0.15  # additional coverage by which a sentence with another figure is closer to a clause
_AS_NEAR = 0.05  # difference in coverage within which two sentences are equally close
_SAME_SUBJECT = 0.5  # least coverage by which a sentence without the figure is about the same thing
_SAME_WORDS = 0.6  # least coverage of the other words by a sentence that has another name
_LISTS = 3  # sentences whose list items are counted to verify a number
_RELEASE = re.compile(r"(?:0\.\d|1\.(?:\d|1[0-3])|2\.1?\d)(?:\.\d)?")
#: Statuses that may be announced for the future: "will be removed" does not support "is removed".
_PLANNED = frozenset(("removed", "deprecated", "default"))
_FUTURE = re.compile(
    r"\bwill\b|\bplan\w*|\bgoing to\b|\bupcoming\b|\bfuture\b|将|会|计划|未来|下一?个?版|要等到|要到|等到",
    re.I,
)
_PARTS = re.compile(r"[,，;；。]|\band\b|\bbut\b|并|但")
_ASSIGNED = re.compile(r"([\w.-]+)=[\w.]+")
_ARGUMENTS = re.compile(r"\w\([^()]*[^()\s][^()]*\)|\w\s*=\s*[^=\s]")


_Finder = Callable[[Sequence[EvidenceSentence]], EvidenceSentence | None]


class UnmetRequirement(Exception):  # noqa: N818 - control flow, not an error
    """No quote meets a requirement.

    Args:
        reason: which requirement.
        conflict: whether a quote says something else instead, rather than nothing.
    """

    def __init__(self, reason: str, *, conflict: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.conflict = conflict


@dataclass(frozen=True, slots=True)
class RequirementCheck:
    """How evidence meets the requirements of a statement.

    Attributes:
        quotes: the evidence sentences that meet them, without duplicates; empty if nothing is required.
        unmet: requirements that no sentence meets.
    """

    quotes: list[EvidenceSentence]
    unmet: list[UnmetRequirement]


@dataclass(frozen=True, slots=True)
class ClaimRequirements:
    """Finds the evidence that meets the requirements of one statement.

    Attributes:
        reading: matcher for words and names.
        text: the statement.
        ranked: evidence sentences of the passages it cites, closest first; not empty.
        language: language of the statement.
        question: what was asked. Its names and figures may be repeated, its releases may not.
    """

    reading: TextMatcher
    text: str
    ranked: Sequence[EvidenceSentence]
    language: Language
    question: str = ""

    def check(self) -> RequirementCheck:
        """Find the evidence sentences that meet the requirements, and the requirements that none meets."""
        unmet = self._names_lacking()
        whole = points(self.text, self.language)
        found: dict[int, EvidenceSentence] = {}
        for clause in self.reading.clauses(self.text):
            wanted, words = points(clause, self.language), self.reading.words(clause)
            fits = self.reading.fitting(wanted.names, words, self.ranked)
            finders: list[_Finder] = [
                partial(self._release, amount, clause)
                if _is_release(amount)
                else partial(self._amount, amount, clause)
                for amount in wanted.amounts
            ]
            finders += [
                partial(self._status, status, clause, whole, fits) for status in sorted(wanted.statuses)
            ]
            for find in finders:
                try:
                    ground = find([*found.values(), *fits])
                except UnmetRequirement as lacking:
                    unmet.append(lacking)
                else:
                    found.update({id(ground): ground} if ground else {})
        for name in sorted(whole.names):
            told = [*found.values(), self.ranked[0]]
            if not any(self.reading.holds(name, ground.below) for ground in told):
                naming = [g for g in self.ranked if self.reading.holds(name, g.below)]
                found.update({id(ground): ground for ground in naming[:1]})
        return RequirementCheck(list(found.values()), unmet)

    def words_lacking(self) -> float:
        """Return the share of its names spelled like any word that do not occur in the passages.

        They are no requirement: 集合 collective 操作 has a word that the notes may tell in Chinese alone.
        """
        words = points(self.text, self.language).words
        whole = self._whole()
        return sum(not self.reading.holds(word, whole) for word in words) / max(1, len(words))

    def _whole(self) -> str:
        """Return the passages, as Markdown and as plain text."""
        passages = {ground.passage.chunk.id: ground.passage for ground in self.ranked}
        told = (f"{p.text} {p.heading} {p.title} {p.version} {p.url}" for p in passages.values())
        return " ".join([*told, *(ground.text for ground in self.ranked)])

    def _names_lacking(self) -> list[UnmetRequirement]:
        """Return each name spelled like one, and code with arguments, that does not occur in the passages."""
        facts = points(self.text, self.language)
        whole = self._whole()
        known = f"{whole} {self.question}"
        lacking = sorted(name for name in facts.names - facts.words if not self.reading.holds(name, known))
        otherwise = bool(lacking) and self._named_otherwise(lacking, facts)
        out = [UnmetRequirement(f"{n} does not occur in the passage", conflict=otherwise) for n in lacking]
        bare = bare_code(known)
        for code in code_in(self.text):
            if _ARGUMENTS.search(code) and bare_code(code) not in bare:
                # Another value for the same setting contradicts; another call may be another way.
                set_to = _ASSIGNED.fullmatch(bare_code(code))
                other = rf"(?<![\w-]){re.escape(set_to[1])}['\"\]]*\s*=\s*['\"]?\w" if set_to else "(?!)"
                conflict = bool(re.search(other, known.casefold()))
                out.append(UnmetRequirement(f"{code} does not occur in the passage", conflict=conflict))
        return out

    def _named_otherwise(self, lacking: Sequence[str], facts: ClaimFacts) -> bool:
        """Check whether the nearest sentence says the rest of the statement, of another name."""
        rest = [w for w in self.reading.words(self.text) if not any(w in n or n in w for n in lacking)]
        best = max(self.ranked, key=lambda ground: self.reading.covered(rest, [ground]))
        told = points(best.raw, best.passage.language)
        same_words = len(rest) > 1 and self.reading.covered(rest, [best]) >= _SAME_WORDS
        return same_words and bool(told.names - told.words - facts.names)

    def _release(self, amount: Amount, clause: str, _: Sequence[EvidenceSentence]) -> EvidenceSentence | None:
        """Return the sentence that mentions a release, or None if it is the passage's own release."""
        reading, best = self.reading, self.ranked[0]
        names, words = points(clause, self.language).names, reading.words(clause)
        holding = [ground for ground in self.ranked if holds_amount(amount, amounts(ground.text))]
        told = {id(ground): share(words, reading.words(ground.text)) for ground in self.ranked}
        nearest = max(self.ranked, key=lambda ground: reading.covered(words, [ground]))
        other = _other_release(amount, best, self.text)
        least = told[id(best)] + _AS_NEAR if other else max(told.values()) - _AS_NEAR
        whole = [g for g in holding if told[id(g)] >= least and reading.says(clause, names, g)]
        if not whole and (other or _other_release(amount, nearest, self.text)):
            reason = f"the passage says so of another release than {amount.value}"
            # A passage may name older releases beside its own, of which it speaks without a name.
            own = any(ground.passage.version == amount.value for ground in self.ranked)
            raise UnmetRequirement(reason, conflict=not own)
        if amount.value == nearest.passage.version:
            return None
        if not holding:
            raise UnmetRequirement(f"no quote has {amount.value}")
        return (whole or holding)[0]

    def _amount(
        self, amount: Amount, clause: str, fits: Sequence[EvidenceSentence]
    ) -> EvidenceSentence | None:
        """Return the sentence with an amount, or None if the amount counts the items of a list."""
        reading, best = self.reading, self.ranked[0]
        names, words = points(clause, self.language).names, reading.words(clause)
        figure = f"{amount.value} {amount.unit}".rstrip()
        lacking = UnmetRequirement(f"no quote has {figure}", conflict=True)
        holding = [ground for ground in fits if holds_amount(amount, amounts(ground.text))]
        if not holding:
            if listed(amount, [self.text, *(ground.text for ground in fits[:_LISTS])]):
                return None
            if holds_amount(amount, amounts(self.question)):
                return None
            told = [g for g in (best, *fits[:_LISTS]) if reading.covered(words, [g]) >= _SAME_SUBJECT]
            conflict = any(_rivals(amount, ground, self.text) for ground in told)
            raise UnmetRequirement(f"no quote has {figure}", conflict=conflict)
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
        own: Sequence[EvidenceSentence],
        fits: Sequence[EvidenceSentence],
    ) -> EvidenceSentence:
        """Return the sentence that gives the subject of a clause this status."""
        words = self.reading.words(clause)
        names = points(clause, self.language).names
        calling = next(
            (ground for ground in fits if _called(status, clause, ground) and self._speaks_of(names, ground)),
            None,
        )
        nearest = max(own, key=lambda ground: self.reading.covered(words, [ground]))
        conflict = _conflicts(status, whole, nearest) or _only_planned(status, clause, nearest)
        conflict = conflict or bool(calling and self._of_another(status, calling, own))
        if calling is None or conflict:
            raise UnmetRequirement(f"no quote calls it {status}", conflict=conflict)
        return calling

    def _speaks_of(self, names: frozenset[str], ground: EvidenceSentence) -> bool:
        """Check whether a sentence has one of the names, or no names at all."""
        others = points(ground.raw, ground.passage.language).names
        return not names or not others or any(self.reading.holds(name, ground.text) for name in names)

    def _of_another(self, status: str, calling: EvidenceSentence, own: Sequence[EvidenceSentence]) -> bool:
        """Check whether only another release has the status, and the statement's release a different one."""
        mine, theirs = releases_in(self.text), releases_in(calling.text)
        if status not in MATURITY or not mine or not theirs or mine & theirs:
            return False
        told = [maturities(ground.raw) for ground in own if mine & releases_in(ground.text)]
        return any(called and status not in called for called in told)


def _called(status: str, clause: str, ground: EvidenceSentence) -> bool:
    """Check whether a sentence or its section has a status now, rather than planned."""
    planned = _only_planned(status, clause, ground)
    return not planned and says_status(status, ground.below, ground.passage.status)


def _only_planned(status: str, clause: str, ground: EvidenceSentence) -> bool:
    """Check whether a sentence announces a status for the future, and the clause does not."""
    if status not in _PLANNED or _FUTURE.search(clause):
        return False
    saying = [part for part in _PARTS.split(ground.text) if says_status(status, part)]
    return bool(saying) and all(_FUTURE.search(part) for part in saying)


def _conflicts(status: str, wanted: ClaimFacts, nearest: EvidenceSentence) -> bool:
    """Check whether the closest sentence has a maturity that the statement leaves out."""
    own = {"prototype" if name == "experimental" else name for name in wanted.statuses | {status}}
    return status in MATURITY and bool(maturities(nearest.raw) - own)


def _is_release(amount: Amount) -> bool:
    """Check whether an amount looks like a PyTorch release."""
    return not amount.unit and bool(_RELEASE.fullmatch(amount.value))


def releases_in(text: str) -> set[str]:
    """Return the numbers in a text that look like PyTorch releases.

    Args:
        text: Chinese or English text.
    """
    return {amount.value for amount in amounts(text) if _is_release(amount)}


def _other_release(amount: Amount, ground: EvidenceSentence, text: str) -> bool:
    """Check whether a quote mentions releases, none of which the statement mentions."""
    told = releases_in(ground.text)
    return bool(told) and amount.value not in told and not told & releases_in(text)


def _rivals(amount: Amount, other: EvidenceSentence, text: str) -> bool:
    """Check whether another sentence gives only other figures for the same unit or noun."""
    figures = {a.value for a in amounts(other.text) if a.unit and a.unit == amount.unit}
    if not amount.unit:
        things = {noun for value, noun in counted(text, stem) if value == amount.value}
        figures = {value for value, noun in counted(other.text, stem) if noun in things}
    return bool(figures) and amount.value not in figures and not figures & {a.value for a in amounts(text)}
