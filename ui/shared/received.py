"""The files that the server received from visitors."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping

_MOST = 10_000  # files remembered


_LONGEST_NAME = 1000


class ReceivedFiles:
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
