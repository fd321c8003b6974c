"""Known questions: the nearest of each section, of none, and the sentences that answer them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistant.assistant import Assistant
from assistant.retrieval.known_questions import (
    UNANSWERED,
    KnownQuestions,
    load_known_questions,
    section_name,
    sentence_key,
    write_known_questions,
)
from tests.assistant.passages import passage

DIMMED, LOCKED = sentence_key("Lamps dim."), sentence_key("Doors lock.")


def known() -> KnownQuestions:
    """Two questions about lamps, one about doors, one that nothing answers."""
    vectors = np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    answers = np.array([[DIMMED, 0], [LOCKED, DIMMED], [LOCKED, 0], [0, 0]], np.uint32)
    owners = np.array([0, 0, 1, UNANSWERED], np.int16)
    return KnownQuestions("made up", ["9.1/lamps", "9.1/doors"], owners, vectors, answers)


def test_the_nearest_question_of_each_section_counts() -> None:
    near = known().near(np.array([1, 0, 0], np.float32))
    assert near.sections == {"9.1/lamps": pytest.approx(0.4)}
    assert near.unanswered == 0.0
    assert near.sentences == {DIMMED: pytest.approx(0.4), LOCKED: pytest.approx(0.2)}


def test_sections_are_told_best_first() -> None:
    near = known().near(np.array([0.6, 0.8, 0], np.float32))
    assert near.suggested == ["9.1/lamps", "9.1/doors"]
    assert near.sections == {"9.1/lamps": pytest.approx(0.36), "9.1/doors": pytest.approx(0.2)}


def test_a_question_like_one_that_is_not_answered() -> None:
    near = known().near(np.array([0, 0, 1], np.float32))
    assert near.unanswered == pytest.approx(0.4)
    assert not near.sections and not near.suggested and not near.sentences


def test_only_digests_have_known_questions() -> None:
    store = passage("## TCPStore\n\nThe backend is libuv.\n")
    digest = replace(store, document=replace(store.document, kind="digest"))
    near = replace(known().near(np.array([1, 0, 0], np.float32)), sections={section_name(digest): 0.3})
    assert (near.likeness(digest), near.likeness(store)) == (0.3, 0.0)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "known.npz"
    write_known_questions(known(), path)
    again = load_known_questions.__wrapped__(path)
    assert (again.embedder, again.sections) == ("made up", ["9.1/lamps", "9.1/doors"])
    np.testing.assert_allclose(again.vectors, known().vectors, atol=0.01)
    np.testing.assert_array_equal(again.answers, known().answers)
    np.testing.assert_array_equal(again.owners, known().owners)


def test_those_that_ship_are_of_sections_and_sentences_that_ship(digest_assistant: Assistant) -> None:
    shipped = load_known_questions()
    assert shipped.embedder == digest_assistant.embedder.name
    chunks = digest_assistant.retriever.generation.chunks
    documents = digest_assistant.retriever.generation.documents
    there = {f"{documents[c.document_id].version}/{c.section_id}" for c in chunks if c.section_id}
    releases = {name.split("/")[0] for name in there}
    named = {name for name in shipped.sections if name.split("/")[0] in releases}
    assert named and named <= there
    sentences = {
        sentence_key(documents[c.document_id].text[s.start : s.end]) for c in chunks for s in c.sentences
    }
    numbers = [number for number, name in enumerate(shipped.sections) if name in named]
    keys = shipped.answers[np.isin(shipped.owners, numbers)]
    assert np.isin(keys[keys > 0], list(sentences)).mean() > 0.98  # a chunk may cut a long sentence


def test_words_that_the_notes_do_not_have_find_their_section(digest_assistant: Assistant) -> None:
    """A symptom of a large launch, which names neither the store nor its backend."""
    found = digest_assistant.candidates("thousands of ranks hang at start-up, rendezvous takes forever")
    assert any(section.endswith("/tcpstore-libuv") for section in found.near.suggested[:3])
