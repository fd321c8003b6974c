"""The prompt by which a language model judges sentences of a draft beside the passages, and its replies.

The model gets the passages that the sentences cite, as many as its context has room for, and not those of the
whole draft: the prompt is shorter than the one that the draft was written from.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, get_args

from assistant.llm.client import ChatMessage
from assistant.llm.prompt import (
    PASSAGE,
    QUESTION,
    answer_tokens,
    boundary_of,
    marks_rounded,
    read_prompt,
    room_for_passages,
    shown_name,
    shown_passage,
    tokens_of,
)
from assistant.text.markdown import one_line_title
from assistant.verification.draft import Statement
from assistant.verification.judgement import Judgement, Verdict
from index.search.passage import Passage
from ingest.document import Language

_TOKENS = 120  # of the judgement of a sentence, with its quote
_MOST_SENTENCES = 24
_MOST_CONTEXT = 10_240  # tokens; more room is not used
_SENTENCES: dict[Language, str] = {"zh": "句子", "en": "Sentences"}
_END: dict[Language, str] = {"zh": "资料结束", "en": "End of the data"}
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
#: Of a reply. The quote comes before the verdict, which is decided by what was copied.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "judgements": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "sentence": {"type": "integer"},
                    "passage": {"type": "integer"},
                    "quote": {"type": "string"},
                    "verdict": {"type": "string", "enum": list(_VERDICTS)},
                },
                "required": ["sentence", "passage", "quote", "verdict"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["judgements"],
    "additionalProperties": False,
}


def most_sentences(context: int) -> int:
    """Return how many sentences one reply has room to judge.

    Args:
        context: size of the model's context in tokens.
    """
    return min(_MOST_SENTENCES, answer_tokens(context) // _TOKENS)


def chosen_passages(
    sentences: Sequence[Statement],
    passages: Sequence[Passage],
    language: Language,
    *,
    context: int,
    count_tokens: Callable[[str], int],
) -> list[int]:
    """Return the numbers of the passages to judge sentences by, in order: those they cite, as many as fit.

    What has no mark is mostly advice, and is judged by the passages of the others.

    Args:
        sentences: the sentences.
        passages: all passages of the draft, which its marks count from 1.
        language: language of the prompt.
        context: size of the model's context in tokens.
        count_tokens: counts the tokens of a text.
    """
    cited = Counter(mark for each in sentences for mark in each.marks if 1 <= mark <= len(passages))
    numbers = cited or Counter(range(1, len(passages) + 1))  # without a mark any of them may say so
    room = room_for_passages(
        min(context, _MOST_CONTEXT),
        count_tokens,
        read_prompt("judge", language),
        *(sentence.text for sentence in sentences),
    )
    taken: list[int] = []
    for number in sorted(numbers, key=lambda each: (-numbers[each], each)):
        needed = tokens_of(passages[number - 1], language, count_tokens)
        if needed <= room or not taken:
            taken.append(number)
            room -= needed
    return sorted(taken)


def judge_prompt(
    question: str,
    sentences: Sequence[Statement],
    passages: Sequence[Passage],
    numbers: Sequence[int],
    language: Language,
) -> list[ChatMessage]:
    """Build the messages that ask to judge sentences of a draft.

    Args:
        question: standalone question that the draft answers.
        sentences: sentences to judge, numbered from 1.
        passages: all passages of the draft, which its marks count from 1.
        numbers: of the passages to show.
        language: language of the prompt.
    """
    shown = [(number, passages[number - 1]) for number in numbers]
    texts = [f"{shown_name(passage, language)}\n{shown_passage(passage)}" for _, passage in shown]
    listed = "\n".join(_line(place, sentence) for place, sentence in enumerate(sentences, 1))
    boundary = boundary_of([*texts, listed])
    parts = [
        f"{boundary} {PASSAGE[language]} [{number}] {text}"
        for (number, _), text in zip(shown, texts, strict=True)
    ]
    parts.append(f"{boundary} {_SENTENCES[language]}\n{listed}")
    parts.append(f"{boundary} {_END[language]}")
    parts.append(f"{QUESTION[language]}: {one_line_title(question)}")
    rules = read_prompt("judge", language).format(boundary=boundary)
    return [{"role": "system", "content": rules}, {"role": "user", "content": "\n\n".join(parts)}]


def _line(place: int, sentence: Statement) -> str:
    """Return a sentence as one line, with its number and the passages that it names."""
    marks = f" [{', '.join(map(str, sentence.marks))}]" if sentence.marks else ""
    return f"{place}.{marks} {marks_rounded(' '.join(sentence.claim.split()))}"


def read_judgements(reply: str, count: int) -> dict[int, list[Judgement]] | None:
    """Read the reply of a model.

    Args:
        reply: its text, perhaps with reasoning before and a fence around the JSON.
        count: number of sentences that were to be judged.

    Returns:
        The judgements by the number of the sentence, without malformed ones; None if the reply has no JSON
        of this form, or leaves out half of the sentences.
    """
    text = reply.rpartition("</think>")[2]
    try:
        data = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except (ValueError, RecursionError):
        return None
    items = data.get("judgements") if isinstance(data, dict) else None
    found: dict[int, list[Judgement]] = {}
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and (judgement := _judgement(item)) and 1 <= item["sentence"] <= count:
            found.setdefault(item["sentence"], []).append(judgement)
    return found if 2 * len(found) > count else None


def _judgement(item: dict[str, object]) -> Judgement | None:
    """Return a judgement of the form that was asked for, else None."""
    passage, quote = item.get("passage"), item.get("quote")
    verdict = next((each for each in _VERDICTS if each == item.get("verdict")), None)
    if type(item.get("sentence")) is not int or type(passage) is not int or not isinstance(quote, str):
        return None
    return Judgement(verdict, passage, quote) if verdict else None
