"""Finds the sentence of a section on a breaking change that tells what to do instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from assistant.query.question import Question
from assistant.retrieval.pick import Pick
from assistant.retrieval.sentences import text_of
from assistant.text.advice import LONGEST_ADVICE, is_advice
from assistant.text.markdown import points_elsewhere, shown_length
from assistant.text.references import needs_antecedent
from corpus.changes import Change, load_changes
from index.search.passage import Passage, ScoredSentence
from ingest.segment import Segmenter

#: Least share of the words of "what to do" in a sentence that tells it, and what a form of advice is worth.
_SAYS_HOW, _ADVISES = 0.3, 0.3
_CHANGED = ("breaking", "deprecated")  # statuses of sections on a change
#: Intents of questions that are answered without what to do.
_WITHOUT = ("compare", "since", "list", "number", "definition")


def remedy(
    passage: Passage,
    sentences: Iterable[ScoredSentence],
    change: Change | None,
    segmenter: Segmenter,
    *,
    alone: bool,
) -> ScoredSentence | None:
    """Return the sentence that tells what to do about a change, or None.

    Args:
        passage: of a section on the change.
        sentences: of the passage, that make sense on their own.
        change: what is known of it; with it, the sentence nearest to its summary is found. None: the first
            sentence in the form of advice.
        segmenter: splits sentences into words.
        alone: whether the section is on the change alone, so that only the advice of its summary counts.
    """
    told = [(s, text_of(passage, s)) for s in sentences]
    told = [(s, t) for s, t in told if shown_length(t) <= LONGEST_ADVICE and not t.endswith((":", "："))]
    told = [(s, t) for s, t in told if not needs_antecedent(t)]
    if change is None:
        return next((s for s, text in told if is_advice(text)), None)
    summary = change.summary_zh if passage.language == "zh" else change.summary_en
    advice = re.split("[;；]", summary)[-1] if alone else summary
    wanted = segmenter.vocabulary(" ".join([advice, *change.replacement]))

    def nearness(text: str) -> float:
        share = len(segmenter.vocabulary(text) & wanted) / (len(wanted) or 1)
        return share + _ADVISES if is_advice(text) else share

    best = max(told, key=lambda one: nearness(one[1]), default=None)
    return best[0] if best and nearness(best[1]) >= _SAYS_HOW else None


def with_remedy(question: Question, picks: Sequence[Pick], segmenter: Segmenter) -> list[Pick]:
    """Add what to do to an answer from a section on a breaking change, behind the sentence that leads.

    Args:
        question: parsed question.
        picks: of the answer, the best one first.
        segmenter: splits sentences into words.
    """
    if not picks or question.intent in _WITHOUT:
        return list(picks)
    first, *others = picks
    passage = first.passage
    change = known_changes().get((passage.version, passage.chunk.section_id or ""))
    if passage.status not in _CHANGED or passage.document.kind != "digest" or change is None:
        return list(picks)
    told = [
        sentence
        for sentence in passage.sentences
        if sentence.span.kind in ("prose", "item") and not points_elsewhere(text_of(passage, sentence))
    ]
    found = remedy(passage, told, change, segmenter, alone=True)
    if found is None:
        return list(picks)
    place = 1
    while place < len(first.sentences) and first.sentences[place].span.kind in ("item", "code"):
        place += 1  # the list or the code of the sentence that leads
    behind = list(first.sentences[place:])
    if found in first.sentences[:place] or (found in behind and _leads_to_more(behind, found)):
        return list(picks)
    behind = [sentence for sentence in behind if sentence != found]
    return [replace(first, sentences=(*first.sentences[:place], found, *behind)), *others]


def _leads_to_more(sentences: Sequence[ScoredSentence], sentence: ScoredSentence) -> bool:
    """Check whether a list or code follows a sentence, or it is an item of a list itself."""
    following = sentences[sentences.index(sentence) + 1 :][:1]
    return any(s.span.kind in ("item", "code") for s in (sentence, *following))


@lru_cache(maxsize=1)
def known_changes() -> dict[tuple[str, str], Change]:
    """Return the changes that ship by release and section, the last one of several."""
    return {(change.release, change.section): change for change in load_changes()}
