"""Hostile documents are split in time that grows with their length, not with its square."""

from __future__ import annotations

import time

import pytest

from ingest.document import Document
from ingest.segment import Segmenter
from ingest.splitter import ReleaseNoteSplitter
from tests.ingest.splitting import segmenter
from tests.rows import each_row

SECONDS = 5.0  # of the processor; each took longer before, a run of one character a minute


@pytest.mark.long
@each_row("unit", ["用", "他", "編譯", "  - a\n", "- a\n", "- a: b\n", "`a. A. ", "(a. A. "])
def test_a_document_is_split_in_bounded_time(unit: str) -> None:
    text = unit * (30_000 // len(unit))
    document = Document("d", "d", "", None, "user", "zh", None, text, "d")
    segmenter().words("词典")
    begun = time.thread_time()
    chunks = ReleaseNoteSplitter(lambda text: -(-len(text) // 3), segmenter()).split_document(document)
    assert chunks and time.thread_time() - begun < SECONDS


def test_a_long_run_of_chinese_is_cut_piece_by_piece() -> None:
    text = "用" * 1300
    words = Segmenter().words(text)
    assert "".join(words) == text and len(words) > 2
