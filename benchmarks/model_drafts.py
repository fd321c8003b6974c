"""The recorded drafts of benchmarks/data/model_drafts.jsonl; the README beside them has the format."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assistant.llm.prompt import shown_passage
from index.search.passage import Passage, joined
from index.search.retriever import Retriever
from ingest.document import Language

DRAFTS = Path(__file__).with_name("data") / "model_drafts.jsonl"
Label = Literal["true", "false", "other"]


@dataclass(frozen=True, slots=True)
class DraftPassage:
    """A passage that stood in the prompt.

    Attributes:
        section: release and id of its section, such as "2.4/tcpstore-libuv"; "" if it has no id.
        language: language of the digest.
        opening, closing: first and last line of its text, "" where the passage was a heading alone.
    """

    section: str
    language: str
    opening: str
    closing: str


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

    @property
    def spoken(self) -> Language:
        """Its language."""
        return "zh" if self.language == "zh" else "en"


def read_drafts(path: Path = DRAFTS) -> list[RecordedDraft]:
    """Read the recorded drafts.

    Args:
        path: file of one draft a line.
    """
    return [_draft(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rebuilt_passages(draft: RecordedDraft, retriever: Retriever) -> list[Passage | None]:
    """Build the passages of a draft's prompt again, whatever search finds today.

    Args:
        draft: a recorded draft.
        retriever: over an index of the shipped digests.

    Returns:
        One for each passage of the draft; None for a heading alone, and where the digest was reworded.
    """
    return [_rebuilt(passage, retriever) if passage.opening else None for passage in draft.passages]


def replayable(draft: RecordedDraft, retriever: Retriever) -> tuple[list[Passage], str] | None:
    """Return the passages of a draft that have a text, and the draft with marks that count them.

    Args:
        draft: a recorded draft.
        retriever: over an index of the shipped digests.

    Returns:
        None where a passage cannot be built again.
    """
    found = rebuilt_passages(draft, retriever)
    wanted = [place for place, passage in enumerate(draft.passages) if passage.opening]
    if any(found[place] is None for place in wanted):
        return None
    text = draft.draft
    for after, place in enumerate(wanted, 1):
        text = text.replace(f"[{place + 1}]", f"[{after}]")
    return [passage for passage in found if passage is not None], text


def _rebuilt(passage: DraftPassage, retriever: Retriever) -> Passage | None:
    """Join the chunks of a section from the one with the opening to the one with the closing."""
    version, _, section = passage.section.partition("/")
    documents = retriever.generation.documents
    rows = [
        row
        for row, chunk in enumerate(retriever.generation.chunks)
        if chunk.section_id == section
        and (documents[chunk.document_id].version, documents[chunk.document_id].language)
        == (version, passage.language)
    ]
    chunks = sorted((retriever.passage(row) for row in rows), key=lambda each: each.start)
    for first in range(len(chunks)):
        for last in range(first, len(chunks)):
            whole = joined(chunks[first : last + 1])
            text = shown_passage(whole[0])
            if len(whole) == 1 and text.startswith(passage.opening) and text.endswith(passage.closing):
                return whole[0]
    return None


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
