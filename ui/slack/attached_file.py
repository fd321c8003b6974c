"""Files that are attached to messages, as Slack describes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file attached to a message.

    Attributes:
        name: name of the file.
        url: private address, "" if Slack has none.
        media_type: media type.
        size: bytes.
    """

    name: str
    url: str
    media_type: str
    size: int


def attached_files(message: Mapping[str, Any]) -> tuple[AttachedFile, ...]:
    """Return the files attached to a message.

    Args:
        message: the message, or its event.
    """
    return tuple(_file(each) for each in message.get("files") or () if isinstance(each, Mapping))


def _file(file: Mapping[str, Any]) -> AttachedFile:
    size = file.get("size")
    return AttachedFile(
        name=" ".join(str(file.get("name") or file.get("title") or "file").split())[:80],
        url=str(file.get("url_private_download") or file.get("url_private") or ""),
        media_type=str(file.get("mimetype") or ""),
        size=size if isinstance(size, int) else 0,
    )
