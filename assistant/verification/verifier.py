"""Verifies statements: each must be supported by a verbatim quote from the passages it cites.

A statement is checked for the following, in this order:

    marks         Does each refer to a passage that was supplied? Without marks, all passages are searched.
    requirements  Do its names, amounts, releases and statuses occur in quotes on the same subject?
    closeness     Does a sentence of those passages say nearly the same, by its vector and by its words?
    agreement     Does it contradict a quote, or give an amount to something else?
    release       Does a sentence on another release match it much better?

The quotes found on the way become the citations. A statement that fails has a reason; docs/proof.md reports
how often that is right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.text.claim_facts import holds_name, points
from assistant.verification.draft import Statement
from assistant.verification.evidence import EvidenceSentence, TextMatcher, bare_code, grounds_of, share
from assistant.verification.negation import opposed
from assistant.verification.numeric_checks import misattributed, miscounted, mismatched, unbounded
from assistant.verification.requirements import ClaimRequirements, UnmetRequirement
from index.embedding.base import Vectors
from index.search.passage import Passage
from ingest.document import Language
from ingest.markup import reading_text
from ingest.release import Release
from ingest.segment import stem

#: Closeness is the cosine of a statement and its nearest sentence plus this weight times the share of its
#: words that the quotes contain. The thresholds keep 96% of the true statements of the training data and 1%
#: of the same statements paired with other passages of their release; across languages 94% and 3%.
_COVERAGE_WEIGHT = 0.43
_LEAST_CLOSENESS = 0.9
_LEAST_ACROSS = 0.62  # least cosine of a statement and its nearest sentence in the other language
_SAID_BY_ANOTHER = 0.08  # least difference in cosine for another release's sentence to match better
_MOST_QUOTES = 3
_SHORTEST_CODE = 4  # characters; shorter lines of code are ignored


@dataclass(frozen=True, slots=True)
class Proof:
    """Result of verifying a statement.

    Attributes:
        statement: the statement.
        reason: why it is not supported, or "" if it is.
        quotes: the supporting evidence, best first.
    """

    statement: Statement
    reason: str = ""
    quotes: tuple[EvidenceSentence, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the statement is supported."""
        return not self.reason


@dataclass(frozen=True, slots=True)
class Verifier:
    """Verifies statements against passages.

    Attributes:
        encode: embeds n texts as documents are embedded; returns unit vectors of shape (n, d).
        vectors: returns the vectors of n sentences by their rows in the index, of shape (n, d).
        said_by: returns release and cosine of the indexed sentences nearest to a vector of shape (d,).
        reading: matcher for words and names.
    """

    encode: Callable[[Sequence[str]], Vectors]
    vectors: Callable[[Sequence[int]], Vectors]
    said_by: Callable[[Vectors], Sequence[tuple[Release | None, float]]]
    reading: TextMatcher

    def prove(
        self, drafted: Sequence[Statement], passages: Sequence[Passage], language: Language
    ) -> list[Proof]:
        """Verify each statement against the passages it cites.

        Args:
            drafted: statements of a draft.
            passages: passages that marks refer to, numbered from 1.
            language: language of the draft.

        Returns:
            One proof per statement, in the same order.
        """
        every = [grounds_of(passage) for passage in passages]
        return [
            _prove_code(statement, every)
            if statement.kind == "code"
            else self._prove(statement, every, language)
            for statement in drafted
        ]

    def _prove(
        self, statement: Statement, every: Sequence[Sequence[EvidenceSentence]], language: Language
    ) -> Proof:
        marks = statement.marks or range(1, len(every) + 1)
        if any(not 1 <= mark <= len(every) for mark in marks):
            return Proof(statement, "a mark points at no passage")
        near = [ground for mark in marks for ground in every[mark - 1]]
        if not near:
            return Proof(statement, "the passage has no sentence")
        text = reading_text(statement.text)
        vector = self.encode([text])[0]
        cosines = self.vectors([ground.sentence.row for ground in near]) @ vector
        words = self.reading.words(text)
        covered = [share(words, self.reading.words(ground.below)) for ground in near]
        ranked = [near[int(place)] for place in np.argsort(-(cosines + np.array(covered)), kind="stable")]
        try:
            demanded = ClaimRequirements(self.reading, statement.text, ranked, language).quotes()
        except UnmetRequirement as lacking:
            return Proof(statement, str(lacking))
        quotes = [ranked[0], *(ground for ground in demanded if ground is not ranked[0])]
        nearest = float(cosines.max())
        reason = (
            self._far(words, quotes, nearest, language)
            or _disagrees(text, quotes, language)
            or self._elsewhere(vector, near, nearest, language)
        )
        return Proof(statement, reason, () if reason else tuple(quotes[:_MOST_QUOTES]))

    def _far(
        self, words: Collection[str], quotes: Sequence[EvidenceSentence], cosine: float, language: Language
    ) -> str:
        """Return why the quotes are not close enough, or ""; across languages the cosine alone decides."""
        if all(quote.passage.language != language for quote in quotes):
            close = cosine >= _LEAST_ACROSS
        else:
            close = cosine + _COVERAGE_WEIGHT * self.reading.covered(words, quotes) >= _LEAST_CLOSENESS
        return "" if close else "no sentence of the passage says so"

    def _elsewhere(
        self, vector: Vectors, near: Sequence[EvidenceSentence], cosine: float, language: Language
    ) -> str:
        """Return which other release matches the statement better, or ""."""
        releases = {ground.passage.release for ground in near}
        if None in releases or any(ground.passage.language != language for ground in near):
            return ""
        for release, other in self.said_by(vector):
            if release and release not in releases and other - cosine >= _SAID_BY_ANOTHER:
                return f"it is release {release} that says so"
        return ""


def _disagrees(text: str, quotes: Sequence[EvidenceSentence], language: Language) -> str:
    """Return how the quotes contradict the statement, or ""."""
    told = [quote.text for quote in quotes]
    if amount := miscounted(text, told, stem):
        return f"{amount} counts something else"
    if amount := unbounded(text, told):
        return f"{amount} is a bound in the passage"
    if amount := mismatched(text, told, stem):
        return f"{amount} stands beside something else"
    if amount := misattributed(text, told, lambda part: points(part, language).names, holds_name):
        return f"{amount} belongs to something else"
    if word := opposed(text, told):
        return f"the passage says the opposite of {word!r}"
    return ""


def _prove_code(statement: Statement, every: Sequence[Sequence[EvidenceSentence]]) -> Proof:
    """Verify code: all of its lines must occur in one code block of the passages."""
    lines = [
        bare_code(line)
        for line in statement.text.splitlines()[1:]
        if not line.lstrip().startswith(("`", "#"))
    ]
    wanted = [line for line in lines if len(line) >= _SHORTEST_CODE]
    for ground in (ground for grounds in every for ground in grounds):
        if ground.sentence.span.kind == "code" and wanted:
            told = bare_code(ground.raw)
            if all(line in told for line in wanted):
                return Proof(statement, "", (ground,))
    return Proof(statement, "this code does not occur in the passages")
