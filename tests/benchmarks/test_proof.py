"""The proof on both sets of drafts and true sentences: what it catches, and what it wrongly rejects.

Here on a quarter of them; `python -m benchmarks.proof` takes all.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assistant.verification.draft import statements, without_marks
from benchmarks.proof import Outcome, caught, injected, measure, read
from corpus.shipped import DIGESTS

SUFFIXES = ("", "_held_out")
LEAST_CAUGHT = 0.98
MOST_REJECTED = 0.05
EVERY = 4


@pytest.fixture(scope="module")
def both(shipped_home: Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[Outcome]]:
    """The sentences of both sets, over one index."""
    home = shutil.copytree(shipped_home, tmp_path_factory.mktemp("proof") / "home", symlinks=True)
    return measure(home, *SUFFIXES, every=EVERY)


@pytest.fixture(scope="module")
def written_first(both: list[list[Outcome]]) -> list[Outcome]:
    """The sentences that the proof was made with."""
    return both[0]


@pytest.fixture(scope="module")
def held_out(both: list[list[Outcome]]) -> list[Outcome]:
    """Those that were written after it."""
    return both[1]


@pytest.mark.long
def test_the_proof_catches_false_sentences_and_keeps_true_ones(
    written_first: Sequence[Outcome], held_out: Sequence[Outcome]
) -> None:
    told = [caught(outcomes) for outcomes in (written_first, held_out)]
    good = sum(of_kind.total() for of_kind, _ in told)
    every = sum(of_kind.total() for _, of_kind in told)
    escaped = [(o.id, o.text) for o in (*written_first, *held_out) if not o.true and o.proof.holds]
    assert good >= LEAST_CAUGHT * every, escaped
    true = [o for o in (*written_first, *held_out) if o.kind in ("true, en", "true, zh")]
    rejected = [(o.id, o.proof.reason) for o in true if o.proof.outcome == "contradicted"]
    assert len(true) == sum(len(read(f"statements{suffix}.jsonl")[::EVERY]) for suffix in SUFFIXES)
    assert len(rejected) <= MOST_REJECTED * len(true), rejected


@pytest.mark.long
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_draft_has_a_false_sentence_that_is_judged(
    suffix: str, written_first: Sequence[Outcome], held_out: Sequence[Outcome]
) -> None:
    outcomes = held_out if suffix else written_first
    judged = {outcome.id for outcome in outcomes if not outcome.true}
    assert judged == {draft["id"] for draft in read(f"adversarial{suffix}.jsonl")[::EVERY] if draft["bad"]}


def digest(name: str) -> str:
    return (DIGESTS / f"{name}.md").read_text(encoding="utf-8")


def rows(name: str) -> list[dict[str, Any]]:
    return [row for suffix in SUFFIXES for row in read(f"{name}{suffix}.jsonl")]


def test_no_two_rows_share_an_id_or_a_text() -> None:
    true, drafts = rows("statements"), rows("adversarial")
    ids = [row["id"] for row in (*true, *drafts)]
    assert len(ids) == len(set(ids))
    assert len({row["sentence"] for row in true}) == len(true)
    assert len({row["draft"] for row in drafts}) == len(drafts)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_quotes_are_verbatim_and_sentences_are_not(suffix: str) -> None:
    for row in read(f"statements{suffix}.jsonl"):
        source = digest(f"{row.get('source', row['language'])}/{row['release']}")
        assert row["quotes"] and all(quote in source for quote in row["quotes"]), row["id"]
        assert row["sentence"] not in source, row["id"]
        assert len(statements(row["sentence"])) >= 1 and without_marks(row["sentence"]) == row["sentence"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_drafts_hold_their_sentences_and_digests_their_passages(suffix: str) -> None:
    for draft in read(f"adversarial{suffix}.jsonl"):
        assert draft["bad"] and draft["language"] in ("en", "zh"), draft["id"]
        assert all(text in draft["draft"] for text in (*draft["bad"], *draft.get("good", []))), draft["id"]
        assert not set(draft["bad"]) & set(draft.get("good", [])), draft["id"]
        for given in draft["passages"]:
            if "digest" in given:
                assert given["contains"] in digest(given["digest"]), draft["id"]
        own = [given for given in draft["passages"] if "digest" not in given]
        assert [given["title"] for given in own] == [document.title for document in injected(draft)]


def test_both_languages_and_every_kind_of_lie_are_there() -> None:
    drafts = rows("adversarial")
    for language in ("en", "zh"):
        assert len({draft["kind"] for draft in drafts if draft["language"] == language}) >= 12
        assert sum(row["language"] == language for row in rows("statements")) >= 150
