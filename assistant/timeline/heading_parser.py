"""Which feature a heading is about, and whether it is about the feature itself or a part of it.

"[Beta] FlexAttention" gives the status of FlexAttention. "[Beta] AOTInductor: minifier" gives that of a part
of AOTInductor, and "[Beta] torch.compile on Python 3.13" that of a combination: neither means that the
feature as a whole is a beta now.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from assistant.text.platforms import VERSION, versions, without_joined
from corpus.glossary import Glossary, Term
from ingest.status import status_of, without_closing_status, without_opening_status

#: What a heading is about: the feature alone ("whole"), the feature with a qualifying phrase ("phrase", which
#: counts as the whole if it is the first mention, else as a part), or a part of the feature ("part").
Aspect = Literal["whole", "phrase", "part"]

_PULL_REQUESTS = re.compile(r"\s*[(（]#\d[^()（）]*[)）]")
_PARENTHESIS = re.compile(r"\s*[(（][^()（）]*[)）]")
_FILLER = re.compile(
    r"(?:the|an?|new|improv\w+|enhanc\w+|limited|initial|basic|better|full|native|experimental|introducing"
    r"|adds?|added|support(?: for)?|pytorch"
    r"|新增|新的?|增强的?|改进(?:了|的)?|有限的?|初步|介绍|引入|支持|完全|实验性的?)(?![a-z])[\s:：]*",
    re.I,
)
_TAIL = re.compile(
    r"^(?:\(\)|\s|[,，]?\s*(?:supports?|apis?|backend|features?|class|module|operators?|library|architecture"
    r"|支持|功能|特性|接口|后端|模块|类|库)(?![a-z]))+",
    re.I,
)
_JOINT = re.compile(r"\s*(?:,\s*(?:and\s)?|，|、|/|\+|&|\band\b|和|与|及|以及)\s*", re.I)
_APPOSITION = re.compile(r"\s*[:：,，—–]\s*")
_PHRASE = re.compile(
    r"\s*(?:for|in|on|inside|as|via|by|through|using|of|with|without|at|to|is|are|uses?|becomes?|works?|gets?|has"
    r"|based|now|used)\b|\s*(?:用于|可|已|现|默认|基于|支持|上|的)",
    re.I,
)
_LINKED = re.compile(rf"(?:^|\s)(?:{_PHRASE.pattern})|[,:/]", re.I)
#: What becomes of the feature before it, whole: no status that a heading is, and more than what has one.
_GONE = re.compile(
    r"\s*(?:is|are|has been|will be)?\s*(?:now |no longer )?"
    r"(?:removed|deprecated|dropped|supported|已?被?(?:移除|弃用|废弃|删除))",
    re.I,
)
_ONE_WORD = re.compile(r"\s*[A-Za-z]+\W*|\s*[\u3400-\u9fff]{1,4}\W*")
_SPACE = re.compile(r"\s+")
_HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class HeadingSubject:
    """A feature named in a heading.

    Attributes:
        id: id of the glossary term, or "python 3.13", "torch-compile+python", or a lower-case title.
        name: English name.
        zh: Chinese name, or the English one if that is what Chinese engineers use.
        aspect: what the heading is about.
        founds: whether this heading alone makes it a feature, even if no other is about it as a whole.
    """

    id: str
    name: str
    zh: str
    aspect: Aspect
    founds: bool


def is_item(title: str) -> bool:
    """Whether a heading opens with a status in brackets: what stands below it are its own parts.

    Args:
        title: heading.
    """
    return without_opening_status(title) != title


def bare(title: str) -> str:
    """A title without the brackets that tell its status, and without pull requests.

    Args:
        title: heading.
    """
    return without_closing_status(_PULL_REQUESTS.sub("", without_opening_status(title))).strip()


def subjects(title: str, glossary: Glossary) -> list[HeadingSubject]:
    """Return the features that a heading names; none if it only names a status or a group.

    Args:
        title: heading as plain text.
        glossary: glossary of features.
    """
    title = bare(title)
    platforms = versions(title)
    spans = _spans(title, glossary)
    own, rest = _leading(title, spans)
    named = list({term.id: term for _, _, term in spans}.values())
    aspect = _aspect(without_joined(rest), platforms)
    if not own:
        own, aspect = _trailing(title, spans), "phrase"
    found = [
        _subject(term, aspect if term in own else "part", founds=term in own or term is named[0])
        for term in named
    ]
    found += [
        _subject(term, "part", founds=False)
        for start, end, whole in spans
        for first, last, term in _spans(title[start : end - 1], glossary)
        # "FlexAttention on x86 CPU" names FlexAttention as well, by its proper name.
        if term.id != whole.id and _is_proper(title[start + first : start + last], term)
    ]
    for family, number in platforms:
        whole: Aspect = "part" if named else "whole"
        found.append(HeadingSubject(family.lower(), family, family, whole, True))
        version = f"{family} {number}"
        found.append(HeadingSubject(version.lower(), version, version, whole, True))
        if family == "Python":
            found += [
                HeadingSubject(f"{t.id}+python", f"{t.en} · Python", f"{_chinese(t)} · Python", "whole", True)
                for t in (own or named[:1])
            ]
    return list({subject.id: subject for subject in reversed(found)}.values())[::-1]


def name_in(title: str) -> str:
    """Return a heading without status and parentheses.

    Args:
        title: heading as plain text.
    """
    return _PARENTHESIS.sub("", bare(title)).strip()


def untermed(title: str, zh: str) -> list[HeadingSubject]:
    """Return a feature without a glossary term, named by its heading; none if that only names a status.

    Args:
        title: heading, in English if there is an English version.
        zh: heading, in Chinese if there is a Chinese version.
    """
    name = name_in(title)
    alone = not name or _tells_status(name) or not is_item(title)
    return [] if alone else [HeadingSubject(name.casefold(), name, name_in(zh), "whole", True)]


@lru_cache(maxsize=4096)
def _tells_status(name: str) -> bool:
    return bool(status_of(name) or _GONE.fullmatch(name))


def _spans(title: str, glossary: Glossary) -> list[tuple[int, int, Term]]:
    """Return the glossary terms in a title, without words for a status and versions of a platform.

    If a name belongs to several terms, those with it as their proper name are preferred.
    """
    at = [(m.start(), m.end()) for m in VERSION.finditer(title)]
    spans = [
        (start, end, term)
        for start, end, term in glossary.spans(title)
        if not any(start < last and first < end for first, last in at)
        and not (_tells_status(title[start:end]) or _tells_status(term.en))
    ]
    proper = {(start, end) for start, end, term in spans if _is_proper(title[start:end], term)}
    return [s for s in spans if s[:2] not in proper or _is_proper(title[s[0] : s[1]], s[2])]


def _is_proper(name: str, term: Term) -> bool:
    return name.casefold() in {proper.casefold() for proper in (term.en, *term.zh[:1])}


def _leading(title: str, spans: Sequence[tuple[int, int, Term]]) -> tuple[list[Term], str]:
    """Return the terms that a title starts with, and the rest; a Chinese title ends with its subject."""
    starts = {start for start, _, _ in spans}
    place = 0
    if _HAN.search(title):
        last = _PARENTHESIS.sub(lambda m: " " * len(m[0]), re.split(r"[:：]", title)[0]).rfind("的")
        tail = last + 1 + len(title[last + 1 :]) - len(title[last + 1 :].lstrip())
        place = tail if last >= 0 and tail in starts else 0
    while place not in starts:
        filler = _FILLER.match(title, place)
        if filler is None or not filler[0]:
            return [], title
        place = filler.end()
    own: list[Term] = []
    end = last = place
    while place in starts:
        here = [(end, term) for start, end, term in spans if start == place]
        names = [term for _, term in here if _is_name(term.en)]
        if place > end and not _JOINT.fullmatch(title, end, place) and names:
            own = []  # "Inductor graph partition" is about the last term
        new = names if own else names or [term for _, term in here]
        own += [term for term in new if term not in own]
        end = max(end for end, _ in here)
        last = end if new else last
        joint = _JOINT.match(title, end) or _SPACE.match(title, end)
        place = joint.end() if joint else -1
    return own, title[last:]


def _trailing(title: str, spans: Sequence[tuple[int, int, Term]]) -> list[Term]:
    """Return the terms that an English title ends with, after words that only describe them."""
    for start, end, _ in reversed(spans):
        rest = _TAIL.sub("", _PARENTHESIS.sub("", title[end:]))
        if not re.search(r"\w", rest) and not _HAN.search(title) and not _LINKED.search(title[:start]):
            return [term for first, _, term in spans if first == start and _is_name(term.en)]
    return []


def _aspect(rest: str, platforms: Sequence[tuple[str, str]]) -> Aspect:
    """Return the aspect of the leading terms, given the text after them."""
    rest = _TAIL.sub("", _PARENTHESIS.sub("", rest))
    if not re.search(r"\w", rest) or _GONE.match(rest):
        return "whole"
    if platforms:
        return "part"
    opens = _APPOSITION.match(rest) or _PHRASE.match(rest) or _ONE_WORD.fullmatch(rest)
    return "phrase" if opens else "part"


def _subject(term: Term, aspect: Aspect, *, founds: bool) -> HeadingSubject:
    founds = aspect != "part" or (founds and _is_name(term.en))
    return HeadingSubject(term.id, term.en, _chinese(term), aspect, founds)


def _chinese(term: Term) -> str:
    """Return the name used in Chinese: identifiers and coined names stay English."""
    return term.zh[0] if term.zh and not re.search(r"[A-Z._+=]", term.en[1:]) else term.en


def _is_name(name: str) -> bool:
    """Return whether a name always means the feature, unlike common words such as "device" or "training"."""
    return bool(re.search(r"[A-Z0-9._+ -]", name[1:]))
