"""Notes by hand as passages to prove drafts by, with the real vectors of their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from assistant.assistant import Assistant
from assistant.reader.reading import Reader
from assistant.verification.draft import statements
from assistant.verification.evidence import TextMatcher
from assistant.verification.proof import Proof
from assistant.verification.verifier import Verifier
from corpus.glossary import load_glossary
from index.embedding.base import Embedder, Vectors
from index.search.passage import Passage
from ingest.document import Language
from ingest.markup import reading_text
from ingest.release import Release
from tests.assistant.passages import passage
from tests.ingest.splitting import segmenter


def reading() -> TextMatcher:
    """Reads with the shipped glossary."""
    return TextMatcher(segmenter().vocabulary, load_glossary())


def numbered(*notes: tuple[str, str]) -> list[Passage]:
    """Passages of notes, each a name such as "en-2.4" and a body; no two of their sentences share a row."""
    out: list[Passage] = []
    row = 0
    for name, body in notes:
        made = passage(body, name)
        out.append(
            replace(made, sentences=tuple(replace(s, row=row + n) for n, s in enumerate(made.sentences)))
        )
        row += len(made.sentences)
    return out


def prove(
    assistant: Assistant,
    draft: str,
    passages: Sequence[Passage],
    language: Language = "en",
    *,
    said_by: Sequence[tuple[Release | None, float]] = (),
    reader: Reader | None = None,
) -> list[Proof]:
    """What becomes of the statements of a draft; `said_by`: the sentences of the index nearest to each."""
    texts = [reading_text(p.document.text[s.span.start : s.span.end]) for p in passages for s in p.sentences]
    matrix = _matrix(assistant.embedder, tuple(texts))
    verifier = Verifier(
        assistant.embedder.encode_passing,
        lambda rows: matrix[np.asarray(rows, np.int64)],
        lambda _: said_by,
        reading(),
        reader,
    )
    return verifier.prove(statements(draft), passages, language)


@lru_cache(maxsize=8)
def _matrix(embedder: Embedder, texts: tuple[str, ...]) -> Vectors:
    """Vectors of the sentences that several tests share."""
    return embedder.encode_passing(texts)
