from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from ingest.document import Document
from ingest.loaders import load
from ingest.section import Section, parse_sections
from tests.ingest.splitting import make_document

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the release documents are not beside the checkout"
)


def sections(text: str) -> list[Section]:
    return parse_sections(make_document(text))


def paths(text: str) -> list[tuple[str, ...]]:
    return [section.headings for section in sections(text)]


def test_the_heading_tree() -> None:
    assert paths("Before.\n\n# A\n\nText.\n\n## B\n\nText.\n\n## C\n\nText.\n\n# D\n\nText.") == [
        (),
        ("A",),
        ("A", "B"),
        ("A", "C"),
        ("D",),
    ]


def test_levels_that_skip_and_slip() -> None:
    text = "### Deep first\n\nx\n\n# Top\n\nx\n\n#### Skips\n\nx\n\n### Slips back\n\nx\n\n## Further\n\nx"
    assert paths(text) == [
        ("Deep first",),
        ("Top",),
        ("Top", "Skips"),
        ("Top", "Slips back"),
        ("Top", "Further"),
    ]


def test_a_heading_of_headings_opens_its_first_child() -> None:
    text = "# A\n## B\n### C\n\nText.\n\n### D\n\nMore."
    first, second = sections(text)
    assert (first.headings, second.headings) == (("A", "B", "C"), ("A", "B", "D"))
    assert text[first.start : first.end] == "# A\n## B\n### C\n\nText.\n\n"


def test_a_title_without_text_is_a_section_of_its_own() -> None:
    assert paths("## A\n\n### `x` is gone (#1234)\n\n### y\n\nText.\n\n### z") == [
        ("A", "x is gone (#1234)"),
        ("A", "y"),
        ("A", "z"),
    ]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("Deprecations\n------------", "Deprecations"),
        ("Two\nlines\n===", "Two lines"),
        ("## Closing ##", "Closing"),
        ("# Use C#", "Use C#"),
        ("# Since 2.4 #", "Since 2.4"),
    ],
)
def test_a_title_has_no_marks(heading: str, title: str) -> None:
    assert paths(f"{heading}\n\nText.") == [(title,)]


def test_the_title_stays_with_its_text() -> None:
    text = "### A long title that holds the answer\n\nText.\n"
    (section,) = sections(text)
    assert (section.start, section.end) == (0, len(text))
    assert section.heading == "A long title that holds the answer"


def test_a_bold_line_opens_a_section_below_the_real_headings() -> None:
    assert paths("# A\n\nx\n\n**Bb**\n\nx\n\n**C:**\n\nx\n\n###### D\n\nx") == [
        ("A",),
        ("A", "Bb"),
        ("A", "C:"),
        ("A", "D"),
    ]


def test_a_hash_in_a_fence_opens_none() -> None:
    assert paths("# A\n\n```python\n# not B\n## nor C\n```\n\n~~~\n# nor D\n~~~") == [("A",)]


def test_the_nearest_status_counts() -> None:
    titles = [
        "# Beta Features",
        "## TCPStore",
        "## [Prototype] FlexAttention",
        "### Notes",
        "# 弃用",
        "# Else",
    ]
    text = "\n\nx\n\n".join(titles) + "\n\nx"
    assert [section.status for section in sections(text)] == [
        "beta",
        "beta",
        "prototype",
        "prototype",
        "deprecated",
        "",
    ]


def test_pull_requests_in_order_and_once() -> None:
    (section,) = sections(
        "# A (#156181)\n\nSee #1234, ([#99999](https://x.y)) and #156181; not #12 nor #1234567."
    )
    assert section.pull_requests == (156181, 1234, 99999)


def test_id_and_address_of_a_section() -> None:
    first, second = sections(
        "## TCPStore {#tcpstore}\n\nSource: <https://x.y/a>\n\nText.\n\n## 检查点 {#dcp}\n\n来源：<https://x.y/b>\n"
    )
    assert (first.id, first.heading, first.url) == ("tcpstore", "TCPStore", "https://x.y/a")
    assert (second.id, second.heading, second.url) == ("dcp", "检查点", "https://x.y/b")


def test_without_text_there_are_none() -> None:
    assert sections("") == [] and sections(" \n\n \n") == []


@cache
def real() -> dict[str, Document]:
    documents = load(CORPUS, on_skip=lambda error: pytest.fail(str(error)))
    return {document.origin.removeprefix(f"{CORPUS}/"): document for document in documents}


@needs_corpus
def test_sections_of_the_real_documents_cover_them_without_gap_or_overlap() -> None:
    for name, document in real().items():
        found = parse_sections(document)
        assert not document.text[: found[0].start].strip() and found[-1].end == len(document.text), name
        assert all(before.end == after.start for before, after in pairwise(found)), name
        for section in found:
            blocks = section.blocks
            assert section.start <= blocks[0].start and blocks[-1].end <= section.end
            assert all(before.end <= after.start for before, after in pairwise(blocks))


@needs_corpus
@pytest.mark.parametrize(("name", "in_code"), [("2.7.0", 3), ("2.8.0", 10)])
def test_comments_in_the_code_of_the_real_notes_are_no_headings(name: str, in_code: int) -> None:
    document = real()[f"en/pytorch-{name}-release-notes.md"]
    headings = [section.heading for section in parse_sections(document)]
    fence, comments = False, []
    for line in document.text.split("\n"):
        if re.match(r"\s*(```|~~~)", line):
            fence = not fence
        elif fence and re.match(r"#{1,6} ", line):
            comments.append(line.lstrip("# "))
    assert len(comments) == in_code
    assert not set(comments) & set(headings)


@needs_corpus
def test_statuses_and_pull_requests_of_the_real_notes() -> None:
    found = parse_sections(real()["en/pytorch-2.8.0-release-notes.md"])
    windows = next(s for s in found if s.heading.startswith("Windows wheel builds with CUDA 12.9.1"))
    assert windows.status == "regression" and windows.pull_requests == (156181,)
    maxwell = next(s for s in found if s.heading.startswith("Removed support for Maxwell"))
    assert maxwell.headings[-2:-1] == ("CUDA Support",) and maxwell.status == "breaking"
    assert maxwell.pull_requests == (157517, 158478, 158744)
