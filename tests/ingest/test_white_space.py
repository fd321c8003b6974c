"""What costs no token is bounded by its length: a question that meets it takes a square of that."""

from __future__ import annotations

from ingest.document import Document
from ingest.reading import read_document
from ingest.splitter import ReleaseNoteSplitter
from ingest.white_space import bounded
from tests.ingest.splitting import segmenter
from tests.rows import each_row

RUNS = (" ", "\t", "\u00a0", "\u3000", "\n", " \n")


def tokens_of(text: str) -> int:
    """Count as embedding models do: white space, and what is not shown, is nothing."""
    return len([word for word in text.replace("\u200b", " ").split() if word.isprintable()])


def split(text: str) -> list[tuple[int, int]]:
    document = Document("d", "d", "", None, "user", "en", None, text, "d")
    chunks = ReleaseNoteSplitter(tokens_of, segmenter()).split_document(document)
    return [(chunk.start, chunk.end) for chunk in chunks]


@each_row("unit", RUNS)
def test_a_run_of_white_space_is_cut(unit: str) -> None:
    document = read_document(f"# Notes\n\nIt supports CUDA 12.1 ,{unit * 50_000}x on Linux.\n", "notes.md")
    assert len(document.text) < 400 and document.text.endswith("x on Linux.\n")


def test_what_real_documents_have_stays() -> None:
    text = "def f(\n" + " " * 60 + "a,\n\n\n\n" + "| a" + " " * 90 + "|\n" + "\tb\n" + " c\u3000d"
    assert bounded(text) == text
    assert bounded("a" + "\n" * 30 + "b") == "a" + "\n" * 21 + "b"


@each_row("hidden", ["\u200b" * 60_000, " \u200b" * 30_000, f"<!-- {'a ' * 60_000}-->"])
def test_a_chunk_is_bounded_by_its_length_too(hidden: str) -> None:
    chunks = split(f"# Notes\n\nIt is a{hidden}b now. And more.\n")
    assert len(chunks) > 2 and max(end - start for start, end in chunks) < 60_000


def test_what_each_chunk_of_a_section_holds_is_short() -> None:
    title = "long title " * 5_000
    sections = "".join(f"### part {n}\n\nText of part {n}.\n\n" for n in range(50))
    address = f"Source: <https://example.org/{'a' * 50_000}>"
    text = f"# {title}\n\n## {title} {{#{'a' * 5_000}}}\n\n{address}\n\n{sections}"
    document = read_document(text, "notes.md")
    chunks = ReleaseNoteSplitter(tokens_of, segmenter()).split_document(document)
    assert len(document.title) == 500 and len(chunks) > 50
    for chunk in chunks:
        held = (*chunk.headings, chunk.context, chunk.section_id, chunk.url)
        assert max(map(len, held)) <= 2_000
