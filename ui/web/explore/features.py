"""Which features the history shows: those that a reader looks for, the oldest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.timeline.lookup import find, nearest
from assistant.timeline.model import FeatureHistory, Histories, Source, TimelineStep
from corpus.glossary import Glossary
from ingest.document import Language
from ingest.markup import inline_text, reading_text
from ingest.status import Status

MAX_QUERY = 100  # characters; no name is that long


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reader chose.

    Attributes:
        query: what was typed, "" for nothing; it is looked for in all features.
        status: only features that once had it; "" for any.
        changed: only features whose status changed; it counts where there is no query.
    """

    query: str = ""
    status: Status = ""
    changed: bool = True


@dataclass(frozen=True, slots=True)
class Chosen:
    """What that comes to.

    Attributes:
        features: the oldest first.
        named: those that the query names, before the status was looked at.
        near: those whose name looks like the query, where it names none.
    """

    features: tuple[FeatureHistory, ...]
    named: tuple[FeatureHistory, ...] = ()
    near: tuple[FeatureHistory, ...] = ()


def alone(features: Histories) -> list[FeatureHistory]:
    """The features that some heading is about, as `torchnotes history` lists them."""
    return _by_age(feature for feature in features.values() if feature.life[0].whole)


def choose(features: Histories, glossary: Glossary, choice: Choice) -> Chosen:
    """The features to show."""
    query = choice.query.strip()[:MAX_QUERY]
    if not query:
        kept = [f for f in alone(features) if not choice.changed or any(step.before for step in f.life)]
        return Chosen(tuple(_with_status(kept, choice.status)))
    named = _by_age(_named(query, features, glossary))
    near = () if named else _called(nearest(query, features), features)
    return Chosen(tuple(_with_status(named, choice.status)), tuple(named), near)


def told(step: TimelineStep, language: Language) -> Source:
    """The section that a step is told by, in the language where there is one."""
    return step.told(language)[0]


def said(source: Source) -> str:
    """What a section says first, in the words of the notes, on one line and without Markdown's marks."""
    return inline_text(reading_text(source.text(source.sentence) or source.text(source.heading)))


def _named(query: str, features: Histories, glossary: Glossary) -> Iterable[FeatureHistory]:
    """The features that a query names, and those whose name or heading holds it."""
    folded = query.casefold()
    found = {feature.id: feature for feature in find(query, features, glossary)}
    for feature in features.values():
        if any(folded in name.casefold() for name in (*feature.names.values(), *feature.titles)):
            found.setdefault(feature.id, feature)
    return found.values()


def _called(names: Sequence[str], features: Histories) -> tuple[FeatureHistory, ...]:
    """The features of these names, whatever language a name is in."""
    found = {f.id: f for name in names for f in features.values() if name in f.names.values()}
    return tuple(found.values())


def _with_status(features: Iterable[FeatureHistory], status: Status) -> list[FeatureHistory]:
    return [f for f in features if not status or any(step.status == status for step in f.life)]


def _by_age(features: Iterable[FeatureHistory]) -> list[FeatureHistory]:
    return sorted(features, key=lambda f: (f.life[0].release, f.life[-1].release, f.id))
