"""The marks of statuses: seen on light and dark, told apart without seeing all colours, and without any."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import ui.web
from assistant.timeline.builder import STEPS
from tests.rows import each_row
from ui.web.explore.status_marks import CORNERS, colour, mark, shape

STYLE = (Path(ui.web.__file__).with_name("static") / "explore.css").read_text(encoding="utf-8")
PAPER = {"light": "#ffffff", "dark": "#1f2937"}
# Linear RGB as a colour-blind reader sees it: G. M. Machado and others, "A physiologically-based model for
# simulation of color vision deficiency", 2009, severity 1.
SEEN = {
    "all": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def palette(theme: str) -> dict[str, str]:
    block = re.search({"light": r":root \{(.*?)\}", "dark": r"\.dark \{(.*?)\}"}[theme], STYLE, re.S)
    assert block
    return dict(re.findall(r"--tn-mark-([\w-]+): (#[0-9a-f]{6})", block[1]))


def linear(hex_: str) -> NDArray[np.float64]:
    value = np.array([int(hex_[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(TO_XYZ[1] @ linear(each)) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L*a*b* of linear RGB."""
    xyz = TO_XYZ @ np.clip(rgb, 0, 1) / np.array([0.9505, 1, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", PAPER)
def test_every_status_has_a_colour_that_is_seen(theme: str) -> None:
    assert set(palette(theme)) == set(STEPS)
    assert not {s: c for s, c in palette(theme).items() if contrast(c, PAPER[theme]) < 3}


@each_row("theme", PAPER)
@each_row("eyes", SEEN)
def test_no_two_colours_look_alike(theme: str, eyes: str) -> None:
    seen = {s: lab(np.array(SEEN[eyes]) @ linear(c)) for s, c in palette(theme).items()}
    alike = [(a, b) for a, b in combinations(seen, 2) if np.linalg.norm(seen[a] - seen[b]) < 9]
    assert alike == []


def test_every_status_has_a_shape_of_its_own() -> None:
    assert set(CORNERS) == set(STEPS)
    assert len({shape(status) for status in STEPS}) == len(STEPS)


@each_row("status", [s for s in STEPS if CORNERS[s]])
def test_the_style_sheet_has_the_same_corners(status: str) -> None:
    drawn = re.search(rf"\.tn-mark-{status} \{{.*?polygon\((.*?)\)", STYLE, re.S)
    assert drawn
    corners = [tuple(map(int, re.findall(r"\d+", corner))) for corner in drawn[1].split(",")]
    assert corners == list(CORNERS[status])  # type: ignore[index]


def test_a_mark_names_its_status() -> None:
    assert shape("beta") == "M0,-1L1,0L0,1L-1,0Z" and shape("stable") == "circle"
    assert colour("beta") == "var(--tn-mark-beta)"
    assert 'class="tn-mark tn-mark-beta tn-mark-hollow"' in mark("beta", hollow=True)
