"""The functions of the page, and which of their inputs take files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradio import Blocks


@dataclass(frozen=True, slots=True)
class PageFunctions:
    """Functions of a page, as far as the guard needs to know them.

    Attributes:
        named: names of the public endpoints.
        direct: ids of the functions that the page calls outside the queue.
        files: positions of the file inputs, by function id.
    """

    named: frozenset[str]
    direct: frozenset[int]
    files: Mapping[int, frozenset[int]]

    @classmethod
    def of(cls, page: Blocks) -> PageFunctions:
        """Collect the functions of a page.

        Args:
            page: the complete page.
        """
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
        """Return whether the page calls a function outside the queue.

        Args:
            number: function id, as sent by a client.
        """
        return isinstance(number, int) and number in self.direct

    def file_places(self, sent: object) -> frozenset[int]:
        """Return the positions of the file inputs of the called function.

        Args:
            sent: JSON of a request.
        """
        number = sent.get("fn_index") if isinstance(sent, Mapping) else None
        return self.files.get(number, frozenset()) if isinstance(number, int) else frozenset()
