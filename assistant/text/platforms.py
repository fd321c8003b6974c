"""Platforms that features run on, such as Python 3.13 and CUDA 12.8."""

from __future__ import annotations

import re

_FAMILIES = {"python": "Python", "cuda": "CUDA"}
#: A version of a platform, such as "Python 3.13".
VERSION = re.compile(r"\b(?P<family>Python|CUDA)\s?(?P<number>\d+(?:\.\d+)?t?)(?![\w.]*\d)", re.I)
_FAMILY = re.compile(r"(?<![A-Za-z_])(?P<family>Python|CUDA)(?![A-Za-z_])", re.I)
_JOINED = re.compile(r"(?:\s*(?:,|，|、|\band\b|和|与)\s*(?:Python|CUDA)\s?\d+(?:\.\d+)?t?)+", re.I)

#: What features run on: operating systems, processors, their vendors, languages.
_PLACE = (
    r"(?:windows|mac(?: ?os|book)?|os ?x|linux|ubuntu|android|ios|wsl\d?|[cgtxnh]pus?|cuda|rocm|hip|mps|metal"
    r"|vulkan"
    r"|arm(?:64)?|aarch64|x86(?:[-_]64)?|(?:intel|amd|nvidia|apple)(?: (?:[cg]pus?|silicon|m\d))?|m1"
    r"|graviton ?\d?|ascend|昇腾|[abhv]\d{2,3}|mi\d{3}|(?:nvidia )?(?:blackwell|hopper|ampere|volta)"
    r"|python|java|c\+\+|(?:英特尔|苹果|英伟达)(?:显卡|芯片)?|显卡|苹果电脑|安卓|手机)"
    r"(?: ?\d+(?:\.\d+)?t?)?(?:s| support| backend| 支持| 后端)?"
)
_SYSTEM = re.compile(
    r"(?:windows|mac(?: ?os|book)?|os ?x|linux|ubuntu|android|ios|wsl\d?|苹果电脑|安卓|手机)", re.I
)
_PLACE_ALONE = re.compile(_PLACE, re.I)
_PLACE_IN_TEXT = re.compile(rf"(?<![A-Za-z\d_.+-]){_PLACE}(?![A-Za-z\d_+]|[.-]\w)", re.I)


def place_spans(text: str) -> list[tuple[int, int]]:
    """Locate the platforms in a text.

    Args:
        text: Chinese or English text.

    Returns:
        Pairs of start and end offset.
    """
    return [match.span() for match in _PLACE_IN_TEXT.finditer(text)]


def is_place(name: str) -> bool:
    """Check whether a name denotes a platform rather than a feature.

    Args:
        name: the whole name, in any case.
    """
    return bool(_PLACE_ALONE.fullmatch(name))


#: Words for one platform, in lower case, without plural.
_SAME_PLACE = tuple(
    frozenset(words.split())
    for words in (
        "windows",
        "linux ubuntu wsl",
        "mac macos osx apple mps metal m1 苹果",
        "nvidia cuda 英伟达 hopper ampere volta blackwell",
        "amd rocm hip mi200 mi300 mi350",
        "intel xpu x86 英特尔",
        "arm arm64 aarch64 graviton",
        "gpu cuda rocm xpu nvidia amd 显卡",
        "android 安卓 手机 mobile",
        "ios iphone 手机 mobile",
    )
)


def is_system(name: str) -> bool:
    """Check whether a platform is an operating system or a device, rather than a processor.

    Args:
        name: the name, in any case.
    """
    return bool(_SYSTEM.match(name))


def mentions_place(text: str, name: str) -> bool:
    """Check whether a text mentions a platform by any of its names.

    Args:
        text: Chinese or English text.
        name: name of the platform, as written in a question.
    """
    words = set(re.findall(r"[^\W_]+", name.casefold()))
    known = frozenset[str]().union(*_SAME_PLACE)
    words |= {word.removesuffix("s") for word in words - known if word.isascii()}  # not a sliding window
    words = words.union(*(group for group in _SAME_PLACE if group & words))
    return (
        re.search(rf"(?<![a-z])(?:{'|'.join(map(re.escape, words))})(?:s|\d*)(?![a-z])", text, re.I)
        is not None
    )


def versions(text: str) -> list[tuple[str, str]]:
    """Return the platform versions in a text, such as ("Python", "3.13").

    Args:
        text: Chinese or English text.
    """
    return [(_FAMILIES[m["family"].lower()], m["number"]) for m in VERSION.finditer(text)]


def families(text: str) -> list[str]:
    """Return the platforms in a text, with or without a version, in lower case and without duplicates.

    Args:
        text: Chinese or English text.
    """
    return list(dict.fromkeys(m["family"].lower() for m in _FAMILY.finditer(text)))


def without_joined(text: str) -> str:
    """Remove platform versions that are only joined to something else, as in "Blackwell and CUDA 12.8".

    Args:
        text: Chinese or English text.
    """
    return _JOINED.sub("", text)


def is_platform(id_: str) -> bool:
    """Check whether a feature id denotes a platform, a version of one or support for one.

    These features have no status of their own.

    Args:
        id_: feature id, such as "python 3.13".
    """
    return re.split(r"[ +]", id_)[-1 if "+" in id_ else 0] in _FAMILIES
