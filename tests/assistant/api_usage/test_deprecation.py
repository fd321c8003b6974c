"""What texts of torch say of deprecation."""

from __future__ import annotations

import pytest

from assistant.api_usage.deprecation import deprecation_in, is_subject, removal_in, speaks_of_deprecation

AUTOCAST = "`torch.cuda.amp.autocast(args...)` is deprecated. Use `torch.amp.autocast('cuda')` instead."


@pytest.mark.parametrize(
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
        pytest.param("", "a", "", id="none"),
    ],
)
def test_documentation(documentation: str, name: str, said: str) -> None:
    assert deprecation_in(documentation, name) == said


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
