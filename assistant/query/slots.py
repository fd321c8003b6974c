"""Slots: what a question names and what another of its kind could stand in the place of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from assistant.query.release_scope import release_spans
from assistant.text.platforms import is_place, place_spans
from corpus.glossary import Glossary, Term
from ingest.status import status_of

_CODED = re.compile(
    r"(?<![\w.])(?:[A-Za-z]\w*(?:(?:\.|::|_)\w+)+|[A-Z]{2,}\w*|[A-Za-z]+\d\w*|[A-Z]?[a-z]+[A-Z]\w*)(?![\w])",
    re.ASCII,
)
_NO_NAMES = frozenset("pytorch torch api apis abi pr prs rfc ui docs faq todo ok".split())
#: Terms that are said of any feature, and are none: "and the latency?" asks for more of what was asked.
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
        spans: where it stands.
        keys: what it is: ids of terms, or the name itself.
        place: whether it is where something runs.
    """

    spans: tuple[tuple[int, int], ...]
    keys: frozenset[str]
    place: bool


def slots(text: str, glossary: Glossary) -> list[Slot]:
    """The names in a text, each once, in order of appearance."""
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
    """Whether a span shares a character with one of others."""
    return any(start < span[1] and span[0] < end for start, end in others)
