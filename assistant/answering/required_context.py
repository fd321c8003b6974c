"""What a quoted sentence requires beside it: the list that it introduces, its code, the advice after it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from assistant.query.answer_type import asks_for_code, missing
from assistant.query.question import Question
from assistant.retrieval.sentences import text_of
from assistant.text.advice import advises
from index.search.passage import Passage, ScoredSentence

_LONG_CODE = 420  # characters; longer code is not quoted
_SHORT_CODE = 160  # characters; longer code is quoted only where code is asked for: prose tells what it shows
_LABEL = 40  # characters; shorter prose before code is its label
_MOST_ITEMS = 6  # items of a list introduced by a chosen sentence; longer lists are not quoted
_ITEMS_LENGTH = 500  # characters of such a list


def completed(question: Question, passage: Passage, chosen: list[ScoredSentence]) -> list[ScoredSentence]:
    """Add the context that chosen sentences require: the list introduced, the short code after them.

    Args:
        question: parsed question.
        passage: that the sentences are of.
        chosen: sentences to quote.
    """
    every = list(passage.sentences)
    out = dict.fromkeys(chosen)
    for sentence in chosen:
        following = every[every.index(sentence) + 1 :]
        announces = text_of(passage, sentence).rstrip("*_ ").endswith((":", "："))
        if announces or (sentence.span.kind == "prose" and following and following[0].span.kind == "item"):
            items = _items(passage, following)
            out.update(dict.fromkeys(items))
            if announces and not items and len(out) > 1:
                del out[sentence]  # introduces a list that is too long to quote
    if question.intent in ("howto", "breaking", "deprecation"):
        last = max(every.index(sentence) for sentence in out)
        most = _LONG_CODE if asks_for_code(question.clean) else _SHORT_CODE
        out.update(dict.fromkeys(_code(passage, every[last + 1 :], most)))
    return list(out)


def advice_after(
    passage: Passage, sentence: ScoredSentence, chosen: Sequence[ScoredSentence]
) -> list[ScoredSentence]:
    """Return the advice that follows a sentence in its paragraph, if it was not chosen.

    Args:
        passage: that the sentences are of.
        sentence: the sentence that answers best.
        chosen: sentences to quote.
    """
    every = list(passage.sentences)
    for following in every[every.index(sentence) + 1 :][:1]:
        between = passage.document.text[sentence.span.end : following.span.start]
        same = sentence.span.kind == following.span.kind and not between.strip() and "\n" not in between
        if same and following not in chosen and advises(text_of(passage, following)):
            return [following]
    return []


def value_asked_for(
    question: Question, passage: Passage, ranked: Sequence[ScoredSentence], chosen: Sequence[ScoredSentence]
) -> list[ScoredSentence]:
    """Return the sentence with a value of the kind that a question asks for, if no chosen one has it.

    Args:
        question: parsed question.
        passage: that the sentences are of.
        ranked: its sentences, best first.
        chosen: sentences to quote.
    """
    told = [text_of(passage, sentence) for sentence in chosen]
    lacking = missing(question.clean, told)
    if not lacking:
        return []
    giving = (s for s in ranked if missing(question.clean, [*told, text_of(passage, s)]) < lacking)
    return list(islice(giving, 1))


def _items(passage: Passage, following: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """Return the list right after a sentence, or nothing if it is long."""
    items: list[ScoredSentence] = []
    for sentence in following:
        if sentence.span.kind not in ("item", "code") or (items and items[-1].span.kind == "code"):
            break
        items.append(sentence)
    short = len(items) <= _MOST_ITEMS and sum(len(text_of(passage, s)) for s in items) <= _ITEMS_LENGTH
    return items if short else []


def _code(passage: Passage, following: Sequence[ScoredSentence], most: int) -> list[ScoredSentence]:
    """Return the code after a sentence with labels in between ("Version 2.8"), or nothing if it is long."""
    found: list[ScoredSentence] = []
    for sentence in following:
        text = text_of(passage, sentence)
        found.append(sentence)
        if sentence.span.kind == "code":
            return found if len(text) <= most else []
        if sentence.span.kind != "prose" or len(text) >= _LABEL:
            break
    return []
