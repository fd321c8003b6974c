"""Converts pinyin, Chinese typed in Latin letters without tones, to Chinese characters.

The letters are segmented into words of jieba's dictionary as jieba segments characters: a unigram model finds
the most likely sequence of words by dynamic programming. Words that occur in the documents get a higher
weight.
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
_SHARE = 0.7  # least share of pinyin among the lower-case words of a question in pinyin
_FEWEST = 3  # least number of words in pinyin that are not English stop words
_RARE = 100  # in jieba's count of 60 million words; rarer words are mostly names of persons and places
_IN_DOCUMENTS = math.log(200)  # added to the log weight of words in the documents
_ASTRIDE = -3.0  # log penalty for each end of a word that lies within a typed word


class Pinyin:
    """Converts pinyin without tones.

    Args:
        frequencies: returns the counts of Chinese words.
        known: checks whether a word occurs in the documents.
    """

    def __init__(self, frequencies: Callable[[], Mapping[str, int]], known: Callable[[str], bool]) -> None:
        self._frequencies = frequencies
        self._known = known

    def read(self, text: str) -> str:
        """Convert a question in pinyin to Chinese, keeping names.

        Args:
            text: question as typed.

        Returns:
            The converted question, or `text` itself if it does not look like pinyin.
        """
        if not looks_like_pinyin(text):
            return text
        return _RUN.sub(lambda match: self._chinese(match[0]), text)

    @locked_cached_property
    def _words(self) -> dict[str, tuple[str, float]]:
        """The most likely word of each spelling, with its log weight."""
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
        """Length of the longest spelling in letters."""
        return max(map(len, self._words), default=0)

    @locked_cached_property
    def _total(self) -> float:
        """Logarithm of the total word count."""
        return math.log(sum(self._frequencies().values()))

    def _chinese(self, run: str) -> str:
        """Convert a run of words, keeping those that are not pinyin."""
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
    """Check whether most lower-case words of a text are pinyin syllables, as in no English sentence.

    Args:
        text: question as typed.
    """
    words = [word for word in _WORD.findall(text) if len(word) > 1]
    spelled = [word for word in words if _is_spelled(word)]
    if any(word in ENGLISH_STOPWORDS for word in words if word not in spelled):
        return False
    foreign = [word for word in spelled if word not in ENGLISH_STOPWORDS]
    return len(foreign) >= _FEWEST and len(spelled) >= _SHARE * len(words)


def _is_spelled(word: str) -> bool:
    """Check in linear time whether a word is a sequence of syllables, which may be split in many ways."""
    ends = [True] + [False] * len(word)
    for end in range(1, len(word) + 1):
        starts = range(max(0, end - _LONGEST), end)
        ends[end] = any(ends[start] and word[start:end] in _SYLLABLES for start in starts)
    return bool(word) and ends[-1]


def _stretches(run: str) -> list[tuple[bool, list[str]]]:
    """Split a run of words into stretches of pinyin and of other words."""
    out: list[tuple[bool, list[str]]] = []
    for word in run.split():
        spelled = _is_spelled(word)
        if out and out[-1][0] == spelled:
            out[-1][1].append(word)
        else:
            out.append((spelled, [word]))
    return out
