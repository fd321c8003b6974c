"""How each status is marked: a shape and a colour of its own, in charts and beside words.

Colours are variables of the style sheet (`static/explore.css`), so that light and dark pages have their own.
Colour-blind readers can tell them apart, and the shapes say the same without any colour.
"""

from __future__ import annotations

from collections.abc import Mapping

from ingest.status import Status

_Points = tuple[tuple[int, int], ...]

#: Corners of each mark in percent of its box, from the left and from the top; a mark without any is a circle.
CORNERS: Mapping[Status, _Points] = {
    "prototype": ((50, 4), (100, 94), (0, 94)),
    "unstable": ((50, 0), (66, 34), (100, 50), (66, 66), (50, 100), (34, 66), (0, 50), (34, 34)),
    "beta": ((50, 0), (100, 50), (50, 100), (0, 50)),
    "stable": (),
    "new": (
        *((34, 0), (66, 0), (66, 34), (100, 34), (100, 66), (66, 66)),
        *((66, 100), (34, 100), (34, 66), (0, 66), (0, 34), (34, 34)),
    ),
    "platform": ((8, 8), (92, 8), (92, 92), (8, 92)),
    "deprecated": ((0, 6), (100, 6), (50, 96)),
    "breaking": (
        *((18, 0), (50, 32), (82, 0), (100, 18), (68, 50), (100, 82)),
        *((82, 100), (50, 68), (18, 100), (0, 82), (32, 50), (0, 18)),
    ),
}


def shape(status: Status) -> str:
    """The mark as Vega's symbol: a name, or a path in a box from -1 to 1."""
    corners = CORNERS.get(status, ())
    path = "L".join(f"{x / 50 - 1:g},{y / 50 - 1:g}" for x, y in corners)
    return f"M{path}Z" if corners else "circle"


def colour(status: Status) -> str:
    """The colour as a value of CSS."""
    return f"var(--tn-mark-{status})"


def mark(status: Status, *, hollow: bool = False) -> str:
    """The mark as HTML, for the eye alone: words stand beside it."""
    name = " tn-mark-hollow" if hollow else ""
    return f'<span class="tn-mark tn-mark-{status}{name}" role="presentation"></span>'
