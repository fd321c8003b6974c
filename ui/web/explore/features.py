"""Selection of the features shown in the chart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.timeline.lookup import find, nearest
from assistant.timeline.model import FeatureHistory, Histories, Source, TimelineStep
from corpus.glossary import Glossary
from ingest.document import Language
from ingest.markup import inline_text, reading_text
from ingest.status import Status

MAX_QUERY = 100  # characters, more than any name has


@dataclass(frozen=True, slots=True)
class Choice:
    """The selection of a reader.

    Attributes:
        query: text of the search, "" for none; it covers all features.
        status: only features that had this status; "" for any.
        changed: only features whose status changed; ignored with a query.
    """

    query: str = ""
    status: Status = ""
    changed: bool = True


@dataclass(frozen=True, slots=True)
class Chosen:
    """The features that match a selection.

    Attributes:
        features: matching features, oldest first.
        named: features that match the query alone, whatever their status.
        near: features with similar names if the query matches none.
    """

    features: tuple[FeatureHistory, ...]
    named: tuple[FeatureHistory, ...] = ()
    near: tuple[FeatureHistory, ...] = ()


def alone(features: Histories) -> list[FeatureHistory]:
    """Return the features that have a heading of their own, as listed by `torchnotes history`, oldest first.

    Args:
        features: all features, by id.
    """
    return _by_age(feature for feature in features.values() if feature.life[0].whole)


def choose(features: Histories, glossary: Glossary, choice: Choice) -> Chosen:
    """Return the features that match a selection.

    Args:
        features: all features, by id.
        glossary: glossary with the names of features.
        choice: the selection.
    """
    query = choice.query.strip()[:MAX_QUERY]
    if not query:
        kept = [f for f in alone(features) if not choice.changed or any(step.before for step in f.life)]
        return Chosen(tuple(_with_status(kept, choice.status)))
    named = _by_age(_named(query, features, glossary))
    near = () if named else _called(nearest(query, features), features)
    return Chosen(tuple(_with_status(named, choice.status)), tuple(named), near)


def told(step: TimelineStep, language: Language) -> Source:
    """Return the section to show for a step.

    Args:
        step: the step.
        language: preferred language.
    """
    return step.told(language)[0]


def said(source: Source) -> str:
    """Return the first sentence of a section as one line of plain text.

    Args:
        source: the section.
    """
    return inline_text(reading_text(source.text(source.sentence) or source.text(source.heading)))


def _named(query: str, features: Histories, glossary: Glossary) -> Iterable[FeatureHistory]:
    """Return the features that a query names, and those whose name or heading contains it."""
    folded = query.casefold()
    found = {feature.id: feature for feature in find(query, features, glossary)}
    for feature in features.values():
        if any(folded in name.casefold() for name in (*feature.names.values(), *feature.titles)):
            found.setdefault(feature.id, feature)
    return found.values()


def _called(names: Sequence[str], features: Histories) -> tuple[FeatureHistory, ...]:
    """Return the features with these names, in any language."""
    found = {f.id: f for name in names for f in features.values() if name in f.names.values()}
    return tuple(found.values())


def _with_status(features: Iterable[FeatureHistory], status: Status) -> list[FeatureHistory]:
    return [f for f in features if not status or any(step.status == status for step in f.life)]


def _by_age(features: Iterable[FeatureHistory]) -> list[FeatureHistory]:
    return sorted(features, key=lambda f: (f.life[0].release, f.life[-1].release, f.id))
