"""Extracts the facts of a claim: what a quote must contain for the claim to be supported.

These are amounts (`quantities`), names (APIs, flags, environment variables, products, devices) and statuses.
A claim may paraphrase its quote, but may not change a figure or a flag, or call a prototype stable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from assistant.text.identifiers import CAMEL, FLAG
from assistant.text.quantities import Amount, amounts
from ingest.code_spans import code_spans
from ingest.document import Language
from ingest.status import MATURITIES, SAID

#: Words too common to support a claim, and units, which are checked as part of amounts.
_PLAIN_NAMES = frozenset("pytorch torch api apis i ok ai the pt kb mb gb tb ms us bit bits".split())
_IDENTIFIER = r"[A-Za-z_][\w]*(?:(?:\.|::|->)\w+)*"
_NAME = re.compile(
    r"(?P<url>https?://[^\s)>\]}，。；、（）]+)"
    rf"|(?P<flag>{FLAG})"
    r"|(?P<pull>#\d{3,})"
    r"|(?P<coded>\b[A-Za-z_]\w*(?:(?:\.|::|/)\w+)+(?:\(\))?|\b\w*_\w+|\b(?!(?:pre|post|non|sub|multi)-|v\d|\d+(?:st|nd|rd|th|x|[KMGT]?i?B|[mun]?s|bit|bits)\b)[A-Za-z]{0,60}\d{0,20}[A-Za-z]{1,60}[+-]?\d[\w.+-]*"
    rf"|{CAMEL}|\bC\+\+)"
    r"|(?P<word>(?<![\w`-])[A-Za-z][A-Za-z]+(?![\w]))",
    re.ASCII,
)
_BACK = re.compile(r"(?:\b(?:the|these|those|other|all|latter|former)\s+|[这那前后上])$", re.I)
_URL = re.compile(r"https?://\S+")
_IN_CODE = re.compile(rf"{FLAG}|(?<!\w){_IDENTIFIER}|\d+(?:\.\d+)*", re.ASCII)  # the "d" of "2D" is no name
_KEYWORDS = frozenset(
    "import from as with def return if else for in not and or is none true false self".split()
)
#: Patterns of statuses. If a draft gives a feature a status, its quote or the quote's section must give it
#: too.
_STATUSES: tuple[tuple[str, str], ...] = (
    *SAID.items(),
    ("experimental", r"\bexperiment(?:al|s|ally)?\b|实验"),
    ("removed", r"\bremov(?:ed|als?)\b|\bdelet(?:ed|ions?)\b|移除|删除|删掉|去掉|砍掉"),
    (
        "dropped",
        r"\bdrop(?:s|ped|ping)?\b|\b(?:loses?|ends?|ended|discontinue[sd]?) support"
        r"|停止支持|不再支持|终止支持",
    ),
    ("removing", r"\bremov\w+|\bdelet\w+"),
    (
        "ended",
        r"\bno longer\b|\bnot\b.{0,30}\bany ?more\b|\bstop(?:s|ped)?\b|\bunsupported\b|不再|停止|终止|不支持",
    ),
    ("default", r"\bby default\b|\bdefaults?\b|默认|缺省"),
    ("opt-in", r"\bopts?[- ]in\b|\bopt(?:ed|ing)?[- ]in(?:to)?\b|手动开启|显式开启|选择启用"),
)
#: Statuses that support a status, by status: the notes say "prototype" for "experimental".
_SAID_BY = {
    "experimental": ("experimental", "prototype", "unstable"),
    "prototype": ("prototype", "experimental"),
    "dropped": ("dropped", "removing", "removed", "ended"),
    "removed": ("removed", "removing"),
}
#: How ready a feature is: a quote that calls it one of these does not prove another.
MATURITY = frozenset((*MATURITIES, "experimental"))
#: Ways in which quotes say it, and nothing that a statement must prove.
_OF_QUOTES = frozenset(("removing", "ended"))
_STATUS_PATTERNS = tuple((name, re.compile(pattern, re.I | re.ASCII)) for name, pattern in _STATUSES)


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """Facts of a sentence that its quotes must contain.

    Attributes:
        amounts: numbers with their units.
        names: names in lower case.
        statuses: "stable", "beta", "deprecated", "default" and so on.
        words: those of the names that are spelled like any word: Latin ones in Chinese, capitalized ones in
            English.
    """

    amounts: tuple[Amount, ...]
    names: frozenset[str]
    statuses: frozenset[str]
    words: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)
def points(text: str, language: Language) -> ClaimFacts:
    """Extract the facts of a sentence.

    Args:
        text: sentence in Markdown.
        language: its language. In Chinese, every Latin word outside code counts as a name.
    """
    prose = _prose(text)
    found = {
        token.casefold()
        for code in code_in(text)
        for token in _IN_CODE.findall(code)
        if token.casefold() not in _KEYWORDS and not token.isdigit()
    }
    coded, words = _names(prose, language)
    found |= coded
    told = _URL.sub(" ", prose)
    statuses = frozenset(name for name, pattern in _STATUS_PATTERNS if pattern.search(told)) - _OF_QUOTES
    counted = tuple(a for a in amounts(prose) if not (_within_name(prose, a) or _refers_back(prose, a)))
    status_words = {word for word in found | words if any(p.fullmatch(word) for _, p in _STATUS_PATTERNS)}
    names = frozenset((found | words) - status_words - _PLAIN_NAMES)
    return ClaimFacts(counted, names, statuses, names - found)


def code_in(text: str) -> list[str]:
    """Return the contents of the code spans in a text.

    Args:
        text: Markdown.
    """
    return [span.content(text).strip() for span in code_spans(text)]


def _prose(text: str) -> str:
    """Return a text with its code spans replaced by spaces."""
    parts, position = [], 0
    for span in code_spans(text):
        parts.append(text[position : span.start])
        position = span.end
    return " ".join([*parts, text[position:]])


def maturities(text: str) -> frozenset[str]:
    """Return the statuses of maturity in a text's prose, with "experimental" as "prototype".

    Args:
        text: Markdown.
    """
    prose = _URL.sub(" ", _prose(text))
    called = {name for name, pattern in _STATUS_PATTERNS if pattern.search(prose)}
    return frozenset("prototype" if name == "experimental" else name for name in called & MATURITY)


def says_status(status: str, text: str, section_status: str = "") -> bool:
    """Check whether a text or its section has a status.

    Args:
        status: status in the terms of `ClaimFacts.statuses`.
        text: plain text.
        section_status: status of the section that contains the text, or "".
    """
    wanted = _SAID_BY.get(status, (status,))
    return section_status in wanted or any(
        pattern.search(text) for name, pattern in _STATUS_PATTERNS if name in wanted
    )


def holds_amount(amount: Amount, among: tuple[Amount, ...]) -> bool:
    """Check whether an amount is among others: the same number, with the same unit if both have one.

    Args:
        amount: amount to look for.
        among: amounts of another text.
    """
    return any(
        (other.value == amount.value or ("." in amount.value and other.value == f"{amount.value}.0"))
        and (other.unit == amount.unit or not other.unit or not amount.unit)
        for other in among
    )


def holds_name(name: str, text: str) -> bool:
    """Check whether a name occurs in a text as a whole word: `mark_dynamics` does not contain `mark_dynamic`.

    Plurals match, and so do the two notations of a call, `f` and `f()`.

    Args:
        name: name in lower case.
        text: text in lower case.
    """
    bare = name.removesuffix("()").rstrip(".-/") or name
    if re.search(r"[_.:/#]|^-", bare):
        return _stands(bare, text)
    forms = {bare, bare.removesuffix("s"), bare.replace("-", " "), bare.replace("-", "")}
    return any(_stands(form, text, plural=True) for form in forms if form)


def _stands(name: str, text: str, *, plural: bool = False) -> bool:
    flag = name.startswith("-")  # --nproc is not in --nproc-per-node
    start = text.find(name)
    while start >= 0:
        before, after = text[max(0, start - 1) : start], text[start + len(name) : start + len(name) + 2]
        opens = not (_word(before) and (_word(name[0]) or flag)) and not (flag and before == "-")
        ends = not (_word(after[:1]) and _word(name[-1])) and not (flag and after[:1] == "-")
        if opens and (ends or (plural and after[:1] == "s" and not _word(after[1:2]))):
            return True
        start = text.find(name, start + 1)
    return False


def _word(sign: str) -> bool:
    return bool(sign) and sign.isascii() and (sign.isalnum() or sign == "_")


def _names(prose: str, language: Language) -> tuple[set[str], set[str]]:
    """Return the names outside code that are spelled like names, and the words that stand like one.

    Words are, in Chinese, any Latin word, and in English one with a capital inside a sentence.
    """
    coded: set[str] = set()
    words: set[str] = set()
    opening = True
    position = 0
    for match in _NAME.finditer(prose):
        between = prose[position : match.start()]
        opening = (
            opening and not re.search(r"\w", between)
            if position == 0
            else bool(re.search(r"[.!?:;]\s", between))
        )
        if word := match["word"]:
            named = language == "zh" or (word[0].isupper() and not opening and match.start() > 0)
            if named and len(word) > 1:
                words.add(word.casefold())
        else:
            coded.add(match[0].casefold())
        position = match.end()
        opening = False
    return coded, words


def _refers_back(prose: str, amount: Amount) -> bool:
    """Check whether a number only refers to things named before, as in "the two" and 这两个."""
    return not amount.unit and bool(_BACK.search(prose[: amount.start])) and not prose[amount.start].isdigit()


def _within_name(prose: str, amount: Amount) -> bool:
    """Check whether a number is part of a name, as in FlashAttention-2."""
    before = prose[max(0, amount.start - 2) : amount.start]
    return bool(re.search(r"[A-Za-z]-$", before))
