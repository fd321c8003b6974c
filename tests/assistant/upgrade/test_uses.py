"""The uses of uses.txt: at least 90 of 100 are found, and nothing else is. `benchmarks.upgrade` prints it."""

from __future__ import annotations

from corpus.changes import load_changes
from ingest.release import Release
from tests.assistant.upgrade.known_uses import wanted_and_found


def test_the_list_is_long_enough() -> None:
    wanted, _ = wanted_and_found()
    assert len(wanted) >= 150 and len({symbol for _, symbol in wanted}) >= 120


def test_the_list_has_uses_of_every_release() -> None:
    wanted, _ = wanted_and_found()
    symbols = {symbol for _, symbol in wanted}
    releases = {change.release for change in load_changes() if symbols & {*change.names}}
    assert releases == {str(Release(2, minor)) for minor in range(15)}


def test_recall() -> None:
    wanted, found = wanted_and_found()
    assert len(wanted & found) / len(wanted) >= 0.9, sorted(wanted - found)


def test_recall_of_the_first_releases() -> None:
    wanted, found = wanted_and_found()
    early = {
        name
        for change in load_changes()
        if Release.parse(change.release) <= Release(2, 6)
        for name in change.names
    }
    of_them = {each for each in wanted if each[1] in early}
    assert len(of_them) >= 60 and len(of_them & found) / len(of_them) >= 0.9


def test_nothing_else_is_found() -> None:
    wanted, found = wanted_and_found()
    assert found - wanted == set()
