"""Slots: names in a question that a follow-up can replace by others of the same kind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from assistant.query.release_scope import release_spans
from assistant.text.identifiers import CAMEL, JOINED
from assistant.text.platforms import is_place, place_spans
from corpus.glossary import Glossary, Term
from ingest.status import status_of

_CODED = re.compile(rf"(?<![\w.])(?:(?=[A-Za-z]){JOINED}|{CAMEL}|[A-Za-z]+\d\w*)", re.ASCII)
_NO_NAMES = frozenset("pytorch torch api apis abi pr prs rfc ui docs faq todo ok".split())
#: Terms that are aspects of any feature, not features: "and the latency?" asks more about the same feature.
_ASPECTS = frozenset(
    (
        "backend, checkpoint, composability, decomposition, deprecated, device, dtype, functionalize,"
        " gradient, guard, hook, inference, kernel, latency, lowering, operator, operators, optimizer, rank,"
        " recompilation, removed, security, serialization, sharding, softmax, speedup, tensor, throughput,"
        " token, training, vectorization, weights, wheel, attention mask, backward pass, backward compatible,"
        " batch size, breaking change, build from source, code generation, cold start, memory leak,"
        " commits and contributors, context manager, environment variable, forward pass, graph break,"
        " fully qualified name, memory bandwidth, memory usage, nightly build, operator fusion,"
        " performance regression, silent incorrectness, stuck job"
    ).split(", ")
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A name in a text.

    Attributes:
        spans: start and end offset of each occurrence.
        keys: identity of the name: ids of glossary terms, or the name in lower case.
        place: whether it is a platform that features run on.
    """

    spans: tuple[tuple[int, int], ...]
    keys: frozenset[str]
    place: bool


def slots(text: str, glossary: Glossary) -> list[Slot]:
    """Find the names in a text.

    Args:
        text: question with full-width characters folded.
        glossary: terms that count as names.

    Returns:
        One slot per name, in order of first appearance.
    """
    releases = release_spans(text)
    terms: dict[tuple[int, int], list[Term]] = {}
    for start, end, term in glossary.spans(text):
        terms.setdefault((start, end), []).append(term)
    found: dict[tuple[int, int], frozenset[str]] = {
        span: frozenset(term.id for term in those)
        for span, those in terms.items()
        if not (status_of(text[slice(*span)]) or all(term.en.lower() in _ASPECTS for term in those))
    }
    found |= {
        span: frozenset((text[slice(*span)].lower(),))
        for span in place_spans(text)
        if not overlaps(span, found)
    }
    taken = [*terms, *found, *releases]
    for match in _CODED.finditer(text):
        if not overlaps(match.span(), taken) and match[0].lower() not in _NO_NAMES:
            found[match.span()] = frozenset((match[0].lower(),))
    merged: dict[frozenset[str], list[tuple[int, int]]] = {}
    for span in sorted(found):
        merged.setdefault(found[span], []).append(span)
    return [Slot(tuple(s), keys, is_place(text[slice(*s[0])])) for keys, s in merged.items()]


def overlaps(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    """Check whether a span overlaps any of several others.

    Args:
        span: start and end offset.
        others: start and end offsets to compare with.
    """
    return any(start < span[1] and span[0] < end for start, end in others)
