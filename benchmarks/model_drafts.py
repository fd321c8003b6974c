"""The recorded drafts of benchmarks/data/model_drafts.jsonl; the README beside them has the format."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

DRAFTS = Path(__file__).with_name("data") / "model_drafts.jsonl"
Label = Literal["true", "false", "other"]


@dataclass(frozen=True, slots=True)
class DraftPassage:
    """A passage that stood in the prompt.

    Attributes:
        section: release and id of its section, such as "2.4/tcpstore-libuv"; "" if it has no id.
        language: language of the digest.
        opening: first line of its text, "" where the passage was a heading alone.
    """

    section: str
    language: str
    opening: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a passage, verbatim.

    Attributes:
        passage: number of the passage, from 1.
        text: the sentence.
    """

    passage: int
    text: str


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence or code block of a draft.

    Attributes:
        text: without marks.
        label: "true" if the quotes say so, "false" if they say otherwise or the passages do not tell what is
            claimed, "other" for transitions, advice, and what the passages are said not to tell.
        fault: what is wrong with a false one, such as "figure".
        quotes: what supports a true one, or what a false one distorts.
    """

    text: str
    label: Label
    fault: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class RecordedDraft:
    """A draft that a language model wrote for a question.

    Attributes:
        id: such as "en-001".
        language: of question and draft.
        question: as asked.
        passages: of the prompt, in its order; marks count them from 1.
        draft: Markdown with marks.
        sentences: all of the draft, in order.
    """

    id: str
    language: str
    question: str
    passages: tuple[DraftPassage, ...]
    draft: str
    sentences: tuple[LabelledSentence, ...]


def read_drafts(path: Path = DRAFTS) -> list[RecordedDraft]:
    """Read the recorded drafts.

    Args:
        path: file of one draft a line.
    """
    return [_draft(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _draft(line: str) -> RecordedDraft:
    row = json.loads(line)
    passages = tuple(DraftPassage(**each) for each in row.pop("passages"))
    sentences = tuple(
        LabelledSentence(
            text=each["text"],
            label=each["label"],
            fault=each.get("fault", ""),
            quotes=tuple(Quote(**quote) for quote in each["quotes"]),
        )
        for each in row.pop("sentences")
    )
    return RecordedDraft(**row, passages=passages, sentences=sentences)
