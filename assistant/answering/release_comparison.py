"""Comparison of two releases: what is new, what changed its status, what breaks, and other platforms."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.answering.breaking_changes import breaking_changes
from assistant.answering.broad_answer import (
    BroadAnswer,
    BroadSources,
    ask_next,
    counted,
    gain_picks,
)
from assistant.answering.platform_lines import platform_picks, platforms_differ
from assistant.answering.release_sections import ReleaseNotes, ReleaseSection
from assistant.query.question import Question
from assistant.release_diff.item import Item
from assistant.release_diff.markdown import change_words
from assistant.release_diff.upgrade import upgrade
from assistant.retrieval.pick import Pick
from assistant.text.broad_messages import (
    BREAKING_HEAD,
    COMPARISON_LEAD,
    GAINS_NEWER,
    MOVES_HEAD,
    PLATFORM_HEAD,
)
from assistant.text.messages import EFFECTS
from ingest.document import Language
from ingest.release import Release
from ingest.segment import Segmenter
from ingest.status import MATURITIES

_GAINS_LENGTH: dict[Language, int] = {"en": 800, "zh": 450}  # characters
_MOST_MOVES, _MOST_BREAKING = 5, 8


def release_comparison(question: Question, sources: BroadSources) -> BroadAnswer | None:
    """Build the comparison of the oldest and the newest release that a question is about.

    Args:
        question: question that names two or more releases, or all after one.
        sources: what to answer from.

    Returns:
        The answer, None if no document is about one of the two.
    """
    older = min(question.scope.named)
    newer = max(question.scope.named) if len(question.scope.named) > 1 else sources.newest
    known = sources.retriever.releases
    if newer is None or older not in known or newer not in known or older >= newer:
        return None
    language = question.language
    notes = sources.notes(sources.between(older, newer), language)
    found = upgrade(sources.retriever.generation, sources.histories(), older, newer)
    changed = [item for item in found.changed if item.before in MATURITIES and item.status in MATURITIES]
    moves = [(item, section) for item in changed if (section := _section_of(item, notes))]
    moved = [pick for item, section in moves if (pick := _move(item, section, language))]
    head = GAINS_NEWER[language].format(older=older, newer=newer)
    changed_sections = [section for _, section in moves]
    picks = [
        *gain_picks(notes, head, language, room=_GAINS_LENGTH[language], without=changed_sections),
        *moved[:_MOST_MOVES],
        *_breaking(notes, language, sources.retriever.segmenter),
        *_platforms(older, notes[-1], sources, language),
    ]
    if not picks:
        return None
    closing = ask_next(
        language, ("upgrade", {"older": older, "newer": newer}), ("breaking", {"release": newer})
    )
    return BroadAnswer(picks, COMPARISON_LEAD[language].format(older=older, newer=newer), closing)


def _section_of(item: Item, notes: Sequence[ReleaseNotes]) -> ReleaseSection | None:
    """Return the section that shows the new status of a feature."""
    places = {(source.document.id, source.chunk.section) for source in item.sources}
    sections = (section for each in notes for section in each.sections)
    return next((s for s in sections if (s.passage.document_id, s.passage.chunk.section) in places), None)


def _move(item: Item, section: ReleaseSection, language: Language) -> Pick | None:
    """Quote the heading with the new status of a feature, after the old and the new one."""
    colon = "：" if language == "zh" else ": "
    label = f"{item.release} · {change_words(item, language)}{colon}"
    return section.heading_pick(MOVES_HEAD[language], label)


def _breaking(notes: Sequence[ReleaseNotes], language: Language, segmenter: Segmenter) -> list[Pick]:
    """Quote the most serious breaking changes, in groups of whom they hit."""
    changes = breaking_changes(notes, segmenter, announced=False)
    first = sorted(changes, key=lambda change: (not change.prominent, change.rank))[:_MOST_BREAKING]
    head = counted(BREAKING_HEAD[language], len(first), len(changes), language)
    picks: list[Pick] = []
    for change in sorted(first, key=lambda change: change.order):
        effect = EFFECTS[language][change.effect]
        label = f"{change.release}: " if len(notes) > 1 else ""
        pick = change.section.heading_pick(f"{head} · {effect}", label)
        picks += [pick] if pick else []
    return picks


def _platforms(older: Release, newer: ReleaseNotes, sources: BroadSources, language: Language) -> list[Pick]:
    """Quote what both releases run on, if it differs."""
    before = sources.notes([older], language)
    if not before or not platforms_differ(before[0], newer):
        return []
    return [
        pick
        for notes in (before[0], newer)
        for pick in platform_picks(notes, PLATFORM_HEAD[language], f"{notes.release}: ")
    ]
