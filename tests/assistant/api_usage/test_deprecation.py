"""What texts of torch say of deprecation."""

from __future__ import annotations

import pytest

from assistant.api_usage.deprecation import (
    deprecation_in,
    deprecation_told,
    is_subject,
    may_mean,
    removal_in,
    speaks_of_deprecation,
)
from tests.rows import each_row

AUTOCAST = "`torch.cuda.amp.autocast(args...)` is deprecated. Use `torch.amp.autocast('cuda')` instead."


@each_row(
    ("documentation", "name", "said"),
    [
        pytest.param(
            "Sum.\n\n.. deprecated:: 2.1\n    Use :func:`b`.\n\nMore.", "a", "2.1 Use b.", id="directive"
        ),
        pytest.param(
            "range(end)\n\nValues.\n\n.. warning::\n    This function is deprecated and will be removed.",
            "range",
            "This function is deprecated and will be removed.",
            id="warning",
        ),
        pytest.param(
            ":func:`torch.norm` is deprecated and goes.",
            "norm",
            "torch.norm is deprecated and goes.",
            id="name",
        ),
        pytest.param("Deprecated: use b.", "a", "Deprecated: use b.", id="opening"),
        pytest.param("Sum.\n\nArgs:\n    reduce: Deprecated, see x.\n", "a", "", id="argument"),
        pytest.param("Replaces ``old``. ``old`` is deprecated.", "a", "", id="another-thing"),
        pytest.param("Passing a list to it is deprecated.", "a", "", id="a-use-of-it"),
        pytest.param(
            "Sum.\n\nArgs:\n    b: c.\n\n.. warning::\n    This class is deprecated, use d.\n\nMore.",
            "a",
            "This class is deprecated, use d.",
            id="warning-below-the-arguments",
        ),
        pytest.param(
            "Sum.\n\nArgs:\n    b: c.\n\n    .. warning::\n        This function is deprecated with b.\n",
            "a",
            "",
            id="warning-of-an-argument",
        ),
        pytest.param(
            ".. warning::\n\n    At last, `x.a` is deprecated.",
            "x.a",
            "At last, x.a is deprecated.",
            id="clause",
        ),
        pytest.param("If b is given, this function is deprecated.", "a", "", id="condition"),
        pytest.param(
            "This package is in the process of being deprecated.",
            "x.a",
            "This package is in the process of being deprecated.",
            id="package",
        ),
        pytest.param("", "a", "", id="none"),
    ],
)
def test_documentation(documentation: str, name: str, said: str) -> None:
    assert deprecation_in(documentation, name) == said


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("`x.f` is deprecated. Use `g`.", "x.f", "x.f is deprecated."),
        ("A.g() and A.f() are being deprecated.", "x.A.f", "A.g() and A.f() are being deprecated."),
        ("`eps` is deprecated in f.", "x.f", ""),
        ("f: a 3-D input to f, which is deprecated, goes.", "x.f", ""),
    ],
)
def test_a_warning_tells_of_its_subject(text: str, name: str, said: str) -> None:
    assert deprecation_told(text, name) == said


def test_a_warning_of_another_name_is_not_taken_for_one_of_this() -> None:
    script = "`torch.jit.script` is deprecated. Please switch to `torch.compile`."
    assert may_mean("torch.jit.script", script) and not may_mean("torch.distributed.algorithms.hook", script)
    assert may_mean("torch.old.f", "torch.old is deprecated, use torch.new") and may_mean(
        "torch.f", "deprecated"
    )


def test_a_namespace_is_named_in_full() -> None:
    text = "The `x.y` namespace is being deprecated.\n\nThis class is deprecated."
    assert deprecation_told(text, "x.y", this=False) == "The x.y namespace is being deprecated."
    assert deprecation_told(text, "x.z", this=False) == ""


def test_the_first_name_of_a_warning_is_its_subject() -> None:
    assert is_subject("torch.cuda.amp.autocast", AUTOCAST)
    assert not is_subject("torch.amp.autocast", AUTOCAST)
    assert is_subject("torch.nn.f", "f is deprecated") and not is_subject(
        "torch.nn.f", "use f; g is deprecated"
    )
    assert not is_subject("torch.nn.f", "foo is deprecated")


def test_errors_and_warnings() -> None:
    assert removal_in("This function was deprecated since 1.9\nand is now removed.").endswith(
        "is now removed."
    )
    assert removal_in("x must be a tensor") == ""
    assert speaks_of_deprecation("FutureWarning", AUTOCAST) and speaks_of_deprecation(
        "DeprecationWarning", "x"
    )
    assert not speaks_of_deprecation("UserWarning", "lr_scheduler.step() before optimizer.step()")
