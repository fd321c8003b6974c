from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ingest.chunk import (
    CONTEXT_TOKENS,
    MAX_TOKENS,
    PARENT_TOKENS,
    embedded_text,
    lexical_text,
    sentence_texts,
)
from tests.ingest.splitting import split

ROOT = Path(__file__).resolve().parents[2]
TEXT = "# A\n\nUse the [*new* API](https://x.y/z_1), `a_b`. Fixed (#1234, #5678).\n"


def test_the_embedder_reads_no_marks_and_addresses() -> None:
    document, (chunk,) = split(TEXT)
    assert embedded_text(chunk, document) == "Notes > A\n# A\n\nUse the new API, `a_b`. Fixed."


def test_the_lexical_index_reads_pull_requests_but_no_addresses() -> None:
    document, (chunk,) = split(TEXT)
    text = lexical_text(chunk, document)
    assert text.startswith("Notes > A\n") and "#1234" in text and "x.y" not in text


def test_sentences_are_read_with_the_context_line() -> None:
    document, (chunk,) = split(TEXT)
    assert list(sentence_texts(chunk, document)) == [
        "Notes > A\nA",
        "Notes > A\nUse the new API, a_b.",
        "Notes > A\nFixed.",
    ]


def test_the_caps_leave_room_for_the_text() -> None:
    assert MAX_TOKENS > 2 * (CONTEXT_TOKENS + PARENT_TOKENS)


def test_chunks_are_read_without_the_splitter() -> None:
    heavy = {"ingest.splitter", "langchain_text_splitters", "jieba"}
    code = f"import sys, ingest.chunk; assert not {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
