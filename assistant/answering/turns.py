"""Reads what a turn of a conversation is: a question, an act such as thanks, or something off topic."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assistant.query.acts import FOLLOW_UP, LANGUAGE_ACTS, OFF_TOPIC, RETELLINGS, Act, PhraseBook, main_act
from assistant.query.entities import entities
from assistant.query.question import Question, has_words, refers_back
from assistant.retrieval.subject import SubjectClassifier
from assistant.text.platforms import place_spans
from corpus.shipped import SHIPPED
from index.embedding.base import Embedder, Vectors
from index.search.retriever import Retriever
from ingest.document import Language
from ingest.locked_property import locked_cached_property

Rows: TypeAlias = NDArray[np.bool_]

#: Small talk that may stand before or after a question in one turn ("thanks! And how do I turn it on?").
_BESIDE = frozenset(("greeting", "thanks", "acknowledgement", "goodbye", "help", *LANGUAGE_ACTS))
_CLAUSE_END = re.compile(r"(?:[.!?,;:~…](?=\s)|[。！？，；：～\n]|[.!?~…]$)+\s*")
#: Least cosine of a turn to the nearest phrase of an act, and least lead over the nearest follow-up and the
#: nearest question about something else. Set, as all these numbers, on some 240 turns written for it.
_NEAR, _LEAD, _LEAD_OFF = 0.64, 0.08, 0.02
_NEAR_LANGUAGE = 0.72  # the same for "in Chinese", which questions about languages come near to
_SURELY_OFF = 0.8  # cosine from which plain words that are also terms ("weights") do not count
#: Logistic regression of whether a turn that names nothing leans on the question before. Bias and weights:
#: cosine to the nearest follow-up, cosine to the nearest question about other things, log odds of being about
#: PyTorch, having a word that no text of the index has.
_LEANS = (-9.2, 26.6, -8.9, 0.9, -1.1)
_LEANS_BY_WORDS = 2.0  # log odds that words such as "it" count for
_OFF_SUBJECT = -1.5  # log odds below which a turn that does not lean is about something else
_NAME, _RARE = 5, 3  # least characters of a name, and most texts that contain a rare one
_LONGEST, _LONGEST_QUESTION = 100, 400  # characters; longer turns are no acts, and surely questions
_CHINESE_NAMED = re.compile(r"中文|汉语|\bchinese\b|\bmandarin\b", re.I)
_ENGLISH_NAMED = re.compile(r"英文|英语|\benglish\b", re.I)
_VERSION = re.compile(r"\d\.\d")
_REMEMBERED = 512  # turns; the earlier turns of a conversation are read again with each new one


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a conversation.

    Attributes:
        text: the turn as typed.
        question: the turn without small talk before and after its question; `text` if it is an act.
        act: what the turn does, if it asks nothing of the notes.
        language: language that it asks to be answered in ("in Chinese please").
        neutral: whether its words do not tell its language ("ok").
        off_topic: whether it is a question about something else than the index.
        stands_alone: whether it is no follow-up, although it may be as short as one.
    """

    text: str
    question: str
    act: Act | None = None
    language: Language | None = None
    neutral: bool = False
    off_topic: bool = False
    stands_alone: bool = False

    @property
    def has_words(self) -> bool:
        """Whether the text contains a letter, a Chinese character or a digit."""
        return has_words(self.text)


class TurnReader:
    """Reads turns by phrases, by their nearness to them, and by what they name.

    Args:
        book: the phrases.
        embedder: embeds turns and phrases.
        retriever: over the index that questions are answered from.
        subject: tells questions about PyTorch from others; None if it was not trained for the embedder, and
            nearness is not used either.
        understand: parses a question without any before it.
    """

    def __init__(
        self,
        book: PhraseBook,
        embedder: Embedder,
        retriever: Retriever,
        subject: SubjectClassifier | None,
        understand: Callable[[str], Question],
    ) -> None:
        self._book = book
        self._embedder = embedder
        self._retriever = retriever
        self._subject = subject
        self._understand = understand
        self._cached = lru_cache(maxsize=_REMEMBERED)(self._read)

    def read(self, text: str, *, opening: bool = False) -> Turn:
        """Read a turn.

        Args:
            text: the turn as typed.
            opening: whether nothing was asked before, so that "what is this?" means the assistant.
        """
        return self._cached(text, opening)

    def _read(self, text: str, opening: bool) -> Turn:
        covered = self._book.cover(text, opening=opening)
        if covered:
            act = main_act(covered.acts)
            return Turn(text, text, act, _language_of(covered.acts), covered.neutral)
        question, language = self._without_small_talk(text)
        turn = self._near(question, opening)
        if language and (turn.act or turn.off_topic):  # "I read no English, in Chinese please"
            return Turn(text, text, "chinese" if language == "zh" else "english", language)
        return replace(turn, text=text, language=turn.language or language)

    def _without_small_talk(self, text: str) -> tuple[str, Language | None]:
        """Return a turn without small talk at its beginning and end, and the language that this asks for."""
        ends = [match.end() for match in _CLAUSE_END.finditer(text)]
        bounds = [0, *(end for end in ends if end < len(text)), len(text)]
        clauses = [(start, end) for start, end in pairwise(bounds) if end > start]
        left_out: list[Act] = []
        for place in (0, -1):
            while len(clauses) > 1:
                covered = self._book.cover(text[slice(*clauses[place])])
                if covered is None or not _BESIDE.issuperset(covered.acts):
                    break
                left_out += covered.acts
                del clauses[place]
        question = text[clauses[0][0] : clauses[-1][1]].strip(" ,，;；:：\n") if clauses else text
        return question, _language_of(left_out)

    def _near(self, text: str, opening: bool) -> Turn:
        """Read a turn by the embedding model: what it is near to, and whether it is about the index."""
        question = Turn(text, text)
        if self._subject is None or len(text) > _LONGEST_QUESTION:
            return question
        asked = self._understand(text)
        named = asked.scope.named or _VERSION.search(asked.clean) or place_spans(asked.clean)
        if not asked.has_words or named or self._has_name(asked):
            return question
        vector = self._embedder.encode_query(asked.clean)
        cosines = self._vectors @ vector
        acts, follow_up, off = (
            float(cosines[rows].max()) for rows in (self._act_rows, self._follow_up_rows, self._off_rows)
        )
        short = len(text) <= _LONGEST
        if short and not asked.terms and acts >= max(_NEAR, follow_up + _LEAD, off + _LEAD_OFF):
            act = self._labels[int(np.argmax(np.where(self._act_rows, cosines, -1.0)))]
            if not (opening and act in RETELLINGS) and (act not in LANGUAGE_ACTS or acts >= _NEAR_LANGUAGE):
                return _act(text, act)  # type: ignore[arg-type]
        if off >= max(_SURELY_OFF, follow_up):
            return replace(question, off_topic=True, stands_alone=True)
        if asked.terms or self._has_rare_word(asked):
            return question
        on_subject = self._subject.log_odds(vector)
        unknown = any(term not in self._retriever.generation.terms for term in self._terms(asked))
        leaning = float(np.dot(_LEANS, (1.0, follow_up, off, on_subject, float(unknown))))
        leaning += _LEANS_BY_WORDS * refers_back(asked.clean)
        if short and leaning < 0:
            return replace(question, off_topic=on_subject < _OFF_SUBJECT, stands_alone=True)
        away = on_subject < self._subject.away and not refers_back(asked.clean) and not short
        return replace(question, off_topic=away, stands_alone=away)

    def _has_name(self, asked: Question) -> bool:
        """Check whether a question names something that the index knows."""
        names = [names for names in entities(asked, proper=True) if names[0] not in self._book.words]
        terms, segmenter = self._retriever.generation.terms, self._retriever.segmenter
        return any(term in terms for names_ in names for name in names_ for term in segmenter.terms(name))

    def _has_rare_word(self, asked: Question) -> bool:
        """Check whether a question has a word that some text of the index contains, but few do.

        The classifier of subjects knows PyTorch only, so that such a word, say a name in the notes of another
        project, speaks for the index. What ships is about PyTorch, and its rare words are anyone's.
        """
        generation = self._retriever.generation
        if all(document.origin.startswith(SHIPPED) for document in generation.documents.values()):
            return False
        terms = generation.terms
        return any(
            len(term) >= _NAME and term in terms and len(terms.holding([term])) <= _RARE
            for term in self._terms(asked)
        )

    def _terms(self, asked: Question) -> list[str]:
        return self._retriever.segmenter.terms(asked.clean)

    @locked_cached_property
    def _vectors(self) -> Vectors:
        """Vectors of the phrases, of shape (phrases, d)."""
        return self._embedder.encode_documents(list(self._book.texts))

    @property
    def _labels(self) -> list[str]:
        return list(self._book.texts.values())

    @locked_cached_property
    def _follow_up_rows(self) -> Rows:
        return np.array([label == FOLLOW_UP for label in self._labels])

    @locked_cached_property
    def _off_rows(self) -> Rows:
        return np.array([label == OFF_TOPIC for label in self._labels])

    @locked_cached_property
    def _act_rows(self) -> Rows:
        return np.array([label not in (FOLLOW_UP, OFF_TOPIC) for label in self._labels])


def _act(text: str, act: Act) -> Turn:
    """Return a turn near to an act; of two languages that it names, the last is asked for."""
    if act not in LANGUAGE_ACTS:
        return Turn(text, text, act)
    last = {
        language: max((match.start() for match in pattern.finditer(text)), default=-1)
        for language, pattern in (("chinese", _CHINESE_NAMED), ("english", _ENGLISH_NAMED))
    }
    if max(last.values()) < 0:
        return Turn(text, text)
    act = "chinese" if last["chinese"] > last["english"] else "english"
    return Turn(text, text, act, LANGUAGE_ACTS[act])


def _language_of(acts: Collection[str]) -> Language | None:
    """Return the language that acts ask for, or None if they ask for none, or for both."""
    languages = [language for act, language in LANGUAGE_ACTS.items() if act in acts]
    return languages[0] if len(languages) == 1 else None
