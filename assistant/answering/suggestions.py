"""Suggests questions to ask next: those that the notes answer, near what was asked and not answered yet.

The questions ship with the sentences that answer them (`make suggestions`), so that one whose answer was just
given is passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from assistant.answer import Answer
from assistant.answering.caveat import OF_ONE_THING
from assistant.answering.plan import AskRequest
from assistant.retrieval.known_questions import section_name, sentence_key
from index.search.passage import Passage
from ingest.document import Language
from ingest.language import HAN

MODEL = Path(__file__).with_name("suggestions.json")
_MOST = 3
_MOST_CITED = 2  # of a section that is cited; of any other one
_NEAREST = 3  # passages whose sections need no name in common with the question
_SAME = 0.5  # Jaccard index of the words of two questions that ask the same
_LATIN = re.compile(r"[A-Za-z][\w.]*\w", re.ASCII)
_NO_NAMES = frozenset(("pytorch", "torch"))
_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(r"[a-z0-9_.]*[a-z0-9_]|[\u3400-\u9fff]")


class SuggestedQuestion(NamedTuple):
    """A question that a section answers.

    Attributes:
        text: the question.
        answers: keys of the sentences that answer it, in both languages.
    """

    text: str
    answers: tuple[int, ...]


#: Questions by section, such as "2.4/tcpstore-libuv", and language.
Suggestions = Mapping[str, Mapping[Language, Sequence[SuggestedQuestion]]]


def finished(answer: Answer, request: AskRequest) -> Answer:
    """Return an answer with the question as it was typed, and with questions to ask next.

    Args:
        answer: the answer.
        request: question and history that it was asked with.
    """
    next_ = suggested_questions(answer, (*request.history, request.question))
    return replace(answer, question=request.question, suggestions=next_)


def suggested_questions(answer: Answer, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """Return up to three questions to ask next, in the language of an answer.

    Args:
        answer: the answer. Its cited sections come first, then those found for it. A question about another
            section than the cited and nearest ones that are about one thing has a name in common with what
            was asked or cited: lists of fixes and the like tell of anything.
        asked: all questions of the conversation, which are not suggested again.
    """
    told = () if answer.abstained else answer.citations
    quoted = {sentence_key(citation.quote) for citation in told}
    cited = {section_name(citation.passage) for citation in told}
    first = (*(citation.passage for citation in told), *answer.passages[:_NEAREST])
    close = {section_name(passage) for passage in first if passage.status in OF_ONE_THING}
    headings = (heading for citation in told for heading in citation.passage.chunk.headings[-1:])
    names = set[str]().union(*map(_names, (*asked, answer.standalone, *headings)))
    words = [_words(text) for text in (*asked, answer.standalone)]
    chosen: list[str] = []
    for section in dict.fromkeys(map(section_name, _digests(answer))):
        found = 0
        for question in load_suggestions().get(section, {}).get(answer.language, ()):
            own = _words(question.text)
            related = section in close or not names.isdisjoint(_names(question.text))
            answered = not quoted.isdisjoint(question.answers)
            if related and not answered and not any(_alike(own, other) for other in words):
                chosen.append(question.text)
                words.append(own)
                found += 1
            if found == (_MOST_CITED if section in cited else 1):
                break
    return tuple(chosen[:_MOST])


def _digests(answer: Answer) -> Iterable[Passage]:
    cited = (citation.passage for citation in answer.citations)
    return (passage for passage in (*cited, *answer.passages) if passage.document.kind == "digest")


def _names(text: str) -> set[str]:
    """Return the names in a text: words with a capital, a digit or a dot, among Chinese any Latin word."""
    chinese = _HAN.search(text)
    found = (match for match in _LATIN.finditer(text) if len(match[0]) > 2)
    names = (
        match[0].casefold()
        for match in found
        if chinese or (match.start() and match[0][0].isupper()) or not match[0][1:].islower()
    )
    return set(names) - _NO_NAMES


def _words(text: str) -> set[str]:
    """Return the words of a text, each Chinese character as one."""
    return set(_WORD.findall(text.casefold()))


def _alike(left: set[str], right: set[str]) -> bool:
    return len(left & right) > _SAME * len(left | right)


@lru_cache(maxsize=1)
def load_suggestions(path: Path = MODEL) -> Suggestions:
    """Read the questions that ship.

    Args:
        path: of the JSON file.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    return {
        section: {
            language: [SuggestedQuestion(text, tuple(answers)) for text, answers in questions]
            for language, questions in by_language.items()
        }
        for section, by_language in data.items()
    }
