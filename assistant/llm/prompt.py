"""Builds prompts: instructions, and passages as a language model sees them.

The instructions are in prompts/, one file per prompt and language. Passages are delimited by lines with a
boundary derived from a hash of their content, so that no document can predict it and fake the end of the
passages. Whatever looks like a citation mark in a passage is written with round brackets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from assistant.llm.client import ChatMessage
from assistant.text.citation_marks import CLAIMED_MARK, replace_marks
from assistant.text.markdown import one_line_title
from assistant.text.messages import STATUS_NAMES
from index.search.passage import Passage
from ingest.code_spans import outside_code
from ingest.document import Language

#: Written by a model if the passages do not answer the question.
NOT_TOLD = "NOT IN THE NOTES"
_SHORTEST_ANSWER, _LONGEST_ANSWER = 512, 4096  # tokens, including any reasoning before the answer
_FOLDER = Path(__file__).with_name("prompts")
_SAFETY = 1.2  # upper estimate of a language model's tokens per token of the embedding model
_OVERHEAD = 40  # tokens per message or passage for the chat template and delimiters
_EARLIER = 6  # earlier questions included in the prompt for a follow-up
QUESTION: dict[Language, str] = {"zh": "问题", "en": "Question"}
PASSAGE: dict[Language, str] = {"zh": "片段", "en": "Passage"}
_END: dict[Language, str] = {"zh": "片段结束", "en": "End of the passages"}
_EARLIER_QUESTION: dict[Language, str] = {"zh": "之前的问题", "en": "Earlier question"}
_LAST_QUESTION: dict[Language, str] = {"zh": "最后一个问题", "en": "Last question"}


def answer_prompt(question: str, passages: Sequence[Passage], language: Language) -> list[ChatMessage]:
    """Build the messages that ask for an answer from passages.

    Args:
        question: standalone question.
        passages: passages to answer from, numbered from 1.
        language: language of the prompt and the answer.
    """
    shown = [shown_passage(passage) for passage in passages]
    names = [shown_name(passage, language) for passage in passages]
    boundary = boundary_of([*names, *shown])
    parts = []
    for number, (name, text) in enumerate(zip(names, shown, strict=True), 1):
        parts.append(f"{boundary} {PASSAGE[language]} [{number}] {name}\n{text}")
    parts.append(f"{boundary} {_END[language]}")
    parts.append(f"{QUESTION[language]}: {one_line_title(question)}")
    rules = read_prompt("answer", language).format(boundary=boundary, not_told=NOT_TOLD)
    return [{"role": "system", "content": rules}, {"role": "user", "content": "\n\n".join(parts)}]


def rewrite_prompt(question: str, history: Sequence[str], language: Language) -> list[ChatMessage]:
    """Build the messages that ask to rewrite a follow-up as a standalone question.

    Args:
        question: the follow-up.
        history: earlier questions, oldest first.
        language: language of the prompt and the question.
    """
    lines = [f"{_EARLIER_QUESTION[language]}: {one_line_title(text)}" for text in history[-_EARLIER:]]
    lines.append(f"{_LAST_QUESTION[language]}: {one_line_title(question)}")
    return [
        {"role": "system", "content": read_prompt("rewrite", language)},
        {"role": "user", "content": "\n".join(lines)},
    ]


def propose_prompt(question: str, checks: Sequence[str], language: Language) -> list[ChatMessage]:
    """Build the messages that ask which checks are relevant to a question.

    Args:
        question: the question.
        checks: one line of name and claim for each check.
        language: language of the prompt.
    """
    shown = "\n".join(checks)
    asked = f"{QUESTION[language]}: {one_line_title(question)}"
    return [
        {"role": "system", "content": read_prompt("propose", language)},
        {"role": "user", "content": f"{shown}\n\n{asked}"},
    ]


def fitting(
    question: str,
    passages: Sequence[Passage],
    language: Language,
    *,
    context: int,
    count_tokens: Callable[[str], int],
) -> list[Passage]:
    """Select the passages that fit the context of a model, and order them for it.

    Models make best use of the beginning and the end of a long prompt (Liu et al., "Lost in the Middle", TACL
    2024), so the best passage comes first and the second best last.

    Args:
        question: standalone question.
        passages: passages, best first.
        language: language of the prompt.
        context: size of the context in tokens, for prompt and answer together.
        count_tokens: counts the tokens of a text with the embedding model's tokenizer, which approximates the
            language model's.

    Returns:
        At least one passage, if any are given.
    """
    room = room_for_passages(context, count_tokens, read_prompt("answer", language), question)
    taken: list[Passage] = []
    for passage in passages:
        needed = tokens_of(passage, language, count_tokens)
        if needed <= room or not taken:  # a shorter one may still fit after one that does not
            taken.append(passage)
            room -= needed
    return [taken[0], *taken[2:], taken[1]] if len(taken) > 2 else taken


def room_for_passages(context: int, count_tokens: Callable[[str], int], *others: str) -> float:
    """Return how many tokens of the embedding model a context leaves for passages.

    Args:
        context: size of the context in tokens, for prompt and answer together.
        count_tokens: counts the tokens of a text.
        others: what else is in the prompt.
    """
    return (context - answer_tokens(context)) / _SAFETY - sum(map(count_tokens, others)) - _OVERHEAD


def tokens_of(passage: Passage, language: Language, count_tokens: Callable[[str], int]) -> int:
    """Return how many tokens of the embedding model a passage takes in a prompt.

    Args:
        passage: passage with its sentences.
        language: language of the prompt.
        count_tokens: counts the tokens of a text.
    """
    return count_tokens(shown_passage(passage)) + count_tokens(shown_name(passage, language)) + _OVERHEAD


def answer_tokens(context: int) -> int:
    """Return the maximum length of an answer in tokens, a quarter of the context within fixed limits.

    Args:
        context: size of the context in tokens.
    """
    return min(max(context // 4, _SHORTEST_ANSWER), _LONGEST_ANSWER)


def shown_passage(passage: Passage) -> str:
    """Render a passage for a prompt: its sentences, code and table rows one per line, without citation marks.

    Args:
        passage: passage with its sentences.
    """
    text = passage.document.text
    lines = []
    for sentence in passage.sentences:
        line = text[sentence.span.start : sentence.span.end]
        if sentence.span.kind != "heading":
            lines.append(line if sentence.span.kind == "code" else " ".join(line.split()))
    return marks_rounded("\n".join(lines))


def boundary_of(texts: Sequence[str]) -> str:
    """Return a delimiter derived from a hash of all texts, so that none of them contains it.

    Args:
        texts: texts to delimit.
    """
    digest = hashlib.sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()
    return f"=={digest[:16]}=="


@lru_cache(maxsize=16)
def read_prompt(name: str, language: Language) -> str:
    """Read a prompt from prompts/.

    Args:
        name: "answer", "rewrite", "propose", "tools" or "judge".
        language: language of the prompt.
    """
    return (_FOLDER / f"{name}.{language}.md").read_text(encoding="utf-8").strip()


def shown_name(passage: Passage, language: Language) -> str:
    """Return release, status and heading of a passage, as they stand above it in a prompt.

    Args:
        passage: a passage.
        language: language of the prompt.
    """
    release = f"PyTorch {passage.version}" if passage.version else one_line_title(passage.title)
    heading = one_line_title(passage.heading)
    parts = (release, STATUS_NAMES[language][passage.status], heading)
    return marks_rounded(" · ".join(part for part in parts if part))


def marks_rounded(text: str) -> str:
    """Write the marks of a text in round brackets: those that a model writes are to be its own.

    Args:
        text: Markdown.
    """
    return outside_code(text, lambda prose: replace_marks(CLAIMED_MARK, lambda n: f"({n.strip()})", prose))
