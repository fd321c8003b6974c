"""Many rows of a pure function as one test: a case of pytest's own costs more than such a call."""

from __future__ import annotations

import functools
import inspect
import reprlib
import traceback
from collections.abc import Callable, Iterable, Sequence

import pytest

Test = Callable[..., None]
#: Of a row in the message of a failure.
_SHOWN = reprlib.Repr()
_SHOWN.maxstring = _SHOWN.maxother = 120


def each_row(
    names: str | tuple[str, ...],
    rows: Iterable[object],
    *,
    ids: Callable[..., object] | Iterable[str] | None = None,
) -> Callable[[Test], Test]:
    """Check every row in one test, which fails with the traceback of each row that fails.

    Given like `pytest.mark.parametrize`, for tests that change nothing: what fixtures give, all rows share.

    Args:
        names: of the values, in one string or a tuple.
        rows: values for each; `pytest.param` names a row.
        ids: of the rows, or a function that gives what the message of a failure shows of a value.
    """
    keys = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names
    cases = [_case(row, alone=isinstance(names, str) and len(keys) == 1) for row in rows]
    show = ids if callable(ids) else None
    if ids is not None and not callable(ids):
        cases = [(name, values) for name, (_, values) in zip(ids, cases, strict=True)]
    assert cases, f"no row to check: {names}"
    assert all(len(values) == len(keys) for _, values in cases), f"a row has not a value for each of {names}"

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)
        left = [known for name, known in signature.parameters.items() if name not in keys]
        assert len(left) + len(keys) == len(signature.parameters), f"the test takes not all of {names}"

        @functools.wraps(test)
        def checked(**fixtures: object) -> None:
            failed: list[str] = []
            for name, values in cases:
                row = dict(zip(keys, values, strict=True))
                try:
                    test(**fixtures, **row)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  whatever a row raises is told
                    shown = {key: show(value) if show else value for key, value in row.items()}
                    told = ", ".join(f"{key}={_SHOWN.repr(value)}" for key, value in shown.items())
                    failed.append(f"{name or 'row'}: {told}\n{''.join(traceback.format_exception(error))}")
            if failed:
                raise AssertionError(f"{len(failed)} of {len(cases)} rows fail\n" + "\n".join(failed))

        checked.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return checked

    return decorate


def _case(row: object, *, alone: bool) -> tuple[str, Sequence[object]]:
    """Return name and values of a row."""
    if isinstance(row, type(pytest.param())):
        assert not row.marks, "a row with a mark is a test of its own: use pytest.mark.parametrize"
        return str(row.id or ""), row.values
    if alone:
        return "", (row,)
    assert isinstance(row, Sequence), f"values were expected, not {row!r}"
    return "", row
