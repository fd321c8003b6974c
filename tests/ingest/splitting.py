"""What holds for the chunks of any document; checked on made-up texts and on the real ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise

from corpus.glossary import load_glossary
from ingest.atoms import _FENCE_CLOSES, _FENCE_OPENS
from ingest.chunk import Chunk, embedded_text
from ingest.document import Document
from ingest.markup import Block
from ingest.section import parse_sections
from ingest.segment import Segmenter
from ingest.splitter import ReleaseNoteSplitter, _parent_line

Count = Callable[[str], int]


@cache
def segmenter() -> Segmenter:
    """With the glossary's words; one for all tests, jieba takes most of a second to get ready."""
    return Segmenter(load_glossary().chinese_names)


def count_thirds(text: str) -> int:
    """A simple counter that does not add up exactly."""
    return len(text) // 3 + 1 if text else 0


def count_pieces(text: str) -> int:
    """A simple counter: a token for each word of up to eight letters, and for each other character."""
    return sum(-(-len(word) // 8) if word.isascii() else len(word) for word in text.split())


def make_document(text: str, *, title: str = "Notes") -> Document:
    return Document("notes", title, "", None, "user", "en", None, text, "notes.md")


def split(text: str, *, max_tokens: int = 100, count: Count = count_thirds) -> tuple[Document, list[Chunk]]:
    document = make_document(text)
    splitter = ReleaseNoteSplitter(count, segmenter(), max_tokens=max_tokens)
    return document, splitter.split_document(document)


def shown(document: Document, chunks: list[Chunk]) -> list[str]:
    return [document.text[chunk.start : chunk.end] for chunk in chunks]


def check(
    document: Document, chunks: list[Chunk], *, count: Count, max_tokens: int, parent_start: int = 1
) -> None:
    """Every property at once; of a parent line at least so many characters stand in the context line."""
    text = document.text
    sections = parse_sections(document)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    for before, after in pairwise(chunks):
        assert before.section <= after.section and before.start < after.start and before.end < after.end
    covered = bytearray(len(text))
    for chunk in chunks:
        section = sections[chunk.section]
        assert section.start <= chunk.start < chunk.end <= section.end
        assert chunk.headings == section.headings and chunk.status == section.status
        covered[chunk.start : chunk.end] = b"\1" * (chunk.end - chunk.start)
        tokens = count(embedded_text(chunk, document))
        assert tokens <= max_tokens, f"{tokens} tokens: {text[chunk.start : chunk.end]!r}"
        spans = [(sentence.start, sentence.end) for sentence in chunk.sentences]
        assert spans == sorted(spans) and all(chunk.start <= a < b <= chunk.end for a, b in spans)
        for block in section.blocks:
            if block.kind == "fence":
                _check_fence(document, chunk, block)
            if block.parent and block.start < chunk.end and block.end > chunk.start:
                _check_parent(document, chunk, block.parent, start=parent_start)
    marks = [mark for section in sections for block in section.blocks for mark in fence_marks(text, block)]
    for start, end in marks:  # of a fence over the cap they may be missing
        covered[start:end] = b"\1" * (end - start)
    lost = "".join(c for c, there in zip(text, covered, strict=True) if not there)
    assert not lost.strip(), f"lost: {lost.strip()[:200]!r}"


def fence_marks(text: str, block: Block) -> list[tuple[int, int]]:
    """Spans of the lines that open and close a fence; none for code that is merely indented."""
    opening = _FENCE_OPENS.match(text, block.start, block.end) if block.kind == "fence" else None
    if not opening:
        return []
    last = max(text.rfind("\n", opening.end(), block.end) + 1, opening.end())
    closing = _FENCE_CLOSES.fullmatch(text, last, block.end)
    return [opening.span(), closing.span()] if closing else [opening.span()]


def _check_fence(document: Document, chunk: Chunk, block: Block) -> None:
    whole = chunk.start <= block.start and block.end <= chunk.end
    for start, end in fence_marks(document.text, block):
        assert whole or end <= chunk.start or chunk.end <= start, "half a fence"


def _check_parent(document: Document, chunk: Chunk, parent: tuple[int, int], *, start: int) -> None:
    """The parent line stands in the chunk, or as much of it as there is room for in the context line."""
    if chunk.start <= parent[0] and parent[1] <= chunk.end:
        return
    line = _parent_line(document.text[slice(*parent)])
    assert not line or f" > {line[:start].rstrip()}" in chunk.context, (line, chunk.context)
