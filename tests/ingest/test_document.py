from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

from ingest.document import Document, Removal
from ingest.release import Release
from tests.rows import each_row

DOCUMENT = Document(
    id="blog-2.4-zh-0123456789",
    title="PyTorch 2.4 发布博客",
    url="https://pytorch.org/blog/pytorch2-4",
    release=Release(2, 4),
    kind="blog",
    language="zh",
    date=date(2024, 7, 24),
    text="# 2.4\n\n正文 😀",
    origin="notes/2.4.md",
    removed=(Removal("navigation", 3, "Skip to content"),),
)
BARE = Document("user-en-1", "Notes", "", None, "user", "en", None, "Text.", "notes.txt")


@pytest.mark.parametrize("document", [DOCUMENT, BARE], ids=["full", "bare"])
def test_json_there_and_back(document: Document) -> None:
    assert Document.from_dict(json.loads(json.dumps(document.to_dict()))) == document


def test_version_is_the_release_as_text() -> None:
    assert (DOCUMENT.version, BARE.version) == ("2.4", "")


@each_row(
    "change",
    [
        {"title": "Other"},
        {"url": ""},
        {"release": Release(2, 5)},
        {"kind": "user"},
        {"language": "en"},
        {"date": None},
        {"text": "Other."},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_content_hash_changes_with_what_shapes_the_index(change: dict[str, object]) -> None:
    assert replace(DOCUMENT, **change).content_hash != DOCUMENT.content_hash  # type: ignore[arg-type]


def test_the_content_hash_ignores_where_it_lies_and_what_went() -> None:
    assert replace(DOCUMENT, origin="else.md", removed=()).content_hash == DOCUMENT.content_hash
