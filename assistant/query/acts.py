"""Acts of a conversation: turns that are no questions about the notes.

Some tell nothing, such as thanks; others ask for the last answer in another form, such as "shorter". A turn is
an act only if it holds nothing else. Its words are covered, from the first to the last, by phrases of
`acts.toml`; letter case, punctuation, emoji, full-width forms and repeated letters do not count.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from ingest.language import HAN
from ingest.segment import simplify

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PHRASES = Path(__file__).with_name("acts.toml")

#: Acts that tell nothing of the notes. In a turn with several, the last of this order counts.
SmallTalk = Literal["acknowledgement", "greeting", "thanks", "goodbye", "unclear", "help", "identity"]
#: Acts that ask for the last answer in another form.
Retelling = Literal["more", "shorter", "code", "sources", "proof", "chinese", "english"]
Act = Literal[SmallTalk, Retelling]

SMALL_TALK: tuple[SmallTalk, ...] = get_args(SmallTalk)
RETELLINGS: tuple[Retelling, ...] = get_args(Retelling)
LANGUAGE_ACTS: Mapping[str, Literal["zh", "en"]] = {"chinese": "zh", "english": "en"}
#: Sorts of phrases that are no acts, for the embedding model to tell acts from.
FOLLOW_UP, OFF_TOPIC = "follow_up", "off_topic"
_FILLER, _REQUEST, _OPENING_HELP = "filler", "request", "opening_help"
_COMPARED = frozenset((*SMALL_TALK, *RETELLINGS, FOLLOW_UP, OFF_TOPIC))
_LONGEST = 24  # words; a longer turn is no act
_HAN = re.compile(f"[{HAN}]")
_TOKEN = re.compile(rf"[{HAN}]|[^\W{HAN}]+")
_RUN = re.compile(r"(.)\1{2,}")  # a letter written three times or more, as in "sooo"
_SYLLABLES = re.compile(r"([a-z]{2})\1{2,}", re.ASCII)  # "hahaha"
_HAN_RUN = re.compile(rf"([{HAN}])\1+")
_UNSEEN = re.compile("[\u200d\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")  # joins and colours of emoji


@dataclass(frozen=True, slots=True)
class Covered:
    """The acts that a turn consists of.

    Attributes:
        acts: acts of its phrases, each once, in their order.
        neutral: whether its words are written in both languages, such as "ok".
    """

    acts: tuple[Act, ...]
    neutral: bool


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase by its kind: an act, or words that stand beside one."""

    kind: str
    neutral: bool = False


class PhraseBook:
    """The phrases by which acts are recognised.

    Args:
        phrases: phrases by kind and by "en", "zh" or "any".

    Attributes:
        texts: the phrases that turns are compared with by the embedding model, and what each is: an act,
            `FOLLOW_UP` or `OFF_TOPIC`.
        words: all words of phrases, in lower case.
    """

    def __init__(self, phrases: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        self._phrases: dict[tuple[str, ...], list[_Phrase]] = {}
        self.words: set[str] = set()
        self.texts: dict[str, str] = {}
        for kind, by_language in phrases.items():
            for language, texts in by_language.items():
                for text in texts:
                    if kind in _COMPARED and _TOKEN.search(text):
                        self.texts.setdefault(text, kind)
                    if kind not in (FOLLOW_UP, OFF_TOPIC):
                        words = tuple(_words(text))
                        self._phrases.setdefault(words, []).append(_Phrase(kind, language == "any"))
                        self.words.update(words)
        self._longest = max(map(len, self._phrases))

    def cover(self, text: str, *, opening: bool = False) -> Covered | None:
        """Return the acts that a text consists of, or None if it holds anything else.

        Args:
            text: a turn, or a part of one.
            opening: whether nothing was asked before, so that "what is this?" means the assistant.
        """
        words = [self._known(word) for word in _words(text)]
        if not 0 < len(words) <= _LONGEST:
            return None
        found = self._best(words, frozenset((_FILLER,)), opening) or self._best(
            words, frozenset((_FILLER, _REQUEST)), opening
        )
        if found is None:
            return None
        acts = tuple(dict.fromkeys(_act(phrase.kind) for phrase in found))
        if acts == ("acknowledgement",) and text.rstrip().endswith(("?", "？")):
            acts = ("proof",)  # "right?"
        return Covered(acts, all(phrase.neutral for phrase in found))

    def _best(self, words: Sequence[str], beside: frozenset[str], opening: bool) -> list[_Phrase] | None:
        """Cover words by the fewest phrases, at least one, and words that may stand beside them."""
        best: list[tuple[int, list[_Phrase]] | None] = [(0, []), *[None] * len(words)]
        with_phrase: list[tuple[int, list[_Phrase]] | None] = [None] * (len(words) + 1)
        for end in range(1, len(words) + 1):
            for start in range(max(0, end - self._longest), end):
                for phrase in self._phrases.get(tuple(words[start:end]), ()):
                    if phrase.kind in (_FILLER, _REQUEST):
                        if phrase.kind in beside:
                            best[end] = _fewer(best[end], best[start], None)
                            with_phrase[end] = _fewer(with_phrase[end], with_phrase[start], None)
                    elif (phrase.kind != _OPENING_HELP or opening) and (
                        _REQUEST not in beside or phrase.kind in RETELLINGS or phrase.kind == "help"
                    ):
                        for before in (best[start], with_phrase[start]):
                            with_phrase[end] = _fewer(with_phrase[end], before, phrase)
        last = with_phrase[-1]
        return last[1] if last else None

    def _known(self, word: str) -> str:
        """Return a word without repeated letters, if that makes it a word of a phrase."""
        if word in self.words or not _RUN.search(word):
            return word
        twice, once = _RUN.sub(r"\1\1", word), _RUN.sub(r"\1", word)
        return twice if twice in self.words else once


@lru_cache(maxsize=1)
def load_phrases(path: Path = PHRASES) -> PhraseBook:
    """Read the phrases.

    Args:
        path: path of the TOML file.
    """
    return PhraseBook(tomllib.loads(path.read_text(encoding="utf-8")))


def main_act(acts: Iterable[Act]) -> Act:
    """Return the act that a turn with several is about: what is asked for before what is merely said.

    Args:
        acts: acts of a turn, at least one.
    """
    order: tuple[str, ...] = (*SMALL_TALK, *LANGUAGE_ACTS, *(r for r in RETELLINGS if r not in LANGUAGE_ACTS))
    return max(acts, key=order.index)


def _act(kind: str) -> Act:
    return "help" if kind == _OPENING_HELP else kind  # type: ignore[return-value]


def _fewer(
    held: tuple[int, list[_Phrase]] | None, before: tuple[int, list[_Phrase]] | None, phrase: _Phrase | None
) -> tuple[int, list[_Phrase]] | None:
    """Return the covering with fewer phrases: the one held, or the one before with one more phrase."""
    if before is None:
        return held
    count = before[0] + (phrase is not None)
    if held is not None and held[0] <= count:
        return held
    return count, [*before[1], phrase] if phrase else before[1]


def _words(text: str) -> list[str]:
    """Split a text into words without apostrophes and Chinese characters; without any, into its emoji."""
    clean = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold()
    clean = re.sub(r"['’`]", "", clean)
    clean = _HAN_RUN.sub(r"\1", simplify(clean) if _HAN.search(clean) else clean)
    words = [_SYLLABLES.sub(r"\1\1", word) for word in _TOKEN.findall(clean)]
    return words or list(dict.fromkeys(c for c in clean if unicodedata.category(c) == "So"))
