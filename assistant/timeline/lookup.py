"""Lookup of features by the names in a text, and suggestions for misspelled ones."""

from __future__ import annotations

import re
from difflib import get_close_matches

from assistant.text.platforms import families, versions
from assistant.timeline.heading_parser import subjects
from assistant.timeline.model import FeatureHistory, Histories
from corpus.glossary import Glossary
from ingest.errors import TorchnotesError

_NEAREST = 3
_TELLING = re.compile(r"[\u3400-\u9fff]{4}|\w\W+\w|[._:\d]")  # a title specific enough to be found in text


def features_named(name: str, features: Histories, glossary: Glossary, hint: str) -> list[FeatureHistory]:
    """Return the features that a name stands for.

    Args:
        name: a name, or part of one.
        features: all features, by id.
        glossary: glossary with the names of features.
        hint: what to do if there is none, for the message.

    Raises:
        TorchnotesError: there is none; similar names are given.
    """
    found = find(name, features, glossary) or holding(name, features)
    if not found:
        near = ", ".join(nearest(name, features))
        shown = " ".join(name.split())
        raise TorchnotesError(
            f"no feature {shown!r} in the notes{f'; near it are {near}' if near else ''}; {hint}"
        )
    return found


def find(query: str, features: Histories, glossary: Glossary) -> list[FeatureHistory]:
    """Return the features that a text names; for a feature with Python, the history of the combination.

    Args:
        query: a name or a question.
        features: all features, by id.
        glossary: glossary with the names of features.
    """
    folded = query.strip().casefold()
    exact = [f for f in features.values() if folded in (f.id, *(n.casefold() for n in f.names.values()))]
    if exact:
        return exact[:1]
    named = [s.id for s in subjects(query, glossary) if s.id in features]
    pairs = [f"{id_}+python" for id_ in named if f"{id_}+python" in features and "python" in families(query)]
    numbered = [f"{family.lower()} {number}" for family, number in versions(query)]
    ids = pairs or [id_ for id_ in named if "+" not in id_ and not (numbered and id_ in families(query))]
    ids = ids or [id_ for id_ in families(query) if id_ in features] or _titled(folded, features)
    return [features[id_] for id_ in dict.fromkeys(ids)]


def _titled(text: str, features: Histories) -> list[str]:
    """Return the id of the feature with the longest heading that occurs verbatim in a text."""
    held = [
        (len(title), id_)
        for id_, feature in features.items()
        for title in feature.titles
        if title.casefold() in text and _TELLING.search(title)
    ]
    return [max(held)[1]] if held else []


def holding(query: str, features: Histories) -> list[FeatureHistory]:
    """Return the features whose name or heading contains a text, none if there are more than three.

    Args:
        query: part of a name.
        features: all features, by id.
    """
    folded = query.strip().casefold()
    named = ((f, (*f.names.values(), *f.titles)) for f in features.values())
    found = [f for f, names in named if any(folded in name.casefold() for name in names)]
    return found if len(found) <= _NEAREST else []


def nearest(query: str, features: Histories) -> list[str]:
    """Return up to three names that are similar to a text.

    Args:
        query: a name, possibly misspelled.
        features: all features, by id.
    """
    names = {name.casefold(): name for f in features.values() for name in f.names.values()}
    return [names[n] for n in get_close_matches(query.strip().casefold(), names, n=_NEAREST, cutoff=0.5)]
