"""The chart of features over releases, as data for the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from ingest.document import Language
from ingest.release import Release
from tests.ui.web.lives import lives
from ui.web.explore.features import alone
from ui.web.explore.history_chart import history_chart

RELEASES = [Release.parse(text) for text in ("2.4", "2.5", "2.9", "2.10")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lives")


def drawn(folder: Path, language: Language) -> dict[str, Any]:
    """What gradio would send."""
    chart: dict[str, Any] = json.loads(history_chart(alone(lives(folder)[1]), RELEASES, language).to_json())
    return chart


def rows(chart: dict[str, Any], layer: int) -> list[dict[str, Any]]:
    """The data of a layer: 0 the lines, 1 the names, 2 the marks."""
    found: list[dict[str, Any]] = chart["datasets"][chart["layer"][layer]["data"]["name"]]
    return found


def marks(chart: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [row for row in rows(chart, 2) if row["name"] == name]


def test_a_step_is_a_mark_in_the_column_of_its_release(folder: Path) -> None:
    first, last = marks(drawn(folder, "en"), "FlexAttention")
    assert (first["x"], first["status"], first["words"]) == (1, "prototype", "Prototype")
    assert (last["x"], last["status"], last["words"]) == (3, "beta", "Beta, was Prototype")
    assert first["y"] == last["y"]
    assert (first["release"], first["date"]) == ("PyTorch 2.5", "2025-01-15")
    assert first["said"] == "FlexAttention is an API for attention variants."


def test_a_line_goes_along_each_life(folder: Path) -> None:
    lines = rows(drawn(folder, "en"), 0)
    assert {row["name"]: (row["x"], row["x2"]) for row in lines} == {
        "FSDP2": (0, 2),
        "Context Parallel": (1, 1),
        "FlexAttention": (1, 3),
        "tensor parallelism": (2, 2),
    }


def test_two_steps_of_one_release_stand_beside_each_other(folder: Path) -> None:
    first, last = marks(drawn(folder, "en"), "Context Parallel")
    assert first["x"] < 1 < last["x"] and first["x"] + last["x"] == 2


@pytest.mark.parametrize(
    ("language", "question"),
    [
        pytest.param("zh", "FlexAttention 从哪个版本开始，状态怎么变的？", id="zh"),
        pytest.param(
            "en", "Since when does PyTorch have FlexAttention, and how did its status change?", id="en"
        ),
    ],
)
def test_a_mark_asks_in_the_language_shown(folder: Path, language: Language, question: str) -> None:
    _, last = marks(drawn(folder, language), "FlexAttention")
    assert unquote(last["href"]) == f"#ask={question}"
    assert last["href"].removeprefix("#ask=").isascii() and "&" not in last["href"]


def test_the_page_needs_nothing_from_outside(folder: Path) -> None:
    chart = drawn(folder, "en")
    assert chart["usermeta"]["embedOptions"]["actions"] is False
    assert chart["usermeta"]["embedOptions"]["ast"] is True
    addresses = [row["href"] for layer in range(3) for row in rows(chart, layer)]
    assert all(address.startswith("#ask=") for address in addresses)
    assert not any("url" in layer["data"] for layer in chart["layer"])


def test_releases_are_columns_in_order(folder: Path) -> None:
    axis = drawn(folder, "en")["layer"][0]["encoding"]["x"]["axis"]
    assert axis["labelExpr"] == "['2.4', '2.5', '2.9', '2.10'][datum.value]"
    assert axis["values"] == [0, 1, 2, 3]


def test_colours_follow_the_style_sheet(folder: Path) -> None:
    fill = drawn(folder, "en")["layer"][2]["encoding"]["fill"]["scale"]
    colours = dict(zip(fill["domain"], fill["range"], strict=True))
    assert colours["beta"] == "var(--tn-mark-beta)"
