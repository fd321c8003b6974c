"""What the judgements of a language model make of statements that the cheap proof leaves open.

A model is believed where it can be checked: its quote has to occur in the passage, and the exact checks must
not speak against the statement beside that quote. So a proof is taken away by a quote that says otherwise,
not because the model finds none. What exact checks decided is never asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

from assistant.verification.conflicts import unfit
from assistant.verification.evidence import EvidenceSentence, TextMatcher
from assistant.verification.proof import Proof
from ingest.document import Language
from ingest.markup import reading_text

Verdict = Literal["supported", "contradicted", "absent"]

JUDGED_OTHERWISE = "the language model finds that the passage says otherwise"
_SHORTEST_QUOTE = 8  # characters without white space
_MOST_QUOTES = 3  # sentences
_MARK = re.compile(r"[\[(](\d+)[\])]")
_DROPPED = re.compile(r"[\s`*]")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a language model says of a statement.

    Attributes:
        verdict: whether a passage supports it, contradicts it, or none speaks of it.
        passage: number of the passage, from 1; 0 for none.
        quote: what the passage says, verbatim as the model claims; "" for nothing.
    """

    verdict: Verdict
    passage: int = 0
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Judging:
    """Applies judgements to proofs.

    Attributes:
        every: evidence sentences of each passage.
        reading: matcher for words and names.
        language: language of the draft.
        question: what was asked, whose names and figures may be repeated.
    """

    every: Sequence[Sequence[EvidenceSentence]]
    reading: TextMatcher
    language: Language
    question: str = ""

    def quoted(self, judgement: Judgement) -> tuple[EvidenceSentence, ...]:
        """Return the sentences of a passage that contain the quote of a judgement; none if it does not occur.

        White space and markup do not count.

        Args:
            judgement: what the model says.
        """
        wanted = _bare(judgement.quote)
        if not 1 <= judgement.passage <= len(self.every) or len(wanted) < _SHORTEST_QUOTE:
            return ()
        grounds = self.every[judgement.passage - 1]
        texts = [_bare(ground.raw) for ground in grounds]
        start = "".join(texts).find(wanted)
        if start < 0:
            return ()
        ends = list(accumulate(map(len, texts)))
        found = [
            ground
            for ground, text, end in zip(grounds, texts, ends, strict=True)
            if end > start and end - len(text) < start + len(wanted) and text
        ]
        return tuple(found[:_MOST_QUOTES])

    def decided(self, proof: Proof, judgements: Sequence[Judgement]) -> Proof:
        """Return what becomes of a statement.

        Args:
            proof: of the cheap proof.
            judgements: what the model says of it, each with another quote; none if it says nothing.
        """
        if proof.exact or not judgements:
            return proof
        found = [(judgement, self.quoted(judgement)) for judgement in judgements]
        against = [quotes for each, quotes in found if each.verdict == "contradicted" and quotes]
        if against:
            return replace(proof, outcome="contradicted", reason=JUDGED_OTHERWISE, quotes=against[0][:1])
        quotes = [quote for each, quotes in found if each.verdict == "supported" for quote in quotes]
        if quotes:
            return self._supported(proof, list({id(quote): quote for quote in quotes}.values()))
        return proof

    def _supported(self, proof: Proof, quotes: Sequence[EvidenceSentence]) -> Proof:
        """Return what becomes of a statement that a model finds supported by quotes which do occur."""
        marks = (mark for mark in proof.statement.marks if 1 <= mark <= len(self.every))
        cited = [ground for mark in marks for ground in self.every[mark - 1]]
        own = {quote.passage.chunk.id for quote in quotes}
        beside = [ground for grounds in self.every for ground in grounds if ground.passage.chunk.id in own]
        around = list({id(ground): ground for ground in (*beside, *cited)}.values())
        if unfit(proof.statement.claim, quotes, around, self.reading, self.language, self.question):
            return proof
        return replace(proof, outcome="proved", reason="", quotes=tuple(quotes[:_MOST_QUOTES]))


def _bare(text: str) -> str:
    """Return a text without white space and markup; marks like [1] are shown to models in round brackets."""
    return _DROPPED.sub("", _MARK.sub(r"(\1)", reading_text(text)))
