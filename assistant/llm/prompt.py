"""The prompts: what a language model is told, and the passages as it sees them.

One file a prompt and language in assistant/prompts/. The passages stand between lines that hold a boundary
made of their own content, so that no document can know it and close the passages by itself; what could be
taken for a mark in them is written with round brackets.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from assistant.llm.client import ChatMessage
from assistant.text.markdown import one_line_title
from assistant.text.messages import STATUS_NAMES
from assistant.verification.draft import MARK
from index.search.passage import Passage
from ingest.code_spans import outside_code
from ingest.document import Language

#: What a model writes when the passages do not answer.
NOT_TOLD = "NOT IN THE NOTES"
_SHORTEST_ANSWER, _LONGEST_ANSWER = 512, 4096  # tokens; one that thinks aloud first needs more of them
_FOLDER = Path(__file__).with_name("prompts")
_SAFETY = 1.2  # a model's tokens for one of ours
_OVERHEAD = 40  # tokens of the chat's own frame
_EARLIER = 6  # questions before a follow-up that a model sees
QUESTION: dict[Language, str] = {"zh": "问题", "en": "Question"}
_PASSAGE: dict[Language, str] = {"zh": "片段", "en": "Passage"}
_END: dict[Language, str] = {"zh": "片段结束", "en": "End of the passages"}
_EARLIER_QUESTION: dict[Language, str] = {"zh": "之前的问题", "en": "Earlier question"}
_LAST_QUESTION: dict[Language, str] = {"zh": "最后一个问题", "en": "Last question"}


def answer_prompt(question: str, passages: Sequence[Passage], language: Language) -> list[ChatMessage]:
    """The messages that ask for an answer from passages, numbered from 1."""
    shown = [shown_passage(passage) for passage in passages]
    names = [_name(passage, language) for passage in passages]
    boundary = boundary_of([*names, *shown])
    parts = []
    for number, (name, text) in enumerate(zip(names, shown, strict=True), 1):
        parts.append(f"{boundary} {_PASSAGE[language]} [{number}] {name}\n{text}")
    parts.append(f"{boundary} {_END[language]}")
    parts.append(f"{QUESTION[language]}: {one_line_title(question)}")
    rules = read_prompt("answer", language).format(boundary=boundary, not_told=NOT_TOLD)
    return [{"role": "system", "content": rules}, {"role": "user", "content": "\n\n".join(parts)}]


def rewrite_prompt(question: str, history: Sequence[str], language: Language) -> list[ChatMessage]:
    """The messages that ask for a follow-up in its stand-alone form."""
    lines = [f"{_EARLIER_QUESTION[language]}: {one_line_title(text)}" for text in history[-_EARLIER:]]
    lines.append(f"{_LAST_QUESTION[language]}: {one_line_title(question)}")
    return [
        {"role": "system", "content": read_prompt("rewrite", language)},
        {"role": "user", "content": "\n".join(lines)},
    ]


def propose_prompt(question: str, checks: Sequence[str], language: Language) -> list[ChatMessage]:
    """The messages that ask which checks are about a question; a check is a line of name and claim."""
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
    """The passages that a model's context has room for, in the order that it reads them best.

    Models use best what stands first and last in a long prompt (Liu et al., "Lost in the Middle", TACL
    2024): the best passage stands first and the second best last.

    Args:
        passages: best first.
        context: tokens of prompt and answer together.
        count_tokens: of a text, by the embedding model; a model's own count differs a little.
    """
    rules = count_tokens(read_prompt("answer", language)) + count_tokens(question) + _OVERHEAD
    room = (context - answer_tokens(context)) / _SAFETY - rules
    taken: list[Passage] = []
    for passage in passages:
        room -= count_tokens(shown_passage(passage)) + count_tokens(_name(passage, language)) + _OVERHEAD
        if room < 0 and taken:
            break
        taken.append(passage)
    return [taken[0], *taken[2:], taken[1]] if len(taken) > 2 else taken


def answer_tokens(context: int) -> int:
    """The longest answer, in tokens, of a model that reads and writes so many at once: a quarter of them."""
    return min(max(context // 4, _SHORTEST_ANSWER), _LONGEST_ANSWER)


def shown_passage(passage: Passage) -> str:
    """A passage as a model sees it: its sentences, code and rows, a line each, without marks of its own."""
    text = passage.document.text
    lines = []
    for sentence in passage.sentences:
        line = text[sentence.span.start : sentence.span.end]
        if sentence.span.kind != "heading":
            lines.append(line if sentence.span.kind == "code" else " ".join(line.split()))
    return _marks_rounded("\n".join(lines))


def boundary_of(texts: Sequence[str]) -> str:
    """A line's beginning that stands in none of the texts."""
    digest = hashlib.sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()
    return f"=={digest[:16]}=="


@lru_cache(maxsize=8)
def read_prompt(name: str, language: Language) -> str:
    """A prompt of assistant/prompts/."""
    return (_FOLDER / f"{name}.{language}.md").read_text(encoding="utf-8").strip()


def _name(passage: Passage, language: Language) -> str:
    """Release, status and heading."""
    release = f"PyTorch {passage.version}" if passage.version else one_line_title(passage.title)
    heading = one_line_title(passage.heading)
    parts = (release, STATUS_NAMES[language][passage.status], heading)
    return _marks_rounded(" · ".join(part for part in parts if part))


def _marks_rounded(text: str) -> str:
    """A text whose marks are in round brackets: those that a model writes are to be its own."""

    def rounded(mark: re.Match[str]) -> str:
        return mark[0] if mark["name"] else f"({mark['numbers'].strip()})"

    return outside_code(text, lambda prose: MARK.sub(rounded, prose))
