"""An upgrade: what changes for one who goes from one release to another.

Features come and change their status as their histories tell (assistant/timeline/builder.py); breaking
changes, deprecations and what else was announced are the sections of these statuses. Each item stands on a
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
from index.storage.generation import Generation
from ingest.document import Document, Language
from ingest.errors import TorchnotesError
from ingest.release import Release
from ingest.status import Status

__all__ = ["GROUPS", "Item", "Upgrade", "upgrade"]

#: The groups of an upgrade, in the order in which they are told: what must be acted on comes first.
GROUPS = ("breaking", "deprecated", "changed", "new", "additions")


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What changes between two releases; in each group the oldest release comes first.

    Attributes:
        older, newer: the releases.
        between: the releases of the index after the older one, up to the newer one, oldest first.
        new: features that were not there.
        changed: features that had another status.
        breaking: what no longer works as it did.
        deprecated: what is going away.
        additions: what else was announced: parts of features, platforms, further work.
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
        """The groups by their names, in the order in which they are told."""
        return {name: getattr(self, name) for name in GROUPS}

    def to_dict(self, language: Language) -> dict[str, Any]:
        """JSON-ready form, quoting documents in the language where there are any."""
        return {
            "older": str(self.older),
            "newer": str(self.newer),
            "between": [str(release) for release in self.between],
            "language": language,
            **{name: [item.to_dict(language) for item in items] for name, items in self.groups.items()},
        }


def upgrade(generation: Generation, histories: Histories, first: Release, second: Release) -> Upgrade:
    """What changes from one release to another, whichever of them is given first.

    Args:
        generation: the index.
        histories: of the features that it tells of.

    Raises:
        TorchnotesError: a release that no document is about, or the same one twice.
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
    """The first date that documents tell of each release."""
    dates: dict[Release, date] = {}
    for document in documents:
        if document.release and document.date:
            dates[document.release] = min(document.date, dates.get(document.release, document.date))
    return dates
