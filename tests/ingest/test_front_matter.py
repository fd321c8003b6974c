"""The header of a Markdown file."""

from __future__ import annotations

import pytest

from ingest.front_matter import split_front_matter


def test_fields_and_body_come_apart() -> None:
    head = 'title: "A: B"\nRelease: 2.10\nurl: https://x.org/a#b\ndate: 2024-10-17  # day\ntags:\n  - x\n'
    text = f"---\n{head}---\n\n# T\n"
    fields, body = split_front_matter(text)
    assert fields == {"title": "A: B", "release": "2.10", "url": "https://x.org/a#b", "date": "2024-10-17"}
    assert body == "# T\n"


@pytest.mark.parametrize(
    "text",
    ["# T\n---\na: b\n---\n", "---\nno end\na: b\n", "---\n\nprose between rules\n\n---\nmore", "", "---"],
    ids=["not at the top", "not closed", "rules", "empty", "one rule"],
)
def test_a_text_without_header_stays_whole(text: str) -> None:
    assert split_front_matter(text) == ({}, text)
