"""Silence: what a question names, and the notes of the releases that it asks for do not.

"What is FSDP2 in 2.6?" shares its words with many a section of 2.6, none of which knows FSDP2. What looks
near is no answer then; that another release tells of it is worth saying.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

from assistant.query.question import Question
from assistant.query.slots import slots
from assistant.text.platforms import VERSION, is_place, versions
from corpus.glossary import Glossary, Term
from index.search.retriever import Retriever
from ingest.release import Release

#: Questions that are answered all the same: whether it is there, by the release that tells; what breaks, of
#: which the name only tells where.
_ANSWERED_STILL = ("yesno", "breaking")
#: Questions that are answered for what is older than a version that they name.
_ANSWERED_BESIDE = ("howto", "breaking", "list", "compare", "deprecation")
#: A name with capitals, figures or signs inside, of three characters at least; those with torch as well.
_COINED = re.compile(
    r"^(?=.{3})(?:[a-z]*torch[a-z]+$|[a-z]+torch$|[A-Z]\w* [A-Z]|[A-Z].*\d|[A-Z]{3}|(?=.{4})\S*[A-Z]\S*[A-Z]"
    r"|\S*[a-z\d_][A-Z]|\S*\w[._:]{1,2}\w|[a-z]\S*\d)"
)
_SIGN = re.compile(r"[A-Z_.\d]")
_NAME_WITHIN = re.compile(r"[A-Z].*[A-Z\d]|[a-z][A-Z]|\w[._]\w")
_IDENTIFIER = re.compile(r"\w(?:[._]|::)\w")
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_MOST_VERSIONS = 8  # of platforms; for each the texts that mention the platform are read
_BETWEEN = r"[\s._:/+-]{0,2}"


@dataclass(frozen=True, slots=True)
class UnmentionedEntity:
    """A name that the releases asked for do not tell of.

    Attributes:
        name: as the question has it.
        told: the releases that do, oldest first; none where no document does.
        final: whether the question has no answer therefore.
    """

    name: str
    told: tuple[Release, ...]
    final: bool


def unmentioned_entities(
    question: Question, retriever: Retriever, glossary: Glossary
) -> tuple[UnmentionedEntity, ...]:
    """The names in a question, where the releases that it names tell of none of them; else nothing.

    Before that, versions of platforms that are newer than any that the index tells of.

    Names are what no other words stand for: notes may tell of "ahead-of-time compilation" without them. What
    features run on ("Windows") is no such name, nor is a word that the glossary does not know, unless it is
    an identifier that other releases tell of: it may be the reader's model or library.
    """
    if newer := _newer(question, retriever):
        return newer
    if not question.scope.named or question.intent == "since":  # a life tells all
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
        # Parameters and plain words among the other names do not count: another thing may have them too.
        loose = {form for term in known for form in (*term.zh, *term.mistranslations)}
        loose |= {
            form for term in known for form in term.aliases if _COINED.search(form) or _SIGN.search(form)
        }
        loose |= {word for form in proper for word in _telling_words(form)}
        if _told({*proper, *loose}, retriever, asked):
            return ()
        told = _told(proper, retriever, others) or _told(loose, retriever, others)
        if told:
            found.append(UnmentionedEntity(name, tuple(sorted(told)), question.intent not in _ANSWERED_STILL))
    return tuple(found)


def _newer(question: Question, retriever: Retriever) -> tuple[UnmentionedEntity, ...]:
    """The versions of platforms in a question that are newer than any that a document mentions.

    Those before have notes that tell of their end, or of what is needed instead of them.
    """
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
        before = next(others, None)  # where no version is told of at all, any may do
        if before and all(asked > other[: len(asked)] for other in chain([before], others)):
            found.append(UnmentionedEntity(name, (), question.intent not in _ANSWERED_BESIDE))
    return tuple(found)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


def _is_coined(name: str, terms: Sequence[Term]) -> bool:
    """Whether no other words stand for a name: it is a coined one, or that of a term that is."""
    own = [term.en for term in terms if name.casefold() == term.en.casefold()]
    return any(map(_COINED.search, (name, *own)))


def _telling_words(name: str) -> list[str]:
    """The names within one of several words: who tells of the CK backend may write CK."""
    words = name.split() if " " in name else []
    return [w for w in words if _NAME_WITHIN.search(w) and not is_place(w) and w.casefold() != "pytorch"]


def _told(forms: Iterable[str], retriever: Retriever, releases: Sequence[Release]) -> set[Release]:
    """Those of some releases whose documents have a name in one of its forms."""
    found: set[Release] = set()
    for form in forms:
        whole, small = retriever.segmenter.terms(form), retriever.segmenter.terms(form.lower())
        # A name of one word as it is written, by its parts, or in small letters.
        ways = (whole, small) if " " in form else (whole[:1], whole[1:], small)
        for words in dict.fromkeys(map(tuple, ways)):
            found.update(retriever.telling(_pattern(form), words, releases) if words else ())
    return found


@lru_cache(maxsize=4096)
def _pattern(name: str) -> re.Pattern[str]:
    """A name as texts write it: its parts joined, apart or hyphenated, and not inside a longer Latin word."""
    parts = _BETWEEN.join(map(re.escape, _PIECE.findall(name)))
    return re.compile(rf"(?<![A-Za-z\d]){parts or re.escape(name)}s?(?![A-Za-z\d]|\.\d)", re.I | re.ASCII)
