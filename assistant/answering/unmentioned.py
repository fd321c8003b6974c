"""Detects names in a question that the notes of the releases asked for do not mention.

"What is FSDP2 in 2.6?" shares words with many sections of 2.6, none of which mentions FSDP2. The nearest
passages do not answer it, but it is worth reporting which other releases mention the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

from assistant.query.question import Question
from assistant.query.slots import slots
from assistant.query.yes_no import is_yes_no
from assistant.retrieval.release_context import LIKELY
from assistant.retrieval.searcher import SearchResult
from assistant.text.identifiers import JOINED
from assistant.text.platforms import VERSION, is_place, versions
from corpus.glossary import Glossary, Term
from index.search.retriever import Retriever
from ingest.release import Release

#: Intents that are answered nevertheless: whether it exists, by the release that mentions it; what breaks,
#: where the name only says in which place.
_ANSWERED_STILL = ("yesno", "breaking")
#: Intents that are answered although the question names a newer platform version than the index mentions.
_ANSWERED_BESIDE = ("howto", "breaking", "list", "compare", "deprecation")
#: A coined name: at least three characters with capitals, digits or signs inside, or a compound with "torch".
_COINED = re.compile(
    r"^(?=.{3})(?:[a-z]*torch[a-z]+$|[a-z]+torch$|[A-Z]\w* [A-Z]|[A-Z].*\d|[A-Z]{3}|(?=.{4})\S*[A-Z]\S*[A-Z]"
    r"|\S*[a-z\d_][A-Z]|\S*\w[._:]{1,2}\w|[a-z]\S*\d)"
)
_SIGN = re.compile(r"[A-Z_.\d]")
_NAME_WITHIN = re.compile(r"[A-Z].*[A-Z\d]|[a-z][A-Z]|\w[._]\w")
_IDENTIFIER = re.compile(JOINED, re.ASCII)
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_MOST_VERSIONS = 8  # platform versions per question; each requires reading all texts on the platform
_BETWEEN = r"[\s._:/+-]{0,2}"


@dataclass(frozen=True, slots=True)
class UnmentionedEntity:
    """A name that the releases asked for do not mention.

    Attributes:
        name: the name as in the question.
        told: releases that mention it, oldest first; empty if no document does.
        final: whether the question must be declined because of it.
    """

    name: str
    told: tuple[Release, ...]
    final: bool


def unmentioned_entities(
    question: Question, retriever: Retriever, glossary: Glossary
) -> tuple[UnmentionedEntity, ...]:
    """Find the names in a question that the releases asked for do not mention.

    Platform versions newer than any in the index are reported first, and alone. Otherwise, names are reported
    only if the releases mention none of the names in the question.

    Only names that cannot be paraphrased count: notes may describe "ahead-of-time compilation" without using
    the term. Platforms ("Windows") do not count, nor do words missing from the glossary, which may be the
    reader's own model or library, unless they are identifiers that other releases mention.

    Args:
        question: parsed question.
        retriever: searches the documents of releases.
        glossary: known names.
    """
    if newer := _newer(question, retriever):
        return newer
    if not question.scope.named or question.intent == "since":  # a status history covers all releases
        return ()
    asked = [r for r in retriever.releases if r in (*question.releases, *question.scope.named)]
    others = [release for release in retriever.releases if release not in asked]
    terms = {term.id: term for term in glossary.terms}
    found: list[UnmentionedEntity] = []
    for slot in slots(question.standalone, glossary):
        name = question.standalone[slice(*slot.spans[0])]
        known = [terms[key] for key in slot.keys if key in terms]
        if slot.place or not (_is_coined(name, known) if known else _IDENTIFIER.search(name)):
            continue
        proper = {name, *(term.en for term in known)}
        # Aliases that are plain words do not count: they may denote something else.
        loose = {form for term in known for form in (*term.zh, *term.mistranslations)}
        loose |= {
            form for term in known for form in term.aliases if _COINED.search(form) or _SIGN.search(form)
        }
        loose |= {word for form in proper for word in _telling_words(form)}
        if _told({*proper, *loose}, retriever, asked):
            return ()
        told = _told(proper, retriever, others) or _told(loose, retriever, others)
        if told:
            still = question.intent in _ANSWERED_STILL or is_yes_no(question.clean)
            found.append(UnmentionedEntity(name, tuple(sorted(told)), not still))
    return tuple(found)


def _newer(question: Question, retriever: Retriever) -> tuple[UnmentionedEntity, ...]:
    """Return platform versions newer than any mentioned; notes may cover the end of older ones."""
    found: list[UnmentionedEntity] = []
    named = {versions(match[0])[0]: match[0] for match in VERSION.finditer(question.standalone)}
    for (family, number), name in islice(named.items(), _MOST_VERSIONS):
        asked = _numbers(number)
        others = (
            _numbers(other)
            for text in retriever.mentions(VERSION, retriever.segmenter.terms(family.lower())[:1])
            for of, other in versions(text)
            if of == family
        )
        before = next(others, None)  # if no version is mentioned at all, any may be supported
        if before and all(asked > other[: len(asked)] for other in chain([before], others)):
            found.append(UnmentionedEntity(name, (), question.intent not in _ANSWERED_BESIDE))
    return tuple(found)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


def _is_coined(name: str, terms: Sequence[Term]) -> bool:
    """Check whether a name is a coined one, which cannot be paraphrased, or that of such a term."""
    own = [term.en for term in terms if name.casefold() == term.en.casefold()]
    return any(map(_COINED.search, (name, *own)))


def _telling_words(name: str) -> list[str]:
    """Return the coined words within a name: notes on the "CK backend" may write just "CK"."""
    words = name.split() if " " in name else []
    return [w for w in words if _NAME_WITHIN.search(w) and not is_place(w) and w.casefold() != "pytorch"]


def _told(forms: Iterable[str], retriever: Retriever, releases: Sequence[Release]) -> set[Release]:
    """Return the releases whose documents mention a name in any of its forms."""
    found: set[Release] = set()
    for form in forms:
        whole, small = retriever.segmenter.terms(form), retriever.segmenter.terms(form.lower())
        # Terms of a single word: as written, its parts, or in lower case.
        ways = (whole, small) if " " in form else (whole[:1], whole[1:], small)
        for words in dict.fromkeys(map(tuple, ways)):
            found.update(retriever.telling(_pattern(form), words, releases) if words else ())
    return found


@lru_cache(maxsize=4096)
def _pattern(name: str) -> re.Pattern[str]:
    """Match a name with its parts joined, separated or hyphenated, but not within a longer Latin word."""
    parts = _BETWEEN.join(map(re.escape, _PIECE.findall(name)))
    return re.compile(rf"(?<![A-Za-z\d]){parts or re.escape(name)}s?(?![A-Za-z\d]|\.\d)", re.I | re.ASCII)


def cured_elsewhere(found: SearchResult, silent: Sequence[UnmentionedEntity]) -> bool:
    """Check whether a user likely runs the releases named, and the best passage mentions the names.

    Args:
        found: for the question.
        silent: what the releases named do not mention.
    """
    first = next(iter(found.passages), None)
    if first is None or found.elsewhere < LIKELY:
        return False
    return all(first.release in each.told for each in silent if each.final)
