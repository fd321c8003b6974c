"""The recorded drafts: labels cover them, quotes are of the digests, and every kind of fault is there."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from assistant.factory import AssistantFactory
from assistant.llm.prompt import shown_passage
from assistant.settings import Settings
from assistant.text.citation_marks import CLAIMED_MARK, mark_numbers
from assistant.verification.draft import without_marks
from benchmarks.model_drafts import RecordedDraft, read_drafts, rebuilt_passages
from corpus.shipped import DIGESTS

_FENCED = re.compile(r"(^```.*?^```)", re.M | re.S)
_MARKUP = re.compile(r"(?:^[ \t]*(?:[-*]|\d{1,2}[.)]|#{1,6})[ \t]+|^[|-]+$|\s)", re.M)  # around sentences
LEAST_DRAFTS, LEAST_FAULTS, LEAST_OF_A_FAULT = 35, 20, 2


@pytest.fixture(scope="module")
def drafts() -> list[RecordedDraft]:
    return read_drafts()


@pytest.fixture(scope="module")
def digests() -> dict[str, str]:
    return {
        f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in DIGESTS.glob("*/*.md")
    }


def test_labels_cover_each_draft_in_order(drafts: list[RecordedDraft]) -> None:
    for draft in drafts:
        parts = enumerate(_FENCED.split(draft.draft))
        rest = "\n".join(part if place % 2 else without_marks(part) for place, part in parts)
        for sentence in draft.sentences:
            before, found, rest = rest.partition(sentence.text)
            assert found and not _MARKUP.sub("", before), (draft.id, sentence.text, before)
        assert not _MARKUP.sub("", rest), (draft.id, rest)


def test_quotes_and_openings_are_of_the_digests(drafts: list[RecordedDraft], digests: dict[str, str]) -> None:
    for draft in drafts:
        for passage in draft.passages:
            name = f"{passage.language}/{passage.section.partition('/')[0]}"
            assert not passage.section or passage.opening in digests[name], (draft.id, passage)
            assert not passage.section or passage.closing in digests[name], (draft.id, passage)
        for sentence in draft.sentences:
            for quote in sentence.quotes:
                passage = draft.passages[quote.passage - 1]
                text = digests[f"{passage.language}/{passage.section.partition('/')[0]}"]
                assert quote.text and quote.text in text, (draft.id, quote)


def test_passages_are_built_again(drafts: list[RecordedDraft], shipped_home: Path) -> None:
    retriever = AssistantFactory(Settings(home=shipped_home)).assistant().retriever
    for draft in drafts[::8]:
        for passage, again in zip(draft.passages, rebuilt_passages(draft, retriever), strict=True):
            assert (again is not None) == bool(passage.opening), (draft.id, passage)
            if again:
                lines = shown_passage(again).splitlines()
                assert (lines[0], lines[-1]) == (passage.opening, passage.closing)


def test_labels_fit_their_quotes(drafts: list[RecordedDraft]) -> None:
    for draft in drafts:
        for sentence in draft.sentences:
            match sentence.label:
                case "true":
                    assert sentence.quotes and not sentence.fault, (draft.id, sentence.text)
                case "false":
                    assert sentence.fault, (draft.id, sentence.text)
                case "other":
                    assert not sentence.quotes and not sentence.fault, (draft.id, sentence.text)


def test_drafts_are_marked_and_no_true_sentence_is_a_quote(
    drafts: list[RecordedDraft], digests: dict[str, str]
) -> None:
    whole = "\n".join(digests.values())
    for draft in drafts:
        found = (mark for s in _FENCED.split(draft.draft)[::2] for mark in CLAIMED_MARK.finditer(s))
        marks = {number for mark in found if not mark["name"] for number in mark_numbers(mark["numbers"])}
        assert marks and marks <= set(range(1, len(draft.passages) + 1)), draft.id
        prose = (s for s in draft.sentences if s.label == "true" and not s.text.startswith("```"))
        assert not [sentence.text for sentence in prose if sentence.text in whole], draft.id


def test_both_languages_and_all_faults_are_there(drafts: list[RecordedDraft]) -> None:
    assert len({draft.id for draft in drafts}) == len({draft.question for draft in drafts}) == len(drafts)
    languages = Counter(draft.language for draft in drafts)
    faults = Counter(sentence.fault for draft in drafts for sentence in draft.sentences if sentence.fault)
    assert min(languages["en"], languages["zh"]) >= LEAST_DRAFTS
    assert len(faults) >= LEAST_FAULTS and min(faults.values()) >= LEAST_OF_A_FAULT, faults
    planted = sum(any(s.label == "false" for s in draft.sentences) for draft in drafts)
    assert 0.25 <= planted / len(drafts) <= 0.4
