"""What a language model writes an answer from, and what is told about its draft."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.answer import DraftSentence
from assistant.retrieval.searcher import MOST_PASSAGES
from assistant.text.messages import (
    ADVICE_MARK,
    MODEL_DROPPED,
    MODEL_DROPPED_STRICT,
    MODEL_UNCONFIRMED,
    UNCONFIRMED_MARK,
)
from assistant.text.prompt_injection import trusted
from assistant.verification.proof import ADVICE
from index.search.parts import parts
from index.search.passage import Passage, joined
from index.search.retriever import Retriever
from ingest.document import Language

_ENOUGH = 3  # passages in the language of the answer that make others unnecessary
_WHOLE = 6  # passages, best first, whose sections are read whole


def passages_for_writing(
    passages: Sequence[Passage], language: Language, retriever: Retriever
) -> list[Passage]:
    """Return the distinct passages for a language model, preferring the answer's language if enough.

    Those without a sentence are left out, and tables of statuses come after what says more.

    Args:
        passages: passages, best first.
        language: language of the answer.
        retriever: over the index that they were found in.
    """
    each: dict[tuple[str | int, ...], Passage] = {}
    for passage in passages:
        if trusted(passage) and any(s.span.kind != "heading" for s in passage.sentences):
            section = (passage.document_id, passage.chunk.section)
            key = section if len(each) < _WHOLE else (*section, passage.start)
            if section not in each and key not in each:
                each[key] = _whole(passage, retriever) if len(each) < _WHOLE else passage
    found = [passage for passage in each.values() if trusted(passage)]
    ordered = sorted(found, key=_is_table)
    native = [passage for passage in ordered if passage.language == language]
    foreign = [passage for passage in ordered if passage.language != language]
    chosen = native if len(native) >= _ENOUGH else [*native, *foreign]
    return chosen[:MOST_PASSAGES]


def _whole(passage: Passage, retriever: Retriever) -> Passage:
    """Return the section of a passage, which may be a part of it."""
    generation = retriever.generation
    rows = parts(generation.chunks, retriever.row_of[passage.chunk.id])
    if len(rows) == 1:
        return passage
    rest = [retriever.passage(row) for row in rows]
    return joined([passage, *(part for part in rest if retriever.admits(part.chunk, part.document))])[0]


def _is_table(passage: Passage) -> bool:
    return all(sentence.span.kind in ("row", "heading") for sentence in passage.sentences)


def draft_notices(sentences: Sequence[DraftSentence], language: Language, *, strict: bool) -> tuple[str, ...]:
    """Return the notices about a draft: how many sentences are left out, and what the marks of others mean.

    Args:
        sentences: those of the draft.
        language: language of the answer.
        strict: whether only proved sentences are shown.
    """
    left_out = sum(not sentence.shown for sentence in sentences)
    own = [sentence for sentence in sentences if sentence.shown and sentence.outcome == "unconfirmed"]
    advice = sum(sentence.reason == ADVICE for sentence in own)
    marks = [UNCONFIRMED_MARK] * (advice < len(own)) + [ADVICE_MARK[language]] * bool(advice)
    dropped = (MODEL_DROPPED_STRICT if strict else MODEL_DROPPED)[language].format(count=left_out)
    told = MODEL_UNCONFIRMED[language].format(marks=" ".join(marks), count=len(own))
    return (*([dropped] if left_out else ()), *([told] if own else ()))
