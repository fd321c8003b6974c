"""Selects the sentences of the passages that answer a question.

The highest scoring sentences are taken up to the length of a readable answer, each with the context it
requires: the list it introduces or the code after it. Content that occurs in two versions of a passage is
quoted once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant.answering.required_context import advice_after, completed, value_asked_for
from assistant.query.question import Intent, Question
from assistant.retrieval.pick import Pick, sums_up
from assistant.retrieval.relevance import Relevance
from assistant.retrieval.searcher import MAX_PASSAGES
from assistant.retrieval.sentences import Quote, score, text_of
from assistant.retrieval.usefulness import needs
from assistant.text.identifiers import JOINED
from assistant.text.markdown import shown_length
from index.search.passage import Passage, ScoredSentence
from ingest.document import Language
from ingest.markup import reading_text
from ingest.status import MATURITIES

#: Maximum length of an answer's quotes in characters, without white space, by language of the question.
BUDGET: Mapping[Language, int] = {"zh": 290, "en": 800}
#: How much longer they may be for sentences of the section with the best one, if it is on one thing.
_MORE_OF_BEST: Mapping[Language, int] = {"zh": 100, "en": 200}
_CROSS_LANGUAGE_BUDGET = 380  # the same for quotes in the other language
_MAX_SENTENCES = 5  # per passage
_MAX_OF_BEST = 9  # from the passage with the best sentence
_MAX_TOTAL = 10  # sentences
_KEEP = 3.5  # largest difference to the best sentence's score, in log odds
_KEEP_OF_THING = 6.0  # the same where the best section is on one thing, so that all of it is on the subject
_KEEP_ELSEWHERE = 2.5  # the same for sentences of other passages than the best one's
_POINTER = 2.0  # penalty of a sentence that only refers elsewhere, in log odds
_SUMMARY = 1.0  # the same of a sentence in a summary, where a section of the same release was found as well
# Of single words only those in capitals, such as H100, unlike CAMEL: "PyTorch" adds nothing to a paraphrase.
_POINT = re.compile(rf"\d+(?:\.\d+)*|(?<=`)[^`\n]+(?=`)|{JOINED}|\b[A-Z][A-Z0-9_]{{2,}}\b", re.ASCII)
_PARAPHRASE = 0.9  # cosine
_ON_ONE_THING = (*MATURITIES, "breaking", "deprecated", "new")  # statuses of sections


def choose(
    question: Question,
    passages: Sequence[Passage],
    relevance: Relevance,
    quotes: Sequence[Quote] | None = None,
    *,
    judged: bool = False,
) -> list[Pick]:
    """Choose the sentences that answer a question, within the length of a readable answer.

    Args:
        question: parsed question.
        passages: passages found, best first.
        relevance: scores sentences and compares them with each other.
        quotes: scored sentences of the first passages; None scores them here.
        judged: whether scores are log odds that a sentence is needed (`retrieval.usefulness`). Otherwise
            those near the best one are.

    Returns:
        One pick per passage, in the order of the passages.
    """
    near = passages[:MAX_PASSAGES]
    quotes = score(question, near, relevance) if quotes is None else quotes
    told_of = {passage.release for passage in near if not sums_up(passage)}
    yielding = {at for at, passage in enumerate(near) if sums_up(passage) and passage.release in told_of}
    scored = sorted(
        (_told(quote, in_summary=quote.place in yielding) for quote in quotes or _headings(near)),
        key=lambda quote: -quote.score,
    )
    if not scored:
        return []
    best = scored[0].score
    room = float(BUDGET[question.language])
    releases = set(question.scope.named) if question.intent == "compare" else set()
    share, told = room / max(1, len(releases)), dict.fromkeys(releases, 0.0)
    chosen: dict[int, list[ScoredSentence]] = {}
    values: dict[tuple[int, int], float] = {}
    summed_up: list[tuple[int, int, ScoredSentence]] = []  # summary, section, sentence
    for value, number, sentence, _ in scored:
        passage = passages[number]
        text = text_of(passage, sentence)
        length = shown_length(text)
        if passage.language != question.language:
            length = int(length * BUDGET[question.language] / _CROSS_LANGUAGE_BUDGET)
        here = number == scored[0].place
        most, within = (_MAX_OF_BEST, _KEEP) if here else (_MAX_SENTENCES, _KEEP_ELSEWHERE)
        left = room
        if here and passage.status in _ON_ONE_THING:
            within, left = _KEEP_OF_THING, room + _MORE_OF_BEST[question.language]
        full = sum(map(len, chosen.values())) >= _MAX_TOTAL or len(chosen.get(number, ())) >= most
        needed = needs(value) or value == best if judged else value >= best - within
        if not needed or full or (chosen and length > left):
            continue
        release = passage.release
        if release in releases and told[release] and told[release] + length > share:
            continue  # each of the releases compared gets its share
        twins = _twins(passages, chosen, number, sentence, relevance)
        if twins:
            if not sums_up(passage) and all(sums_up(passages[place]) for place, _ in twins):
                summed_up.append((twins[0][0], number, sentence))
                values[number, sentence.row] = value
            continue
        chosen.setdefault(number, []).append(sentence)
        values[number, sentence.row] = value
        room -= length
        if release in releases:
            told[release] += length
    picks = _picks(passages, chosen, values)
    kept = {pick.passage.chunk.id for pick in without_summaries(best_first(question.intent, picks))}
    for summary, number, sentence in summed_up:
        if passages[summary].chunk.id not in kept and not _twins(
            passages, {n: chosen[n] for n in chosen if n != summary}, number, sentence, relevance
        ):
            chosen.setdefault(number, []).append(sentence)
    for number in list(chosen):
        chosen[number] = completed(question, passages[number], chosen[number])
    first = scored[0]
    if first.sentence in chosen.get(first.place, ()):
        passage, kept_here = passages[first.place], chosen[first.place]
        kept_here += advice_after(passage, first.sentence, kept_here)
        ranked = [quote.sentence for quote in scored if quote.place == first.place]
        kept_here += value_asked_for(question, passage, ranked, kept_here)
    return _picks(passages, chosen, values)


def _picks(
    passages: Sequence[Passage],
    chosen: Mapping[int, Sequence[ScoredSentence]],
    values: Mapping[tuple[int, int], float],
) -> list[Pick]:
    """Build a pick for each passage, scored by its best sentence."""
    return [
        Pick(
            passages[number],
            tuple(sorted(sentences, key=lambda sentence: sentence.span.start)),
            max(values.get((number, sentence.row), -math.inf) for sentence in sentences),
        )
        for number, sentences in sorted(chosen.items())
    ]


def best_first(intent: Intent, picks: Sequence[Pick]) -> list[Pick]:
    """Sort picks by score, except for intents that keep the order of releases.

    Args:
        intent: intent of the question.
        picks: picks to sort.
    """
    if intent in ("compare", "since", "definition"):
        return list(picks)
    return sorted(picks, key=lambda pick: -pick.score)


def distinct(picks: Sequence[Pick]) -> list[Pick]:
    """Drop sentences that an earlier pick already contains, which two versions of a passage may share.

    Args:
        picks: picks in order.
    """
    seen: set[str] = set()
    out: list[Pick] = []
    for pick in picks:
        fresh = []
        for sentence in pick.sentences:
            words = re.sub(r"\W+", "", text_of(pick.passage, sentence)).casefold()
            if words not in seen:
                seen.add(words)
                fresh.append(sentence)
        if fresh:
            out.append(replace(pick, sentences=tuple(fresh)))
    return out


def without_summaries(picks: Sequence[Pick]) -> list[Pick]:
    """Drop picks from the summary of a release after a pick from one of its other sections.

    Args:
        picks: picks, best first.
    """
    told: set[str] = set()
    out: list[Pick] = []
    for pick in picks:
        summary = sums_up(pick.passage)
        if not (summary and pick.passage.version in told):
            out.append(pick)
        if not summary:
            told.add(pick.passage.version)
    return out


def _told(quote: Quote, *, in_summary: bool) -> Quote:
    """Penalize a quote that only refers elsewhere, or of a summary beside a section of its release."""
    penalty = _POINTER * quote.features.get("pointer", 0.0) + _SUMMARY * in_summary
    return quote._replace(score=quote.score - penalty)


def _headings(passages: Sequence[Passage]) -> list[Quote]:
    """Return the headings as quotes, for passages without any other sentences."""
    return [
        Quote(-place, place, sentence, {})
        for place, passage in enumerate(passages)
        for sentence in passage.sentences
        if sentence.span.kind == "heading"
    ]


def _twins(
    passages: Sequence[Passage],
    chosen: Mapping[int, Sequence[ScoredSentence]],
    number: int,
    sentence: ScoredSentence,
    relevance: Relevance,
) -> list[tuple[int, ScoredSentence]]:
    """Return the chosen sentences that a sentence repeats, or paraphrases without adding a name or figure."""
    told = [(place, other) for place, others in chosen.items() for other in others]
    words = set(relevance.vocabulary(text_of(passages[number], sentence)))
    same = [
        (place, other)
        for place, other in told
        if _same(words, set(relevance.vocabulary(text_of(passages[place], other))))
    ]
    of_release = [row for row in told if passages[row[0]].release == passages[number].release]
    known = {point for place, other in of_release for point in _points(text_of(passages[place], other))}
    if same or not _points(text_of(passages[number], sentence)) <= known:
        return same
    return [
        (place, other)
        for place, other in of_release
        if place != number and relevance.nearness(sentence.row, other.row) > _PARAPHRASE
    ]


def _points(text: str) -> set[str]:
    """Return the figures and names of a text."""
    return {m[0].casefold() for m in _POINT.finditer(reading_text(text))}


def _same(left: set[str], right: set[str]) -> bool:
    """Check whether two sentences share most of their words (Jaccard index)."""
    return len(left & right) > 0.7 * len(left | right)
