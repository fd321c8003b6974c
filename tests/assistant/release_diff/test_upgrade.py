"""Upgrades: which features are new, and which have another status."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from assistant.release_diff.upgrade import upgrade
from ingest.errors import TorchnotesError
from ingest.release import Release
from tests.assistant.lives import FLEX_BETA, FLEX_PROTOTYPE, PART, document
from tests.assistant.upgrades import Compared, built, compared_in, lines

AGAIN = FLEX_BETA.replace("now", "still")
SHEET = "## [Beta] Quuxifier {#quux}\n\nThe quuxifier is here to stay.\n"


@pytest.fixture
def compared(tmp_path: Path) -> Compared:
    return partial(compared_in, tmp_path)


def test_a_feature_is_new_or_has_another_status(compared: Compared) -> None:
    one = document("2.3", SHEET.replace("Beta", "Prototype"), kind="digest")
    two = document("2.5", SHEET + FLEX_PROTOTYPE, kind="digest")
    found = compared(one, two, document("2.6", FLEX_BETA, kind="digest"))
    assert lines(found.changed) == ["2.5 Quuxifier: prototype > beta"]
    assert lines(found.new) == ["2.6 FlexAttention: - > beta"]
    assert (found.breaking, found.deprecated, found.additions) == ((), (), ())
    assert str(found.new[0].date) == "2026-01-15" and found.changed[0].before_whole


def test_the_order_of_the_releases_is_free(tmp_path: Path) -> None:
    made = built(tmp_path, [document("2.9", FLEX_PROTOTYPE), document("2.10", FLEX_BETA)])
    older, newer = Release(2, 9), Release(2, 10)
    assert upgrade(*made, newer, older) == upgrade(*made, older, newer)
    assert upgrade(*made, newer, older).between == (newer,)


def test_what_only_repeats_a_status_or_tells_of_a_part_is_an_addition(
    compared: Compared,
) -> None:
    found = compared(document("2.4", FLEX_BETA), document("2.5", AGAIN), document("2.6", PART))
    assert found.new == found.changed == ()
    assert lines(found.additions) == [
        "2.5 FlexAttention: - > beta",
        "2.6 FlexAttention vectorized masks and scores: - > beta",
    ]


def test_a_status_is_reached_once(compared: Compared) -> None:
    found = compared(document("2.5", FLEX_BETA), document("2.6", AGAIN))
    assert lines(found.new) == ["2.5 FlexAttention: - > beta"]


def test_a_feature_that_goes_is_no_change_of_status(compared: Compared) -> None:
    gone = "## [Deprecated] FlexAttention\n\nFlexAttention is going away soon.\n"
    found = compared(document("2.4", FLEX_BETA), document("2.6", gone))
    assert (found.changed, found.new) == ((), ())
    assert lines(found.deprecated) == ["2.6 FlexAttention: - > deprecated"]


def test_a_status_that_a_part_had_before_is_told_as_such(compared: Compared) -> None:
    part = "## [Prototype] FlexAttention masks on every device\n\nMasks work on every device.\n"
    (item,) = compared(document("2.4", part), document("2.5", FLEX_BETA)).changed
    assert item.before == "prototype" and not item.before_whole


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("2.4", "2.4", r"^release 2\.4 cannot be compared with itself; give two of 2\.4, 2\.5$"),
        ("2.4", "9.9", r"^no document in the index is about release 9\.9; give two of 2\.4, 2\.5$"),
        ("1.0", "2.4", r"^no document in the index is about release 1\.0; give two of 2\.4, 2\.5$"),
    ],
)
def test_releases_that_cannot_be_compared(tmp_path: Path, first: str, second: str, message: str) -> None:
    made = built(tmp_path, [document("2.4", FLEX_BETA), document("2.5", AGAIN)])
    with pytest.raises(TorchnotesError, match=message):
        upgrade(*made, Release.parse(first), Release.parse(second))


def test_one_release_alone_cannot_be_compared(tmp_path: Path) -> None:
    made = built(tmp_path, [document("2.4", FLEX_BETA)])
    with pytest.raises(
        TorchnotesError, match=r"needs documents of two releases, and there are those of 2\.4"
    ):
        upgrade(*made, Release(2, 4), Release(2, 5))
