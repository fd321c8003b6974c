"""Comparison of two releases.

New features and changes of status come from their histories (assistant/timeline/builder.py); breaking
changes, deprecations and other announcements from sections with these statuses. Each item is based on a
section.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from assistant.release_diff.features import ANNOUNCED, features_among
from assistant.release_diff.item import Item, titles_of
from assistant.release_diff.sections import Sources, announcements
from assistant.timeline.model import Histories
from index.storage.interface import Index
from ingest.document import Document, Language
from ingest.errors import TorchnotesError
from ingest.release import Release
from ingest.status import Status

__all__ = ["GROUPS", "Item", "Upgrade", "upgrade"]

#: Groups of changes, in display order: those that require action come first.
GROUPS = ("breaking", "deprecated", "changed", "new", "additions")


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The changes between two releases; in each group the oldest release comes first.

    Attributes:
        older: the older release.
        newer: the newer release.
        between: releases of the index after the older one, up to the newer one, oldest first.
        new: new features.
        changed: features with another status than before.
        breaking: backwards-incompatible changes.
        deprecated: deprecations.
        additions: other announcements: parts of features, platforms, further work.
    """

    older: Release
    newer: Release
    between: tuple[Release, ...]
    new: tuple[Item, ...]
    changed: tuple[Item, ...]
    breaking: tuple[Item, ...]
    deprecated: tuple[Item, ...]
    additions: tuple[Item, ...] = field(default=())

    @property
    def groups(self) -> dict[str, tuple[Item, ...]]:
        """Items of each group, in display order."""
        return {name: getattr(self, name) for name in GROUPS}

    def to_dict(self, language: Language) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary.

        Args:
            language: language of the names, and preferred language of quotes.
        """
        return {
            "older": str(self.older),
            "newer": str(self.newer),
            "between": [str(release) for release in self.between],
            "language": language,
            **{name: [item.to_dict(language) for item in items] for name, items in self.groups.items()},
        }


def upgrade(generation: Index, histories: Histories, first: Release, second: Release) -> Upgrade:
    """Compare two releases.

    Args:
        generation: the index.
        histories: histories of the features in the index.
        first: one release.
        second: the other release, older or newer.

    Raises:
        TorchnotesError: no document is about one of the releases, or they are the same.
    """
    known = sorted({d.release for d in generation.documents.values() if d.release})
    _check(first, second, known)
    older, newer = sorted((first, second))
    between = tuple(release for release in known if older < release <= newer)
    dates = _dates(generation.documents.values())

    def of_status(status: Status) -> tuple[Item, ...]:
        return items(announcements(generation, (status,), between))

    def items(changes: Iterable[Sources]) -> tuple[Item, ...]:
        return tuple(
            Item(titles_of(s), release, dates.get(release), s[0].chunk.status, "", False, s)
            for s in changes
            if (release := s[0].document.release)
        )

    announced = announcements(generation, ANNOUNCED, between)
    features, others = features_among(histories, announced, older, newer)
    return Upgrade(
        older,
        newer,
        between,
        new=tuple(item for item in features if not item.before),
        changed=tuple(item for item in features if item.before),
        breaking=of_status("breaking"),
        deprecated=of_status("deprecated"),
        additions=items(others),
    )


def _check(first: Release, second: Release, known: Sequence[Release]) -> None:
    there = ", ".join(map(str, known))
    for release in (first, second):
        if release not in known:
            raise TorchnotesError(
                f"no document in the index is about release {release}; give two of {there}"
                if len(known) > 1
                else f"no document in the index is about release {release}; a comparison needs documents of "
                f"two releases, and there are those of {there or 'none'}; type `torchnotes add PATH`"
            )
    if first == second:
        raise TorchnotesError(f"release {first} cannot be compared with itself; give two of {there}")


def _dates(documents: Collection[Document]) -> dict[Release, date]:
    """Return the earliest document date of each release."""
    dates: dict[Release, date] = {}
    for document in documents:
        if document.release and document.date:
            dates[document.release] = min(document.date, dates.get(document.release, document.date))
    return dates
