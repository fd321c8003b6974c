"""Turns an answer plan into answers, composed from sentences of the notes or written by a language model."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.answer import Answer, Citation
from assistant.answering.compose import compose
from assistant.answering.decline import decline
from assistant.answering.plan import AnswerPlan, SearchView
from assistant.query.acts import OFF_TOPIC
from assistant.retrieval.alignment import TranslationAligner
from assistant.retrieval.pick import Pick
from assistant.text.messages import MODEL_DROPPED, MODEL_FAILED, MODEL_SILENT, MODEL_UNPROVED, OFF_SUBJECT
from assistant.text.prompt_injection import trusted
from assistant.verification.audit import unfounded
from assistant.verification.evidence import TextMatcher
from corpus.glossary import Glossary
from index.search.passage import Passage
from ingest.document import Language
from ingest.errors import LanguageModelError
from ingest.release import Release

if TYPE_CHECKING:  # imported late, to keep questions fast without a language model
    from assistant.llm.tools import Tool
    from assistant.llm.writer import Progress, Writer
    from assistant.verification.verifier import Proof

_log = logging.getLogger(__name__)

#: Probability from which the notes answer the question even if a language model declines.
SURE = 0.95
_MOST_LOOKED_UP = 12  # passages that a language model found by calling functions
_ENOUGH = 3  # passages in the language of the answer that make others unnecessary


@dataclass(frozen=True, slots=True)
class Responder:
    """Builds answers from answer plans.

    Attributes:
        bridge: finds counterparts of passages in the other language.
        glossary: translates and explains terms.
        reading: matcher that checks composed text against its sources.
        releases: releases that documents are about.
        tools: returns the functions for language models that call them.
    """

    bridge: TranslationAligner
    glossary: Glossary
    reading: TextMatcher
    releases: Sequence[Release]
    tools: Callable[[Language], Sequence[Tool]]

    def answers(
        self, found: AnswerPlan, writer: Writer | None, *, unfiltered: bool, growing: bool
    ) -> Iterator[Answer]:
        """Build the answer to a question, optionally with partial answers before it.

        Args:
            found: plan of the answer.
            writer: language model writer, or None to quote the notes.
            unfiltered: whether to keep unsupported statements of the language model, marked as such.
            growing: whether to yield partial answers while composing from quotes. Those of a language model
                are always yielded.

        Yields:
            Partial answers, then the complete one.
        """
        if writer and found.view:
            unwritten = yield from self._write(found, found.view, writer, unfiltered=unfiltered)
            if unwritten is None:
                return
            found = unwritten
        for count in range(1, len(found.picks)) if growing else ():
            yield self.tell(found, found.picks[:count])
        yield self.tell(found, found.picks)

    def _write(
        self, found: AnswerPlan, view: SearchView, writer: Writer, *, unfiltered: bool
    ) -> Generator[Answer, None, AnswerPlan | None]:
        """Yield the language model's answers; return a plan if quotes must be used instead, else None."""
        from assistant.llm.tools import research
        from assistant.llm.writer import Progress

        asked, language = found.asked, found.asked.language
        near = self.bridge.native(view.search.passages, language, view.vector)
        passages = _for_writing([*(pick.passage for pick in found.picks), *near], language)
        if writer.model.calls_tools:
            with found.watch("tools"):
                tools = self.tools(language)
                looked_up = research(writer.model, asked.standalone, passages, tools, language)
            found = replace(found, steps=looked_up.steps)
            # After the best one; what was asked for comes before what merely was near.
            sought = (*passages[:1], *looked_up.passages[:_MOST_LOOKED_UP], *passages)
            passages = list({passage.chunk.id: passage for passage in sought}.values())
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
            yield replace(self.tell(found, ()), model=writer.model.name)
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
        """Build an answer from verified statements; `pending` is text not yet verified."""
        from assistant.llm.render_draft import written

        language = found.asked.language
        text, citations, unproved = written(proofs, language, unfiltered=unfiltered)
        dropped = bool(unproved) and not unfiltered and not pending
        left_out = (MODEL_DROPPED[language].format(count=len(unproved)),) if dropped else ()
        answer = self.built(found, text, citations, abstained=False)
        notices = (*found.notices, *left_out)
        return replace(answer, model=writer.model.name, notices=notices, unproved=unproved, pending=pending)

    def tell(self, found: AnswerPlan, picks: Sequence[Pick]) -> Answer:
        """Compose an answer from sentences, or decline if there are none.

        Args:
            found: plan of the answer.
            picks: the sentences, those of the plan or others of its passages.
        """
        asked = found.asked
        with found.watch("compose"):
            if picks:
                text, citations = compose(
                    asked, picks, self.glossary, opening=found.opening, closing=found.closing
                )
                bad = unfounded(text, citations, asked.language, self.reading)
                if bad:
                    _log.warning("left out of an answer, for its source does not have it: %s", bad)
                    spans = {(c.passage.chunk.id, c.start) for c in citations if c.number in bad}
                    return self.tell(found, _without(picks, spans))
            elif found.off_subject:
                text, citations = OFF_SUBJECT[asked.language], ()
            else:
                any_there = bool(self.bridge.retriever.generation.documents)
                near = [p for p in self.bridge.native(found.passages, asked.language) if trusted(p)]
                text, citations = decline(asked, near, self.releases, found.silent, documents=any_there)
        answer = self.built(found, text, citations, abstained=not picks)
        act = OFF_TOPIC if found.off_subject and not picks else ""
        return replace(answer, notices=found.notices, unproved=found.unproved, act=act)

    def built(
        self, found: AnswerPlan, text: str, citations: Sequence[Citation], *, abstained: bool
    ) -> Answer:
        """Build an `Answer` from text and citations, adding each citation's counterpart.

        Args:
            found: plan of the answer.
            text: Markdown with the marks of the citations.
            citations: citations, numbered from 1 in order.
            abstained: whether the notes do not answer the question.
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
            steps=found.steps,
        )


def _for_writing(passages: Sequence[Passage], language: Language) -> list[Passage]:
    """Return the distinct passages for a language model, preferring the answer's language if enough."""
    each = {passage.chunk.id: passage for passage in passages if trusted(passage)}
    native = [passage for passage in each.values() if passage.language == language]
    foreign = [passage for passage in each.values() if passage.language != language]
    return native if len(native) >= _ENOUGH else [*native, *foreign]


def _without(picks: Sequence[Pick], spans: Collection[tuple[str, int]]) -> list[Pick]:
    """Drop sentences, given by chunk id and start offset, from picks."""
    kept = [
        replace(
            pick,
            sentences=tuple(s for s in pick.sentences if (pick.passage.chunk.id, s.span.start) not in spans),
        )
        for pick in picks
    ]
    return [pick for pick in kept if pick.sentences]


def _untold(found: AnswerPlan, notice: str, draft: Progress) -> AnswerPlan:
    """Return the plan for answering with quotes, with a notice why the draft is not shown."""
    from assistant.llm.render_draft import written

    unproved = written(draft.proofs, found.asked.language)[2]
    return replace(found, notices=(*found.notices, notice), unproved=unproved)
