"""The words that tell a text from others: its names and figures first, then the words that few others have.

They are chosen mechanically, stand in the text as they are, and so are found again wherever the text is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from assistant.evaluation.scoring import fold
from assistant.text.quantities import amounts
from ingest.language import HAN
from ingest.markup import reading_text
from ingest.segment import CHINESE_STOPWORDS, ENGLISH_STOPWORDS

#: Cuts a text into words that joined are the text again: `Segmenter.words`.
Cut = Callable[[str], Sequence[str]]

_NAME = re.compile(
    r"`(?P<code>[^`\n]+)`"
    r"|\b[A-Za-z]\w+(?:\.\w+)+|(?<![\w.])\w*[A-Za-z]\w*_\w+"  # torch.compile, USE_LIBUV
    r"|\b[A-Za-z]+[a-z][A-Z]\w*|\b[A-Z]{2,}[A-Za-z0-9]*\b"  # FlexAttention, CUDA, FSDP2
    r"|(?<![\w-])(?!v\d)[A-Za-z]+-?\d\w*",  # H100, int8, gcc-13
    re.ASCII,
)
_NOT_PROSE = re.compile(r"https?://[^\s)>\]]+|#\d{3,}")  # addresses, pull requests
_COMMON = frozenset({"pytorch", "torch"})  # said in every passage
_LONGEST_NAME = 60  # characters
_LATIN = re.compile(r"[A-Za-z][A-Za-z-]{3,}")
_CHINESE = re.compile(f"[{HAN}]{{2,}}")
_FEWEST = 2  # names and figures, where there are as many: another passage may come to hold one of them
_MOST = 4


def names_and_figures(text: str) -> list[str]:
    """The identifiers, abbreviations and figures of a text as they stand in it, in order, each once.

    >>> names_and_figures("`USE_LIBUV=0` turns TCPStore's libuv off in PyTorch: 16 seconds or 7%")
    ['USE_LIBUV=0', 'TCPStore', '16 seconds', '7%']
    """
    plain = _NOT_PROSE.sub(" ", reading_text(text))  # which leaves out the targets of links
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
    """The other words of a text that mean something, the longest first, each once."""
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
    """The fewest words that no other text holds together: names and figures, then what is rarest.

    Args:
        text: to be told from the others.
        others: texts it must be told from, each folded (`assistant.evaluation.scoring.fold`); those that hold
            all of `text` are passed over. None: unknown.
        cut: as `words` needs it.

    Returns:
        At least one where the text has any, at most four; a text that is like another is told from the rest.
    """
    named, plain = names_and_figures(text), words(text, cut)
    if others is None:
        return tuple((named + plain)[: max(_FEWEST, min(len(named), _MOST - 1))])
    whole = fold(text)
    left = [other for other in others if whole not in other]
    chosen: list[str] = []
    for candidates in (named, plain):  # words bind a key to one language, names do not
        left = _narrow(chosen, candidates, left)
    names = [name for name in named if not name[0].isdigit()]
    for name in names or (named + plain):  # nothing else to tell it from now, but perhaps one day
        if len(chosen) < _FEWEST and not any(fold(name) in fold(other) for other in chosen):
            chosen.append(name)
    return tuple(chosen)


def _narrow(chosen: list[str], candidates: Sequence[str], left: list[str]) -> list[str]:
    """Add to the chosen words what tells a text from the others that are left; return those still left."""
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
    """How many folded texts hold a word."""
    folded = fold(word)
    return sum(folded in other for other in others)


def _distinct(text: str, found: Iterable[str]) -> list[str]:
    """The words that stand in a text as they are and tell anything, each once, however it is spelled."""
    out: dict[str, str] = {}
    for word in found:
        if word in text and fold(word) not in _COMMON:
            out.setdefault(fold(word), word)
    return list(out.values())
