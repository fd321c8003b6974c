"""Features that are new, or have another status, between two releases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from assistant.release_diff.item import Item, titles_of
from assistant.release_diff.sections import Sources
from assistant.text.platforms import families, is_platform
from assistant.timeline.model import FeatureHistory, Histories, Source, TimelineStep
from ingest.release import Release
from ingest.status import MATURITIES, Status

#: Statuses of sections that announce a feature.
ANNOUNCED: tuple[Status, ...] = (*MATURITIES, "new", "platform")
_GONE: tuple[Status, ...] = ("breaking", "deprecated")


def features_among(
    histories: Histories, announced: list[Sources], older: Release, newer: Release
) -> tuple[list[Item], list[Sources]]:
    """Find the features that are new or changed, and the announcements of anything else.

    Each feature is based on an announcement. Duplicates, of one feature in two documents or of two features
    in one announcement, are merged.

    Args:
        histories: histories of all features.
        announced: announcements between the two releases.
        older: the older release.
        newer: the newer release.

    Returns:
        The features, and the announcements that do not belong to any of them.
    """
    numbers = {source.place: n for n, change in enumerate(announced) for source in change}
    found: dict[int, Item] = {}
    told: set[int] = set()
    for feature in histories.values():
        item = _change(feature, older, newer)
        on = [numbers[place] for source in item.sources if (place := source.place) in numbers] if item else []
        if item and on:
            sources = _one_a_document((*item.sources, *announced[on[0]]))
            item = replace(item, names=titles_of(sources), sources=sources)
            found[on[0]] = max(found.get(on[0], item), item, key=lambda each: bool(each.before))
            came = [step for step in feature.life if older < step.release <= newer]
            places = {source.place for step in came for source in _one_a_document(step.sources)}
            told |= {numbers[place] for place in places & numbers.keys()}
    items = [found[number] for number in sorted(found)]
    return items, [change for number, change in enumerate(announced) if number not in told | found.keys()]


def _change(feature: FeatureHistory, older: Release, newer: Release) -> Item | None:
    """Return the change of a feature between two releases, None if there is none."""
    if feature.id in families(feature.id):
        return None  # Python or CUDA in general: support of versions comes and goes
    life = [step for step in feature.life if step.release <= newer]
    was = [step for step in life if step.release <= older]
    came = life[len(was) :]
    if not came or not came[-1].whole or came[-1].status in _GONE:
        return None
    before = was[-1] if was else None
    if before and (before.status == came[-1].status or is_platform(feature.id)):
        return None
    reached = _reached(came)
    sources = _one_a_document(reached.sources)
    return Item(
        titles_of(sources),
        reached.release,
        reached.date,
        reached.status,
        before.status if before else "",
        bool(before and before.whole),
        sources,
    )


def _reached(steps: Sequence[TimelineStep]) -> TimelineStep:
    """Return the step that introduced the last status; later ones may only repeat it."""
    last = len(steps) - 1
    while last and steps[last - 1].status == steps[last].status and steps[last - 1].whole:
        last -= 1
    return steps[last]


def _one_a_document(sources: Iterable[Source]) -> Sources:
    """Return the first section of each document."""
    first: dict[str, Source] = {}
    for source in sources:
        first.setdefault(source.document.id, source)
    return tuple(first.values())
