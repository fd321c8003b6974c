"""Sentences of the digests as true statements: they quote themselves, and are told by the other language."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.retrieval.sentences import QUOTABLE
from ingest.document import LANGUAGES
from ingest.markup import inline_text, reading_text
from training.chunks import TrainingChunk
from training.rows import Row, is_held_out

_WRITER = "digests"
_LENGTHS = range(25, 260)  # characters
_EVERY = 2  # of the sentences one is taken


def quoted_statements(chunks: Sequence[TrainingChunk]) -> list[Row]:
    """Return sentences of the sections that are not held out, as statements that their section supports.

    Args:
        chunks: of the digests.
    """
    found: dict[str, Row] = {}
    for chunk in chunks:
        if is_held_out(chunk.section):
            continue
        for sentence in chunk.sentences:
            text = inline_text(reading_text(sentence.quote))
            if sentence.kind in QUOTABLE and len(text) in _LENGTHS and text not in found:
                found[text] = Row(
                    id=f"t-{len(found):05}",
                    kind="statement",
                    language=chunk.language,
                    text=text,
                    sections=(chunk.section,),
                    view=next(one for one in LANGUAGES if one == chunk.language),
                    writer=_WRITER,
                    held_out=False,
                    verdict="supported",
                    answers=((sentence.quote,),),
                )
    return list(found.values())[::_EVERY]
