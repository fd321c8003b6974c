"""Overview of a release: when it came, what it brings, what it breaks, and what it runs on."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.answering.breaking_changes import breaking_changes
from assistant.answering.broad_answer import (
    BroadAnswer,
    BroadSources,
    ask_next,
    counted,
    gain_picks,
    line_length,
)
from assistant.answering.platform_lines import platform_picks
from assistant.answering.release_sections import ReleaseNotes, ReleaseSection
from assistant.query.question import Question
from assistant.retrieval.pick import Pick
from assistant.text.broad_messages import (
    BREAKING_HEAD,
    DEPRECATED_HEAD,
    GAINS_HEAD,
    NOTES_SAY,
    OVERVIEW_HEAD,
    PLATFORM_HEAD,
)
from ingest.document import Language
from ingest.release import Release
from ingest.segment import Segmenter
from ingest.status import Status

_LENGTH: dict[Language, int] = {"en": 1500, "zh": 730}  # characters of the lines
_LEAD = 2  # sentences
#: Most breaking changes and deprecations that are named.
_CHANGES: dict[Language, tuple[int, int]] = {"en": (4, 2), "zh": (3, 1)}
_FEWEST_ROOM: dict[Language, int] = {"en": 300, "zh": 160}  # of these for the headline features
_ASKED_NEXT: tuple[Status, ...] = ("breaking", "deprecated")
_MOST_SAID = 5  # further sentences of notes without headline features


def overview(question: Question, sources: BroadSources) -> BroadAnswer | None:
    """Build the overview of a release.

    Args:
        question: question about one release, the newest, or none.
        sources: what to answer from.

    Returns:
        The answer, None if the notes neither sum up the release nor name a headline feature. Of releases that
        are only announced, beyond the newest, the first sentence follows.
    """
    release = _release(question, sources)
    found = sources.notes([release], question.language) if release else []
    if not found or not (found[0].overview or found[0].gains):
        return None
    (notes,) = found
    language = question.language
    picks = [*_lead(notes, language), *_after_lead(notes, language, sources.retriever.segmenter)]
    if question.scope.latest:
        later = sources.notes([r for r in question.releases if r > notes.release], language)
        picks += [pick for each in later for pick in _lead(each, language)]
    of = {"release": notes.release}
    asked = [(kind, of) for kind in _ASKED_NEXT if notes.of_status(kind)]
    return BroadAnswer(picks, closing=ask_next(language, *asked) if asked else "")


def _release(question: Question, sources: BroadSources) -> Release | None:
    """Return the release asked about; the newest that the notes describe if the question names none."""
    if question.scope.latest or not question.releases:
        return sources.newest
    return question.releases[0]


def _lead(notes: ReleaseNotes, language: Language) -> list[Pick]:
    """Quote the first sentences of the section that sums up the release."""
    above = OVERVIEW_HEAD[language].format(release=notes.release)
    section = notes.overview
    said = section.told[:_LEAD] if section else []
    return [Pick(section.passage, tuple(said), above=above)] if section and said else []


def _after_lead(notes: ReleaseNotes, language: Language, segmenter: Segmenter) -> list[Pick]:
    """Quote headline features, then breaking changes, deprecations and platforms."""
    if not notes.gains:
        return _further(notes, language)
    changes = breaking_changes([notes], segmenter, announced=False)
    changes.sort(key=lambda change: (not change.prominent, *change.order))
    most, most_deprecated = _CHANGES[language]
    deprecated = sorted(notes.of_status("deprecated"), key=notes.mention)
    rest = [
        *_headings([change.section for change in changes], BREAKING_HEAD[language], most, language),
        *_headings(deprecated, DEPRECATED_HEAD[language], most_deprecated, language),
        *platform_picks(notes, PLATFORM_HEAD[language]),
    ]
    taken = sum(_length(pick) for pick in (*_lead(notes, language), *rest))
    room = max(_FEWEST_ROOM[language], _LENGTH[language] - taken)
    gains = gain_picks([notes], GAINS_HEAD[language], language, room=room)
    return [*gains, *rest]


def _headings(sections: Sequence[ReleaseSection], head: str, most: int, language: Language) -> list[Pick]:
    """Quote the headings of sections under a line that counts them."""
    above = counted(head, min(most, len(sections)), len(sections), language)
    return [pick for section in sections[:most] if (pick := section.heading_pick(above))]


def _further(notes: ReleaseNotes, language: Language) -> list[Pick]:
    """Quote what else the notes say that sum up a release, but name no headline feature."""
    section = notes.overview
    said = section.told[_LEAD : _LEAD + _MOST_SAID] if section else []
    return [Pick(section.passage, tuple(said), above=NOTES_SAY[language])] if section and said else []


def _length(pick: Pick) -> int:
    text = pick.passage.document.text
    return sum(line_length(text[s.span.start : s.span.end]) for s in pick.sentences)
