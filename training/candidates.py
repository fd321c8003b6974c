"""What retrieval finds for the rows of the training data: the texts that the reader learns to tell apart.

Kept in a file of one JSON object a line, to which a run that was cut short adds the rest.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from assistant.factory import AssistantFactory
from assistant.retrieval.known_questions import section_name
from assistant.retrieval.reading import read_text
from assistant.retrieval.reranker import rerank
from assistant.settings import Settings
from training.rows import Row

_MOST = 8  # passages of a row


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that was found, as the reader reads it.

    Attributes:
        section: release and id, such as "2.12/free-port".
        context: release and heading path.
        sentences: without markup.
        nearness: cosine of each sentence and the question.
    """

    section: str
    context: str
    sentences: Sequence[str]
    nearness: Sequence[float]


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for a row.

    Attributes:
        id: of the row.
        question: understood by itself.
        language: that it is answered in.
        passages: best first, in that language where they are there in it.
    """

    id: str
    question: str
    language: str
    passages: Sequence[FoundPassage]


def candidates(rows: Sequence[Row], path: Path) -> dict[str, Found]:
    """Return what the shipped digests have on each row, by its id.

    Args:
        rows: questions.
        path: where it is kept.
    """
    found = {one.id: one for one in _kept(path)}
    left = [row for row in rows if row.id not in found]
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, path.open("a", encoding="utf-8") as file:
        assistant = AssistantFactory(Settings(home=Path(home), reader=False)).assistant() if left else None
        if assistant:
            assistant = replace(assistant, known=None)  # it knows the rows
        for row in left:
            assert assistant is not None
            got = assistant.candidates(row.text, row.history)
            order = rerank(got.question, got.passages, got.relevance, got.near, got.elsewhere)
            passages = []
            for passage in got.native(order[:_MOST]):
                text = read_text(passage)
                passages.append(
                    FoundPassage(section_name(passage), text.context, text.sentences, text.nearness)
                )
            one = Found(row.id, got.question.searched, got.question.language, passages)
            found[row.id] = one
            file.write("\n" + json.dumps(asdict(one), ensure_ascii=False))
    return found


def _kept(path: Path) -> list[Found]:
    if not path.exists():
        return []
    out = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        try:
            values = json.loads(line)
        except ValueError:  # blank, or what a run was writing when it was cut short
            continue
        passages = [FoundPassage(**passage) for passage in values.pop("passages")]
        out.append(Found(**values, passages=passages))
    return out
