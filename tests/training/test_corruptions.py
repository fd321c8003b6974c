"""Statements made false: what is turned, and what is left alone."""

from __future__ import annotations

import random

import pytest

from training.corruptions import corrupted


def _ways(text: str) -> set[str | None]:
    return {corrupted(text, random.Random(seed)) for seed in range(60)}


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("The cache is enabled", "The cache is disabled"),
        ("The cache is enabled", "The cache is not enabled"),
        ("It cannot run on Windows", "It can run on Windows"),
        ("It has been renamed", "It has not been renamed"),
        ("`torch.a` replaces `torch.b`", "`torch.b` replaces `torch.a`"),
        ("from 2.3 on it takes 10% of 2.4", "from 2.4 on it takes 10% of 2.3"),
        ("编译更快", "编译更慢"),
        ("2.8 支持 Windows", "2.8 不支持 Windows"),
        ("`torch.a` 取代 `torch.b`", "`torch.b` 取代 `torch.a`"),
    ],
)
def test_one_thing_is_turned_round(text: str, false: str) -> None:
    assert false in _ways(text)


@pytest.mark.parametrize(
    "text",
    [
        "plain words tell nothing",
        "`torch.a` and `torch.b`, `torch.c` or `torch.d`",  # the order of a list says nothing
        "torch.without_grad(with=1)",  # parts of names and keywords are no words
        "性能",
    ],
)
def test_what_cannot_be_turned_is_left(text: str) -> None:
    assert _ways(text) == {None}


def test_a_true_statement_never_comes_back() -> None:
    text = "The default is True since 2.6, with NCCL on Linux and without it on Windows"
    assert text not in _ways(text) and None not in _ways(text)
