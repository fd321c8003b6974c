"""Addresses of indexes in Milvus."""

from __future__ import annotations

import pytest

from index.milvus.address import Address, is_milvus, parse_address
from ingest.errors import TorchnotesError


@pytest.mark.parametrize(
    ("text", "uri", "collection"),
    [
        ("milvus://host:19530/notes", "http://host:19530", "notes"),
        ("milvus+tls://cloud.example.org:443/notes/", "https://cloud.example.org:443", "notes"),
        ("milvus:notes.db", "notes.db", "torchnotes"),
        ("milvus:/srv/a b/notes.db", "/srv/a b/notes.db", "torchnotes"),
    ],
)
def test_an_address_is_read(text: str, uri: str, collection: str) -> None:
    assert is_milvus(text)
    address = parse_address(text)
    assert address == Address(text, uri, collection)
    assert address.is_file is text.endswith(".db")


@pytest.mark.parametrize(
    "text",
    [
        "milvus://host:19530",  # no collection
        "milvus://host/no-dashes",
        "milvus://user:word@host/notes",
        "milvus:notes",
        "milvus:",
        "http://host/notes",
    ],
)
def test_anything_else_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(
        TorchnotesError, match="is no address of an index in Milvus; write it like"
    ) as refused:
        parse_address(text)
    assert "\n" not in str(refused.value) and "word" not in str(refused.value)


def test_a_folder_is_no_address() -> None:
    assert not is_milvus("/srv/milvus") and not is_milvus("milvus")
