"""The compatibility table: whole, consistent with itself and the catalogue, and found by what a user has."""

from __future__ import annotations

import re
from datetime import date
from urllib.parse import urlsplit

import pytest

from corpus.catalog import find_original
from corpus.compatibility import (
    Compatibility,
    find_compatibility,
    load_compatibility,
    releases_with_python,
)
from ingest.release import Release
from tests.corpus.test_digests import DIGESTS, OWN_NUMBERS, numbers, platform_numbers, sections
from tests.rows import each_row

rows = each_row("row", load_compatibility(), ids=lambda row: row.release)
VERSION = re.compile(r"\d+(\.\d+)+")


def test_the_releases_follow_one_another_without_a_gap() -> None:
    releases = [Release.parse(row.release) for row in load_compatibility()]
    assert releases == [Release(1, 12), Release(1, 13), *(Release(2, n) for n in range(15))]
    dates = [row.date for row in load_compatibility()]
    assert dates == sorted(set(dates))


@rows
def test_the_versions_of_a_row_are_versions(row: Compatibility) -> None:
    assert all(VERSION.fullmatch(v) for v in (*row.python, *row.cuda, *row.rocm, row.torchvision))
    assert all(VERSION.fullmatch(v) for v in (*row.cudnn.values(), *row.nccl.values()))
    assert all(VERSION.fullmatch(v.removesuffix("t")) for v in row.python_experimental)
    assert row.cpp in ("C++14", "C++17", "C++20")
    assert row.triton is None or VERSION.fullmatch(row.triton)


@rows
def test_cuda_keyed_values_speak_of_builds_of_the_row(row: Compatibility) -> None:
    assert len(set(row.cuda)) == len(row.cuda)
    assert {*row.cuda_stable, *row.cuda_experimental} <= set(row.cudnn) <= set(row.cuda)
    assert set(row.nccl) <= set(row.cuda) and set(row.sm) <= set(row.cuda)
    assert row.default_cuda is None or row.default_cuda in row.cuda
    if row.default_cuda is not None and Release.parse(row.release) >= Release(2, 0):
        assert row.default_cuda in row.nccl and row.triton


@rows
def test_capabilities_rise_and_have_a_source(row: Compatibility) -> None:
    assert row.sm
    for built in row.sm.values():
        keys = [tuple(map(int, capability.split("."))) for capability in built]
        assert keys == sorted(set(keys))
    for source in row.sources:
        address = urlsplit(source)
        assert address.scheme == "https" and address.netloc and " " not in source


@rows
def test_the_date_is_that_of_the_release_post(row: Compatibility) -> None:
    post = find_original(row.release, "blog", "en")
    assert post is None or post.date is None or post.date == row.date


@each_row("language", ["en", "zh"])
@each_row(
    "row",
    [row for row in load_compatibility() if (DIGESTS / "en" / f"{row.release}.md").is_file()],
    ids=lambda row: row.release,
)
def test_the_platform_section_of_the_digest_agrees(row: Compatibility, language: str) -> None:
    path = DIGESTS / language / f"{row.release}.md"
    parts = sections(path.read_text(encoding="utf-8"))
    told = numbers(" ".join(text for name, text in parts.items() if name.startswith("platform")))
    assert {*row.python, *row.cuda} <= told
    if Release.parse(row.release) <= Release(
        2, 8
    ):  # later ones spread over several sections and patch releases
        whole = re.sub(r"^```.*?^```", "", parts["platform"], flags=re.M | re.S)
        own = numbers(re.sub(r"https://\S+|\b(?:cu|GCC )[\d.]+", " ", whole))
        assert own - {*OWN_NUMBERS.get(row.release, {})} <= platform_numbers(row.release)
        assert {*row.rocm, *row.cudnn.values(), row.torchvision, row.cpp.removeprefix("C++")} <= own
        if row.default_cuda is not None:
            assert f"CUDA {row.default_cuda} " in next(
                s for s in whole.split("\n\n") if "pip install torch" in s
            )


def test_a_row_is_found_by_its_release() -> None:
    row = find_compatibility("2.4")
    assert row is not None and row.date == date(2024, 7, 24)
    assert row.cuda == ("11.8", "12.1", "12.4") and row.default_cuda == "12.1"
    assert find_compatibility("0.4") is None


@each_row(
    ("capability", "release", "found"),
    [
        ("3.5", "1.12", ("10.2",)),
        ("3.5", "1.13", ()),
        ("sm_37", "2.7", ("11.8",)),
        ("37", "2.8", ()),
        ("6.1", "2.14", ("12.6",)),
        ("7.0", "2.14", ("12.6",)),
        ("8.9", "2.14", ("12.6", "13.0", "13.2")),
        ("sm_120", "2.14", ("13.0", "13.2")),
    ],
)
def test_builds_for_a_card(capability: str, release: str, found: tuple[str, ...]) -> None:
    row = find_compatibility(release)
    assert row is not None and row.cuda_for(capability) == found


def test_volta_leaves_the_cuda_12_8_build_in_2_11() -> None:
    with_volta = [row.release for row in load_compatibility() if "12.8" in row.cuda_for("7.0")]
    assert with_volta == ["2.8", "2.9", "2.10"]


@pytest.mark.parametrize("text", ["", "V100", "7", "sm_7000"])
def test_what_is_no_capability_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a compute capability; write it like"):
        load_compatibility()[-1].cuda_for(text)


@each_row(
    ("version", "releases"),
    [
        ("3.7", ("1.12", "1.13")),
        ("3.8.18", ("1.12", "1.13", "2.0", "2.1", "2.2", "2.3", "2.4")),
        ("3.13t", ("2.6", "2.7", "2.8")),
        ("3.15", ("2.13", "2.14")),  # as an experiment
        ("2.7", ()),
    ],
)
def test_releases_are_found_by_python(version: str, releases: tuple[str, ...]) -> None:
    assert releases_with_python(version) == releases
