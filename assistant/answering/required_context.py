"""What a quoted sentence requires beside it: the list that it introduces, its code, the advice after it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from assistant.query.answer_type import asks_for_code, asks_for_means, missing
from assistant.query.question import Question
from assistant.retrieval.sentences import text_of
from assistant.text.advice import advises
from assistant.text.references import needs_antecedent
from index.search.passage import Passage, ScoredSentence

_LONG_CODE = 420  # characters; longer code is not quoted
_SHORT_CODE = 120  # the same of code elsewhere in the section
_DOING = ("howto", "breaking", "deprecation")  # intents of questions on what to do
_LABEL = 40  # characters; shorter prose before code is its label
_LONG_ANTECEDENT = 200  # characters; a longer sentence before one that refers to it is left out
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
    out.update(dict.fromkeys(_antecedents(passage, chosen)))
    if question.intent in _DOING or asks_for_code(question.clean) or asks_for_means(question.clean):
        last = max(every.index(sentence) for sentence in out)
        out.update(dict.fromkeys(_code(passage, last)))
    return list(out)


def _antecedents(passage: Passage, chosen: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """Return the sentences right before those that need them ("Therefore ..."), unless they are long."""
    every = list(passage.sentences)
    found: list[ScoredSentence] = []
    for sentence in chosen:
        place = every.index(sentence)
        if sentence.span.kind != "prose" or not place or not needs_antecedent(text_of(passage, sentence)):
            continue
        before = every[place - 1]
        if before.span.kind == "prose" and len(text_of(passage, before)) <= _LONG_ANTECEDENT:
            found.append(before)
    return found


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


def _code(passage: Passage, last: int) -> list[ScoredSentence]:
    """Return the code after a sentence with labels in between ("Version 2.8"), else the first short code.

    Args:
        passage: that the sentence is of.
        last: number of the sentence.
    """
    every = list(passage.sentences)
    found: list[ScoredSentence] = []
    for sentence in every[last + 1 :]:
        text = text_of(passage, sentence)
        found.append(sentence)
        if sentence.span.kind == "code":
            return found if len(text) <= _LONG_CODE else []
        if sentence.span.kind != "prose" or len(text) >= _LABEL:
            break
    for place, sentence in enumerate(every):
        if sentence.span.kind == "code" and len(text_of(passage, sentence)) <= _SHORT_CODE:
            before = every[place - 1 : place]  # "Turn it on so:" comes with it
            return [*(s for s in before if text_of(passage, s).endswith((":", "："))), sentence]
    return []
