"""Verifies statements: each must be supported by a verbatim quote from the passages it cites.

A statement is checked for the following, in this order:

    marks         Does each refer to a passage that was supplied? Without marks, all passages are searched.
    requirements  Do its names, amounts, releases and statuses occur in quotes on the same subject?
    agreement     Does it give a number to something else, or tell what a quote negates?
    release       Does a sentence on another release match it much better?
    support       Does the reader, and how near the quotes are, speak for it? (`decision`)

The first four are exact, and each of them refuses. The quotes found on the way become the citations. A
statement that fails has a reason; docs/proof.md reports how often that is right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from assistant.reader.reading import Reader, ReadText
from assistant.text.claim_facts import holds_name, points
from assistant.verification.decision import log_odds
from assistant.verification.draft import Statement
from assistant.verification.evidence import EvidenceSentence, TextMatcher, bare_code, grounds_of, share
from assistant.verification.negation import opposed
from assistant.verification.numeric_checks import misattributed, miscounted
from assistant.verification.requirements import ClaimRequirements, UnmetRequirement
from index.embedding.base import Vectors
from index.search.passage import Passage
from ingest.document import Language
from ingest.markup import inline_text, reading_text
from ingest.release import Release
from ingest.segment import stem

_SAID_BY_ANOTHER = 0.08  # least difference in cosine for another release's sentence to match better
#: Of the share of words that the quotes hold, beside the cosine. Nearly verbatim parts of a sentence have a
#: low cosine with it. Languages share no words: then it is taken for the mean of supported statements.
_COVERAGE_WEIGHT, _COVERAGE_ACROSS = 0.43, 0.65
_MOST_QUOTES = 3
_NEAREST = 2  # sentences that are read besides those that meet requirements
_SHORTEST_CODE = 4  # characters; shorter lines of code are ignored
_UNSUPPORTED = "no sentence of the passage says so"


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
class Examined:
    """What was found for a statement, before the learned decision.

    Attributes:
        reason: the exact check that refuses the statement, or "".
        quotes: evidence, best first.
        evidence: what the reader reads beside the statement; None if it is refused.
        features: that decide, by the names of `decision.FEATURES`.
    """

    reason: str
    quotes: tuple[EvidenceSentence, ...] = ()
    evidence: ReadText | None = None
    features: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verifier:
    """Verifies statements against passages.

    Attributes:
        encode: embeds n texts as documents are embedded; returns unit vectors of shape (n, d).
        vectors: returns the vectors of n sentences by their rows in the index, of shape (n, d).
        said_by: returns release and cosine of the indexed sentences nearest to a vector of shape (d,).
        reading: matcher for words and names.
        reader: judges statements by their evidence; None decides without.
    """

    encode: Callable[[Sequence[str]], Vectors]
    vectors: Callable[[Sequence[int]], Vectors]
    said_by: Callable[[Vectors], Sequence[tuple[Release | None, float]]]
    reading: TextMatcher
    reader: Reader | None = None

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
        told = [statement for statement in drafted if statement.kind != "code"]
        proofs = dict(zip(map(id, told), self._prove(told, every, language), strict=True))
        return [
            _prove_code(statement, every) if statement.kind == "code" else proofs[id(statement)]
            for statement in drafted
        ]

    def examine(
        self, drafted: Sequence[Statement], every: Sequence[Sequence[EvidenceSentence]], language: Language
    ) -> list[Examined]:
        """Apply the exact checks to statements, and measure and read those that they do not refuse.

        Args:
            drafted: statements other than code.
            every: evidence sentences of each passage.
            language: language of the draft.
        """
        if not drafted:
            return []
        vectors = self.encode([reading_text(statement.text) for statement in drafted])
        found = [
            self._examine(statement, vector, every, language)
            for statement, vector in zip(drafted, vectors, strict=True)
        ]
        self._read(drafted, found)
        return found

    def _prove(
        self, drafted: Sequence[Statement], every: Sequence[Sequence[EvidenceSentence]], language: Language
    ) -> list[Proof]:
        out = []
        for statement, found in zip(drafted, self.examine(drafted, every, language), strict=True):
            reason = found.reason or ("" if log_odds(found.features) >= 0 else _UNSUPPORTED)
            out.append(Proof(statement, reason, () if reason else found.quotes[:_MOST_QUOTES]))
        return out

    def _read(self, drafted: Sequence[Statement], found: Sequence[Examined]) -> None:
        """Add the reader's verdicts to the features, where it was trained on the kind of document."""
        if self.reader is None:
            return
        kinds = self.reader.kinds
        read = [
            (statement.text, one.evidence, one.features)
            for statement, one in zip(drafted, found, strict=True)
            if one.evidence and all(quote.passage.document.kind in kinds for quote in one.quotes)
        ]
        verdicts = self.reader.judge([text for text, _, _ in read], [evidence for _, evidence, _ in read])
        if verdicts:
            for (_, _, features), verdict in zip(read, verdicts, strict=True):
                features["verdict"] = verdict.supported

    def _examine(
        self,
        statement: Statement,
        vector: Vectors,
        every: Sequence[Sequence[EvidenceSentence]],
        language: Language,
    ) -> Examined:
        marks = statement.marks or range(1, len(every) + 1)
        if any(not 1 <= mark <= len(every) for mark in marks):
            return Examined("a mark points at no passage")
        near = [ground for mark in marks for ground in every[mark - 1]]
        if not near:
            return Examined("the passage has no sentence")
        text = reading_text(statement.text)
        cosines = self.vectors([ground.sentence.row for ground in near]) @ vector
        words = self.reading.words(text)
        covered = [share(words, self.reading.words(ground.below)) for ground in near]
        nearness = cosines + np.array(covered)
        order = [int(place) for place in np.argsort(-nearness, kind="stable")]
        ranked = [near[place] for place in order]
        required = ClaimRequirements(self.reading, statement.text, ranked, language)
        try:
            demanded = required.quotes()
        except UnmetRequirement as lacking:
            return Examined(str(lacking))
        quotes = [ranked[0], *(ground for ground in demanded if ground is not ranked[0])]
        nearest = float(cosines.max())
        reason = _disagrees(text, quotes, language) or self._elsewhere(vector, near, nearest, language)
        if reason:
            return Examined(reason)
        across = all(quote.passage.language != language for quote in quotes)
        coverage = _COVERAGE_ACROSS if across else self.reading.covered(words, quotes)
        features = {
            "cosine": nearest,
            "closeness": nearest + _COVERAGE_WEIGHT * coverage,
            "words_lacking": required.words_lacking(),
        }
        read = {id(ground) for ground in (*ranked[:_NEAREST], *quotes)}
        places = [place for place, ground in enumerate(near) if id(ground) in read]
        evidence = ReadText(
            ranked[0].passage.chunk.context,
            [inline_text(near[place].text) for place in places],
            [float(nearness[place]) for place in places],
        )
        return Examined("", tuple(quotes), evidence, features)

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
