"""Distinctive terms: the names, figures and rare words that distinguish one text from others.

Terms are chosen mechanically and copied verbatim from the text, so that a plain search finds the text again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from assistant.evaluation.scoring import fold
from assistant.text.identifiers import CAMEL, JOINED
from assistant.text.quantities import amounts
from ingest.language import HAN
from ingest.markup import reading_text
from ingest.segment import CHINESE_STOPWORDS, ENGLISH_STOPWORDS

#: Splits a text into words whose concatenation is the text, as `Segmenter.words` does.
Cut = Callable[[str], Sequence[str]]

_NAME = re.compile(
    r"`(?P<code>[^`\n]+)`"
    rf"|(?<![\w.])(?=[A-Za-z_]\w){JOINED}|{CAMEL}"
    r"|(?<![\w-])(?!v\d)[A-Za-z]+-?\d\w*",  # H100, int8, gcc-13
    re.ASCII,
)
_NOT_PROSE = re.compile(r"https?://[^\s)>\]]+|#\d{3,}")  # addresses, pull requests
_COMMON = frozenset({"pytorch", "torch"})  # in every passage
_LONGEST_NAME = 60  # characters
_LATIN = re.compile(r"[A-Za-z][A-Za-z-]{3,}")
_CHINESE = re.compile(f"[{HAN}]{{2,}}")
_FEWEST = 2  # terms per key, where the text has them: a later passage may come to contain one of them
_MOST = 4  # terms per key


def names_and_figures(text: str) -> list[str]:
    """Extract the identifiers, abbreviations and figures of a text.

    Args:
        text: Markdown or plain text.

    Returns:
        Terms verbatim, in order of appearance, without duplicates (compared with `fold`).

    >>> names_and_figures("`USE_LIBUV=0` turns TCPStore's libuv off in PyTorch: 16 seconds or 7%")
    ['USE_LIBUV=0', 'TCPStore', '16 seconds', '7%']
    """
    plain = _NOT_PROSE.sub(" ", reading_text(text))  # reading_text() drops link targets
    names = list(_NAME.finditer(plain))
    shown = {match.start(): (match["code"] or match[0]).strip() for match in names}
    found = {start: name for start, name in shown.items() if any(c.isalpha() for c in name)}
    for amount in amounts(plain):
        figure = plain[amount.start : amount.end].strip()
        inside = any(match.start() <= amount.start < match.end() for match in names)
        if not inside and len(figure) > 1 and any(c.isdigit() for c in figure):
            units = [start for start in found if amount.start < start < amount.end]
            found = {start: name for start, name in found.items() if start not in units}
            found[amount.start] = figure
    return _distinct(text, (found[start] for start in sorted(found) if len(found[start]) <= _LONGEST_NAME))


def words(text: str, cut: Cut) -> list[str]:
    """Extract the words of a text that are neither stop words nor returned by `names_and_figures`.

    Args:
        text: Markdown or plain text.
        cut: word splitter.

    Returns:
        Words without duplicates, longest first (in UTF-8 bytes).
    """
    named = {fold(name) for name in names_and_figures(text)}
    found = (
        word
        for word in cut(reading_text(text))
        if (_LATIN.fullmatch(word) and word.lower() not in ENGLISH_STOPWORDS)
        or (_CHINESE.fullmatch(word) and word not in CHINESE_STOPWORDS)
    )
    plain = (word for word in _distinct(text, found) if fold(word) not in named)
    return sorted(plain, key=lambda word: -len(word.encode()))


def keys(text: str, others: Sequence[str] | None, cut: Cut) -> tuple[str, ...]:
    """Choose a small set of terms that no other text contains together, names and figures before words.

    Args:
        text: the text to distinguish.
        others: texts to distinguish it from, each folded (`assistant.evaluation.scoring.fold`). Those that
            contain all of `text` are ignored. None means that the other texts are unknown.
        cut: word splitter.

    Returns:
        At most four terms, and at least one if the text has any. If no combination is unique, the best one
        found.
    """
    named, plain = names_and_figures(text), words(text, cut)
    if others is None:
        return tuple((named + plain)[: max(_FEWEST, min(len(named), _MOST - 1))])
    whole = fold(text)
    left = [other for other in others if whole not in other]
    chosen: list[str] = []
    for candidates in (named, plain):  # names first: words tie a key to one language
        left = _narrow(chosen, candidates, left)
    names = [name for name in named if not name[0].isdigit()]
    for name in names or (named + plain):  # later texts may contain the terms chosen so far
        if len(chosen) < _FEWEST and not any(fold(name) in fold(other) for other in chosen):
            chosen.append(name)
    return tuple(chosen)


def _narrow(chosen: list[str], candidates: Sequence[str], left: list[str]) -> list[str]:
    """Append to `chosen` the terms that rule out most of `left`; return the texts not ruled out."""
    while left and candidates and len(chosen) < _MOST:
        best = min(candidates, key=lambda word: (rarity(word, left), word[0].isdigit()))
        rest = [other for other in left if fold(best) in other]
        if len(rest) == len(left):
            break
        chosen.append(best)
        left = rest
        candidates = [word for word in candidates if fold(word) not in fold(best)]
    return left


def rarity(word: str, others: Sequence[str]) -> int:
    """Count the folded texts that contain a word.

    Args:
        word: the word, not necessarily folded.
        others: folded texts.
    """
    folded = fold(word)
    return sum(folded in other for other in others)


def _distinct(text: str, found: Iterable[str]) -> list[str]:
    """Return the words that occur verbatim in `text` and are not common, without duplicates."""
    out: dict[str, str] = {}
    for word in found:
        if word in text and fold(word) not in _COMMON:
            out.setdefault(fold(word), word)
    return list(out.values())
