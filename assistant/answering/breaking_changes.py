"""Breaking changes of releases: the most serious first, by whom they hit, with what to do instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assistant.answering.release_sections import ReleaseNotes, ReleaseSection
from assistant.answering.remedy import known_changes, remedy
from assistant.retrieval.pick import Pick
from assistant.text.messages import EFFECTS
from assistant.text.platforms import versions
from corpus.changes import Change
from ingest.document import Language
from ingest.release import Release
from ingest.segment import Segmenter

_OTHER = 4  # number of the group of changes whose effect is not known
_REPEATS = 0.5  # common share of the names of two changes, of which the later one counts
_ALIKE, _TELLING = 0.8, 4  # the same of their headings, and least words of these


@dataclass(frozen=True)
class BreakingChange:
    """A breaking change with its section.

    Attributes:
        section: the section on it.
        change: what is known of it beside its section, None for notes that did not ship.
        prominent: whether the overview of its release mentions it.
        rank: how many changes of its release and effect the overview mentions before it.
    """

    section: ReleaseSection
    change: Change | None
    prominent: bool
    rank: int

    @property
    def release(self) -> Release:
        """Release that changes it."""
        return self.section.release

    @property
    def effect(self) -> int:
        """Number of the group of whom it hits, those that hit most first."""
        return effect_of(self.change)

    @property
    def order(self) -> tuple[int, bool, bool, int]:
        """Sort key: the most serious first, what PyTorch no longer runs on before how it is installed."""
        runs_on = self.change is not None and self.change.kind == "platform"
        return self.effect, not self.prominent, not runs_on, self.rank

    def pick(self, language: Language, *, label: str = "", segmenter: Segmenter | None = None) -> Pick | None:
        """Quote the change.

        Args:
            language: of the line above it.
            label: our words before it.
            segmenter: splits sentences into words, to find the one that tells what to do, which is quoted
                below the heading; None: only the heading.
        """
        above = EFFECTS[language][self.effect]
        section = self.section
        how = (
            remedy(section.passage, section.told, self.change, segmenter, alone=section.is_item)
            if segmenter
            else None
        )
        if section.status != "breaking" and not section.is_item:
            # A section on more than the change: only a sentence of it is about that.
            return Pick(section.passage, (how,), above=above, label=label) if how else None
        pick = section.heading_pick(above, label)
        return replace(pick, sentences=(*pick.sentences, how)) if pick and how else pick


def effect_of(change: Change | None) -> int:
    """Return the number of the group of whom a change hits.

    Args:
        change: the change, None if nothing is known of it.
    """
    if change is None:
        return _OTHER
    if change.kind == "default":
        return 3 if change.files in ("cpp", "build") else 1
    installs = change.files == "config" or (change.files == "shell" and versions(change.summary_en))
    if change.kind == "platform" or installs:
        return 0
    return 2 if change.files == "python" else 3


def breaking_changes(
    notes: Sequence[ReleaseNotes], segmenter: Segmenter, *, announced: bool = True
) -> list[BreakingChange]:
    """Return the breaking changes of releases, the most serious first.

    Args:
        notes: notes of the releases.
        segmenter: splits headings into words.
        announced: whether to include what sections of another status tell of, if it is in effect: the end of
            a platform, a removal, a changed default.

    Returns:
        The changes without those that a later release repeats or goes beyond; of equally serious ones the
        newest first.
    """
    newest_first = sorted(notes, key=lambda each: each.release, reverse=True)
    found = [change for each in newest_first for change in _of_release(each, announced)]
    kept = [one for one in found if not any(_goes_beyond(other, one, segmenter) for other in found)]
    return sorted(kept, key=lambda change: change.order)


def _of_release(notes: ReleaseNotes, announced: bool) -> Iterator[BreakingChange]:
    found: list[tuple[ReleaseSection, Change | None]] = []
    for section in notes.sections:
        change = known_changes().get((str(notes.release), section.id))
        told = section.status == "breaking" and section.is_single
        if told or (announced and change and _is_in_effect(change)):
            found.append((section, change))
    found.sort(key=lambda each: notes.mention(each[0]))
    ranks = Counter[int]()
    for section, change in found:
        effect = effect_of(change)
        yield BreakingChange(section, change, notes.is_mentioned(section), ranks[effect])
        ranks[effect] += 1


def _is_in_effect(change: Change) -> bool:
    """Check whether a change hits users of its release already, rather than being announced by it."""
    if not change.removed_in:
        return change.kind != "deprecated"
    return Release.parse(change.removed_in) <= Release.parse(change.release)


def _goes_beyond(later: BreakingChange, one: BreakingChange, segmenter: Segmenter) -> bool:
    """Check whether a change of a later release repeats a change or makes it irrelevant."""
    if not (one.change and later.change) or later.release <= one.release or later.effect != one.effect:
        return False
    names, others = {*one.change.names}, {*later.change.names}
    if len(names & others) >= _REPEATS * max(1, len(names), len(others)):
        return True
    title, another = (segmenter.vocabulary(change.section.title) for change in (one, later))
    if min(len(title), len(another)) >= _TELLING and len(title & another) >= _ALIKE * min(
        len(title), len(another)
    ):
        return True
    # Where Python 3.9 is dropped, it no longer matters that Python 3.8 was.
    dropped = [versions(name) for name in names]
    return bool(dropped) and all(
        found and any(_is_newer(version, found[0]) for name in others for version in versions(name))
        for found in dropped
    )


def _is_newer(version: tuple[str, str], other: tuple[str, str]) -> bool:
    """Check whether a version is a later one of the same platform."""
    (family, number), (of, before) = version, other
    return family == of and _numbers(number) > _numbers(before)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.rstrip("t").split("."))
