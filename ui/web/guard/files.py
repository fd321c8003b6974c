"""The files that visitors sent, and the functions of the page that take them."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradio import Blocks

_MOST = 10_000  # files remembered
_LONGEST_NAME = 1000


class Received:
    """The files that this server received, by the path that it gave each."""

    def __init__(self) -> None:
        self._paths: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, answer: bytes) -> None:
        """Remember the files of an upload.

        Args:
            answer: gradio's, which lists their paths as JSON; another one, such as that of an upload that was
                refused, lists none.
        """
        try:
            paths = json.loads(answer)
        except ValueError:
            return
        with self._lock:
            for path in paths if isinstance(paths, list) else ():
                self._paths[str(path)] = None
            while len(self._paths) > _MOST:
                self._paths.popitem(last=False)

    def __contains__(self, path: object) -> bool:
        with self._lock:
            return path in self._paths

    def plain(self, file: object) -> dict[str, object] | None:
        """Return a file as the page names it, with nothing else in it; None for one that was not received."""
        if not isinstance(file, Mapping) or not isinstance(file.get("path"), str) or file["path"] not in self:
            return None
        name = file.get("orig_name")
        return {
            "path": file["path"],
            "orig_name": name[:_LONGEST_NAME] if isinstance(name, str) else None,
            "meta": {"_type": "gradio.FileData"},
        }


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
