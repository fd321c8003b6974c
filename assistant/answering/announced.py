"""What notes announce of a release that none of them is about: "will be removed in 2.10"."""

from __future__ import annotations

from assistant.query.entities import entities, share_named
from assistant.query.question import Question
from assistant.query.release_scope import find_releases
from assistant.retrieval.pick import Pick
from assistant.retrieval.searcher import SearchResult
from assistant.retrieval.sentences import text_of

_MOST = 3  # sentences of a passage
_MOST_PASSAGES = 2


def announced(question: Question, found: SearchResult) -> list[Pick]:
    """The sentences that name such a release and, below their headings, all that the question names.

    A heading that does stands for its section, where no sentence below it does. None where the question names
    nothing but the release: what is new in it no earlier note can tell.
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
