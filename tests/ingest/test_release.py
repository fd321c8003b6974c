from __future__ import annotations

import re

import pytest

from ingest.release import Release, releases_in
from tests.rows import each_row


@each_row("text", ["2.4", "v2.4", "V2.4.0", " 2.4.1 ", "2.4.x", "2.4.0.x"])
def test_every_way_to_write_it(text: str) -> None:
    assert Release.parse(text) == Release(2, 4)


@each_row("text", ["", "2", "2.", ".4", "two", "2,4", "2.4a", "2.4-rc1", "torch 2.4", "2.4.0.1", "100.1"])
def test_what_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a release; write it like 2\.4 or v2\.4\.0"):
        Release.parse(text)


def test_order_is_by_number() -> None:
    texts = ["2.10", "1.13", "2.9", "2.0", "1.2"]
    assert [str(r) for r in sorted(map(Release.parse, texts))] == ["1.2", "1.13", "2.0", "2.9", "2.10"]


def test_it_is_shown_as_it_is_read() -> None:
    assert str(Release.parse("v2.10.0")) == "2.10" and f"PyTorch {Release(2, 8)}" == "PyTorch 2.8"


KNOWN = [Release(1, 13), *(Release(2, minor) for minor in range(12))]


@each_row(
    ("text", "releases"),
    [
        ("2.4", "2.4"),
        ("v2.4.0", "2.4"),
        ("2.9-2.11", "2.9 2.10 2.11"),
        ("1.10-2.0", "1.13 2.0"),
        ("2.1,2.4", "2.1 2.4"),
        ("2.1， 2.3 – 2.4、2.3", "2.1 2.3 2.4"),
        ("2.10-9.9", "2.10 2.11"),
    ],
)
def test_releases_are_named_alone_and_as_ranges(text: str, releases: str) -> None:
    assert sorted(releases_in(text, KNOWN)) == [Release.parse(release) for release in releases.split()]


@each_row(
    ("text", "message"),
    [
        ("", "'' names no releases; write 2.4, 2.0-2.8 or 2.1,2.4 (known are 1.13 to 2.11)"),
        ("2.4,", "'2.4,' names no releases"),
        ("latest", "'latest' names no releases"),
        ("2.0-", "'2.0-' names no releases"),
        ("2.0-2.4-2.8", "names no releases"),
        ("2.8-2.0", "the range 2.8-2.0 runs backwards; write 2.0-2.8"),
        ("2.4,3.0", "nothing is known of release 3.0; known are 1.13 to 2.11"),
    ],
)
def test_releases_that_cannot_be_meant_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        releases_in(text, KNOWN)
