"""Releases that evidence stands in: held by the index, to be had, or a slip."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.evaluation.gold import check_releases
from ingest.errors import SourceError
from ingest.release import Release
from tests.assistant.answers import DECLINE, gold

HELD = (Release(2, 3), Release(2, 4))
OFFICIAL = (Release(2, 4), Release(2, 5), Release(2, 10))


def evidence(*versions: str) -> list[dict[str, Any]]:
    return [{"version": version, "keys": [["x"]]} for version in versions]


def test_releases_that_the_index_lacks_are_counted_by_question() -> None:
    questions = [
        gold(evidence=evidence("2.10", "2.5", "2.5")),
        gold(evidence=evidence("2.5", "2.3")),
        gold(**DECLINE),
    ]
    lacking = check_releases(questions, HELD, OFFICIAL)
    assert list(lacking.items()) == [(Release(2, 5), 2), (Release(2, 10), 1)]


def test_a_release_that_does_not_exist_is_refused() -> None:
    questions = [gold(), gold("mine.jsonl:8", evidence=evidence("2.4", "2.44"))]
    with pytest.raises(
        SourceError,
        match=r"^mine.jsonl:8: release 2.44 is unknown; there are 2.3, 2.4, 2.5, 2.10",
    ):
        check_releases(questions, HELD, OFFICIAL)
