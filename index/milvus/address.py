"""Addresses of indexes in Milvus, such as `milvus://host:19530/notes` and `milvus:notes.db`."""

from __future__ import annotations

import re
from typing import NamedTuple

from ingest.errors import TorchnotesError

SCHEME = "milvus"
FORMS = "milvus://host:19530/collection, milvus+tls://host:443/collection or milvus:path.db"
_COLLECTION = "torchnotes"  # in a file, which is one index
_SERVER = re.compile(r"milvus(\+tls)?://([^\s/@?#]+)/([A-Za-z_][A-Za-z0-9_]{0,99})/?")
_FILE = re.compile(r"milvus:(?!//)(.+\.db)")


class Address(NamedTuple):
    """Where an index in Milvus is.

    Attributes:
        text: the address as given.
        uri: what pymilvus connects to: "http://host:19530", or the path of a file.
        collection: name of the index on the server; an alias, see `index.milvus.names`.
    """

    text: str
    uri: str
    collection: str

    @property
    def is_file(self) -> bool:
        """Whether it is a file of Milvus Lite."""
        return not self.uri.startswith("http")


def is_milvus(text: str) -> bool:
    """Return whether a text is meant as the address of an index in Milvus.

    Args:
        text: an address, or a path.
    """
    return text.startswith((f"{SCHEME}:", f"{SCHEME}+"))


def parse_address(text: str) -> Address:
    """Parse an address.

    Args:
        text: the address.

    Raises:
        TorchnotesError: it is none; a user name or a token is not part of one.
    """
    if server := _SERVER.fullmatch(text):
        scheme = "https" if server[1] else "http"
        return Address(text, f"{scheme}://{server[2]}", server[3])
    if file := _FILE.fullmatch(text):
        return Address(text, file[1], _COLLECTION)
    shown = re.sub(r"//.*@", "//…@", text)
    raise TorchnotesError(f"{shown!r} is no address of an index in Milvus; write it like {FORMS}")
