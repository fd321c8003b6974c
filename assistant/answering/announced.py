"""Announcements in the notes about releases without notes of their own: "will be removed in 2.10"."""

from __future__ import annotations

from assistant.query.entities import entities, share_named
from assistant.query.question import Question
from assistant.query.release_scope import find_releases
from assistant.retrieval.pick import Pick
from assistant.retrieval.searcher import SearchResult
from assistant.retrieval.sentences import text_of

_MOST = 3  # sentences per passage
_MOST_PASSAGES = 2


def announced(question: Question, found: SearchResult) -> list[Pick]:
    """Select the sentences that mention an unknown release and every name in the question.

    Names in the headings above a sentence count. A heading represents its section if no sentence below it
    qualifies.

    Args:
        question: question about a release that no document is about.
        found: search results for it.

    Returns:
        Picks from at most two passages. Empty if the question names nothing but the release, because earlier
        notes cannot tell what is new in it.
    """
    unknown, names = {*question.scope.unknown}, entities(question)
    if not unknown or not names:
        return []
    scores = {(quote.place, quote.sentence.row): quote.score for quote in found.quotes}
    picks: list[Pick] = []
    for place, passage in enumerate(found.native):
        above = " ".join(passage.chunk.headings)
        telling = [
            sentence
            for sentence in passage.sentences
            if unknown & {*find_releases(text_of(passage, sentence), ()).named}
            and share_named(names, f"{above} {text_of(passage, sentence)}") == 1
        ]
        prose = [sentence for sentence in telling if (place, sentence.row) in scores]
        chosen = prose[:_MOST] or [s for s in telling if s.span.kind == "heading"][-1:]
        if chosen:
            best = max(scores.get((place, sentence.row), 0.0) for sentence in chosen)
            picks.append(Pick(passage, tuple(chosen), best))
    return picks[:_MOST_PASSAGES]
