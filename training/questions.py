"""Embed the questions that were written for the digests (`make questions`).

Retrieval and the gate compare what a user asks with them. Writes assistant/retrieval/known_questions.npz.
What is trained or measured on rows of the training data must not know them: `unknown_to` leaves out all that
the writer of a row has written.
"""

from __future__ import annotations

import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.retrieval.known_questions import (
    MODEL,
    UNANSWERED,
    KnownQuestions,
    sentence_key,
    write_known_questions,
)
from assistant.settings import Settings
from index.embedding.base import Embedder, Vectors
from index.embedding.vector_cache import vector_key
from index.embedding.vector_table import VectorTable
from training.rows import Row, digest_sentences, is_answered, read_rows

_CACHE = Path("build/questions")
_ANSWERS = 6  # sentences of a question, in both languages


def main() -> int:
    """Embed and write."""
    rows = known_rows(read_rows())
    embedder = AssistantFactory(Settings(home=_CACHE)).embedder
    questions = known_questions(rows, embedded(rows, embedder), embedder.name)
    write_known_questions(questions)
    silent = (questions.owners == UNANSWERED).sum()
    size = MODEL.stat().st_size / 1e6
    sys.stdout.write(f"{len(questions.owners)} questions, {silent} of them not answered, {size:.1f} MB\n")
    return 0


def known_rows(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that are questions and are understood by themselves.

    Args:
        rows: of the training data.
    """
    return [row for row in rows if row.kind != "statement" and not row.history]


def embedded(rows: Sequence[Row], embedder: Embedder, cache: Path = _CACHE) -> Vectors:
    """Return the vector of each row, (rows, dimension).

    Args:
        rows: questions.
        embedder: that embeds them.
        cache: folder of the vectors that are known already.
    """
    table = VectorTable(cache)
    keys = [vector_key(embedder.name, row.text) for row in rows]
    held = table.get(keys)
    texts = {key: row.text for key, row in zip(keys, rows, strict=True) if key not in held}
    new = {key: embedder.encode_query(text) for key, text in texts.items()}
    if new:
        table.put(list(new), np.array(list(new.values())))
    return np.array([held.get(key, new.get(key)) for key in keys], np.float32)


def known_questions(rows: Sequence[Row], vectors: Vectors, embedder: str) -> KnownQuestions:
    """Return known questions; one that several sections answer stands once for each.

    Args:
        rows: questions.
        vectors: of each row, (rows, dimension).
        embedder: name of the embedding model.
    """
    sections = sorted({section for row in rows if is_answered(row) for section in row.sections})
    numbers = {section: number for number, section in enumerate(sections)}
    pairs = [
        (at, numbers[section] if section else UNANSWERED)
        for at, row in enumerate(rows)
        for section in (row.sections if is_answered(row) else ("",))
    ]
    owners = np.array([owner for _, owner in pairs], np.int16)
    answers = np.zeros((len(pairs), _ANSWERS), np.uint32)
    for line, (at, owner) in enumerate(pairs):
        if owner != UNANSWERED:
            keys = answer_keys(rows[at], sections[owner])[:_ANSWERS]
            answers[line, : len(keys)] = keys
    return KnownQuestions(embedder, sections, owners, vectors[[at for at, _ in pairs]], answers)


@cache  # asked for again with each writer that is left out
def answer_keys(row: Row, section: str) -> tuple[int, ...]:
    """Return the keys of the sentences of a section that answer a row, in both languages.

    The other language's are those at the same places, where it has as many sentences.

    Args:
        row: an answered question.
        section: one of its sections.
    """
    if not row.answers:
        return ()
    own = digest_sentences(row.view)[section]
    other = digest_sentences("en" if row.view == "zh" else "zh").get(section, ())
    openings = row.answers[row.sections.index(section)]
    keys = []
    for opening in openings:
        place = next(at for at, sentence in enumerate(own) if sentence.startswith(opening))
        keys.append(sentence_key(own[place]))
        if len(other) == len(own):
            keys.append(sentence_key(other[place]))
    return tuple(keys)


def well_known(rows: Sequence[Row]) -> list[Row]:
    """Return the answered questions of whose sections others wrote as many as the writer of the question.

    What is learned from the others would be that known questions speak against a section: those of its own
    are left out with their writer, those of all other sections are not.

    Args:
        rows: all of the training data.
    """
    written = Counter((section, row.writer) for row in rows if is_answered(row) for section in row.sections)
    total = Counter(section for row in rows if is_answered(row) for section in row.sections)

    def by_others(row: Row) -> bool:
        return all(total[section] >= 2 * written[section, row.writer] for section in row.sections)

    return [row for row in rows if is_answered(row) and by_others(row)]


def unknown_to(assistant: Assistant, rows: Sequence[Row]) -> Iterator[tuple[Assistant, Row]]:
    """Yield each row with an assistant that does not know the questions of its writer; writer by writer.

    Args:
        assistant: over the shipped digests.
        rows: to ask.
    """
    known = known_rows(read_rows())
    vectors = embedded(known, assistant.embedder)
    for writer in sorted(set(map(_writer, rows))):
        kept = [at for at, row in enumerate(known) if _writer(row) != writer]
        others = known_questions([known[at] for at in kept], vectors[kept], assistant.embedder.name)
        asked = replace(assistant, known=others)
        yield from ((asked, row) for row in rows if _writer(row) == writer)


def _writer(row: Row) -> str:
    """Return who wrote a row; those about no section have one, and count as of three."""
    return row.writer if row.sections else f"{row.writer} {zlib.crc32(row.id.encode()) % 3}"


if __name__ == "__main__":
    raise SystemExit(main())
