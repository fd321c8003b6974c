"""Shape and colour of each status, in charts and next to text.

Colours are variables of the style sheet (`static/explore.css`), different for light and dark pages. They can
be told apart by colour-blind readers, and the shapes are sufficient without colours.
"""

from __future__ import annotations

from collections.abc import Mapping

from ingest.status import Status

_Points = tuple[tuple[int, int], ...]

#: Corners of each mark in percent of its box, from left and top; without corners it is a circle.
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
    """Return the mark as a Vega symbol: a name, or a path in a box from -1 to 1.

    Args:
        status: the status.
    """
    corners = CORNERS.get(status, ())
    path = "L".join(f"{x / 50 - 1:g},{y / 50 - 1:g}" for x, y in corners)
    return f"M{path}Z" if corners else "circle"


def colour(status: Status) -> str:
    """Return the colour as a CSS value.

    Args:
        status: the status.
    """
    return f"var(--tn-mark-{status})"


def mark(status: Status, *, hollow: bool = False) -> str:
    """Return the mark as HTML, hidden from screen readers because text is next to it.

    Args:
        status: the status.
        hollow: draw only the outline.
    """
    name = " tn-mark-hollow" if hollow else ""
    return f'<span class="tn-mark tn-mark-{status}{name}" role="presentation"></span>'
