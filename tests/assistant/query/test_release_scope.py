"""Releases in a question: sets, ranges, series, relations, and what only looks like one."""

from __future__ import annotations

import pytest

from assistant.query.release_scope import find_releases
from ingest.release import Release
from tests.rows import each_row

KNOWN = tuple(Release.parse(text) for text in "1.12 1.13 2.0 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8".split())


def found(text: str, *, before: str = "", known: tuple[Release, ...] = KNOWN) -> str:
    """The releases that a question is about, as text."""
    anchor = [Release.parse(release) for release in before.split()]
    return " ".join(map(str, find_releases(text, known, before=anchor).releases))


@each_row(
    ("text", "expected"),
    [
        ("What is new in PyTorch 2.4?", "2.4"),
        ("What is new in v2.4.1?", "2.4"),
        ("pip install torch==2.4.0 fails", "2.4"),
        ("the 2.4.x branch", "2.4"),
        ("在2.4里默认用什么后端", "2.4"),
        ("PyTorch2.4有什么新功能", "2.4"),
        ("２．４ 有什么新功能", "2.4"),
        ("2.4、2.5和2.6都支持吗", "2.4 2.5 2.6"),
        ("Compare 2.6 with 2.4", "2.4 2.6"),
        ("2.3/2.4", "2.3 2.4"),
        ("2.4 和 2.4.1", "2.4"),
        ("Does 2.5 XPU support Windows?", "2.5"),
        ("2.4 x86 wheels", "2.4"),
    ],
)
def test_named_releases_are_read(text: str, expected: str) -> None:
    assert found(text) == expected


@each_row(
    ("text", "expected"),
    [
        ("2.1 到 2.4 的变化", "2.1 2.2 2.3 2.4"),
        ("从2.1到2.4", "2.1 2.2 2.3 2.4"),
        ("2.1版至2.3版", "2.1 2.2 2.3"),
        ("从 2.3 升级到 2.5", "2.3 2.4 2.5"),
        ("from 2.6 to 2.8", "2.6 2.7 2.8"),
        ("upgrade 2.3 -> 2.5", "2.3 2.4 2.5"),
        ("2.1–2.3", "2.1 2.2 2.3"),
        ("between 2.1 and 2.3", "2.1 2.2 2.3"),
        ("2.1 和 2.3 之间", "2.1 2.2 2.3"),
        ("from 2.8 back to 2.6", "2.6 2.8"),
        ("1.13 到 2.1", "1.13 2.0 2.1"),
    ],
)
def test_a_range_holds_what_lies_between(text: str, expected: str) -> None:
    assert found(text) == expected


@each_row(
    ("text", "expected"),
    [
        ("since 2.6", "2.6 2.7 2.8"),
        ("since PyTorch 2.6.0", "2.6 2.7 2.8"),
        ("自 2.6 以来", "2.6 2.7 2.8"),
        ("自2.6", "2.6 2.7 2.8"),
        ("2.6以后", "2.6 2.7 2.8"),
        ("2.6 及以上版本", "2.6 2.7 2.8"),
        ("从2.6到现在", "2.6 2.7 2.8"),
        ("2.6+", "2.6 2.7 2.8"),
        ("2.6 and later", "2.6 2.7 2.8"),
        ("before 2.0", "1.12 1.13"),
        ("2.0 之前", "1.12 1.13"),
        ("2.0 及以前", "1.12 1.13 2.0"),
        ("2.0 and earlier", "1.12 1.13 2.0"),
        ("up to 2.0", "1.12 1.13 2.0"),
        ("2.6 起不来了", "2.6"),
    ],
)
def test_open_ranges_end_at_what_the_index_holds(text: str, expected: str) -> None:
    assert found(text) == expected


@each_row(
    "text",
    [
        "the latest release",
        "newest PyTorch",
        "最新版有什么",
        "最新的版本",
        "最新的 PyTorch 支持什么",
        "当前版本",
    ],
)
def test_the_latest_is_the_last_one_held(text: str) -> None:
    assert found(text) == "2.8"
    assert found(text, known=KNOWN[:3]) == "2.0"


def test_a_named_release_outweighs_the_latest() -> None:
    assert found("Is 2.4 the latest release?") == "2.4"


@pytest.mark.parametrize("text", ["2.x 系列", "2.x系列", "PyTorch 2.x", "v2.x", "2 系列"])
def test_a_series_is_every_release_of_its_number(text: str) -> None:
    assert found(text) == "2.0 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8"


def test_two_series() -> None:
    assert len(found("1.x 和 2.x 的区别").split()) == len(KNOWN)


@each_row(
    "text",
    [
        "CUDA 12.8",
        "CUDA 版本 1.2",
        "CUDA12.4",
        "Python 3.12",
        "python2.7",
        "Triton 2.2",
        "numpy>=1.26",
        "NumPy 2.1",
        "NCCL 2.21",
        "torchvision 0.19",
        "1.6x faster",
        "快了1.6x吗",
        "1.3 倍",
        "1.3倍",
        "1.5%",
        "2.0 times",
        "省了2.4GB显存",
        "a CPU of 2.9 GHz",
        "alpha=1.0",
        "lr = 1.0",
        "1.5 小时",
        "2.5 seconds",
        "section 1.2.3.4",
        "12.4",
        "x1.5y",
        "3.0",
    ],
)
def test_other_numbers_are_no_releases(text: str) -> None:
    scope = find_releases(text, KNOWN)
    assert scope.named == () and scope.releases == ()


@each_row(
    ("text", "expected"),
    [
        ("What is new in PyTorch 3.0?", "3.0"),
        ("What's new in PyTorch 0.4?", "0.4"),
        ("torch 0.4.1 fails", "0.4"),
        ("pip install torch==0.4.1", "0.4"),
        ("torch>=3.0", "3.0"),
        ("PyTorch v3.1", "3.1"),
        ("PyTorch3.0有什么", "3.0"),
        ("PyTorch 的 3.0 版", "3.0"),
        ("PyTorch version 10.2", "10.2"),
        ("PyTorch 3 有什么新功能？", "3.0"),
        ("What is new in PyTorch 3?", "3.0"),
        ("PyTorch 3.x", "3.0"),
        ("PyTorch 2.4 and PyTorch 3.0", "2.4 3.0"),
    ],
)
def test_any_number_right_after_the_name_is_a_release(text: str, expected: str) -> None:
    scope = find_releases(text, KNOWN)
    assert " ".join(map(str, scope.named)) == expected
    assert list(map(str, scope.unknown)) == [r for r in expected.split() if r != "2.4"]


@each_row(
    "text",
    [
        "PyTorch on Python 3.12",
        "PyTorch with CUDA 12.4",
        "torchvision 0.19",
        "torch.compile 3.0",
        "is PyTorch 3.5x faster",
        "PyTorch 3.5% 的性能提升",
        "PyTorch 2 有什么新功能",
        "PyTorch 4 GPU training",
        "PyTorch 3 times faster",
        "PyTorch 3 倍加速",
        "PyTorch 10 月发布",
        "PyTorch 快 3.5 倍",
    ],
)
def test_other_numbers_near_the_name_are_no_releases(text: str) -> None:
    assert find_releases(text, KNOWN).named == ()


def test_the_version_of_something_else_hides_no_release() -> None:
    assert found("CUDA 12.4 和 PyTorch 2.4，Python 3.12") == "2.4"
    assert found("PyTorch 2.1 with Triton 2.1 is 1.6x faster") == "2.1"


def test_releases_are_ordered_as_numbers() -> None:
    known = tuple(Release.parse(text) for text in ("2.8", "2.9", "2.10"))
    assert found("2.10 and 2.9", known=known) == "2.9 2.10"
    assert found("since 2.9", known=known) == "2.9 2.10"
    assert found("the latest release", known=known) == "2.10"


@each_row(
    ("text", "before", "expected"),
    [
        ("And in the next release?", "2.4", "2.5"),
        ("下一版呢", "2.4", "2.5"),
        ("下一个版本", "2.3 2.4", "2.5"),
        ("what about the previous version", "2.4", "2.3"),
        ("上一个版本呢", "2.3 2.5", "2.2"),
        ("the next release", "2.8", ""),
        ("the previous release", "1.12", ""),
        ("the next release", "", ""),
    ],
)
def test_relative_releases_count_from_the_question_before(text: str, before: str, expected: str) -> None:
    assert found(text, before=before) == expected


def test_a_release_of_the_question_itself_anchors_first() -> None:
    assert found("2.4 and the next release", before="2.0") == "2.4 2.5"


def test_unknown_releases_are_told_apart() -> None:
    scope = find_releases("2.4 和 2.30", KNOWN)
    assert list(map(str, scope.named)) == ["2.4", "2.30"]
    assert list(map(str, scope.unknown)) == ["2.30"]


def test_named_releases_keep_their_order() -> None:
    assert list(map(str, find_releases("2.6, then 2.4, then 2.6", KNOWN).named)) == ["2.6", "2.4"]


def test_an_index_without_releases() -> None:
    scope = find_releases("since 2.4", ())
    assert scope.releases == (Release(2, 4),) and scope.unknown == (Release(2, 4),)
    assert find_releases("the latest release", ()).releases == ()
