"""Advice on an upgrade: what breaks, the most serious first, what one gains, and what it runs on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assistant.answering.breaking_changes import BreakingChange, breaking_changes
from assistant.answering.broad_answer import (
    BroadAnswer,
    BroadSources,
    ask_next,
    gain_picks,
    highlights_only,
    line_length,
)
from assistant.answering.platform_lines import platform_picks
from assistant.query.broad_kind import asks_what_is_gained, own_release
from assistant.query.question import Question
from assistant.retrieval.pick import Pick
from assistant.text.broad_messages import (
    GAINS_BETWEEN,
    NOT_SHOWN,
    PLATFORM_TARGET,
    UPGRADE_LEAD,
    UPGRADE_NEWEST,
    UPGRADE_NO_BREAKING,
)
from index.search.retriever import Retriever
from ingest.document import Language
from ingest.release import Release

_BREAKING_LENGTH: dict[Language, int] = {"en": 2600, "zh": 2000}  # characters on what breaks
_GAINS_LENGTH: dict[Language, int] = {"en": 800, "zh": 450}
_WITH_ADVICE = (3, 5, 2, 1, 1)  # changes with what to do, by number of the group


def upgrade_advice(question: Question, sources: BroadSources) -> BroadAnswer | None:
    """Build the advice on an upgrade.

    Args:
        question: question about an upgrade. Without a release to go to, the newest is meant; without one to
            come from, the release before.
        sources: what to answer from.

    Returns:
        The answer, None if no release lies between the two or the notes tell nothing of those that do.
    """
    ends = _ends(question, sources)
    if ends is None:
        return None
    older, newer, is_named = ends
    language = question.language
    notes = sources.notes(sources.between(older, newer), language)
    changes = breaking_changes(notes, sources.retriever.segmenter)
    shown = _shown(changes, language, sources.retriever, several=len(notes) > 1)
    gained = gain_picks(notes, GAINS_BETWEEN[language], language, room=_GAINS_LENGTH[language])
    broken = [pick for _, pick in shown]
    runs_on = platform_picks(notes[-1], PLATFORM_TARGET[language].format(release=newer)) if notes else []
    picks = [*gained, *broken, *runs_on] if asks_what_is_gained(question) else [*broken, *gained, *runs_on]
    if not picks:
        return None
    lead = _lead(older, newer, len(changes), language)
    lead = lead if is_named else UPGRADE_NEWEST[language].format(newer=newer) + lead
    told = {id(change) for change, _ in shown}
    closing = _closing([c for c in changes if id(c) not in told], older, newer, language)
    return BroadAnswer(picks, lead, closing, highlights_only(notes, language))


def _ends(question: Question, sources: BroadSources) -> tuple[Release, Release, bool] | None:
    """Return the release before an upgrade, the one after it, and whether the question names the latter."""
    known, newest = sources.retriever.releases, sources.newest
    if newest is None:
        return None
    older = own_release(question)
    named = question.scope.named
    if older is None and len(set(named)) > 1:
        older = min(named)
    # Releases after the newest are only announced: an open range ("2.6 or newer") ends before them.
    last = max(newest, *(release for release in named if release in known))
    goals = [r for r in question.releases if r in known and r <= last and (older is None or r > older)]
    newer = max(goals, default=newest)
    if older is None:
        older = max((release for release in known if release < newer), default=None)
    return (older, newer, bool(goals)) if older and older < newer else None


def _shown(
    changes: Sequence[BreakingChange], language: Language, retriever: Retriever, *, several: bool
) -> list[tuple[BreakingChange, Pick]]:
    """Quote the changes that there is room for, the first ones of each group with what to do."""
    room = _BREAKING_LENGTH[language]
    ranks = Counter[int]()
    ranked = []
    for change in changes:
        ranked.append((ranks[change.effect] >= _WITH_ADVICE[change.effect], change))
        ranks[change.effect] += 1
    shown: list[tuple[BreakingChange, Pick]] = []
    for brief, change in sorted(ranked, key=lambda each: (each[0], not each[1].prominent)):
        label = f"{change.release}: " if several else ""
        pick = change.pick(language, label=label, segmenter=None if brief else retriever.segmenter)
        # A change without a heading of its own is told by a sentence, and has no shorter form.
        pick = pick or change.pick(language, label=label, segmenter=retriever.segmenter)
        if pick is None:
            continue
        room -= len(label) + sum(line_length(change.section.text(s)) for s in pick.sentences)
        if room < 0:
            break
        shown.append((change, pick))
    return sorted(shown, key=lambda each: each[0].order)


def _lead(older: Release, newer: Release, count: int, language: Language) -> str:
    template = UPGRADE_LEAD[language][count > 1] if count else UPGRADE_NO_BREAKING[language]
    return template.format(older=older, newer=newer, count=count)


def _closing(left: Sequence[BreakingChange], older: Release, newer: Release, language: Language) -> str:
    """Say how many changes are not shown, and how to ask for them."""
    by_release = Counter(change.release for change in left)
    told = "、" if language == "zh" else ", "
    listed = told.join(f"{release}: {count}" for release, count in sorted(by_release.items()))
    before = NOT_SHOWN[language].format(count=len(left), releases=listed) if left else ""
    ask = max(by_release, key=lambda release: by_release[release], default=newer)
    return before + ask_next(language, ("breaking", {"release": ask}), ("deprecated", {"release": newer}))
