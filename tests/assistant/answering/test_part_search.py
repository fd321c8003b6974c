"""Questions of several parts are searched part by part for a language model."""

from __future__ import annotations

from assistant.answering.part_search import PartSearch
from assistant.assistant import Assistant
from index.search.passage import Passage

BACKEND = "What is the default backend of TCPStore in 2.4?"
KERNEL = "How much faster is the grouped matrix multiplication kernel on H100?"
BOTH = f"{BACKEND} {KERNEL}"


def wider(assistant: Assistant, question: str) -> list[Passage]:
    planner = assistant._planner
    search = PartSearch(planner._searcher, planner.embedder, planner._alone)
    asked = planner._alone(question)
    return list(search.wider(asked, planner.embedder.encode_query(asked.searched), strict=False))


def test_each_part_has_its_best_passage_among_the_first(assistant: Assistant) -> None:
    best = [wider(assistant, part)[0].chunk.id for part in (BACKEND, KERNEL)]
    assert len(set(best)) == 2
    first = [passage.chunk.id for passage in wider(assistant, BOTH)]
    assert len(set(first)) == len(first) and set(best) <= set(first[:3])


def test_one_question_is_searched_as_it_is(assistant: Assistant) -> None:
    planner = assistant._planner
    asked = planner._alone(BACKEND)
    vector = planner.embedder.encode_query(asked.searched)
    plain = planner._searcher.wider(asked, vector, strict=False)
    assert [p.chunk.id for p in wider(assistant, BACKEND)] == list(dict.fromkeys(p.chunk.id for p in plain))
