"""Telling: what was found into an answer, by the sentences of the notes or by a language model."""

from __future__ import annotations

import logging
from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.answer import Answer, Citation
from assistant.answering.compose import compose, decline
from assistant.answering.plan import AnswerPlan, SearchView
from assistant.retrieval.alignment import TranslationAligner
from assistant.retrieval.pick import Pick
from assistant.text.messages import MODEL_DROPPED, MODEL_FAILED, MODEL_SILENT, MODEL_UNPROVED
from assistant.text.prompt_injection import trusted
from assistant.verification.audit import unfounded
from assistant.verification.evidence import TextMatcher
from corpus.glossary import Glossary
from index.search.passage import Passage
from ingest.document import Language
from ingest.errors import LanguageModelError
from ingest.release import Release

if TYPE_CHECKING:  # what only a language model needs stays out of the way of a question
    from assistant.llm.writer import Progress, Writer
    from assistant.verification.verifier import Proof

_log = logging.getLogger(__name__)

#: Probability from which the notes do answer, whatever a language model says of its passages.
SURE = 0.95
_ENOUGH = 3  # passages in the language asked


@dataclass(frozen=True, slots=True)
class Responder:
    """Tells answers.

    Attributes:
        bridge: finds a passage in the other language.
        reading: checks what is told against its source.
        releases: that documents are about.
    """

    bridge: TranslationAligner
    glossary: Glossary
    reading: TextMatcher
    releases: Sequence[Release]

    def answers(
        self, found: AnswerPlan, writer: Writer | None, *, unfiltered: bool, growing: bool
    ) -> Iterator[Answer]:
        """The answer, last; before it, if it is to grow, what is there of it."""
        if writer and found.view:
            unwritten = yield from self._write(found, found.view, writer, unfiltered=unfiltered)
            if unwritten is None:
                return
            found = unwritten
        for count in range(1, len(found.picks)) if growing else ():
            yield self._tell(found, found.picks[:count])
        yield self._tell(found, found.picks)

    def _write(
        self, found: AnswerPlan, view: SearchView, writer: Writer, *, unfiltered: bool
    ) -> Generator[Answer, None, AnswerPlan | None]:
        """The answers of a language model; returns what the notes must tell themselves, with why, or None."""
        from assistant.llm.writer import Progress

        asked, language = found.asked, found.asked.language
        near = self.bridge.native(view.search.passages, language, view.vector)
        passages = _for_writing([*(pick.passage for pick in found.picks), *near], language)
        last = Progress(())
        try:
            with found.watch("write"):
                for last in writer.write(asked.standalone, passages, language):
                    if not last.done:
                        yield self._written(found, writer, last.proofs, pending=last.pending)
        except LanguageModelError as error:
            return _untold(found, MODEL_FAILED[language].format(reason=error), last)
        if last.declines:
            if view.probability >= SURE:
                return replace(found, notices=(*found.notices, MODEL_SILENT[language]))
            yield replace(self._tell(found, ()), model=writer.model.name)
            return None
        if not (last.proved if unfiltered else last.suffices):
            return _untold(found, MODEL_UNPROVED[language], last)
        yield self._written(found, writer, last.proofs, unfiltered=unfiltered)
        return None

    def _written(
        self,
        found: AnswerPlan,
        writer: Writer,
        proofs: Sequence[Proof],
        *,
        pending: str = "",
        unfiltered: bool = False,
    ) -> Answer:
        """Make an answer of what a language model wrote and the notes prove.

        Args:
            found: what it was written from.
            writer: wrote it.
            proofs: of its statements so far.
            pending: what is being written and not proved yet; "" for a draft that is done.
            unfiltered: keep statements without proof, marked.
        """
        from assistant.llm.render_draft import written

        language = found.asked.language
        text, citations, unproved = written(proofs, language, unfiltered=unfiltered)
        dropped = bool(unproved) and not unfiltered and not pending
        left_out = (MODEL_DROPPED[language].format(count=len(unproved)),) if dropped else ()
        answer = self._answer(found, text, citations, abstained=False)
        notices = (*found.notices, *left_out)
        return replace(answer, model=writer.model.name, notices=notices, unproved=unproved, pending=pending)

    def _tell(self, found: AnswerPlan, picks: Sequence[Pick]) -> Answer:
        """The answer of some of the picks; a decline where there are none."""
        asked = found.asked
        with found.watch("compose"):
            if picks:
                text, citations = compose(asked, picks, self.glossary)
                bad = unfounded(text, citations, asked.language, self.reading)
                if bad:
                    _log.warning("left out of an answer, for its source does not have it: %s", bad)
                    spans = {(c.passage.chunk.id, c.start) for c in citations if c.number in bad}
                    return self._tell(found, _without(picks, spans))
            else:
                any_there = bool(self.bridge.retriever.generation.documents)
                text, citations = decline(
                    asked, found.passages, self.releases, found.silent, documents=any_there
                )
        answer = self._answer(found, text, citations, abstained=not picks)
        return replace(answer, notices=found.notices, unproved=found.unproved)

    def _answer(
        self, found: AnswerPlan, text: str, citations: Sequence[Citation], *, abstained: bool
    ) -> Answer:
        """Make an answer of a text and its citations.

        Args:
            found: what it was composed from.
            text: with the marks of the citations.
            citations: as the text numbers them; each gets its version in the other language.
            abstained: whether the text says that the notes do not tell.
        """
        fresh = [c.passage for c in citations if c.passage.chunk.id not in found.pairs]
        pairs = self.bridge.pairs(fresh)
        found.pairs.update({id_: pair if pair and trusted(pair) else None for id_, pair in pairs.items()})
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


def _for_writing(passages: Sequence[Passage], language: Language) -> list[Passage]:
    """The passages that a language model gets, each once, best first.

    Those in the language asked, if they are enough: a sentence is proved best by one in its own language.
    """
    each = {passage.chunk.id: passage for passage in passages if trusted(passage)}
    native = [passage for passage in each.values() if passage.language == language]
    foreign = [passage for passage in each.values() if passage.language != language]
    return native if len(native) >= _ENOUGH else [*native, *foreign]


def _without(picks: Sequence[Pick], spans: Collection[tuple[str, int]]) -> list[Pick]:
    """The picks without the sentences at some spans, each a chunk and where it begins."""
    kept = [
        replace(
            pick,
            sentences=tuple(s for s in pick.sentences if (pick.passage.chunk.id, s.span.start) not in spans),
        )
        for pick in picks
    ]
    return [pick for pick in kept if pick.sentences]


def _untold(found: AnswerPlan, notice: str, draft: Progress) -> AnswerPlan:
    """Return the plan for the notes to answer themselves.

    Args:
        found: what a language model was to write from.
        notice: why its text is not told.
        draft: what it wrote in vain.
    """
    from assistant.llm.render_draft import written

    unproved = written(draft.proofs, found.asked.language)[2]
    return replace(found, notices=(*found.notices, notice), unproved=unproved)
