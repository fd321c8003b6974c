"""URLs and file names that identify a PyTorch release, such as blog posts and release pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ingest.release import Release

GITHUB_API = "https://api.github.com"
_URL = re.compile(r"https?://[^\s<>()\[\]\"'`，。）】》]{4,400}")
_TAG = re.compile(r"https?://github\.com/pytorch/pytorch/releases/(?:tag/)?v?(\d)\.(\d{1,2})(?!\d)", re.I)
_BLOG = re.compile(r"https?://(?:www\.)?pytorch\.org/blog/([^/?#\s]+)", re.I)
# pytorch2-6, pytorch-2-1, pytorch-1.13-release, pytorch-1-dot-3-adds, PyTorch_V2.4, torch-2.6, v2.7.0
_SLUG = re.compile(r"(?<![a-z])(?:py)?torch[-_ ]?v?(\d)(?:\.|-dot-|-|_)(\d{1,2})(?!\d)", re.I)
_VERSION_NAME = re.compile(
    r"(?:.*[-_ ])?v(\d)\.(\d{1,2})(?:\.\d+)?(?:[-_ ].*)?|(\d)\.(\d{1,2})(?:\.\d+)?", re.I
)


def urls(text: str) -> Iterator[str]:
    """Yield the web addresses in a text in order, without trailing punctuation.

    Args:
        text: any text.
    """
    for match in _URL.finditer(text):
        yield match[0].rstrip(".,;:!?*_")


def is_web(url: str) -> bool:
    """Return whether `url` is an absolute http or https address.

    Args:
        url: any string.
    """
    return re.match(r"https?://[^\s/]", url) is not None


def is_blog(url: str) -> bool:
    """Return whether `url` is a post of the PyTorch blog.

    Args:
        url: an absolute address.
    """
    return _BLOG.match(url) is not None


def is_release_page(url: str) -> bool:
    """Return whether `url` is the GitHub page of a PyTorch release.

    Args:
        url: an absolute address.
    """
    return _TAG.match(url) is not None


def release_of_url(url: str) -> Release | None:
    """Return the PyTorch release that an address names, None if there is none (as for torchvision v0.19).

    Args:
        url: an absolute address.
    """
    if match := _TAG.match(url):
        return Release(int(match[1]), int(match[2]))
    page = re.split(r"[?#]", url)[0].rstrip("/").rpartition("/")[2]
    match = _SLUG.search(page) if "pytorch" in url.lower() else None
    return Release(int(match[1]), int(match[2])) if match else None


def release_of_name(name: str) -> Release | None:
    """Return the release in a file or page name, such as pytorch-2.6-blog, PyTorch_V2.4 or v2.7.0.

    Args:
        name: the name, without folders and suffix.

    Returns:
        The release, None if the name contains none.
    """
    match = _SLUG.search(name)
    if match:
        return Release(int(match[1]), int(match[2]))
    match = _VERSION_NAME.fullmatch(name)
    if match:
        return Release(int(match[1] or match[3]), int(match[2] or match[4]))
    return None


def release_page(tag: str) -> str:
    """Return the address of a PyTorch release on GitHub.

    Args:
        tag: the tag, as in "2.7.0" or "v2.7.0".
    """
    return f"https://github.com/pytorch/pytorch/releases/tag/v{tag.removeprefix('v')}"
