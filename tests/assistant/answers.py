"""Questions, passages and answers by hand, for tests of how they are measured."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from assistant.answer import Answer, Citation
from assistant.evaluation.gold import GoldQuestion
from assistant.evaluation.loader import parse_question
from index.search.passage import Passage
from ingest.document import Language
from ingest.release import Release
from tests.assistant.passages import passage

ROW: dict[str, Any] = {
    "id": "q-1",
    "lang": "en",
    "kind": "howto",
    "question": "How do I get the old TCPStore backend back in 2.4?",
    "evidence": [{"version": "2.4", "keys": [["libuv"], ["TCPStore", "TCP store"]]}],
    "facts": [["USE_LIBUV=0"], ["TCPStore"]],
    "forbid": ["gloo"],
}
DECLINE = {"kind": "unanswerable", "evidence": [], "facts": [], "forbid": []}
RIGHT = "TCPStore goes back with USE_LIBUV=0. [1]"
PROOF = ("2.4", "TCPStore runs on libuv.")
OTHER = ("2.5", "TCPStore runs on libuv.")


def gold(place: str = "mine.jsonl:1", /, **changes: Any) -> GoldQuestion:
    """The question above, or another one."""
    return parse_question(json.dumps(ROW | changes), place)


@cache
def found(release: str, text: str) -> Passage:
    """A passage that is just this text; a release of "" is none."""
    document = replace(_sample().document, text=text, release=Release.parse(release) if release else None)
    return replace(_sample(), document=document, start=0, end=len(text))


@cache
def _sample() -> Passage:
    return passage("A sentence.")


def answer(
    text: str,
    passages: Sequence[tuple[str, str]] = (PROOF,),
    cited: Sequence[tuple[str, str]] = (PROOF,),
    *,
    abstained: bool = False,
    language: Language = "en",
) -> Answer:
    """An answer of some text, passages and citations, each as release and text."""
    return Answer(
        question="?",
        standalone="?",
        text=text,
        language=language,
        abstained=abstained,
        citations=tuple(Citation(n, found(*c), 0, 1) for n, c in enumerate(cited, 1)),
        passages=tuple(found(*p) for p in passages),
        releases=(),
    )
