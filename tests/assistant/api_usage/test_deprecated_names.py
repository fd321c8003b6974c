"""Deprecations are found on a list of public names, and no other name is taken for deprecated."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from assistant.api_usage.lookup import FoundName, look_up
from assistant.api_usage.names import names_in
from tests.assistant.api_usage.deprecated_names import (
    DEPRECATED,
    DEPRECATED_HELD_BACK,
    KEPT,
    KEPT_HELD_BACK,
    MISSED,
)

#: torch raises where these are looked into.
RAISING = ("torch.backends.cuda.cufft_plan_cache.size", "torch.backends.cuda.cufft_plan_cache", "torch.abs")


@pytest.fixture(scope="module")
def found() -> dict[str, FoundName]:
    """What the torch that is installed has of all names, without what another release may lack."""
    names = (*DEPRECATED, *DEPRECATED_HELD_BACK, *KEPT, *KEPT_HELD_BACK, *RAISING)
    told = look_up(names_in("\n".join(["import torch, functorch", *names])))
    return {each.name.name: each for each in told.names if each.exists}


@pytest.mark.parametrize(
    ("names", "missed"),
    [
        pytest.param(DEPRECATED, [], id="designed-for"),
        pytest.param(DEPRECATED_HELD_BACK, MISSED, id="held-back"),
    ],
)
def test_deprecated_names_are_found(
    found: dict[str, FoundName], names: Sequence[str], missed: Sequence[str]
) -> None:
    there = [name for name in names if name in found]
    assert len(there) >= 0.9 * len(names) >= 30
    assert sorted(name for name in there if not found[name].deprecated) == sorted({*missed} & {*there})


@pytest.mark.parametrize("names", [KEPT, KEPT_HELD_BACK], ids=["designed-for", "held-back"])
def test_other_names_are_not_taken_for_deprecated(found: dict[str, FoundName], names: Sequence[str]) -> None:
    there = [name for name in names if name in found]
    assert len(there) >= 0.9 * len(names) >= 30
    assert {name: found[name].deprecated for name in there if found[name].deprecated} == {}


def test_a_thing_that_cannot_be_looked_into_does_not_stop_the_others(found: dict[str, FoundName]) -> None:
    assert found["torch.abs"].kind == "function" and {*RAISING} <= {*found}
