"""Which name a misspelled word means."""

from __future__ import annotations

import pytest

from index.resemblance import resembling
from tests.rows import each_row

NAMES = ("space", "sparse", "compile", "transform", "flashattention", "true")


@each_row(
    ("word", "name"),
    [
        pytest.param("complie", "compile", id="letters swapped"),
        pytest.param("compil", "compile", id="letter missing"),
        pytest.param("sparce", "sparse", id="of two the one as long"),
        pytest.param("flahsatention", "flashattention", id="two slips in a long word"),
        pytest.param("cmoplie", "", id="two slips in a short one"),
        pytest.param("transport", "", id="another word"),
        pytest.param("ture", "true", id="four letters"),
        pytest.param("tru", "", id="too short to tell"),
        pytest.param("xompile", "", id="the first letter is right"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_a_slip_of_the_keys_is_seen(word: str, name: str) -> None:
    assert resembling(word, NAMES) == name
