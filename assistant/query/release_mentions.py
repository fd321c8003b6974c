"""Finds PyTorch releases written out in a text, as opposed to other version numbers."""

from __future__ import annotations

import re

from ingest.release import Release

NEAR = 64  # characters of context around a number, so that a text of many numbers takes linear time
#: A comparison sign; "->" and "=>" are arrows.
SIGN = r"(?:[<>=!~]=|===|[≤≥<=^]|(?<![-=])>)"
_NAME_OF = r"\s*(?:'s)?\s*的?\s*(?:版本号?|versions?|releases?)?\s*"
#: Words of comparison that may occur between the name of another project and its version.
_COMPARED = (
    r"(?:(?:is|are|be)\s+)?(?:(?:newer|older|later|earlier|higher|lower|greater|less|more recent) than|before|after|since|until"
    r"|at (?:least|most)|above|below|up to|[高低早晚新旧老大小]于(?:等于)?|不[高低早晚]于|至少|至多)"
)
# A number after one of these is the version of another project.
_FOREIGN = re.compile(
    r"(?<![A-Za-z])(?:cuda|cudnn|nccl|python|py|rocm|gcc|g\+\+|onednn|mkl|triton|onnx\w*|opset|numpy|glibc|glibcxx|manylinux"
    r"|ubuntu|macos|windows|ios|android|cmake|c\+\+|llvm|clang|dlpack|cutlass|openmp|nvtx\d?|torchvision|torchaudio"
    r"|torchtext|transformers|java|scipy|driver|驱动|vision|audio|text)\s*(?:版本|versions?|v)?\s*"
    rf"(?:>=|<=|==|!=|~=|[<>=≤≥]|{_COMPARED})?\s*$",
    re.I,
)
# Right after one of these any number is a release, even one that does not exist.
_OWN = re.compile(rf"(?<![A-Za-z])(?:pytorch|torch){_NAME_OF}{SIGN}?\s*$", re.I)
# After one of these, a number that looks like a release is one despite the sign.
_COMPARING = re.compile(rf"(?:(?<![A-Za-z])(?:versions?|releases?)|版本号?)\s*{SIGN}\s*$", re.I)
_VALUE = re.compile(r"(?:[=<≈≤≥^]|(?<![-=])>)\s*$")  # precedes the value of a parameter
#: Joins another comparison to the version before it: "torch>=2.4,<2.7".
_FURTHER = re.compile(rf"\s*[,，、;&]?\s*(?:and|but|且|并且?|和)?\s*{SIGN}\s*", re.I)
_SIGNED = re.compile(rf"{SIGN}\s*$")
# Chinese is written right next to numbers (`在2.4里`): only Latin letters and digits make them part of a word.
_VERSION = re.compile(
    r"(?:(?<![\d.\w])|(?<=torch))v?(?P<major>\d{1,2})\.(?P<minor>\d{1,2})(?:\.(?P<patch>\d{1,2}|x|\*))?"
    r"(?!\.?\d)(?!\s*(?:x\b|[×倍%]|percent|times|[GMKT]i?B\b|[GMK]Hz\b|[GTP]?FLOPS\b|[BM]\b|ms\b|s\b|seconds?\b|minutes?\b|hours?\b"
    r"|秒|毫秒|分钟|小时|亿|万|个百分点))(?![A-Za-z_])",
    re.I | re.ASCII,
)
# "PyTorch 3", "PyTorch 3.x": a major number alone, not followed by something it could count.
_MAJOR = re.compile(
    r"(?:(?<![\d.\w])|(?<=torch))v?(?P<major>\d{1,2})(?:\.x(?!\w)|(?=\s*(?:$|[?!。,;)、]|有|的|里|中|版|会|是|和|与|到|新|什么)))",
    re.I | re.ASCII,
)


def mentions_in(text: str) -> list[re.Match[str]]:
    """Find the releases written out in a text.

    Args:
        text: text with full-width characters folded.

    Returns:
        Matches in order, with the groups "major", "minor" and "patch"; "patch" is None if not written.
    """
    found: list[re.Match[str]] = []
    for match in _VERSION.finditer(text):
        if _is_ours(text, match) or (found and _goes_on(text, found[-1], match)):
            found.append(match)
    return found


def release_of(mention: re.Match[str]) -> Release:
    """Return the release of a mention.

    Args:
        mention: match from `mentions_in`.
    """
    return Release(int(mention["major"]), int(mention["minor"]))


def majors_in(text: str) -> list[int]:
    """Return the major numbers of PyTorch written without a minor one, as in "PyTorch 3".

    Args:
        text: text with full-width characters folded.
    """
    return [int(m["major"]) for m in _MAJOR.finditer(text) if ends(_OWN, text, m.start())]


def ends(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    """Match a pattern at the end of a text's prefix, searching only the last `NEAR` characters.

    Args:
        pattern: pattern that ends with `$`.
        text: text to search.
        end: length of the prefix.
    """
    return pattern.search(text, max(0, end - NEAR), end)


def _is_ours(text: str, mention: re.Match[str]) -> bool:
    """Check whether a version is PyTorch's: it follows the name, or looks like one and follows no other."""
    if ends(_OWN, text, mention.start()):
        return True
    if mention["major"] not in ("1", "2") or ends(_FOREIGN, text, mention.start()):
        return False
    return not ends(_VALUE, text, mention.start()) or bool(ends(_COMPARING, text, mention.start()))


def _goes_on(text: str, last: re.Match[str], mention: re.Match[str]) -> bool:
    """Check whether a version with a comparison sign continues the one before it."""
    return (
        mention.start() - last.end() <= NEAR
        and _FURTHER.fullmatch(text, last.end(), mention.start()) is not None
        and ends(_SIGNED, text, last.start()) is not None
    )
