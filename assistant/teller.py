"""Telling: what was found into an answer, by the sentences of the notes or by a language model."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from assistant.answer import Answer, Citation
from assistant.compose import compose, decline
from assistant.crosslingual import Bridge
from assistant.extract import Pick
from assistant.generate import Writer
from assistant.stages import Findings, View
from assistant.untrusted import trusted
from assistant.verify import Proof
from assistant.wording import MODEL_DROPPED, MODEL_FAILED, MODEL_SILENT, MODEL_UNPROVED
from assistant.written import written
from corpus.glossary import Glossary
from ingest.errors import LanguageModelError
from ingest.release import Release

#: Probability from which the notes do answer, whatever a language model says of its passages.
SURE = 0.95


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells answers.

    Attributes:
        bridge: finds a passage in the other language.
        releases: that documents are about.
    """

    bridge: Bridge
    glossary: Glossary
    releases: Sequence[Release]

    def answers(
        self, found: Findings, writer: Writer | None, *, unfiltered: bool, growing: bool
    ) -> Iterator[Answer]:
        """The answer, last; before it, if it is to grow, what is there of it."""
        if writer and found.view:
            notice = yield from self._write(found, found.view, writer, unfiltered=unfiltered)
            if notice is None:
                return
            found = replace(found, notice=notice)
        for count in range(1, len(found.picks)) if growing else ():
            yield self._tell(found, found.picks[:count])
        yield self._tell(found, found.picks)

    def _write(
        self, found: Findings, view: View, writer: Writer, *, unfiltered: bool
    ) -> Generator[Answer, None, str | None]:
        """The answers of a language model; returns why the notes must speak for themselves, or None."""
        asked, language = found.asked, found.asked.language
        passages = self.bridge.native(view.search.passages, language, view.vector)
        last = None
        try:
            with found.watch("write"):
                for last in writer.write(asked.standalone, [p for p in passages if trusted(p)], language):
                    if not last.done:
                        yield self._written(found, writer, last.proofs, pending=last.pending)
        except LanguageModelError as error:
            return MODEL_FAILED[language].format(reason=error)
        if last is None or not last.proofs:
            return MODEL_FAILED[language].format(reason="…")
        if last.declines:
            if view.probability >= SURE:
                return MODEL_SILENT[language]
            yield replace(self._tell(found, ()), model=writer.model.name)
            return None
        if not last.suffices and not unfiltered:
            return MODEL_UNPROVED[language]
        yield self._written(found, writer, last.proofs, unfiltered=unfiltered)
        return None

    def _written(
        self,
        found: Findings,
        writer: Writer,
        proofs: Sequence[Proof],
        *,
        pending: str = "",
        unfiltered: bool = False,
    ) -> Answer:
        """What a language model wrote and the notes prove."""
        language = found.asked.language
        text, citations, unproved = written(proofs, language, unfiltered=unfiltered)
        dropped = bool(unproved) and not unfiltered and not pending
        notice = MODEL_DROPPED[language].format(count=len(unproved)) if dropped else found.notice
        answer = self._answer(found, text, citations, abstained=False)
        return replace(answer, model=writer.model.name, notice=notice, unproved=unproved, pending=pending)

    def _tell(self, found: Findings, picks: Sequence[Pick]) -> Answer:
        """The answer of some of the picks; a decline where there are none."""
        asked = found.asked
        with found.watch("compose"):
            if picks:
                text, citations = compose(asked, picks, self.glossary)
            else:
                text, citations = decline(asked, found.passages, self.releases)
        answer = self._answer(found, text, citations, abstained=not picks)
        return replace(answer, notice=found.notice)

    def _answer(
        self, found: Findings, text: str, citations: Sequence[Citation], *, abstained: bool
    ) -> Answer:
        """A text with its citations, each beside its version in the other language."""
        fresh = [c.passage for c in citations if c.passage.chunk.id not in found.pairs]
        found.pairs.update(self.bridge.pairs(fresh))
        asked = found.asked
        return Answer(
            question=asked.text,
            standalone=asked.standalone,
            text=text,
            language=asked.language,
            abstained=abstained,
            citations=tuple(replace(c, paired=found.pairs[c.passage.chunk.id]) for c in citations),
            passages=tuple(found.passages),
            releases=tuple(sorted({c.passage.release for c in citations if c.passage.release})),
            timings=dict(found.watch.seconds),
        )
