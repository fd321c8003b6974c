"""From text to Document: ids that last, and texts with nothing in them."""

from __future__ import annotations

import re

import pytest

from ingest.document import Document, source_of
from ingest.errors import SourceError
from ingest.reading import read_document

POST = "# {title}\n\n> 发布: 2024年07月24日\n>\n> 原文: <https://pytorch.org/blog/pytorch2-4>\n\n正文：{body}。\n"


def read(title: str = "PyTorch 2.4", body: str = "改进了编译", origin: str = "a/post.md") -> Document:
    return read_document(POST.format(title=title, body=body), origin)


def test_an_id_says_what_it_names() -> None:
    assert re.fullmatch(r"blog-2\.4-zh-[0-9a-f]{10}", read().id)
    assert re.fullmatch(r"user-en-[0-9a-f]{10}", read_document("Some notes.", "n.md").id)


def test_an_edited_document_keeps_its_id() -> None:
    assert read().id == read(body="别的内容").id == read(title="另一个译本").id
    assert read().content_hash != read(body="别的内容").content_hash


def test_an_id_names_the_source_whatever_becomes_of_its_release_and_language() -> None:
    old = read_document("# A\n\nold", "team/n.md")
    new = read_document("---\nrelease: 2.5\n---\n# 甲\n\n新的内容", "team/n.md")
    assert old.id != new.id and source_of(old.id) == source_of(new.id)


def test_an_id_tells_places_apart() -> None:
    notes = "# Notes\n\nx"
    ids = {read_document(notes, f"{folder}/same/README.md").id for folder in ("a", "b", "/a")}
    assert len(ids | {read(origin="x/post.md").id, read(origin="y/post.md").id}) == 5
    assert (
        read_document(notes, "a.md", place="/x/a.md").id
        == read_document(notes, "../a.md", place="/x/a.md").id
    )


@pytest.mark.parametrize(
    ("text", "origin", "facts", "message"),
    [
        ("Half \ud800.", "a.md", {}, r"^a\.md: it holds half a character \('\\ud800'\)"),
        ("Text.", "a.md", {"title": "\udc80"}, r"^a\.md: it holds half a character"),
        ("Text.", "a\udcff.md", {}, r"^a\\udcff\.md: its name is not UTF-8; rename it"),
    ],
    ids=["text", "title", "name"],
)
def test_what_cannot_be_written_is_refused(
    text: str, origin: str, facts: dict[str, str], message: str
) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        read_document(text, origin, facts=facts)
    assert str(caught.value).encode()


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
