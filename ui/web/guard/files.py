"""The functions of the page, and which of their inputs take files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import signature
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
        inputs: number of inputs, by function id.
        parameters: names of the parameters of each public endpoint, and whether they are required.
        served: functions that components of the page call, as (component id, name).
    """

    named: frozenset[str]
    direct: frozenset[int]
    files: Mapping[int, frozenset[int]]
    inputs: Mapping[int, int] = field(default_factory=dict)
    parameters: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    served: frozenset[tuple[int, str]] = frozenset()

    @classmethod
    def of(cls, page: Blocks) -> PageFunctions:
        """Collect the functions of a page.

        Args:
            page: the complete page.
        """
        from gradio import File

        functions = page.fns.values()
        public = {str(each.api_name): each.fn for each in functions if each.api_visibility == "public"}
        return cls(
            frozenset(public),
            # Without a function of Python, all is done in the browser.
            frozenset(each._id for each in functions if not each.queue and each.fn is not None),
            {
                each._id: frozenset(place for place, part in enumerate(each.inputs) if isinstance(part, File))
                for each in functions
            },
            {each._id: len(each.inputs) for each in functions},
            {
                name: {
                    each.name: each.default is each.empty for each in signature(called).parameters.values()
                }
                for name, called in public.items()
                if called is not None
            },
            frozenset(
                (number, name)
                for number, component in page.blocks.items()
                for function in getattr(component, "server_fns", None) or ()
                for name in (function.__name__,)
            ),
        )

    def is_direct(self, number: object) -> bool:
        """Return whether the page calls a function outside the queue.

        Args:
            number: function id, as sent by a client.
        """
        return isinstance(number, int) and number in self.direct

    def is_served(self, sent: object) -> bool:
        """Return whether a component of the page calls the named function.

        Args:
            sent: JSON of a request.
        """
        if not isinstance(sent, Mapping):
            return False
        number, name = sent.get("component_id"), sent.get("fn_name")
        return isinstance(number, int) and isinstance(name, str) and (number, name) in self.served

    def file_places(self, sent: object) -> frozenset[int]:
        """Return the positions of the file inputs of the called function.

        Args:
            sent: JSON of a request.
        """
        number = sent.get("fn_index") if isinstance(sent, Mapping) else None
        return self.files.get(number, frozenset()) if isinstance(number, int) else frozenset()
