"""Addresses and names that name a release of PyTorch."""

from __future__ import annotations

from ingest.addresses import (
    is_blog,
    is_release_page,
    is_web,
    release_of_name,
    release_of_url,
    release_page,
    urls,
)
from tests.rows import each_row


@each_row(
    ("url", "release"),
    [
        ("https://pytorch.org/blog/pytorch2-6", "2.6"),
        ("https://pytorch.org/blog/pytorch-2-1/", "2.1"),
        (
            "https://pytorch.org/blog/pytorch-1-dot-3-adds-mobile-privacy-quantization-and-named-tensors",
            "1.3",
        ),
        ("https://pytorch.org/blog/PyTorch-1.13-release/#stable-features", "1.13"),
        ("https://pytorch.apachecn.org/LatestChanges/PyTorch_V2.4", "2.4"),
        ("https://github.com/pytorch/pytorch/releases/tag/v2.10.0", "2.10"),
        ("https://github.com/pytorch/vision/releases/tag/v0.19.0", None),
        ("https://github.com/pytorch-labs/torchfix/releases/tag/v0.6.0", None),
        ("https://pytorch.org/blog/flexattention/", None),
        ("https://github.com/pytorch/pytorch/pull/126961", None),
        ("https://example.org/redis-7.2", None),
    ],
)
def test_release_of_an_address(url: str, release: str | None) -> None:
    found = release_of_url(url)
    assert (str(found) if found else None) == release


@each_row(
    ("name", "release"),
    [
        ("pytorch-2.6-blog", "2.6"),
        ("pytorch-2.7.0-release-notes", "2.7"),
        ("PyTorch_V2.4", "2.4"),
        ("v2.10.0", "2.10"),
        ("notes-v2.8", "2.8"),
        ("2.7.1", "2.7"),
        ("torchvision-0.19", None),
        ("2024-01-notes", None),
        ("minutes", None),
    ],
)
def test_release_of_a_name(name: str, release: str | None) -> None:
    found = release_of_name(name)
    assert (str(found) if found else None) == release


def test_addresses_come_without_the_punctuation_around_them() -> None:
    text = "See <https://a.b/c>, [d](https://d.e/f_g) and https://h.i/j. 参见https://k.l/m。https://n.o/p）"
    assert list(urls(text)) == [
        "https://a.b/c",
        "https://d.e/f_g",
        "https://h.i/j",
        "https://k.l/m",
        "https://n.o/p",
    ]


def test_pages_are_told_apart() -> None:
    assert is_release_page(release_page("2.7.0")) and is_release_page(release_page("v2.7.0"))
    assert not is_release_page("https://github.com/pytorch/pytorch/releases")
    assert is_blog("https://pytorch.org/blog/pytorch2-6") and not is_blog("https://pytorch.org/blog/")
    assert is_web("http://a") and not is_web("javascript:alert(1)") and not is_web("/releases/tag/v2.7.0")
