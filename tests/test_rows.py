"""Rows that are checked in one test: none is left out, and each that fails is told."""

from __future__ import annotations

import inspect

import pytest

from tests.rows import Test, each_row


def of_numbers(*rows: object) -> Test:
    @each_row("number", rows)
    def test(number: int, limit: int) -> None:
        assert 10 // number < limit

    return test


def test_every_row_is_checked() -> None:
    seen: list[tuple[int, int]] = []

    @each_row("a", [1, 2])
    @each_row(("b",), [pytest.param(4, id="four"), (5,)])
    def test(a: int, b: int) -> None:
        seen.append((a, b))

    test()
    assert seen == [(1, 4), (1, 5), (2, 4), (2, 5)]


def test_each_row_that_fails_is_told_whatever_it_raises() -> None:
    with pytest.raises(AssertionError) as caught:
        of_numbers(1, 3, pytest.param(0, id="nothing"))(limit=5)
    told = str(caught.value)
    assert told.startswith("2 of 3 rows fail\n")
    assert "row: number=1\n" in told and "assert (10 // 1) < 5" in told
    assert "nothing: number=0\n" in told and "ZeroDivisionError" in told
    assert "number=3" not in told


def test_a_row_may_fail_by_word() -> None:
    @each_row(("a", "b"), [(1, 2), (3, 4)], ids=lambda value: f"<{value}>")
    def test(a: int, b: int) -> None:
        if b == 4:
            pytest.fail(f"not {a}")

    with pytest.raises(AssertionError, match=r"(?s)1 of 2 rows.*row: a='<3>', b='<4>'.*not 3"):
        test()


def test_rows_have_names() -> None:
    @each_row("number", (1, 0), ids=["one", "none"])
    def test(number: int) -> None:
        assert number

    with pytest.raises(AssertionError, match=r"(?s)1 of 2 rows.*none: number=0"):
        test()


def test_fixtures_are_left_to_pytest() -> None:
    assert list(inspect.signature(of_numbers(1)).parameters) == ["limit"]


def test_rows_that_check_nothing_are_refused() -> None:
    with pytest.raises(AssertionError, match="no row to check: number"):
        of_numbers()
    with pytest.raises(AssertionError, match="a row with a mark is a test of its own"):
        of_numbers(pytest.param(1, marks=pytest.mark.long))
    with pytest.raises(AssertionError, match="a row has not a value for each"):
        each_row(("a", "b"), [(1,)])
    with pytest.raises(AssertionError, match="the test takes not all of b"):
        each_row("b", [1])(of_numbers(1))
