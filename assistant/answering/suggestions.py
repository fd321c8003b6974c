"""Suggests questions to ask next: those that the notes answer, near what was asked and not answered yet.

The questions ship with the sentences that answer them (`make suggestions`), so that one whose answer was just
given is passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from assistant.answer import Answer
from assistant.retrieval.known_questions import section_name, sentence_key
from index.search.passage import Passage
from ingest.document import Language

MODEL = Path(__file__).with_name("suggestions.json")
_MOST = 3
_MOST_OF_SECTION = 1
_SAME = 0.5  # Jaccard index of the words of two questions that ask the same
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


def suggested_questions(answer: Answer, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """Return up to three questions to ask next, in the language of an answer.

    Args:
        answer: the answer. Its cited sections come first, then the others that were found for it.
        asked: all questions of the conversation, which are not suggested again.
    """
    quoted = (
        {sentence_key(citation.quote) for citation in answer.citations} if not answer.abstained else set()
    )
    sections = dict.fromkeys(map(section_name, _digests(answer)))
    return tuple(_chosen(sections, answer.language, quoted, [*asked, answer.standalone]))


def _digests(answer: Answer) -> Iterable[Passage]:
    cited = (citation.passage for citation in answer.citations)
    return (passage for passage in (*cited, *answer.passages) if passage.document.kind == "digest")


def _chosen(sections: Iterable[str], language: Language, quoted: Set[int], asked: Sequence[str]) -> list[str]:
    """Return the first questions of sections that are neither answered nor like one that was asked."""
    words = [_words(text) for text in asked]
    chosen: list[str] = []
    for section in sections:
        found = 0
        for question in load_suggestions().get(section, {}).get(language, ()):
            own = _words(question.text)
            if found == _MOST_OF_SECTION or len(chosen) == _MOST:
                break
            if not quoted.isdisjoint(question.answers) or any(_alike(own, other) for other in words):
                continue
            chosen.append(question.text)
            words.append(own)
            found += 1
    return chosen


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
