"""From text to Document: ids that last, and texts with nothing in them."""

from __future__ import annotations

import re

import pytest

from ingest.document import Document
from ingest.errors import SourceError
from ingest.reading import read_document

POST = "# {title}\n\n> 发布: 2024年07月24日\n>\n> 原文: <https://pytorch.org/blog/pytorch2-4>\n\n正文：{body}。\n"


def read(title: str = "PyTorch 2.4", body: str = "改进了编译", origin: str = "a/post.md") -> Document:
    return read_document(POST.format(title=title, body=body), origin)


def test_an_id_says_what_it_names() -> None:
    assert re.fullmatch(r"blog-2\.4-zh-[0-9a-f]{10}", read().id)
    assert re.fullmatch(r"user-en-[0-9a-f]{10}", read_document("Some notes.", "n.md").id)


def test_an_edited_or_moved_document_keeps_its_id() -> None:
    assert read().id == read(body="别的内容").id == read(origin="elsewhere/copy.txt").id
    assert read().content_hash != read(body="别的内容").content_hash
    assert (
        read_document("# A\n\nold", "/x/team/n.md").id == read_document("# B\n\nnew", "/home/y/team/n.md").id
    )


def test_other_documents_have_other_ids() -> None:
    others = [
        read(),
        read(title="PyTorch 2.4 发布，另一个译本"),
        read_document("---\nlanguage: en\n---\n" + POST.format(title="PyTorch 2.4", body="x"), "a.md"),
        read_document("# Notes\n\nx", "a/notes.md"),
        read_document("# Notes\n\nx", "b/notes.md"),
    ]
    assert len({document.id for document in others}) == len(others)


def test_facts_from_elsewhere_give_way_to_front_matter() -> None:
    facts = {"title": "Outer", "release": "2.7", "kind": "release-notes", "url": "https://a.b/c"}
    document = read_document("---\ntitle: Inner\n---\nText.\n", "a.md", facts=facts)
    assert (document.title, document.version, document.kind, document.url) == (
        "Inner",
        "2.7",
        "release-notes",
        "https://a.b/c",
    )


def test_line_ends_and_byte_order_mark_are_normalised() -> None:
    assert read_document("\ufeff# T\r\n\r\nText.\r\n", "a.md").text == "# T\n\nText.\n"


@pytest.mark.parametrize("text", ["", "\n\n", "---\ntitle: T\n---\n", "Skip to content\n"])
def test_a_document_without_text_is_refused(text: str) -> None:
    with pytest.raises(SourceError, match=r"^a\.md: it holds no text"):
        read_document(text, "a.md")


@pytest.mark.parametrize(
    "text",
    [f"# a{' ' * 200_000}b {{#\n\nText.\n", "<table>" * 50_000 + "\n\nText.\n"],
    ids=["spaces in a title", "tables that never close"],
)
def test_a_hostile_document_costs_little(text: str) -> None:
    """Minutes where the time grows with the square of the length."""
    assert read_document(text, "a.md").text.endswith("Text.\n")


def test_a_document_survives_its_json_form() -> None:
    document = read()
    assert Document.from_dict(document.to_dict()) == document
