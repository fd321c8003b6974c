"""Grounds: the sentences of a passage, and whether they speak of a clause."""

from __future__ import annotations

import pytest

from assistant.verification.evidence import bare_code, grounds_of, share
from tests.assistant.passages import passage
from tests.assistant.proving import reading

BODY = """## [Beta] TCPStore uses libuv

The [TCPStore](https://example.org) server runs on `libuv`.
Loading a checkpoint reads only the shards that a rank needs.

| Platform | Wheels |
| --- | --- |
| Windows | CPU and XPU |
"""
GROUNDS = grounds_of(passage(BODY))


def test_a_ground_is_verbatim_and_reads_below_its_headings() -> None:
    store = next(g for g in GROUNDS if "server" in g.raw)
    assert store.raw == "The [TCPStore](https://example.org) server runs on `libuv`."
    assert store.text == "The TCPStore server runs on `libuv`."
    assert "TCPStore uses libuv" in store.below and "2.4" in store.below and store.below.endswith(store.text)


def test_a_row_reads_below_the_titles_of_its_columns() -> None:
    (row,) = (g for g in GROUNDS if g.sentence.span.kind == "row")
    assert "Platform" in row.below and "Wheels" in row.below and "XPU" in row.text


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        pytest.param(
            "The store runs on libuv sockets, while loading reads only needed shards.",
            ["The store runs on libuv sockets", "while loading reads only needed shards."],
            id="two",
        ),
        pytest.param(
            "By default, the store runs on libuv.", ["By default,  the store runs on libuv."], id="too short"
        ),
        pytest.param(
            "The store runs on libuv sockets, as before.",
            ["The store runs on libuv sockets,  as before."],
            id="a short end",
        ),
        pytest.param("It needs 1,000 ranks", ["It needs 1,000 ranks"], id="a comma in a number"),
        pytest.param("", [""], id="nothing"),
    ],
)
def test_clauses_are_long_enough_to_be_proved(text: str, clauses: list[str]) -> None:
    found = reading().clauses(text)
    assert [" ".join(clause.split()) for clause in found] == [" ".join(clause.split()) for clause in clauses]


def test_numbers_are_no_content_words() -> None:
    words = reading().words("TCPStore 2.4 takes 16 seconds")
    assert "tcpstore" in words and not any(word[0].isdigit() for word in words)


def test_names_are_held_in_either_language() -> None:
    read = reading()
    assert read.holds("quantization", "支持量化的模型") and read.holds("量化", "Quantization is faster")
    assert not read.holds("mark_dynamic", "mark_dynamics")


def test_words_of_a_clause_are_covered_by_its_grounds() -> None:
    read = reading()
    store, shards = (next(g for g in GROUNDS if word in g.raw) for word in ("server", "shards"))
    words = read.words("The TCPStore server runs on libuv")
    assert read.covered(words, [store]) == 1.0 > read.covered(words, [shards])
    assert read.covered([], [store]) == 1.0
    chinese = read.words("TCPStore 服务端使用 libuv")
    assert read.covered(chinese, [store]) == 1.0  # beside English, names alone count


def test_the_ground_with_most_names_fits_best() -> None:
    read = reading()
    clause = "Windows has wheels for CPU and XPU"
    (row,) = (g for g in GROUNDS if g.sentence.span.kind == "row")
    assert read.fitting(["windows", "xpu"], read.words(clause), GROUNDS)[0] is row
    assert read.named(["windows", "xpu", "gloo"], row) == 2
    assert read.says("`XPU`", ["windows"], row) and not read.says("`ROCm`", ["windows"], row)
    assert not read.says("it", ["tcpstore"], row)  # its heading alone has it


def test_shares_and_bare_code() -> None:
    assert share([], ["a"]) == 1.0 and share(["a", "b"], ["a"]) == 0.5
    assert bare_code("f( 'X' )") == bare_code('F("x")') == "f(x)"
