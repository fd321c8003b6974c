"""Tracking of the files that visitors uploaded."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping

_MOST = 10_000  # maximum number of files remembered


_LONGEST_NAME = 1000


class ReceivedFiles:
    """The uploaded files, by the paths that the server gave them."""

    def __init__(self) -> None:
        self._paths: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, answer: bytes) -> tuple[str, ...]:
        """Remember the files of an upload.

        Args:
            answer: gradio's, which lists their paths as JSON; another one, such as that of an upload that was
                refused, lists none.

        Returns:
            Their paths.
        """
        try:
            listed = json.loads(answer)
        except ValueError:
            return ()
        paths = tuple(map(str, listed if isinstance(listed, list) else ()))
        with self._lock:
            self._paths.update(dict.fromkeys(paths))
            while len(self._paths) > _MOST:
                self._paths.popitem(last=False)
        return paths

    def __contains__(self, path: object) -> bool:
        with self._lock:
            return path in self._paths

    def plain(self, file: object) -> dict[str, object] | None:
        """Return a file as sent by the page with unknown fields removed.

        Args:
            file: value sent by the page.

        Returns:
            The file, None if it was not received by this server.
        """
        if not isinstance(file, Mapping) or not isinstance(file.get("path"), str) or file["path"] not in self:
            return None
        name = file.get("orig_name")
        return {
            "path": file["path"],
            "orig_name": name[:_LONGEST_NAME] if isinstance(name, str) else None,
            "meta": {"_type": "gradio.FileData"},
        }
