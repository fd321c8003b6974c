"""Verifies statements: whether verbatim quotes from the passages they cite prove or contradict them.

A statement is checked for the following, in this order:

    wording       Is it a heading, an injected instruction, or true that the notes are silent? (`wording`)
    marks         Does each refer to a passage that was supplied? Without marks, all passages are searched.
    requirements  Do its names, amounts, releases and statuses occur in quotes on the same subject?
    agreement     Does it give a number to something else?
    release       Does it name a release, and a sentence on another release matches it much better?
    support       Do the reader, and how near the quotes are, speak for or against it? (`decision`)

The exact checks contradict where a quote says something else instead; where none says anything, the
statement is unconfirmed. The quotes found on the way become the citations. docs/proof.md reports how often
that is right.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.reader.reading import Reader, ReadText
from assistant.verification.conflicts import differs
from assistant.verification.decision import log_odds
from assistant.verification.draft import Statement
from assistant.verification.evidence import (
    EvidenceSentence,
    TextMatcher,
    bare_code,
    grounds_of,
    is_verbatim,
    share,
)
from assistant.verification.negation import opposed
from assistant.verification.proof import ADVICE, Examined, Proof
from assistant.verification.requirements import ClaimRequirements, releases_in
from assistant.verification.wording import is_advice, is_framing, is_true_silence, smuggled
from index.embedding.base import Vectors
from index.search.passage import Passage
from ingest.document import Language
from ingest.markup import inline_text, reading_text
from ingest.release import Release

_SAID_BY_ANOTHER = 0.08  # least difference in cosine for another release's sentence to match better
#: Of the share of words that the quotes hold, beside the cosine. Nearly verbatim parts of a sentence have a
#: low cosine with it. Languages share no words: then it is taken for the mean of supported statements.
_COVERAGE_WEIGHT, _COVERAGE_ACROSS = 0.43, 0.65
_MOST_QUOTES = 3
_NEAREST = 2  # sentences that are read besides those that meet requirements
_SHORTEST_CODE = 4  # characters; shorter lines of code are ignored
#: Characters of a statement, and statements of a draft, that are verified. Some models repeat themselves
#: without end; each statement takes a while, one with many amounts a square of their number.
_LONGEST_CLAIM, _MOST_STATEMENTS = 3_000, 200
_UNREAD = "the draft has more than is confirmed"
_UNSUPPORTED = "no sentence of the passage says so"
_CONTRADICTED = "the passage says otherwise"


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
        self,
        drafted: Sequence[Statement],
        passages: Sequence[Passage],
        language: Language,
        question: str = "",
        *,
        before: int = 0,
    ) -> list[Proof]:
        """Verify each statement against the passages it cites; of a draft without end, the first of them.

        Args:
            drafted: statements of a draft.
            passages: passages that marks refer to, numbered from 1.
            language: language of the draft.
            question: what was asked, whose names and figures may be repeated.
            before: number of statements of the draft that were verified before these.

        Returns:
            One proof per statement, in the same order.
        """
        every = [grounds_of(passage) for passage in passages]
        shown = " ".join(f"{p.text} {p.heading} {p.title} {p.version} {p.url}" for p in passages)
        known = f"{shown} {question}"
        room = max(0, _MOST_STATEMENTS - before)
        proofs = [
            self._by_wording(statement, shown, known, every, language)
            if number < room
            else _unread(statement, known)
            for number, statement in enumerate(drafted)
        ]
        told = [statement for statement, proof in zip(drafted, proofs, strict=True) if proof is None]
        rest = iter(self._by_evidence(told, every, language, question))
        return [proof or next(rest) for proof in proofs]

    def examine(
        self,
        drafted: Sequence[Statement],
        every: Sequence[Sequence[EvidenceSentence]],
        language: Language,
        question: str = "",
    ) -> list[Examined]:
        """Apply the exact checks to statements, and measure and read them beside their evidence.

        Args:
            drafted: statements other than code.
            every: evidence sentences of each passage.
            language: language of the draft.
            question: what was asked, whose names and figures may be repeated.
        """
        if not drafted:
            return []
        vectors = self.encode([reading_text(statement.claim) for statement in drafted])
        found = [
            self._examine(statement, vector, every, language, question)
            for statement, vector in zip(drafted, vectors, strict=True)
        ]
        self._read(drafted, found)
        return found

    def _by_wording(
        self,
        statement: Statement,
        shown: str,
        known: str,
        every: Sequence[Sequence[EvidenceSentence]],
        language: Language,
    ) -> Proof | None:
        """Return the proof of a statement that needs no evidence sentence, or is code; None for others.

        Args:
            statement: any statement.
            shown: text of the passages.
            known: the same, and the question.
            every: evidence sentences of each passage.
            language: language of the draft.
        """
        if reason := smuggled(statement.text, known):
            return Proof(statement, "contradicted", reason)
        if statement.kind == "code":
            return _prove_code(statement, every)
        if len(statement.claim) > _LONGEST_CLAIM:
            return _unread(statement, known)
        if is_framing(statement, language, lambda name: self.reading.holds(name, known)):
            return Proof(statement, "neutral")
        if is_true_silence(statement.text, language, lambda name: self.reading.holds(name, shown)):
            return Proof(statement, "neutral")
        return None

    def _by_evidence(
        self,
        drafted: Sequence[Statement],
        every: Sequence[Sequence[EvidenceSentence]],
        language: Language,
        question: str,
    ) -> Iterator[Proof]:
        for statement, found in zip(drafted, self.examine(drafted, every, language, question), strict=True):
            read = "supported" in found.features
            if found.verbatim and not (found.lacking or found.conflict):
                yield Proof(statement, "proved", "", found.quotes[:_MOST_QUOTES])
            elif found.conflict:
                yield Proof(statement, "contradicted", found.conflict, found.quotes[:1])
            elif read and log_odds("contradicted", found.features) >= 0:
                yield Proof(statement, "contradicted", _CONTRADICTED, found.quotes[:1], exact=False)
            elif not found.lacking and log_odds("proved" if read else "proved_unread", found.features) >= 0:
                yield Proof(statement, "proved", "", found.quotes[:_MOST_QUOTES], exact=False)
            else:
                reason = ADVICE if is_advice(statement.text) else found.lacking or _UNSUPPORTED
                yield Proof(statement, "unconfirmed", reason, exact=False)

    def _read(self, drafted: Sequence[Statement], found: Sequence[Examined]) -> None:
        """Add the reader's verdicts to the features, where it was trained on the kind of document."""
        if self.reader is None:
            return
        kinds = self.reader.kinds
        read = [
            (statement.claim, one.evidence, one.features)
            for statement, one in zip(drafted, found, strict=True)
            if one.evidence and all(quote.passage.document.kind in kinds for quote in one.quotes)
        ]
        verdicts = self.reader.judge([text for text, _, _ in read], [evidence for _, evidence, _ in read])
        if verdicts:
            for (_, _, features), verdict in zip(read, verdicts, strict=True):
                features |= dataclasses.asdict(verdict)

    def _examine(
        self,
        statement: Statement,
        vector: Vectors,
        every: Sequence[Sequence[EvidenceSentence]],
        language: Language,
        question: str,
    ) -> Examined:
        marks = statement.marks or range(1, len(every) + 1)
        if any(not 1 <= mark <= len(every) for mark in marks):
            return Examined("a mark points at no passage")
        near = [ground for mark in marks for ground in every[mark - 1]]
        if not near:
            return Examined("the passage has no sentence")
        text = reading_text(statement.claim)
        cosines = self.vectors([ground.sentence.row for ground in near]) @ vector
        words = self.reading.words(text)
        covered = [share(words, self.reading.words(ground.below)) for ground in near]
        nearness = cosines + np.array(covered)
        order = [int(place) for place in np.argsort(-nearness, kind="stable")]
        ranked = [near[place] for place in order]
        required = ClaimRequirements(self.reading, statement.claim, ranked, language, question)
        demanded = required.check()
        quotes = [ranked[0], *(ground for ground in demanded.quotes if ground is not ranked[0])]
        nearest = float(cosines.max())
        conflict = next((unmet.reason for unmet in demanded.unmet if unmet.conflict), "")
        conflict = conflict or differs(text, quotes, language)
        lacking = next((unmet.reason for unmet in demanded.unmet), "")
        lacking = lacking or self._elsewhere(text, vector, near, nearest, language)
        across = all(quote.passage.language != language for quote in quotes)
        coverage = _COVERAGE_ACROSS if across else self.reading.covered(words, quotes)
        features = {
            "cosine": nearest,
            "closeness": nearest + _COVERAGE_WEIGHT * coverage,
            "words_lacking": required.words_lacking(),
            "opposed": float(bool(opposed(text, [quote.text for quote in quotes]))),
        }
        read = {id(ground) for ground in (*ranked[:_NEAREST], *quotes)}
        places = [place for place, ground in enumerate(near) if id(ground) in read]
        evidence = ReadText(
            ranked[0].passage.chunk.context,
            [inline_text(near[place].text) for place in places],
            [float(nearness[place]) for place in places],
        )
        verbatim = is_verbatim(text, quotes)
        return Examined(lacking, conflict, tuple(quotes), evidence, features, verbatim)

    def _elsewhere(
        self,
        text: str,
        vector: Vectors,
        near: Sequence[EvidenceSentence],
        cosine: float,
        language: Language,
    ) -> str:
        """Return which other release matches a statement that names one better, or ""."""
        releases = {ground.passage.release for ground in near}
        if not releases_in(text):
            return ""
        if None in releases or any(ground.passage.language != language for ground in near):
            return ""
        for release, other in self.said_by(vector):
            if release and release not in releases and other - cosine >= _SAID_BY_ANOTHER:
                return f"it is release {release} that says so"
        return ""


def _unread(statement: Statement, known: str) -> Proof:
    """Return the proof of a statement that takes too long to verify, beside the passages and the question."""
    if reason := smuggled(statement.text, known):
        return Proof(statement, "contradicted", reason)
    return Proof(statement, "unconfirmed", _UNREAD)


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
                return Proof(statement, "proved", "", (ground,))
    return Proof(statement, "unconfirmed", "this code does not occur in the passages")
