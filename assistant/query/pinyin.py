"""Pinyin: a question typed in Latin letters for want of a Chinese keyboard, turned into Chinese words.

The letters are cut into words of jieba's dictionary as jieba cuts characters: the likeliest row of words by
their frequencies, one by one (a unigram model by dynamic programming). Words of the documents count more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from itertools import accumulate, product

from ingest.language import HAN
from ingest.locked_property import locked_cached_property
from ingest.segment import ENGLISH_STOPWORDS

_INITIALS = "zh ch sh b p m f d t n l g k h j q x z c s r y w".split()
_FINALS = (
    "iang iong uang ang eng ong iao ian ing uai uan ai ei ao ou an en ia ie iu in ua uo ui un ue ve"
    " a o e i u v"
).split()
_SYLLABLES = frozenset(
    ("ang eng ai ei ao ou an en er a o e".split()) + [a + b for a, b in product(_INITIALS, _FINALS)]
)
_LONGEST = max(map(len, _SYLLABLES))
_WORD = re.compile(r"(?<![\w.-])[a-z]+(?![\w.-])")
_RUN = re.compile(r"(?<![\w.-])[a-z]+(?: +[a-z]+)*(?![\w.-])")
_HAN_WORD = re.compile(f"[{HAN}]{{1,6}}")
_SHARE = 0.7  # of the small words of a question
_FEWEST = 3
_RARE = 100  # jieba counts 60 million words; rarer ones are names of persons and places for the most part
_IN_DOCUMENTS = math.log(200)
_ASTRIDE = -3.0  # a word that begins or ends within what was typed as one


class Pinyin:
    """Reads pinyin without tones.

    Args:
        frequencies: how often each word of Chinese occurs.
        known: whether the documents have a word.
    """

    def __init__(self, frequencies: Callable[[], Mapping[str, int]], known: Callable[[str], bool]) -> None:
        self._frequencies = frequencies
        self._known = known

    def read(self, text: str) -> str:
        """A question in pinyin as one in Chinese, its names as they are; any other text unchanged."""
        if not looks_like_pinyin(text):
            return text
        return _RUN.sub(lambda match: self._chinese(match[0]), text)

    @locked_cached_property
    def _words(self) -> dict[str, tuple[str, float]]:
        """The likeliest word of each spelling, with the logarithm of its weight."""
        from pypinyin import lazy_pinyin

        out: dict[str, tuple[str, float]] = {}
        for word, count in self._frequencies().items():
            if not _HAN_WORD.fullmatch(word):
                continue
            known = len(word) > 1 and self._known(word)
            if not known and count < _RARE:
                continue
            weight = math.log(count + 1) + (_IN_DOCUMENTS if known else 0.0)
            spelling = "".join(lazy_pinyin(word))
            if spelling not in out or weight > out[spelling][1]:
                out[spelling] = (word, weight)
        return out

    @locked_cached_property
    def _longest(self) -> int:
        """Letters of the longest word."""
        return max(map(len, self._words), default=0)

    @locked_cached_property
    def _total(self) -> float:
        """The logarithm of how many words were counted."""
        return math.log(sum(self._frequencies().values()))

    def _chinese(self, run: str) -> str:
        """Words of Chinese for a row of words in pinyin; a word that is none stays."""
        out = ""
        for spelled, typed in _stretches(run):
            if spelled and (words := self._likeliest(typed)):
                out = out.rstrip() + " " + words if out else words
            else:
                out = f"{out} {' '.join(typed)}" if out else " ".join(typed)
        return out

    def _likeliest(self, typed: list[str]) -> str:
        letters = "".join(typed)
        edges = set(accumulate(map(len, typed), initial=0))
        best: list[tuple[float, str] | None] = [(0.0, "")] + [None] * len(letters)
        for end in range(1, len(letters) + 1):
            for start in range(max(0, end - self._longest), end):
                before, found = best[start], self._words.get(letters[start:end])
                if before is None or found is None:
                    continue
                astride = _ASTRIDE * ((start not in edges) + (end not in edges))
                score = before[0] + found[1] - self._total + astride
                reached = best[end]
                if reached is None or score > reached[0]:
                    best[end] = (score, before[1] + found[0])
        whole = best[-1]
        return whole[1] if whole else ""


def looks_like_pinyin(text: str) -> bool:
    """Whether most small words of a text are syllables of pinyin, as in no sentence of English."""
    words = [word for word in _WORD.findall(text) if len(word) > 1]
    spelled = [word for word in words if _is_spelled(word)]
    if any(word in ENGLISH_STOPWORDS for word in words if word not in spelled):
        return False
    foreign = [word for word in spelled if word not in ENGLISH_STOPWORDS]
    return len(foreign) >= _FEWEST and len(spelled) >= _SHARE * len(words)


def _is_spelled(word: str) -> bool:
    """Whether a word is a row of syllables; a pattern would try all ways to cut it ("xi an", "xian")."""
    ends = [True] + [False] * len(word)
    for end in range(1, len(word) + 1):
        starts = range(max(0, end - _LONGEST), end)
        ends[end] = any(ends[start] and word[start:end] in _SYLLABLES for start in starts)
    return bool(word) and ends[-1]


def _stretches(run: str) -> list[tuple[bool, list[str]]]:
    """A row of words cut where pinyin begins and ends."""
    out: list[tuple[bool, list[str]]] = []
    for word in run.split():
        spelled = _is_spelled(word)
        if out and out[-1][0] == spelled:
            out[-1][1].append(word)
        else:
            out.append((spelled, [word]))
    return out
