"""Selects the sentences for a follow-up: those on the aspect that it asks about, and nothing told before.

A follow-up is searched together with the question before it, so that what is found is about the right thing;
what is chosen of it then repeats the answer before. The follow-up by itself ("why?") tells which sentences of
the same sections answer it: all of them are about the right thing, and differ by the aspect.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.answering.plan import AnswerPlan
from assistant.query.entities import entities
from assistant.query.question import Question
from assistant.retrieval.pick import Pick
from assistant.retrieval.sentences import QUOTABLE, form, text_of
from assistant.text.platforms import mentions_place, place_spans
from index.embedding.base import Embedder
from index.search.passage import Passage, ScoredSentence
from index.search.retriever import Retriever

_CLOSE = 0.05  # cosine below the sentence nearest to the aspect
_FORM = 0.1  # cosine that the form asked for ("To use it, ...") counts for
_MOST_ADDED = 2  # sentences that were not chosen before
_MOST_AGAIN = 2  # sentences on the aspect that are told although they were told before

#: A sentence by the id of its document and its start in it: of joined chunks either may be the passage's.
Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class FollowUpSelector:
    """Selects the sentences for follow-ups.

    Attributes:
        embedder: embeds follow-ups.
        retriever: holds the vectors of sentences.
        alone: parses a question without any before it.
    """

    embedder: Embedder
    retriever: Retriever
    alone: Callable[[str], Question]

    def select(self, found: AnswerPlan, before: AnswerPlan) -> list[Pick]:
        """Select the sentences that answer a follow-up.

        Args:
            found: plan of the answer to the follow-up.
            before: plan of the answer before.

        Returns:
            The sentences. There are none if the follow-up names a platform that nothing found mentions, or
            something else that nothing found mentions and all of it was told before.
        """
        asked, told = found.asked, places(before.picks)
        if any(_is_whole(pick) for pick in found.picks):
            return [pick for pick in found.picks if _is_whole(pick) or not places([pick]) <= told]
        texts = [pick.passage.text for pick in found.picks]
        platforms = [asked.clean[slice(*span)] for span in place_spans(asked.clean)]
        if not all(any(mentions_place(text, name) for text in texts) for name in platforms):
            return []
        names = entities(self.alone(asked.clean))
        if names and places(found.picks) <= told and not any(_has(text, names) for text in texts):
            return []
        vector = self.embedder.encode_query(asked.clean)
        sentences = self.retriever.generation.sentence_vectors

        def nearness(passage: Passage, sentence: ScoredSentence) -> float:
            cosine = float(sentences.rows(np.array([sentence.row], np.int64))[0] @ vector)
            return cosine + _FORM * form(asked.intent, text_of(passage, sentence))

        return on_aspect(found.picks, told, nearness, entities(asked))


def places(picks: Sequence[Pick]) -> set[Place]:
    """Return where the sentences of picks are.

    Args:
        picks: sentences by passage.
    """
    return {(pick.passage.document_id, sentence.span.start) for pick in picks for sentence in pick.sentences}


def on_aspect(
    picks: Sequence[Pick],
    told: Collection[Place],
    nearness: Callable[[Passage, ScoredSentence], float],
    names: Sequence[Sequence[str]] = (),
) -> list[Pick]:
    """Keep the sentences that are new or nearest to an aspect, and add the nearest of the same sections.

    Args:
        picks: sentences chosen for the follow-up together with the question before it.
        told: sentences of the answer before.
        nearness: of a sentence to the aspect, on the scale of cosines.
        names: spellings of what the follow-up is about, in lower case. In a section on other things as well,
            only sentences that have one are added.
    """
    chosen = places(picks)
    if not chosen & set(told):
        return list(picks)
    near: dict[Place, float] = {}
    for pick in picks:
        on_subject = _has(pick.passage.chunk.headings[-1] if pick.passage.chunk.headings else "", names)
        for sentence in pick.passage.sentences:
            new = (pick.passage.document_id, sentence.span.start) not in chosen
            if new and not (on_subject or _has(text_of(pick.passage, sentence), names)):
                continue
            if sentence.span.kind in QUOTABLE:
                near[pick.passage.document_id, sentence.span.start] = nearness(pick.passage, sentence)
    ranked = sorted(near, key=lambda place: -near[place])
    best = [place for place in ranked if near[place] >= near[ranked[0]] - _CLOSE]
    added = [place for place in best if place not in chosen][:_MOST_ADDED]
    again = [place for place in best if place in told][:_MOST_AGAIN]
    kept = (chosen - set(told)) | set(added) | set(again)
    out = []
    for pick in picks:
        sentences = tuple(
            s for s in pick.passage.sentences if (pick.passage.document_id, s.span.start) in kept
        )
        if sentences:
            out.append(replace(pick, sentences=sentences))
    return out


def _has(text: str, names: Iterable[Iterable[str]]) -> bool:
    """Check whether a text has one of the names."""
    folded = text.casefold()
    return any(name in folded for spellings in names for name in spellings)


def _is_whole(pick: Pick) -> bool:
    """Check whether a pick is of a list or of the history of a feature, which are told whole."""
    return bool(pick.label or pick.above) or all(s.span.kind == "heading" for s in pick.sentences)
