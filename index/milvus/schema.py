"""The collections of a generation, and of a writer's lease."""

from __future__ import annotations

from typing import Any

from index.dense.vectors import FLAT_LIMIT
from index.milvus.server import Server

PIECE = 60_000  # characters of a piece of a file; a text of Milvus has at most 65,535 bytes
Fields = dict[str, dict[str, Any]]
_WORD = 128  # bytes of a release, language, kind or status
_LONG = 4096  # bytes of an id or a heading path
_GRAPH = {"M": 16, "efConstruction": 200}


def create_chunks(server: Server, name: str, dimension: int, rows: int) -> None:
    """Create the collection of chunks, if it does not exist: vector, terms, terms of headings, filters.

    Args:
        server: the server.
        name: name of the collection.
        dimension: length of a vector.
        rows: number of chunks that it will have.
    """
    fields: Fields = {
        "vector": {"datatype": "FLOAT_VECTOR", "dim": dimension},
        "terms": {"datatype": "SPARSE_FLOAT_VECTOR"},
        "headings": {"datatype": "SPARSE_FLOAT_VECTOR"},
        **dict.fromkeys(("release", "language", "kind", "status"), _text(_WORD)),
        **dict.fromkeys(("section", "document"), _text(_LONG)),
    }
    _create(server, name, fields, {"vector": _dense(rows), "terms": _SPARSE, "headings": _SPARSE})


def create_sentences(server: Server, name: str, dimension: int, rows: int) -> None:
    """Create the collection of sentences, if it does not exist: vector, row of the chunk, filters.

    Args:
        server: the server.
        name: name of the collection.
        dimension: length of a vector.
        rows: number of sentences that it will have.
    """
    fields: Fields = {
        "vector": {"datatype": "FLOAT_VECTOR", "dim": dimension},
        "chunk": {"datatype": "INT64"},
        **dict.fromkeys(("release", "language", "kind"), _text(_WORD)),
    }
    _create(server, name, fields, {"vector": _dense(rows)})


def create_files(server: Server, name: str) -> None:
    """Create a collection of pieces of files, if it does not exist; each collection must have a vector.

    Args:
        server: the server.
        name: name of the collection.
    """
    fields = {
        "vector": {"datatype": "FLOAT_VECTOR", "dim": 2},
        "name": _text(_WORD),
        "number": {"datatype": "INT64"},
        "pieces": {"datatype": "INT64"},
        "body": _text(65_535),
    }
    _create(server, name, fields, {"vector": _dense(1)})


_SPARSE = {"index_type": "SPARSE_INVERTED_INDEX", "metric_type": "IP"}


def _text(size: int) -> dict[str, Any]:
    return {"datatype": "VARCHAR", "max_length": size}


def _dense(rows: int) -> dict[str, Any]:
    """Return an exact index while the vectors are few, as in `index.dense.vectors`, and a graph above."""
    if rows <= FLAT_LIMIT:
        return {"index_type": "FLAT", "metric_type": "IP"}
    return {"index_type": "HNSW", "metric_type": "IP", "params": _GRAPH}


def _create(server: Server, name: str, fields: Fields, indexes: Fields) -> None:
    if server.call("has_collection", name):
        return
    from pymilvus import CollectionSchema, DataType, FieldSchema
    from pymilvus.milvus_client import IndexParams

    columns = [FieldSchema("row", DataType.INT64, is_primary=True)]
    for field, kind in fields.items():
        given = {**kind, "dtype": DataType[kind["datatype"]]}
        del given["datatype"]
        columns.append(FieldSchema(field, **given))
    params = IndexParams()
    for field, index in indexes.items():
        params.add_index(field, **index)
    server.call("create_collection", name, schema=CollectionSchema(columns), consistency_level="Bounded")
    server.call("create_index", name, params, sync=False)  # there are no rows to wait for
