"""The last answer in another form: shorter, in more detail, its code, its sources, or the proof of it.

All forms are made of sentences of the notes, whether or not a language model wrote the answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from assistant.answer import Answer, Citation
from assistant.answering.compose import compose, title
from assistant.answering.plan import AnswerPlan
from assistant.answering.responder import Responder
from assistant.answering.selection import BUDGET
from assistant.query.acts import Retelling
from assistant.retrieval.pick import Pick
from assistant.retrieval.sentences import QUOTABLE, text_of
from assistant.text.markdown import shown_length
from assistant.text.messages import (
    ALL_TOLD,
    CHECK_OFFERED,
    LEFT_OUT,
    LOOKED_AGAIN,
    NO_CODE,
    NOTHING_TOLD,
    PROOF_TOLD,
    SOURCES_TOLD,
)
from index.search.passage import Passage, ScoredSentence

_SHORT = 2  # sentences of a shorter answer, one less with each time it is asked for
_SHORT_LIST = 3  # entries of a shorter list
_MOST_CODE = 2  # sections whose code is shown
_WEB = re.compile(r"https?://[^\s<>]+")

Chosen = tuple[Passage, ScoredSentence]


@dataclass(frozen=True, slots=True)
class Reteller:
    """Builds answers that are other forms of the last one.

    Attributes:
        responder: composes text from sentences.
    """

    responder: Responder

    def retold(self, found: AnswerPlan, act: Retelling, times: int) -> Answer:
        """Return an answer in another form.

        Args:
            found: plan of the answer.
            act: the form. For "chinese" and "english" the plan is in that language already.
            times: how often this form was asked for since the question, from 1.
        """
        if not found.picks:
            return self._declined(found, act)
        match act:
            case "shorter":
                answer = self._shorter(found, times)
            case "more":
                answer = self._more(found, times)
            case "code":
                answer = self._code(found)
            case "sources":
                answer = self._sources(found)
            case "proof":
                answer = self._proof(found)
            case _:
                answer = self.responder.tell(found, found.picks)
        return replace(answer, act=act)

    def _declined(self, found: AnswerPlan, act: Retelling) -> Answer:
        """Return a declined answer again, or a line that there is nothing to show."""
        language = found.asked.language
        if act in ("chinese", "english", "proof"):
            answer = self.responder.tell(found, ())
            lead = f"{LOOKED_AGAIN[language]}\n\n" if act == "proof" else ""
            return replace(answer, text=f"{lead}{answer.text}", act=act)
        return replace(self._line(found, NOTHING_TOLD[language]), act=act)

    def _shorter(self, found: AnswerPlan, times: int) -> Answer:
        """Keep the sentences that answer best; of a list its first entries."""
        language = found.asked.language
        if not found.view:
            entries = [(pick, sentence) for pick in found.picks for sentence in pick.sentences]
            kept = {id(sentence) for _, sentence in entries[: max(1, _SHORT_LIST + 1 - times)]}
            answer = self.responder.tell(found, _only(found.picks, kept))
            left_out = LEFT_OUT[language].format(count=len(entries) - len(kept))
            return (
                replace(answer, text=f"{answer.text}\n\n{left_out}") if len(entries) > len(kept) else answer
            )
        compared = len(found.asked.scope.named) if found.asked.intent == "compare" else 0
        count = max(1, compared, _SHORT + 1 - times)
        return self.responder.tell(found, _best(found, count))

    def _more(self, found: AnswerPlan, times: int) -> Answer:
        """Return what the cited sections say besides, a part with each time it is asked for."""
        told = {sentence.span for pick in found.picks for sentence in pick.sentences}
        rest = [
            (passage, sentence)
            for passage in _passages(found)
            for sentence in passage.sentences
            if sentence.span not in told and sentence.span.kind in QUOTABLE
        ]
        parts = _parts(rest, BUDGET[found.asked.language])
        if times > len(parts):
            return self._line(found, ALL_TOLD[found.asked.language])
        return self.responder.tell(found, _picks(parts[times - 1]))

    def _code(self, found: AnswerPlan) -> Answer:
        """Return the code of the cited sections, or a line that they have none."""
        language = found.asked.language
        shown: list[Pick] = []
        for passage in _passages(found):
            every = passage.sentences
            places = [place for place, sentence in enumerate(every) if sentence.span.kind == "code"]
            before = {place - 1 for place in places[:1] if place and every[place - 1].span.kind == "prose"}
            if places:
                shown.append(Pick(passage, tuple(every[place] for place in sorted({*places, *before}))))
        if shown:
            text, citations = compose(found.asked, shown[:_MOST_CODE], self.responder.glossary, whole=True)
            return self.responder.built(found, text, citations, abstained=False)
        from assistant.checks.registry import checks_of  # late: most processes never need the checks

        sections = {(passage.version, passage.chunk.section_id) for passage in _passages(found)}
        check = next((check for section in sections for check in checks_of(*section)), None)
        offered = CHECK_OFFERED[language].format(check=check.id) if check else ""
        text = f"{NO_CODE[language]}{'' if language == 'zh' else ' '}{offered}".strip()
        return self._line(found, text)

    def _sources(self, found: AnswerPlan) -> Answer:
        """List the cited sections with their addresses."""
        language = found.asked.language
        citations: list[Citation] = []
        lines = [SOURCES_TOLD[language]]
        for pick in found.picks:
            if pick.passage.chunk.id in {citation.passage.chunk.id for citation in citations}:
                continue
            span = pick.sentences[0].span
            citations.append(Citation(len(citations) + 1, pick.passage, span.start, span.end))
            name = title(pick.passage, language, self.responder.glossary)
            lines.append(f"- {' '.join(filter(None, (name, _address(pick.passage))))} [{len(citations)}]")
        return self.responder.built(found, "\n".join(lines), citations, abstained=False)

    def _proof(self, found: AnswerPlan) -> Answer:
        """Quote the one sentence that answers best, with the address of its section."""
        picks = _best(found, 1 if found.view else 2)
        answer = self.responder.tell(found, picks)
        address = _address(picks[0].passage)
        parts = (PROOF_TOLD[found.asked.language], answer.text, address)
        return replace(answer, text="\n\n".join(filter(None, parts)))

    def _line(self, found: AnswerPlan, text: str) -> Answer:
        """Return a line instead of an answer from the notes."""
        return replace(self.responder.built(found, text, (), abstained=True), passages=())


def _best(found: AnswerPlan, count: int) -> list[Pick]:
    """Keep the sentences that answer best; of lists and histories, which have no scores, the first ones."""
    quotes = found.view.search.quotes if found.view else ()
    scores = {quote.sentence.row: quote.score for quote in quotes}
    prose = [sentence for pick in found.picks for sentence in pick.sentences if sentence.span.kind != "code"]
    best = sorted(prose, key=lambda sentence: -scores.get(sentence.row, -math.inf))[:count]
    if count > 1 and prose[0] not in best:  # what the others refer to
        best = [prose[0], *best[:-1]]
    return _only(found.picks, {id(sentence) for sentence in best}) or list(found.picks[:1])


def _passages(found: AnswerPlan) -> list[Passage]:
    """Return the cited passages, each once."""
    return list({pick.passage.chunk.id: pick.passage for pick in found.picks}.values())


def _only(picks: Sequence[Pick], sentences: Collection[int]) -> list[Pick]:
    """Keep some sentences of picks, given by their identity."""
    kept = [replace(pick, sentences=tuple(s for s in pick.sentences if id(s) in sentences)) for pick in picks]
    return [pick for pick in kept if pick.sentences]


def _picks(chosen: Sequence[Chosen]) -> list[Pick]:
    """Make a pick of each passage."""
    passages = {passage.chunk.id: passage for passage, _ in chosen}
    return [
        Pick(passage, tuple(sentence for other, sentence in chosen if other.chunk.id == id_))
        for id_, passage in passages.items()
    ]


def _parts(chosen: Sequence[Chosen], budget: int) -> list[list[Chosen]]:
    """Divide sentences into parts of at most so many characters, in their order."""
    parts: list[list[Chosen]] = []
    room = 0
    for passage, sentence in chosen:
        length = shown_length(text_of(passage, sentence))
        if not parts or length > room:
            parts.append([])
            room = budget
        parts[-1].append((passage, sentence))
        room -= length
    return parts


def _address(passage: Passage) -> str:
    """Return the address of a passage as a link, or "" if it has none on the web."""
    return f"<{passage.url}>" if _WEB.fullmatch(passage.url) else ""
