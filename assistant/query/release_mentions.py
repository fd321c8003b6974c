"""Where a text writes out a release of PyTorch, and what only looks like one."""

from __future__ import annotations

import re

from ingest.release import Release

NEAR = 64  # characters; a text of many numbers is read once, not once a number
#: A sign of comparison; "->" and "=>" are arrows.
SIGN = r"(?:[<>=!~]=|===|[≤≥<=^]|(?<![-=])>)"
_NAME_OF = r"\s*(?:'s)?\s*的?\s*(?:版本号?|versions?|releases?)?\s*"
#: Words of comparison that may stand between the name of something else and its version.
_COMPARED = (
    r"(?:(?:is|are|be)\s+)?(?:(?:newer|older|later|earlier|higher|lower|greater|less|more recent) than|before|after|since|until"
    r"|at (?:least|most)|above|below|up to|[高低早晚新旧老大小]于(?:等于)?|不[高低早晚]于|至少|至多)"
)
# A number after one of these is the version of something else.
_FOREIGN = re.compile(
    r"(?<![A-Za-z])(?:cuda|cudnn|nccl|python|py|rocm|gcc|g\+\+|onednn|mkl|triton|onnx\w*|opset|numpy|glibc|glibcxx|manylinux"
    r"|ubuntu|macos|windows|ios|android|cmake|c\+\+|llvm|clang|dlpack|cutlass|openmp|nvtx\d?|torchvision|torchaudio"
    r"|torchtext|transformers|java|scipy|driver|驱动|vision|audio|text)\s*(?:版本|versions?|v)?\s*"
    rf"(?:>=|<=|==|!=|~=|[<>=≤≥]|{_COMPARED})?\s*$",
    re.I,
)
# Right after one of these any number is a release, be it one that never was.
_OWN = re.compile(rf"(?<![A-Za-z])(?:pytorch|torch){_NAME_OF}{SIGN}?\s*$", re.I)
# Here a number that looks like a release is one, for all that a sign stands before it.
_COMPARING = re.compile(rf"(?:(?<![A-Za-z])(?:versions?|releases?)|版本号?)\s*{SIGN}\s*$", re.I)
_VALUE = re.compile(r"(?:[=<≈≤≥^]|(?<![-=])>)\s*$")  # of a parameter
#: What joins a further sign to the version before: "torch>=2.4,<2.7".
_FURTHER = re.compile(rf"\s*[,，、;&]?\s*(?:and|but|且|并且?|和)?\s*{SIGN}\s*", re.I)
_SIGNED = re.compile(rf"{SIGN}\s*$")
# Chinese stands right beside a number (`在2.4里`): only Latin letters and digits make it part of a word.
_VERSION = re.compile(
    r"(?:(?<![\d.\w])|(?<=torch))v?(?P<major>\d{1,2})\.(?P<minor>\d{1,2})(?:\.(?P<patch>\d{1,2}|x|\*))?"
    r"(?!\.?\d)(?!\s*(?:x\b|[×倍%]|percent|times|[GMKT]i?B\b|[GMK]Hz\b|[GTP]?FLOPS\b|[BM]\b|ms\b|s\b|seconds?\b|minutes?\b|hours?\b"
    r"|秒|毫秒|分钟|小时|亿|万|个百分点))(?![A-Za-z_])",
    re.I | re.ASCII,
)
# "PyTorch 3", "PyTorch 3.x": a major number alone, with nothing behind it that it could count.
_MAJOR = re.compile(
    r"(?:(?<![\d.\w])|(?<=torch))v?(?P<major>\d{1,2})(?:\.x(?!\w)|(?=\s*(?:$|[?!。,;)、]|有|的|里|中|版|会|是|和|与|到|新|什么)))",
    re.I | re.ASCII,
)


def mentions_in(text: str) -> list[re.Match[str]]:
    """Return the releases that a text writes out, in order.

    Args:
        text: with its full-width characters folded.

    Returns:
        Matches with the groups "major", "minor" and "patch", the last None where it is not written.
    """
    found: list[re.Match[str]] = []
    for match in _VERSION.finditer(text):
        if _is_ours(text, match) or (found and _goes_on(text, found[-1], match)):
            found.append(match)
    return found


def release_of(mention: re.Match[str]) -> Release:
    """Return the release that a match of `mentions_in` writes out."""
    return Release(int(mention["major"]), int(mention["minor"]))


def majors_in(text: str) -> list[int]:
    """Return the major numbers of PyTorch that a text names without a minor one, as in "PyTorch 3"."""
    return [int(m["major"]) for m in _MAJOR.finditer(text) if ends(_OWN, text, m.start())]


def ends(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    """Match a pattern that is closed by `$` where a text up to `end` ends with it; only near text is read."""
    return pattern.search(text, max(0, end - NEAR), end)


def _is_ours(text: str, mention: re.Match[str]) -> bool:
    """Return whether a version is one of PyTorch: it follows the name, or looks like one and no other does."""
    if ends(_OWN, text, mention.start()):
        return True
    if mention["major"] not in ("1", "2") or ends(_FOREIGN, text, mention.start()):
        return False
    return not ends(_VALUE, text, mention.start()) or bool(ends(_COMPARING, text, mention.start()))


def _goes_on(text: str, last: re.Match[str], mention: re.Match[str]) -> bool:
    """Return whether a version with a sign continues the one before, which has one as well."""
    return (
        mention.start() - last.end() <= NEAR
        and _FURTHER.fullmatch(text, last.end(), mention.start()) is not None
        and ends(_SIGNED, text, last.start()) is not None
    )
