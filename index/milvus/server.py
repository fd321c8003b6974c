"""Calls to Milvus, whose errors are of one line and ours."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from index.milvus.address import Address
from ingest.errors import IndexMismatchError, TorchnotesError

CONNECT = 5.0  # seconds to wait for a connection
WAIT = 10.0  # seconds to wait for a reply, while the client connects anew
LONG_WAIT = 600.0  # and for what takes a server long, or has to wait for that
MOST = 16_384  # rows of one reply, the limit of Milvus
_LONG = frozenset({"create_index", "drop_collection", "flush", "load_collection", "query", "upsert"})
_MISSING = 100  # code of an unknown collection or alias
_EF = 256  # neighbours kept while a graph is searched

Row = dict[str, Any]
Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


class Server:
    """A connection to Milvus. The collections that are searched have the primary key "row".

    Args:
        address: address of the index.
        token: token, or user and password as "user:password"; "" for none.

    Raises:
        TorchnotesError: the packages are missing, or the server does not answer.
    """

    def __init__(self, address: Address, token: str = "") -> None:
        missing = [name for name in ("pymilvus", "milvus_lite") if find_spec(name) is None]
        if "pymilvus" in missing or (missing and address.is_file):
            raise TorchnotesError(
                f"index {address.text}: it needs what is not installed here ({', '.join(missing)}); "
                "type `pip install '.[milvus]'`"
            )
        from grpc import RpcError
        from pymilvus import MilvusClient, MilvusException

        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)  # it logs each error that it raises
        logging.getLogger("milvus_lite").setLevel(logging.CRITICAL)
        self.address = address
        self._errors: tuple[type[Exception], ...] = (MilvusException, RpcError)  # a late reply is the latter
        self._loaded: set[str] = set()
        try:
            if address.is_file:
                Path(address.uri).parent.mkdir(parents=True, exist_ok=True)
            self._client: Any = MilvusClient(address.uri, token=token, timeout=CONNECT)
        except OSError as error:
            raise TorchnotesError(f"index {address.text}: cannot be made ({error.strerror})") from error
        except MilvusException as error:
            if address.is_file:
                raise TorchnotesError(
                    f"index {address.text}: cannot be opened; another process has it open, or it is damaged"
                ) from error
            raise self._away(error) from error

    def call(self, name: str, *arguments: Any, **given: Any) -> Any:  # noqa: ANN401 - each method its own
        """Call a method of `pymilvus.MilvusClient`.

        Args:
            name: name of the method.
            *arguments: its arguments.
            **given: its named arguments.

        Raises:
            IndexMismatchError: a collection is missing.
            TorchnotesError: the server does not answer, or refuses.
        """
        wait = LONG_WAIT if name in _LONG else WAIT
        try:
            return getattr(self._client, name)(*arguments, timeout=wait, **given)
        except self._errors as error:
            if getattr(error, "code", 0) == _MISSING:
                raise IndexMismatchError(
                    f"index {self.address.text}: {_reason(error)}; it was replaced while it was read, "
                    "try again"
                ) from error
            raise self._away(error) from error

    def collections(self) -> list[str]:
        """Return the names of all collections."""
        return list(self.call("list_collections"))

    def target(self, alias: str) -> str | None:
        """Return the collection that an alias points to, None if there is no such alias.

        Args:
            alias: the alias.
        """
        if alias not in self.aliases():
            return None
        return str(self.call("describe_alias", alias)["collection_name"])

    def aliases(self) -> list[str]:
        """Return all aliases."""
        return list(self.call("list_aliases")["aliases"])

    def create_alias(self, collection: str, alias: str) -> bool:
        """Create an alias; Milvus does that for one caller alone.

        Args:
            collection: what it is to point to.
            alias: its name.

        Returns:
            Whether it was created; False if it exists.
        """
        try:
            self.call("create_alias", collection, alias)
        except TorchnotesError:
            if alias in self.aliases():
                return False
            raise
        return True

    def drop(self, collection: str) -> None:
        """Remove a collection, if it exists, and the aliases that point to it.

        Args:
            collection: name of the collection.
        """
        if not self.call("has_collection", collection):
            return
        for alias in self.call("list_aliases", collection)["aliases"]:
            self.call("drop_alias", alias)
        self.call("drop_collection", collection)

    def rows(self, collection: str, numbers: Ints, fields: Sequence[str]) -> list[Row]:
        """Return rows by number, in any order.

        Args:
            collection: name of the collection.
            numbers: the rows, at most `MOST`.
            fields: fields to return.
        """
        self._load(collection)
        ids = numbers.tolist()
        return list(self.call("get", collection, ids, output_fields=["row", *fields])) if ids else []

    def query(self, collection: str, condition: str, fields: Sequence[str]) -> list[Row]:
        """Return the rows that meet a condition, as of what was written last, in any order.

        Args:
            collection: name of the collection.
            condition: filter in the language of Milvus, for at most `MOST` rows.
            fields: fields to return.
        """
        self._load(collection)
        found = self.call(
            "query",
            collection,
            filter=condition,
            output_fields=list(fields),
            consistency_level="Strong",
        )
        return list(found)

    def search(
        self, collection: str, field: str, vector: Floats | Mapping[int, float], limit: int, condition: str
    ) -> tuple[Ints, Floats]:
        """Find the rows with the highest inner product.

        Args:
            collection: name of the collection.
            field: field with the vectors.
            vector: a dense vector, shape (dimension,), or the weights of a sparse one.
            limit: maximum number of rows, at most `MOST`.
            condition: filter in the language of Milvus, "" for none.

        Returns:
            Row numbers and products, best first, equal ones by row.
        """
        self._load(collection)
        dense = isinstance(vector, np.ndarray)
        [found] = self.call(
            "search",
            collection,
            [vector if dense else dict(vector)],
            anns_field=field,
            limit=limit,
            filter=condition,
            output_fields=["row"],  # without any, Milvus Lite returns all
            search_params={"metric_type": "IP", "params": {"ef": max(_EF, limit)} if dense else {}},
        )
        rows = np.fromiter((hit["row"] for hit in found), np.int64, len(found))
        products = np.fromiter((hit["distance"] for hit in found), np.float32, len(found))
        order = np.lexsort((rows, -products))
        return rows[order], products[order]

    def count(self, collection: str, start: int, end: int) -> int:
        """Return how many of some rows there are, as of what was written last.

        Args:
            collection: name of the collection.
            start: first row.
            end: row after the last.
        """
        [found] = self.query(collection, f"row >= {start} and row < {end}", ["count(*)"])
        return int(found["count(*)"])

    def close(self) -> None:
        """Close the connection; a file of Milvus Lite may then be opened by another process."""
        self._client.close()
        if self.address.is_file:
            from milvus_lite.server_manager import server_manager_instance

            server_manager_instance.release_server(self.address.uri)

    def _load(self, collection: str) -> None:
        """Have the server take a collection into memory; a file that is opened has none there."""
        if collection not in self._loaded:
            self.call("load_collection", collection)
            self._loaded.add(collection)

    def _away(self, error: Exception) -> TorchnotesError:
        where = self.address
        return TorchnotesError(
            f"index {where.text}: Milvus at {where.uri} does not do what is asked ({_reason(error)}); check "
            "that it runs there, and TORCHNOTES_INDEX and TORCHNOTES_INDEX_TOKEN"
        )


def _reason(error: Exception) -> str:
    """Return the message of an error of pymilvus, or of gRPC, whose text has several lines."""
    details = getattr(error, "details", None)
    text = getattr(error, "message", "") or (details() if callable(details) else "") or str(error)
    return str(text).partition("\n")[0][:200]
