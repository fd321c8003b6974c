"""The chunks of the shipped digests, and which of them answer a row of the training data."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.factory import AssistantFactory, shipped_documents
from assistant.settings import Settings
from ingest.chunk import embedded_text, sentence_texts
from training.rows import Row


@dataclass(frozen=True, slots=True)
class TrainingSentence:
    """A sentence of a chunk.

    Attributes:
        quote: as it stands in the digest.
        text: what the embedder reads of it, under the context line of its chunk.
        kind: of the block that it stands in, such as "prose" or "heading".
    """

    quote: str
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class TrainingChunk:
    """A chunk of a digest.

    Attributes:
        section: release and id, such as "2.12/free-port".
        language: "en" or "zh".
        text: what the embedder reads of it.
        sentences: all of them, headings and code too.
    """

    section: str
    language: str
    text: str
    sentences: tuple[TrainingSentence, ...]


@dataclass(frozen=True, slots=True)
class Positives:
    """What answers a row.

    Attributes:
        chunks: numbers of chunks that hold an answer; where the other language tells its section in one
            chunk, that one too.
        sentences: numbers of a chunk and of its sentence.
    """

    chunks: tuple[int, ...]
    sentences: tuple[tuple[int, int], ...]


def digest_chunks() -> list[TrainingChunk]:
    """Return the chunks of all shipped digests, as an index has them."""
    with tempfile.TemporaryDirectory() as home:
        splitter = AssistantFactory(Settings(home=Path(home))).builder.splitter
        return [
            TrainingChunk(
                section=f"{Path(document.origin).stem}/{chunk.section_id}",
                language=document.language,
                text=embedded_text(chunk, document),
                sentences=tuple(
                    TrainingSentence(document.text[sentence.start : sentence.end], text, sentence.kind)
                    for sentence, text in zip(chunk.sentences, sentence_texts(chunk, document), strict=True)
                ),
            )
            for document in shipped_documents()
            for chunk in splitter.split_document(document)
        ]


def by_section(chunks: Iterable[TrainingChunk]) -> dict[str, list[int]]:
    """Return the numbers of the chunks of each section."""
    found: dict[str, list[int]] = {}
    for number, chunk in enumerate(chunks):
        found.setdefault(chunk.section, []).append(number)
    return found


def positives(row: Row, chunks: Sequence[TrainingChunk], sections: Mapping[str, Sequence[int]]) -> Positives:
    """Return the chunks and sentences that answer a row.

    Args:
        row: a question, or a yes/no question that the notes decide.
        chunks: of the digests.
        sections: as `by_section` gives them.
    """
    sentences = [
        (number, place)
        for section, openings in zip(row.sections, row.answers, strict=False)
        for number in sections.get(section, ())
        for place, sentence in enumerate(chunks[number].sentences)
        if sentence.quote.startswith(openings)
    ]
    found = list(dict.fromkeys(number for number, _ in sentences))
    told = {chunks[number].language for number in found}
    for section in row.sections:
        for language in {"en", "zh"} - told:
            others = [n for n in sections.get(section, ()) if chunks[n].language == language]
            if len(others) == 1:
                found += others
    return Positives(tuple(found), tuple(sentences))
