"""Files in a collection: compressed, and cut into pieces that fit a text field."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping

from index.milvus.schema import PIECE
from index.milvus.server import Server
from ingest.errors import IndexMismatchError

_AT_ONCE = 64  # pieces, 4 MB


def write_files(server: Server, collection: str, files: Mapping[str, bytes]) -> None:
    """Write files; writing one again replaces it.

    Args:
        server: the server.
        collection: a collection made by `schema.create_files`.
        files: content by name, in the order of the rows.
    """
    row = 0
    for name, content in files.items():
        text = base64.b85encode(zlib.compress(content, 6)).decode()
        bodies = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
        pieces = [
            {
                "row": row + number,
                "vector": [0.0, 0.0],
                "name": name,
                "number": number,
                "pieces": len(bodies),
                "body": body,
            }
            for number, body in enumerate(bodies)
        ]
        row += len(pieces)
        for start in range(0, len(pieces), _AT_ONCE):
            server.call("upsert", collection, pieces[start : start + _AT_ONCE])


def read_file(server: Server, collection: str, name: str) -> bytes:
    """Read a file.

    Args:
        server: the server.
        collection: a collection made by `schema.create_files`.
        name: name of the file.

    Raises:
        IndexMismatchError: the file is missing, or incomplete.
    """
    bodies: dict[int, str] = {}
    start, total = 0, 1
    while start < total:
        condition = f'name == "{name}" and number >= {start} and number < {start + _AT_ONCE}'
        for piece in server.query(collection, condition, ["number", "pieces", "body"]):
            bodies[piece["number"]] = piece["body"]
            total = piece["pieces"]
        start += _AT_ONCE
    text = "".join(bodies.get(number, "") for number in range(total))
    try:
        return zlib.decompress(base64.b85decode(text))
    except (ValueError, zlib.error) as error:
        raise IndexMismatchError(
            f"index {server.address.text}: {name} of {collection} is missing or damaged; type `torchnotes "
            "rebuild`, or copy the index there again"
        ) from error
