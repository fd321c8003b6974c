"""Turns an answer plan into answers, composed from sentences of the notes or written by a language model."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.answer import Answer, Citation, ModelError
from assistant.answering.compose import compose
from assistant.answering.decline import decline
from assistant.answering.drafting import draft_notices, passages_for_writing
from assistant.answering.plan import AnswerPlan, SearchView
from assistant.query.acts import OFF_TOPIC
from assistant.retrieval.alignment import TranslationAligner
from assistant.retrieval.pick import Pick
from assistant.text.messages import (
    MODEL_CONTRADICTED,
    MODEL_FAILED,
    MODEL_SILENT,
    MODEL_UNPROVED,
    NOTES_SAY,
    OFF_SUBJECT,
)
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

_log = logging.getLogger(__name__)

#: Probability from which the notes answer the question even if a language model declines.
SURE = 0.95
_MOST_LOOKED_UP = 12  # passages that a language model found by calling functions


@dataclass(frozen=True, slots=True)
class Responder:
    """Builds answers from answer plans.

    Attributes:
        aligner: finds counterparts of passages in the other language.
        glossary: translates and explains terms.
        reading: matcher that checks composed text against its sources.
        releases: releases that documents are about.
        tools: returns the functions for language models that call them.
    """

    aligner: TranslationAligner
    glossary: Glossary
    reading: TextMatcher
    releases: Sequence[Release]
    tools: Callable[[Language], Sequence[Tool]]

    def answers(
        self, found: AnswerPlan, writer: Writer | None, *, strict: bool, growing: bool
    ) -> Iterator[Answer]:
        """Build the answer to a question, optionally with partial answers before it.

        Args:
            found: plan of the answer.
            writer: language model writer, or None to quote the notes.
            strict: whether to show proved statements of the language model only.
            growing: whether to yield partial answers while composing from quotes. Those of a language model
                are always yielded.

        Yields:
            Partial answers, then the complete one.
        """
        if writer and found.view:
            unwritten = yield from self._write(found, found.view, writer, strict=strict)
            if unwritten is None:
                return
            found = unwritten
        for count in range(1, len(found.picks)) if growing else ():
            yield self.tell(found, found.picks[:count])
        yield self.tell(found, found.picks)

    def _write(
        self, found: AnswerPlan, view: SearchView, writer: Writer, *, strict: bool
    ) -> Generator[Answer, None, AnswerPlan | None]:
        """Yield the language model's answers; return a plan if quotes must be used instead, else None."""
        from assistant.llm.tools import research
        from assistant.llm.writer import Progress

        asked, language = found.asked, found.asked.language
        passages = self._for_writing(found, view)
        if writer.model.calls_tools:
            with found.watch("tools"):
                tools = self.tools(language)
                looked_up = research(writer.model, asked.standalone, passages, tools, language)
            found = replace(found, steps=looked_up.steps)
            found = _failed(found, "tools", looked_up.failure) if looked_up.failure else found
            # After the best one; what was asked for comes before what merely was near.
            sought = (*passages[:1], *looked_up.passages[:_MOST_LOOKED_UP], *passages)
            passages = list({passage.chunk.id: passage for passage in sought}.values())
        last = Progress(())
        try:
            with found.watch("write"):
                for last in writer.write(asked.standalone, passages, language):
                    if not last.done:
                        yield self._written(found, writer, last, strict=strict)
        except LanguageModelError as error:
            found = _failed(found, "write", str(error))
            return _untold(found, MODEL_FAILED[language].format(reason=error), last)
        with found.watch("judge"):
            draft = last
            for last in writer.judged(draft, asked.standalone, language):
                if not last.done:
                    yield self._written(found, writer, last, strict=strict)
        found = _failed(found, "judge", last.failure) if last.failure else found
        found = replace(found, judging=last.judging)
        if last.declines:
            if found.picks and view.probability >= SURE:
                return replace(found, notices=(*found.notices, MODEL_SILENT[language]))
            yield replace(self.tell(found, ()), model=writer.model.name)
            return None
        baseless = not (last.proved or found.picks)  # the notes hardly answer, and prove nothing of it
        if baseless or not last.suffices(strict=strict):
            notice = (MODEL_UNPROVED if strict or baseless else MODEL_CONTRADICTED)[language]
            return _untold(found, notice, last)
        yield self._written(found, writer, last, strict=strict)
        return None

    def _written(self, found: AnswerPlan, writer: Writer, draft: Progress, *, strict: bool) -> Answer:
        """Build an answer from the verified statements of a draft, which may still grow."""
        from assistant.llm.render_draft import written

        language = found.asked.language
        text, citations, sentences = written(draft.proofs, language, strict=strict)
        if draft.done and not draft.proved and found.picks:  # nothing has a source: show those there are
            quoted = self.tell(found, found.picks)
            text, citations = f"{text}\n\n{NOTES_SAY[language]}\n\n{quoted.text}", quoted.citations
        answer = self.built(found, text, citations, abstained=False)
        told = draft_notices(sentences, language, strict=strict) if draft.done else ()
        notices = (*found.notices, *told)
        return replace(
            answer, model=writer.model.name, notices=notices, sentences=sentences, pending=draft.pending
        )

    def _for_writing(self, found: AnswerPlan, view: SearchView) -> list[Passage]:
        """Return the passages for a language model, those of the answer first."""
        language = found.asked.language
        near = self.aligner.native(view.wider(), language, view.vector)
        best = (pick.passage for pick in found.picks)
        return passages_for_writing([*best, *near], language, self.aligner.retriever)

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
                any_there = bool(self.aligner.retriever.generation.documents)
                near = [p for p in self.aligner.native(found.passages, asked.language) if trusted(p)]
                text, citations = decline(asked, near, self.releases, found.silent, documents=any_there)
        answer = self.built(found, text, citations, abstained=not picks)
        act = OFF_TOPIC if found.off_subject and not picks else ""
        return replace(answer, notices=found.notices, sentences=found.sentences, act=act)

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
        pairs = self.aligner.pairs(fresh)
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
            timings=found.watch.seconds,
            stages=tuple(found.watch.spans),
            steps=found.steps,
            model_errors=found.model_errors,
            judging=found.judging,
        )


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


def _failed(found: AnswerPlan, step: str, reason: str) -> AnswerPlan:
    """Return the plan with a step in which the language model failed."""
    return replace(found, model_errors=(*found.model_errors, ModelError(step, reason)))


def _untold(found: AnswerPlan, notice: str, draft: Progress) -> AnswerPlan:
    """Return the plan for answering with quotes, with a notice why the draft is not shown."""
    from assistant.llm.render_draft import written

    sentences = written(draft.proofs, found.asked.language)[2]
    hidden = tuple(replace(sentence, citations=(), shown=False) for sentence in sentences)
    return replace(found, notices=(*found.notices, notice), sentences=hidden)
