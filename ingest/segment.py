"""Segmentation of text into terms for the lexical index.

Identifiers, flags, environment variables and versions are kept whole (`torch._dynamo.mark_dynamic`,
`--device`, `2.10`, `#156181`) and followed by their parts, so that both spellings match. Chinese is split by
jieba with the glossary as user dictionary; words unknown to jieba also yield character bigrams. Case,
full-width and traditional forms are folded.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingest.dictionary import load_tokenizer
from ingest.language import HAN
from ingest.locked_property import locked_cached_property

if TYPE_CHECKING:
    import jieba

# The order of the alternatives matters. With `re.ASCII`, \w does not match Chinese.
_TOKEN = re.compile(
    rf"""
    (?P<han>[{HAN}]+)
  | (?P<pull>\#\d{{3,6}})
  | (?P<flag>--[A-Za-z][\w-]+)
  | (?P<number>\d+(?:[.,:]\d+)*(?P<unit>%|[A-Za-z]\w*(?:-[A-Za-z]\w*)*)?)
  | (?P<name>(?<!_)_*[A-Za-z]\w*(?:(?:\.|::|->|[-/+&])_*[A-Za-z0-9]\w*)*(?:\+\+)?\#?)
    """,
    re.X | re.ASCII,
)
# A character with combining marks, or a sequence of joined emoji, must not be broken.
_MODIFIERS = r"[\u0300-\u036f\u20e3\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]*"
_CHARACTER = re.compile(rf".{_MODIFIERS}(?:\u200d.{_MODIFIERS})*", re.S)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", re.ASCII)
_VERSION = re.compile(r"v\d+(?:\.\d+)+")
_SPLIT = re.compile(r"(?:\.|::|->|[-/+&_])+")
_ENGLISH = (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it "
    "its just me my no not of on or our should so than that the their them then there these they this to was "
    "we were what when where which who why will with would you your"
)
_CHINESE = (
    "的 了 在 是 和 与 及 或 也 都 就 还 而 但 被 把 给 让 我 你 他 它 们 我们 你们 他们 它们 "
    "这 那 这个 那个 哪 哪个 哪些 什么 怎么 怎样 如何 吗 呢 吧 啊 里 中 上 下 从 到 对 为 以 于 由 向 "
    "有 没有 一个 一种 些 个 之 其 该 此 并 等 会 能 可以 要 想 请 再 又 很 更 最 不 来 去 用"
)
_WHOLE_FREQUENCY = 20_000
_LONGEST_RUN = 500  # Chinese characters that are split at once
_TEXTS_KEPT = 8192
_QUESTIONS_KEPT = 32  # a question is segmented several times, the text of a document only once
_LONGEST_KEPT = 4096  # characters
_STEMMING = threading.Lock()  # the stemmer is stateful
ENGLISH_STOPWORDS = frozenset(_ENGLISH.split())
CHINESE_STOPWORDS = frozenset(_CHINESE.split())


def fold(text: str) -> str:
    """Fold full-width forms (NFKC) and case; the length may change.

    Args:
        text: any text.

    >>> fold("ＦＵＮＣＴＯＲＣＨ　２.０")
    'functorch 2.0'
    """
    return unicodedata.normalize("NFKC", text).casefold()


class Segmenter:
    """Splits text into terms.

    Args:
        words: names of the glossary that jieba must keep whole.
        cache_folder: folder for the parsed dictionary; None, or one that cannot be written: parse it every
            time.

    Attributes:
        whole_words: the given words.
    """

    def __init__(self, words: Iterable[str] = (), *, cache_folder: Path | None = None) -> None:
        self.whole_words = tuple(words)
        self._cache_folder = cache_folder
        self._last_terms = lru_cache(maxsize=_QUESTIONS_KEPT)(self._cut)
        self._vocabulary = lru_cache(maxsize=_TEXTS_KEPT)(lambda text: frozenset(self.terms(text)))

    @locked_cached_property
    def _jieba(self) -> jieba.Tokenizer:
        tokenizer = load_tokenizer(self._cache_folder)
        names = (
            run for word in self.whole_words for run in re.findall(f"[{HAN}]{{2,}}", simplify(fold(word)))
        )
        for name in dict.fromkeys(names):
            # A frequency this high keeps any name whole, and saves jieba computing one.
            tokenizer.add_word(name, max(_WHOLE_FREQUENCY, tokenizer.FREQ.get(name, 0)))
        return tokenizer

    def frequencies(self) -> Mapping[str, int]:
        """Return the frequency of each word and word prefix in jieba's dictionary."""
        frequencies: Mapping[str, int] = self._jieba.FREQ
        return frequencies

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text in order, without stop words, compound names followed by their parts.

        Args:
            text: any text.
        """
        return [*(self._last_terms(text) if len(text) <= _LONGEST_KEPT else self._cut(text))]

    def _cut(self, text: str) -> tuple[str, ...]:
        out: list[str] = []
        for match in _TOKEN.finditer(simplify(unicodedata.normalize("NFKC", text))):
            token = match[0]
            if match["han"]:
                out.extend(self._han_terms(token))
            elif match["pull"]:
                out.append(token)
            elif match["number"]:
                out.extend(_number_terms(token, match["unit"] or ""))
            else:
                out.extend(_name_terms(token))
        return tuple(out)

    def vocabulary(self, text: str) -> frozenset[str]:
        """Return the set of terms of a text; cached, because questions return to the same passages.

        Args:
            text: any text.
        """
        return self._vocabulary(text)

    def words(self, text: str) -> list[str]:
        """Split a text into pieces that must not be broken; joined, they are the text again.

        Args:
            text: any text.
        """
        out: list[str] = []
        position = 0
        for match in _TOKEN.finditer(text):
            out.extend(_CHARACTER.findall(text, position, match.start()))
            out.extend(self._han_words(match[0]) if match["han"] else [match[0]])
            position = match.end()
        out.extend(_CHARACTER.findall(text, position))
        return out

    def _han_words(self, text: str) -> Iterator[str]:
        # jieba takes quadratic time in the length of a run; real ones are far shorter.
        for start in range(0, len(text), _LONGEST_RUN):
            yield from self._jieba.cut(text[start : start + _LONGEST_RUN])

    def _han_terms(self, text: str) -> Iterator[str]:
        for word in self._han_words(text):
            if word in CHINESE_STOPWORDS:
                continue
            yield word
            if len(word) > 2:
                known = [word[i : i + n] for n in (2, 3) for i in range(len(word) - n + 1)]
                yield from (part for part in known if part != word and self._jieba.FREQ.get(part))
            if len(word) > 2 and not self._jieba.FREQ.get(word):
                yield from (word[i : i + 2] for i in range(len(word) - 1))


def _number_terms(token: str, unit: str) -> list[str]:
    """Return a number with and without its unit: "1.6x" is found by "1.6" too."""
    whole = token.casefold().replace(",", "")
    return [whole, whole.removesuffix(unit.casefold())] if unit else [whole]


@lru_cache(maxsize=65536)
def _name_terms(token: str) -> tuple[str, ...]:
    """Return a name, its dotted and underscored parts, and the words of CamelCase; English words as stems."""
    whole = token.casefold()
    if whole in ENGLISH_STOPWORDS:
        return ()
    if token.isalpha() and (token.islower() or token.istitle()):
        return (stem(whole),)
    terms = [whole, whole[1:]] if _VERSION.fullmatch(whole) else [whole]
    for piece in _SPLIT.split(token):
        folded = piece.casefold()
        terms.append(folded)
        words = [word.casefold() for word in _PART.findall(piece)]
        terms.extend(stem(word) for word in words if len(word) > 1)
    return tuple(dict.fromkeys(term for term in terms if term and term not in ENGLISH_STOPWORDS))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the stem of an English word (Porter 2, snowballstem.org/algorithms/english/stemmer.html).

    Args:
        word: a word in lower case.
    """
    with _STEMMING:
        return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> Any:  # noqa: ANN401 - the package has no types
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def simplify(text: str) -> str:
    """Replace traditional Chinese characters by simplified ones, one for one.

    Args:
        text: any text.
    """
    return text.translate(_traditional())


@lru_cache(maxsize=1)
def _traditional() -> dict[int, str]:
    """Return OpenCC's character table with its first choices; phrases do not matter for matching."""
    import opencc

    path = Path(opencc.__file__).parent / "dictionary" / "TSCharacters.txt"
    table: dict[int, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        traditional, _, simplified = line.partition("\t")
        if len(traditional) == 1 and simplified:
            table[ord(traditional)] = simplified.split()[0]
    return table
