"""The files that visitors sent, and the functions of the page that take them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradio import Blocks


@dataclass(frozen=True, slots=True)
class PageFunctions:
    """What the guard knows of the functions of a page.

    Attributes:
        named: names of the endpoints that programs may call.
        direct: numbers of the functions that the page calls outside the queue.
        files: the places of the inputs that take files, by the number of the function.
    """

    named: frozenset[str]
    direct: frozenset[int]
    files: Mapping[int, frozenset[int]]

    @classmethod
    def of(cls, page: Blocks) -> PageFunctions:
        """Return those of a page with all its functions."""
        from gradio import File

        functions = page.fns.values()
        return cls(
            frozenset(str(each.api_name) for each in functions if each.api_visibility == "public"),
            frozenset(each._id for each in functions if not each.queue),
            {
                each._id: frozenset(place for place, part in enumerate(each.inputs) if isinstance(part, File))
                for each in functions
            },
        )

    def is_direct(self, number: object) -> bool:
        """Return whether the page calls a function outside the queue."""
        return isinstance(number, int) and number in self.direct

    def file_places(self, sent: object) -> frozenset[int]:
        """Return the places of the inputs that take files, of the function that a request calls."""
        number = sent.get("fn_index") if isinstance(sent, Mapping) else None
        return self.files.get(number, frozenset()) if isinstance(number, int) else frozenset()
