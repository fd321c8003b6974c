"""Machine features named in a sentence: GPUs, CPUs, systems, versions of Python, CUDA and compilers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from assistant.applicability.condition import MachineFeature, Version
from assistant.applicability.hardware import (
    AMD_CARD,
    ARCHITECTURE,
    ARCHITECTURES,
    CARD,
    CARDS,
    INSTRUCTION,
    INSTRUCTIONS,
)

HIDDEN = "¤"  # placeholder for names that are not machine features


class Named(NamedTuple):
    """A machine feature and its span in the text.

    Attributes:
        start, end: span in the text.
        place: the feature.
    """

    start: int
    end: int
    place: MachineFeature


_SPAN = re.compile(r"`+([^`]*)`+")
_DEVICE = re.compile(r"(?:mps|xpu|cuda|aarch64(?:-linux)?|sm_?\d+|linux|windows|avx\w*|amx\w*|sve2?)", re.I)
_LINK = re.compile(r"<?https?://\S+|\]\([^)]*\)|\{#[\w-]+\}")
# Unlike assistant.text.identifiers.JOINED: what a figure follows, as in manylinux_2_28, may be a place.
_DOTTED = re.compile(
    r"\b(?!(?:AVX|AMX|sm_|x86)\w*\b)[A-Za-z_]\w*(?:(?:\.|_|::)[A-Za-z_]\w*)+(?:\(\))?", re.ASCII
)
_NO_PLACE = re.compile(
    r"CUDA[- ](?:graphs?(?: trees?)?|extensions?|sanitizer|events?|streams?|toolkit|runtime|math|kernels?|C\+\+"
    r"|扩展|图|内核|数学库|流)|GPUDirect|Arm Compute Library|NVIDIA Open GPU|PrivateUse1|AI PC"
    r"|Windows 子系统|Windows Subsystem for Linux(?: 2)?|WSL ?2?|[pP]ython[- ](?:API|code|frontend|前端|代码|对象)"
    r"|x86InductorQuantizer",
    re.I,
)
_TYPE = re.compile(
    r"(?<![\w-])(?:bfloat16|float(?:16|32|64)?|double|half|complex|u?int(?:4|8|16|32|64)?|[BT]?FP?(?:4|8|16|32|64))(?![\w-])",
    re.I,
)
_CHINESE_MARKS = "，。；：！？（）、"
_VERSIONS = r"\d+\.(?:\d+|x)(?:\.\d+)?"
_JOIN = r"\s*(?:,\s*(?:and|or)?|、|/|and|or|和|与|或|及)\s*"
_TO = r"\s*(?:-|–|~|to|through|至|到)\s*"


def _versioned(name: str, form: str) -> re.Pattern[str]:
    one = rf"{form}"
    return re.compile(
        rf"(?<![A-Za-z]){name}[- ]?(?:>=|≥)?\s*(?P<all>{one}(?:(?:{_JOIN}|{_TO})(?:{name}\s*)?{one})*)", re.I
    )


_PYTHON = _versioned("Python", r"3\.\d{1,2}t?(?![\d])")
_CUDA = _versioned("CUDA", rf"(?:{_VERSIONS}|(?:9|1\d)(?![.\d]))(?!\d)")
_ROCM = _versioned("ROCm", rf"{_VERSIONS}(?!\d)")
_GCC = _versioned("GCC", r"\d+(?:\.\d+)*")
_CU = re.compile(r"\bcu(1[0-9])(\d)\b")
_SM = re.compile(
    r"(?:(?<![A-Za-z])SM[ _]?(?P<sm>\d{1,2}\.\d|\d{2,3}|1\dx)a?(?![\w.]*\w)"
    r"|(?:compute[- ]capabilit(?:y|ies)|计算能力)\s*(?:of |>=|≥|为|在|至少|at least)?\s*(?P<cc>\d{1,2}\.\d))",
    re.I,
)
_THROUGH = re.compile(r"\s*(?:-|–|~|to|through|至|到)\s*$")
_SIMPLE: tuple[tuple[str, str, str, str], ...] = (  # the first match at a position is used
    (r"NVIDIA(?=\s*(?:and|or|/|,|和|与|、)\s*(?:AMD|Intel|Apple))|NVIDIA(?:(?:'s)? (?:new )?)?(?:的)?\s?(?:GPUs?|显卡|graphics cards?)|英伟达(?:的)?\s?(?:GPUs?|显卡)"
     r"|CUDA[- ](?:GPUs?|devices?|backend|设备|显卡|后端|张量|tensors?)", "gpu", "nvidia", "NVIDIA GPU"),
    (r"AMD(?=\s*(?:and|or|/|,|和|与|、)\s*(?:NVIDIA|Intel|Apple))|AMD(?:的)?\s?(?:GPUs?|显卡|Instinct)", "gpu", "amd", "AMD GPU"),
    (r"(?:Intel(?:®)?\s?)?(?:Arc (?:Graphics )?[AB][- ](?:Series|系列)?|Data Center GPU (?:Max|Flex)(?: Series)?"
     r"|Arc(?= (?:Graphics|cards?|laptops?|discrete|独立|显卡|GPU)))"
     r"|(?:Intel|英特尔)\s?数据中心 ?GPU", "xpu-model", "", ""),
    (r"(?:Intel(?:®)?|英特尔)(?:的|\s)?\s?(?:discrete |client |独立|客户端)?\s?(?:GPUs?|显卡)|XPUs?", "gpu", "xpu",
     "Intel GPU"),
    (r"MPS(?:Inductor| (?:devices?|backend)|\s?(?:后端|设备))?|Apple(?: 的)? ?GPUs?", "gpu", "mps", "Apple GPU (MPS)"),
    (r"(?:Intel|英特尔)(?:®)? ?Macs?", "mac", "x86", "Mac with an Intel processor"),
    (r"Apple silicon(?: Macs?)?|(?:苹果|Apple) ?芯片|Apple M\d|M[1-4] (?:Macs?|芯片|chips?|设备|devices?)", "cpu", "apple",
     "Apple silicon"),
    (r"(?:AWS |Amazon )?Graviton ?\d?", "cpu", "graviton", ""),
    (r"(?:Intel(?:®)?|英特尔) ?(?:的 ?)?(?:Xeon|至强|(?:Xeon |至强 ?)?(?:CPUs?|processors?|处理器))", "cpu", "intel",
     "Intel CPU"),
    (r"AMD (?:CPUs?|EPYC|Ryzen|processors?|处理器)", "cpu", "amd", "AMD CPU"),
    (r"(?:Ice|Cooper|Cascade|Sapphire|Granite|Emerald|Sky)[ -]?(?:Lake|Rapids)|Xeon(?:®)? 6|Core Ultra", "cpu",
     "model-intel", ""),
    (r"Neoverse[- ]?[NVE]\d", "cpu", "model-arm", ""),
    (r"x86(?:[-_]64)?|x64|amd64", "cpu", "x86", "x86"),
    (r"Arm(?:64|v[89])?|aarch64", "cpu", "arm", "Arm (aarch64)"),
    (r"CPUs?", "cpu", "any", "CPU"),
    (r"CUDA", "bare", "nvidia", "NVIDIA GPU"),
    (r"ROCm", "bare", "amd", "AMD GPU (ROCm)"),
    (r"GPUs?|显卡", "bare", "any", "GPU"),
    (r"Amazon Linux(?: \d+)?|CentOS(?: \d+)?|Ubuntu(?: \d+\.\d+)?|Debian(?: \d+)?|RHEL(?: \d+)?"
     r"|glibc[ _]?2[._]\d+", "system", "distribution", ""),
    (r"(?:many)?Linux(?:[ _]\d[._]\d+)?", "system", "Linux", "Linux"),
    (r"Windows(?: ?1[01])?", "system", "Windows", "Windows"),
    (r"free[- ]thread(?:ed|ing)|no-?GIL|自由线程(?:版)?|无 ?GIL", "free-threaded", "", "free-threaded Python"),
    (r"(?:a )?C\+\+ compiler|C\+\+ ?编译器", "compiler", "", "a C++ compiler"),
)  # fmt: skip
_SIMPLE_FORM = re.compile(
    r"(?<![A-Za-z\d_.+-])(?:"
    + "|".join(f"(?P<s{n}>{form})" for n, (form, *_) in enumerate(_SIMPLE))
    + r")(?![A-Za-z\d_])",
    re.I,
)
_MACS = {"Big Sur": 11, "Monterey": 12, "Ventura": 13, "Sonoma": 14, "Sequoia": 15, "Tahoe": 26}
_MAC = re.compile(
    rf"(?<![A-Za-z])(?:(?:mac ?OS|OS ?X)\s*(?P<name>{'|'.join(_MACS)})|(?P<alone>{'|'.join(_MACS)})"
    r"|(?:mac ?OS|OS ?X)\s*(?P<number>1[1-9]|26)(?:\.\d+)?|mac ?OS|OS ?X|Macs?(?![A-Za-z]))",
    re.I,
)
_LEAST = re.compile(
    r"^\s*(?:\([^()]{0,20}\)\s*)?(?:-?\s*(?:GPUs?|architectures?|架构|显卡|版本|的 ?GPU))?\s*(?:\+|(?:or|and)\s+(?:newer|later|higher|above"
    r"|greater|better|up|a newer)|及?(?:更[新高]|其?以[上后])|(?:或|及|和)(?:者)?(?:更[新高]|以上|之后)|起\b)"
)
_LEAST_BEFORE = re.compile(
    r"(?:>=|≥|at least|minimum(?: of)?(?: is)?|至少(?:为|需要)?|最低(?:为|要求)?|不低于|高于)\s*$", re.I
)
_MOST = re.compile(r"^\s*(?:(?:or|and) (?:older|earlier|lower|below)|(?:及|或)?(?:更[早旧低]|以下))")
_BELOW = re.compile(r"(?:older than|below|<|低于|早于)\s*(?:the\s*)?$", re.I)


def readable(sentence: str) -> str:
    """Normalise a sentence: half-width characters, no links, and placeholders for names that are not features.

    Args:
        sentence: sentence in Markdown.
    """
    text = "".join(c if c in _CHINESE_MARKS else unicodedata.normalize("NFKC", c) for c in sentence)
    text = _SPAN.sub(lambda m: f" {m[1]} " if _DEVICE.fullmatch(m[1].strip()) else HIDDEN, text)
    text = _DOTTED.sub(HIDDEN, _LINK.sub(" ", text).replace("**", ""))
    return " ".join(_TYPE.sub(HIDDEN, _NO_PLACE.sub(HIDDEN, text)).split())


def named(text: str) -> list[Named]:
    """Return the machine features in a text in order; of overlapping ones the longer.

    Args:
        text: a text normalised by `readable`.
    """
    found = sorted(_all(text), key=lambda each: (each.start, -each.end))
    kept: list[Named] = []
    for each in found:
        inside = kept and each.start < kept[-1].end
        if not inside or (kept[-1].start, kept[-1].end) == (each.start, each.end):
            kept.append(each)
    return kept


def _all(text: str) -> Iterator[Named]:
    for match in _PYTHON.finditer(text):
        yield from _enumerated(text, match, "python", "Python")
    for match in _CUDA.finditer(text):
        yield from _enumerated(text, match, "cuda", "CUDA")
    for match in _ROCM.finditer(text):
        yield from _enumerated(text, match, "rocm", "ROCm")
    for match in _GCC.finditer(text):
        yield from _enumerated(text, match, "gcc", "GCC")
    for match in _CU.finditer(text):
        version = (int(match[1]), int(match[2]))
        yield Named(
            *match.span(), MachineFeature("cuda", "", f"CUDA {match[1]}.{match[2]}", version, version)
        )
    yield from _capabilities(text)
    for match in ARCHITECTURE.finditer(text):
        name = next(full for full in ARCHITECTURES if full.startswith(match["name"]))
        low, high = ARCHITECTURES[name]
        yield _bounded(text, *match.span(), MachineFeature("capability", "", name, low, high))
    for match in CARD.finditer(text):
        capability = CARDS[int((match.lastgroup or "c0")[1:])][1]
        card = MachineFeature("card", match[0], match[0], capability, capability)
        open_end = _bounded(text, *match.span(), card)
        if open_end.place != card:
            card = MachineFeature(
                "capability", "", open_end.place.name, open_end.place.low, open_end.place.high
            )
        yield Named(open_end.start, open_end.end, card)
    for match in AMD_CARD.finditer(text):
        yield Named(*match.span(), MachineFeature("card", match["name"].replace(" ", ""), match["name"]))
    for match in INSTRUCTION.finditer(text):
        _, name, flags = INSTRUCTIONS[int((match.lastgroup or "i0")[1:])]
        yield Named(*match.span(), MachineFeature("instruction", " ".join(flags), name))
    for match in _MAC.finditer(text):
        word = match["name"] or match["alone"]
        number = _MACS[word.title()] if word else int(match["number"] or 0)
        of_mac: Version = (number,) if number else ()
        yield _bounded(text, *match.span(), MachineFeature("system", "macOS", match[0], of_mac, of_mac))
    for match in _SIMPLE_FORM.finditer(text):
        yield from _simple(text, match)


def _simple(text: str, match: re.Match[str]) -> Iterator[Named]:
    _, fact, value, name = _SIMPLE[int((match.lastgroup or "s0")[1:])]
    start, end = match.span()
    if value in ("Linux", "Windows") and match[0][0].islower() and not match[0].startswith("manylinux"):
        return  # "sliding windows"
    if value.startswith("model-") and (newer := _LEAST.match(text[end : end + 24])):
        end += newer.end()
    if fact == "mac":
        yield Named(start, end, MachineFeature("system", "macOS", "macOS"))
        yield Named(start, end, MachineFeature("cpu", "x86", name))
    elif fact == "bare":
        yield Named(start, end, MachineFeature("gpu", f"bare-{value}", name))
    else:
        yield Named(start, end, MachineFeature(fact, value, name or match[0].strip()))  # type: ignore[arg-type]


def _enumerated(text: str, match: re.Match[str], fact: str, name: str) -> Iterator[Named]:
    """Yield one feature for each version, or one for a range; a bound after the last applies to each."""
    written = re.findall(r"\d+(?:\.(?:\d+|x))*t?", match["all"])
    start, end = match.span()
    bounds = [_version(each) for each in written]
    if len(written) == 2 and re.fullmatch(rf".*{_TO}(?:{name}\s*)?[\d.]+t?", match["all"]):
        label = f"{name} {written[0]} to {written[1]}"
        yield Named(start, end, MachineFeature(fact, "", label, bounds[0], bounds[1]))  # type: ignore[arg-type]
        return
    for each, version in zip(written, bounds, strict=True):
        place = MachineFeature(fact, "t" if each.endswith("t") else "", f"{name} {each}", version, version)  # type: ignore[arg-type]
        yield _bounded(text, start, end, place)


def _capabilities(text: str) -> Iterator[Named]:
    matches = list(_SM.finditer(text))
    skip = False
    for number, match in enumerate(matches):
        if skip:
            skip = False
            continue
        low, high = _capability(match["sm"] or match["cc"])
        after = matches[number + 1] if number + 1 < len(matches) else None
        if after and _THROUGH.fullmatch(text[match.end() : after.start()]):
            last = _capability(after["sm"] or after["cc"])[1]
            label = f"compute capability {_dotted(low)} to {_dotted(last)}"
            yield Named(match.start(), after.end(), MachineFeature("capability", "", label, low, last))
            skip = True
        else:
            label = f"compute capability {_dotted(low) if low == high else f'{low[0]}.x'}"
            yield _bounded(text, *match.span(), MachineFeature("capability", "", label, low, high))


def _capability(written: str) -> tuple[Version, Version]:
    """Return "80", "8.0", "120" or "12x" as minimum and maximum capability."""
    if written.lower().endswith("x"):
        return (int(written[:-1]), 0), (int(written[:-1]), 9)
    if "." in written:
        major, minor = written.split(".")
        return (int(major), int(minor)), (int(major), int(minor))
    return (int(written[:-1]), int(written[-1])), (int(written[:-1]), int(written[-1]))


def _bounded(text: str, start: int, end: int, place: MachineFeature) -> Named:
    """Return a feature with the bound next to it: "or newer", "at least", "older than"."""
    before, after = text[max(0, start - 28) : start], text[end : end + 24]
    least = _LEAST.match(after)
    if least or _LEAST_BEFORE.search(before) or re.search("[>≥]", text[start:end]):
        name = f"{place.name} or newer"
        return Named(start, end + (least.end() if least else 0), _with(place, name, place.low, ()))
    most = _MOST.match(after)
    if most:
        return Named(start, end + most.end(), _with(place, f"{place.name} or older", (), place.high))
    if _BELOW.search(before) and place.low:
        return Named(start, end, _with(place, f"older than {place.name}", (), _just_below(place.low)))
    return Named(start, end, place)


def _with(place: MachineFeature, name: str, low: Version, high: Version) -> MachineFeature:
    if not (place.low or place.high):
        return place
    return MachineFeature(place.fact, place.value, name, low, high)


def _just_below(version: Version) -> Version:
    *head, last = version
    return (*head, last - 1) if last else (*head[:-1], head[-1] - 1, 99) if head else (last - 1,)


def _version(written: str) -> Version:
    return tuple(int(part) for part in re.findall(r"\d+", written))


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))
