"""The rows of the training data, read and validated.

A row is one line of JSON in `training/data/`. Four kinds share the fields `id`, `language`, `sections`,
`view` (the language of the digests that the writer read), `writer` and `held_out`:

- question: `text`, `style`, `answers`, perhaps `history`. The sections answer it.
- polar: a yes/no question: `text`, `polarity` ("yes", "no", "unsaid"), `answers`.
- unanswerable: `text`, `style`. Near its sections, but not answered; without sections: about something else.
- statement: `text`, `verdict` ("supported", "contradicted", "unsaid"), `fault`, `answers`.

`answers` has one list a section: the openings of the sentences that answer or decide, best first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from corpus.shipped import digest_paths
from ingest.document import Language
from ingest.loaders import load
from ingest.section import parse_sections
from ingest.sentence import sentences_of

DATA = Path(__file__).with_name("data")
OPENING = 60  # characters of a sentence that name it
_HELD_OUT = 15  # percent of the sections

RowKind = Literal["question", "polar", "unanswerable", "statement"]
KINDS: tuple[RowKind, ...] = get_args(RowKind)
POLARITIES = ("yes", "no", "unsaid")
VERDICTS = ("supported", "contradicted", "unsaid")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the training data; see the module for its fields."""

    id: str
    kind: RowKind
    language: str
    text: str
    sections: tuple[str, ...]
    view: Language
    writer: str
    held_out: bool
    style: str = ""
    polarity: str = ""
    verdict: str = ""
    fault: str = ""
    history: tuple[str, ...] = ()
    answers: tuple[tuple[str, ...], ...] = ()


def is_held_out(section: str) -> bool:
    """Return whether a section belongs to the held-out part.

    By a hash of its name, so that a section stays where it is when others come.

    Args:
        section: release and id, such as "2.12/free-port".
    """
    return int.from_bytes(hashlib.sha256(section.encode()).digest()[:4], "big") % 100 < _HELD_OUT


def is_unseen(row: Row) -> bool:
    """Return whether the reader is not trained on a row.

    It is held out, or it has no section and its name was drawn.

    Args:
        row: of the training data.
    """
    return row.held_out or (not row.sections and is_held_out(row.id))


def is_answered(row: Row) -> bool:
    """Return whether a row is a question that the notes answer."""
    return row.kind == "question" or (row.kind == "polar" and row.polarity != "unsaid")


@lru_cache
def digest_sentences(language: Language) -> dict[str, tuple[str, ...]]:
    """Return the quotable sentences of each section of the digests, headings left out.

    Args:
        language: of the digests.
    """
    found: dict[str, tuple[str, ...]] = {}
    for path in digest_paths():
        if path.parent.name != language:
            continue
        for document in load(path, on_skip=_refuse):
            for section in parse_sections(document):
                if section.id:
                    found[f"{path.stem}/{section.id}"] = tuple(
                        document.text[sentence.start : sentence.end]
                        for block in section.blocks
                        if block.kind != "heading"
                        for sentence in sentences_of(document.text, block)
                    )
    return found


def opening(sentence: str, others: tuple[str, ...]) -> str:
    """Return the shortest opening of a sentence, at least 60 characters long, that no other one has.

    Args:
        sentence: one of `others`.
        others: all sentences of its section.
    """
    for length in range(OPENING, len(sentence)):
        if sum(other.startswith(sentence[:length]) for other in others) == 1:
            return sentence[:length]
    return sentence


def read_rows(folder: Path = DATA) -> Iterator[Row]:
    """Read all rows.

    Args:
        folder: of `.jsonl` files.

    Raises:
        ValueError: a line is no row; the message names file and line.
    """
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                yield _row(json.loads(line))
            except (TypeError, ValueError, KeyError) as error:
                raise ValueError(f"{path.name}:{number}: {error}") from error


def _row(values: dict[str, Any]) -> Row:
    tuples: dict[str, Any] = {name: tuple(values.get(name, ())) for name in ("sections", "history")}
    tuples["answers"] = tuple(tuple(part) for part in values.get("answers", ()))
    row = Row(**{**values, **tuples})
    if row.kind not in KINDS:
        raise ValueError(f"kind is {row.kind!r}; give one of {', '.join(KINDS)}")
    if row.kind == "polar" and row.polarity not in POLARITIES:
        raise ValueError(f"polarity is {row.polarity!r}; give one of {', '.join(POLARITIES)}")
    if row.kind == "statement" and row.verdict not in VERDICTS:
        raise ValueError(f"verdict is {row.verdict!r}; give one of {', '.join(VERDICTS)}")
    return row


def _refuse(error: Exception) -> None:
    raise error
