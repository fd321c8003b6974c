"""Drafts: cut into statements, each with the marks that it claims."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.verification.draft import Statement, joined, statements, without_marks
from tests.rows import each_row


def told(draft: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(statement.text, statement.marks) for statement in statements(draft)]


@each_row(
    ("draft", "marks"),
    [
        pytest.param("It is so [1].", (1,), id="before the full stop"),
        pytest.param("It is so. [1]", (1,), id="after the full stop"),
        pytest.param("It is so.[1]", (1,), id="without a space"),
        pytest.param("It is so [1, 2].", (1, 2), id="a list"),
        pytest.param("It is so [1，2；4].", (1, 2, 4), id="a list with Chinese commas"),
        pytest.param("It is so [1][2].", (1, 2), id="side by side"),
        pytest.param("It is so. [1] [2]", (1, 2), id="side by side, after the full stop"),
        pytest.param("[1] It is so.", (1,), id="at the beginning"),
        pytest.param("It [2] is [1] so [2].", (2, 1), id="each once, in order"),
        pytest.param("确实如此【1】。", (1,), id="Chinese brackets"),
        pytest.param("确实如此。［2］", (2,), id="wide brackets"),
        pytest.param("It is so [1-3].", (1, 2, 3), id="a range"),
        pytest.param("It is so [1, 3–5].", (1, 3, 4, 5), id="a range in a list"),
        pytest.param("It is so [^1].", (1,), id="a footnote"),
        pytest.param("It is so [-1].", (-1,), id="no passage, below"),
        pytest.param("It is so [0].", (0,), id="no passage, zero"),
        pytest.param("It is so [99].", (99,), id="no passage, above"),
        pytest.param("PyTorch[1] is so.", (1,), id="after a word"),
    ],
)
def test_marks_are_read_and_cut(draft: str, marks: tuple[int, ...]) -> None:
    (statement,) = statements(draft)
    assert statement.marks == marks
    assert not re.search(r"[\[【［]", statement.text) and without_marks(draft) == statement.text


@each_row(
    "draft",
    [
        pytest.param("It is `x.shape[1]`.", id="code"),
        pytest.param("It fails with `PTX with .target 'sm_120a'  cannot be`.", id="spaces in code"),
        pytest.param("It is x.shape[1].", id="a dotted name"),
        pytest.param("It is a[0].", id="a variable"),
        pytest.param("See [1](https://example.org).", id="a link"),
        pytest.param("See [docs].", id="words"),
        pytest.param("See [12345].", id="too long a number"),
        pytest.param("See [1.5].", id="a decimal"),
    ],
)
def test_what_is_no_mark_stays(draft: str) -> None:
    assert told(draft) == [(draft, ())]


def test_a_huge_range_is_cut() -> None:
    (statement,) = statements("It is so [1-3000].")
    assert len(statement.marks) == 51


@each_row(
    ("draft", "expected"),
    [
        pytest.param(
            "A is so. [1] B is so. [2]", [("A is so.", (1,)), ("B is so.", (2,))], id="each its own"
        ),
        pytest.param("甲如此。[1]乙如此。【2】", [("甲如此。", (1,)), ("乙如此。", (2,))], id="in Chinese"),
        pytest.param("A is so. B too. [1]", [("A is so.", (1,)), ("B too.", (1,))], id="one for a paragraph"),
        pytest.param("A is so. [1] B too.", [("A is so.", (1,)), ("B too.", ())], id="none after the last"),
        pytest.param(
            "A is so.\n\nB too. [1]", [("A is so.", ()), ("B too.", (1,))], id="none for another paragraph"
        ),
        pytest.param("- A\n- B [1]", [("A", ()), ("B", (1,))], id="none for another item"),
        pytest.param(
            "甲如此[1]。`torch.x`如此[2]。**乙**如此[3]。",
            [("甲如此。", (1,)), ("`torch.x`如此。", (2,)), ("**乙**如此。", (3,))],
            id="code after 。",
        ),
        pytest.param(
            "It is so [1]. torch.x is so [2]. mark_dynamic is, e.g. torch.y, so [3].",
            [("It is so.", (1,)), ("torch.x is so.", (2,)), ("mark_dynamic is, e.g. torch.y, so.", (3,))],
            id="lower case after a full stop",
        ),
        pytest.param("It runs on 2.4 and x.y. [1]", [("It runs on 2.4 and x.y.", (1,))], id="dots within"),
    ],
)
def test_a_sentence_has_its_marks_or_those_of_the_next(
    draft: str, expected: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert told(draft) == expected


@pytest.mark.parametrize("tag", ["think", "thinking", "THINK"])
def test_what_a_model_thinks_is_left_out(tag: str) -> None:
    assert told(f"<{tag}>Is it? [2]\n\nNo.</{tag}>It is. [1]") == [("It is.", (1,))]
    assert statements(f"<{tag}>Is it? [1]") == []


def test_code_headings_items_and_rows() -> None:
    code = "~~~py\ny = x[1]\n\n# no title\n~~~"
    steps = "# Title\n**Steps:**\n1. One. [1]\n2、Two. [2]\n\n| a | b |\n|---|---|"
    draft = f"{steps}\n\n{code}\nEnd. [3]"
    assert [(s.kind, s.text, s.marks, s.lead) for s in statements(draft)] == [
        ("heading", "# Title", (), ""),
        ("heading", "**Steps:**", (), ""),
        ("sentence", "One.", (1,), "1. "),
        ("sentence", "Two.", (2,), "2、 "),
        ("heading", "| a | b |\n|---|---|", (), ""),
        ("code", code, (), ""),
        ("sentence", "End.", (3,), ""),
    ]


def test_a_fence_that_never_closes_is_code() -> None:
    (statement,) = statements("```python\nx[1]\n\nIt is so. [1]")
    assert (statement.kind, statement.marks) == ("code", ())


def test_a_number_that_opens_a_sentence_is_no_list() -> None:
    assert told("2、4 倍都可以。[1]") == [("2、4 倍都可以。", (1,))]


def test_the_last_sentence_of_a_growing_draft_may_go_on() -> None:
    growing = statements("A is so. [1] B is", whole=False)
    assert [s.complete for s in growing] == [True, False]
    assert all(s.complete for s in statements("A is so. [1] B is"))


PIECES = (
    *(
        "A is so. [1] ",
        "B is `x[1]` too [2]. ",
        "So it is. ",
        "甲如此。【1】",
        "乙如此[1, 2]。",
        "\n\n",
        "\n- item [3]",
    ),
    *("\n```python\ny = x[2]\n```\n", "\n# Title\n", "\n1. one. [2]\n", "| a | b | [1]\n", "2.4 [1-3]. "),
)


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), st.data())
def test_a_marked_statement_that_others_follow_is_settled(draft: str, data: st.DataObject) -> None:
    cut = draft[: data.draw(st.integers(0, len(draft)))]
    if cut.count("[") + cut.count("【") > cut.count("]") + cut.count("】"):  # within a mark
        cut = cut[: max(cut.rfind("["), cut.rfind("【"))]
    whole = [(s.text, s.marks) for s in statements(draft)]
    growing = statements(cut, whole=False)
    settled = [s for s in growing if s.complete and s.paragraph < growing[-1].paragraph]
    settled += [s for s in growing if s.complete and s.marks and s.paragraph == growing[-1].paragraph]
    assert [(s.text, s.marks) for s in settled] == whole[: len(settled)]


@given(st.text(max_size=200))
def test_no_text_breaks_it(draft: str) -> None:
    assert all(s.text.strip() for s in statements(draft))


def test_joined_again_they_are_paragraphs_and_lists() -> None:
    drafted = statements("Both:\n\n- One. [1] More. [1]\n- Two. [2]\n\nEnd. [3]\n```\nx\n```")
    assert joined([(s, s.text) for s in drafted]) == "Both:\n\n- One. More.\n- Two.\n\nEnd.\n\n```\nx\n```"
    assert joined([]) == ""


def test_sentences_left_out_leave_no_gap() -> None:
    first, _, last = statements("A is so. B too. C as well. [1]")
    assert joined([(first, "A is so. [1]"), (last, "C as well. [1]")]) == "A is so. [1] C as well. [1]"
    assert first == Statement("A is so.", (1,))


STRUCTURED = """# Title

Both:

1. One. [1]
   - Part of one. [1]
   - Another. [1]
2. Two. [2]

| Feature | Status |
|---|---|
| A | beta [1] |
| B | stable [2] |

**Steps:**

- Do it. [1]"""


def test_headings_numbers_nested_lists_and_tables_stay() -> None:
    drafted = statements(STRUCTURED)
    marked = [(s, s.text) for s in drafted]
    bare = re.sub(r" *\[\d\]", "", STRUCTURED)
    assert joined(marked) == bare
    assert [s.claim for s in drafted if s.row and s.kind == "sentence"] == [
        "A; Status: beta",
        "B; Status: stable",
    ]


def test_what_stands_below_what_is_left_out_moves_up() -> None:
    left_out = ("One.", "Both:", "| A | beta |", "| B | stable |", "Do it.")
    told = [(s, s.text) for s in statements(STRUCTURED) if s.text not in left_out]
    assert joined(told) == "# Title\n\n- Part of one.\n- Another.\n2. Two."
