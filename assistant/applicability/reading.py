"""Conditions on a machine in a sentence of the notes; in case of doubt there is none.

A sentence has no conditions if it compares, negates, looks back, describes a fallback, gives examples, or
lists things of which only one concerns the machine: such sentences say nothing certain about a machine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from assistant.applicability.condition import GROUPS, Condition, MachineFeature, Side, Version
from assistant.applicability.places import HIDDEN, Named, named, readable
from ingest.release import Release

#: Words that make it doubtful that a sentence is about a feature, or needs it.
_DOUBT = re.compile(
    r"\b(?:without|no(?! (?:later|newer))|not on|except|apart from|other than|unlike|rather than|instead of|regardless|whether"
    r"|compared|comparable|same as|just as|as on|otherwise|elsewhere|falls? back|fallback|such as|for example|e\.g\."
    r"|non-\w+|than on|than in|before|prior to|until|previous(?:ly)?|used to|formerly|was recent|planned|plans? to|describe[sd]?|see|more details|among others|includ\w+|especially|in particular"
    r"|in favou?r|from [A-Z]\w+ to|depend(?:s|ed|ing)? on|independen\w+|on par|relative to|vs|versus|baseline|(?:mov|upgrad|migrat|port|switch)\w* from"
    r"|replac\w+|instead|examples?|tutorials?|blog|unchanged|equal\w*|equivalent|parity|as well as|or (?:when|if)|more about|more information|tests?|takes? the place)\b(?! longer\b)"
    r"|\bnot (?:need|require)|\bn['’]t need|\bno need|\?|[(（](?:deprecating|弃用[^）)])|等[。)）]?$|\bif (?:one|there)\b|, not\b|^(?:source|related|table)\b|\bold\b"
    r"|没有|无需|不需要|不要求|不必|(?<![移删去消清解])除|以外|之外|而非|而不是|不是|非 ?(?:CUDA|NVIDIA|CPU|GPU)|[与和].{1,14}(?:一样|相同|持平|一致)"
    r"|比(?:在)?|否则|退回|回退|例如|比如|示例|教程|以前|之前|此前|原先|过去|计划|取代|替代|换成|代替|改用|无论|不论|来源|介绍|参阅|参见|请参|详见|了解更多|更多信息|升级到|测试(?!版)|旧|不要|详情|其中|包括|尤其|特别是|[两三四五六七八九十](?:个|项|种|类|处|条)[：:]|依赖|无关|相比|相对于|对比|基线|从.{1,24}(?:迁移|升级|转|换)到|，或|[?？]",
    re.I,
)
_FREE = re.compile(r"\bno longer\b|\bno-?GIL\b|无 ?GIL|\bnot only\b|不仅", re.I)
_ENDED = re.compile(
    r"\bno longer\b(?! (?:crash|fail|leak|error|rais|hang|return|break|overflow|need|requir|los)\w*)|\bdrop(?:s|ped|ping)?\b(?! (?:by|to)\b)|\bremov\w+|\bdeprecat\w+|\bend(?:s|ed)? (?:of )?support|\bends\b"
    r"|\blast (?:release|version|series)\b|\bdiscontinu\w+|\bloses?\b|\bcannot\b|\b(?:is|are) unsupported\b|\bnot (?:supported|available)\b"
    r"|\bdoes not (?:run|work|contain|support)\b|\blacks?\b|\bmissing\b|\bretir\w+"
    r"|不再(?!崩溃|破坏|泄漏|报错|出错|卡死|失败|丢失|需要|返回|溢出)|移除|去掉|删除|弃用|停(?:止|用|发)|退役|最后一个|放弃|无法|不能|不支持|不含|行不通|缺少",
    re.I,
)
_NEEDED = re.compile(
    r"(?:\brequir\w+|\bneeds?|\bonly|\bmust\b|\bat least|\bminimum|需要|要求|必须|仅|只(?:有|能|支持|在)|至少|最低)[^,，。]{0,20}$",
    re.I,
)
_NEEDED_AFTER = re.compile(
    r"^(?!\s*上的)[^,，。]{0,12}(?:(?:is|are) (?:required|needed)|\bonly\b|才)|^\s*上?才", re.I
)
_ADDED = re.compile(
    r"\badds?\b|\badded\b|\bnew\b|\bnow\b|\bintroduc\w+|\bmoved to\b|新增|增加|引入|迁移到", re.I
)
_FIGURE = re.compile(
    r"(?<![A-Za-z\d])\d[\d.]*\s*(?:%|x\b|×|倍|times\b|percent|-?fold)|\d\s?(?:TFLOPS|TFLOPs|tokens?/s|ms\b|毫秒)|百分之",
    re.I,
)
_GAIN = re.compile(
    r"\bup to\b|\bfaster\b|\bspeed\w*|\bimprov\w+|\breach\w*|\bachiev\w+|\bbenchmark\w*|\bmeasured?\b|\blatency\b|\bthroughput\b"
    r"|最高|加速|提速|提升|更快|达到|可达|实测|测得|延迟|吞吐|降低|减少|节省",
    re.I,
)
_CI = re.compile(r"(?<![A-Za-z])C[ID](?:/CD)?(?![A-Za-z])|\bnightly\b|每夜", re.I)
_LEADING = re.compile(
    r"^[-*•\s]*(?:(?:on|for|with|in|under|在|从|为)?\s*(?:the )?<(?:,? ?(?:and|or|/|和|与|或|、)? ?<)*\s*(?:users?|owners?|用户|平台|设备|后端|版)?"
    r"(?:\s*(?:上|的|:|,|，|中|支持|新增|now|also|gains?|has|have|gets?|supports?|users?))|owners of|to (?:use|run|get|compile|train)\b[^<,]*<(?: ?[CG]PUs?)?\s*,|使用 ?<|要?在 ?<)",
    re.I,
)
_ADJOINED = re.compile(
    r"<(?:\s*(?:,\s*(?:and|or)?|、|/|\+|and|or|和|与|或|以及|及)\s*(?:(?:on|for|in|with|the)\s+|在 ?)*<)+",
    re.I,
)
_ITEMS = re.compile(rf"{HIDDEN}(?:\s*(?:,\s*(?:and|or)?|、|/|and|or|和|与|或|以及|及)\s*{HIDDEN})+")
_LISTED = re.compile(r"、|,[^,]+,|,[^,]{1,60} (?:and|or) |[;；:：|]|以及")
_NAMES_TOO = re.compile(rf"<\s*[,，]\s*(?:and |or )?{HIDDEN}|{HIDDEN}\s*[,，]\s*(?:and |or )?<")
_SEPARATOR = re.compile(r"[,，:：]")
#: A feature that only the second of two statements names.
_SECOND = re.compile(r"^[^<]*, (?:and|but|while) [^<]*<|^[^<]*，在? ?<[^，]*也", re.I)
_LABEL = re.compile(r"^[-*•\s]*[^<,，、:：]{1,24}[:：]\s*(?=.*<)")
_BESIDE = re.compile(
    r"<\s*(?:and|or|和|与|或|及|/)\s*(?=[^<\s])|[^<\s>]\s*(?:和|与|或|及|\band\b|\bor\b)\s*(?:the |an? )?<",
    re.I,
)
_CUE_BEFORE = re.compile(
    r"(?:\b(?:on|for|with|under|via|using|supports?|requir\w+|needs?|only|an?|several|multiple|the|your)\s+(?:\w+\s+)?|在 ?|为 ?|面向 ?|支持 ?|需要 ?"
    r"|要求 ?|仅 ?|只 ?|使用 ?|^[-*\s]*|[块张] ?)$",
    re.I,
)
_CUE_BESIDE = re.compile(r"(?:CPU|GPU|XPU|MPS|ROCm|CUDA)s?\s*(?:,|、|/|and|or|, and|和|与|或)\s*$", re.I)
_CUE_AFTER = re.compile(
    r"^\s*(?:(?:,|、|/|and|or|和|与|或)\s*(?:CPU|XPU|MPS|ROCm|AMD|Intel)|上|平台|的|支持|users?\b|gains?\b|supports?\b"
    r"|has\b|gets\b|only|用户|:|：|新增)"
)
_NEEDS_BEFORE = re.compile(
    r"(?:\b(?:requir\w+|needs?|only (?:on|for|with)|must have)\s+(?:an? |one |the )?|需要(?:有)? ?|要求(?:有)? ?|必须(?:有|使用)? ?|仅(?:支持|限|在) ?|只(?:支持|能在|在) ?)$",
    re.I,
)
_RELEASE = re.compile(
    r"(?:PyTorch|torch|Torch)\s*v?(?P<a>[12]\.\d{1,2})(?:\.\d+|\.x)?(?![\d.]*\d)"
    r"|(?:^|\b(?:since|in|from|of|to|after|until)\s|[从自在到])\s*v?(?P<b>[12]\.\d{1,2})(?:\.\d+|\.x)?(?=[\s,，。起中的:：]|$)(?!\s*(?:倍|x|%))"
)
_LAST = re.compile(r"\blast (?:release|version|series)\b|最后一个", re.I)
_CACHED = 4096
_LONGEST = 1000  # characters; anything longer is a list


@lru_cache(maxsize=_CACHED)
def conditions(sentence: str, release: Release | None = None) -> tuple[Condition, ...]:
    """Return the conditions that a sentence states, () if none is certain.

    Args:
        sentence: sentence of the notes, in Chinese or English, as in the document.
        release: release of the notes, compared with the machine's torch; None: unknown.
    """
    if len(sentence) > _LONGEST:
        return ()
    text = readable(sentence)
    plain = _FREE.sub(lambda m: "longer" if "longer" in m[0].lower() else " ", text)
    if _DOUBT.search(plain) or "://" in sentence:
        return ()
    since, told = _since(text, release)
    if not told:
        return ()
    torch = () if since is None else (_torch(since),)
    places = named(text)
    kept = _kept(text, places)
    side = _side(text, kept) if kept else None
    if not kept or side is None:
        return torch  # the feature is uncertain, the release is not
    groups: dict[str, list[MachineFeature]] = {}
    for each in kept:
        groups.setdefault(GROUPS[each.place.fact], []).append(each.place)
    if "gpu" in groups and MachineFeature("cpu", "any", "CPU") in groups.get("cpu", ()):
        groups["gpu"] += groups.pop("cpu")  # "CPU and GPU" are alternatives
    found = [Condition(_without_implied(group), _own(side, name)) for name, group in groups.items()]
    return (*found, *torch)


def _kept(text: str, places: Sequence[Named]) -> list[Named] | None:
    """Return the features that a sentence as a whole is about; None if that is ambiguous."""
    sure = [sure for each in places if (sure := _sure(text, each))]
    specific = [each for each in sure if (each.place.fact, each.place.value) != ("cpu", "any")]
    facts = {GROUPS[each.place.fact] for each in specific}
    masked = _masked(text, places)
    generic = [each for each in sure if each not in specific]
    if not specific:
        return []
    if generic and "gpu" in facts:
        if not re.search(r"<(?:\s*(?:,|、|/|,?\s*and|,?\s*or|和|与|或|以及|,\s*and)\s*<)+", masked):
            return None  # unclear what is said about which
        return None if _listed(masked) else sure
    masked = _masked(text, specific)
    if {"gpu", "cpu"} <= facts or {"gpu", "instruction"} <= facts or _listed(masked):
        return None
    if len(facts) > 1 and _ADJOINED.search(masked) and _across(text, specific):
        return None
    return specific


def _across(text: str, places: Sequence[Named]) -> bool:
    """Return whether features of different groups are joined by a word: they may be alternatives or not."""
    for one, two in pairwise(places):
        between = text[one.end : two.start]
        joined = re.fullmatch(r"\s*(?:,|、|/|and|or|,? and|和|与|或|以及|及)\s*(?:the )?", between)
        if joined and GROUPS[one.place.fact] != GROUPS[two.place.fact]:
            return True
    return False


def _sure(text: str, each: Named) -> Named | None:
    """Return a feature unless ambiguous: CUDA and ROCm also name libraries, "GPU" is often generic."""
    if not each.place.value.startswith("bare-"):
        return each
    before, after = text[max(0, each.start - 24) : each.start], text[each.end : each.end + 16]
    value = each.place.value.removeprefix("bare-")
    if value == "any":
        kept = _NEEDS_BEFORE.search(before) or re.match(r"\s*(?:is|are) (?:required|needed)", after)
    else:
        translated = re.match(r"\s*(?:->|→|to HIP|到 ?HIP)", after)
        kept = _CUE_BEFORE.search(before) or _CUE_BESIDE.search(before) or _CUE_AFTER.match(after)
        kept = None if translated else kept
    return Named(each.start, each.end, MachineFeature("gpu", value, each.place.name)) if kept else None


def _masked(text: str, places: Sequence[Named]) -> str:
    """Return a text with each feature as "<", and runs of placeholders as one."""
    parts, position = [], 0
    for each in places:
        if each.start >= position:
            parts += [text[position : each.start], "<"]
            position = each.end
    masked = "".join([*parts, text[position:]])
    masked = re.sub(r"<(?:\s*[(（]\s*<\s*[)）]|\s*的?\s*<)+", "<", masked)
    return _ITEMS.sub(HIDDEN, masked)


def _listed(masked: str) -> bool:
    """Return whether a sentence lists things, so that a feature may belong to only one of them."""
    if _LEADING.match(masked):
        _, _, rest = _SEPARATOR.sub("\n", _ADJOINED.sub("<", masked), count=1).partition("\n")
        return "<" in rest
    joined = _LABEL.sub("", _ADJOINED.sub("<", masked))
    if _SECOND.match(joined):
        return True
    text = re.sub(r"^[-*•|\s]+|[\s|。.]+$", "", joined)
    return bool(_LISTED.search(text) or _BESIDE.search(text) or _NAMES_TOO.search(text))


def _side(text: str, places: Sequence[Named]) -> Side | None:
    """Return how a sentence refers to its features; None if it both ends and adds support."""
    ended, added = bool(_ENDED.search(text)), bool(_ADDED.search(text))
    if ended and added:
        return None
    if _CI.search(text) and not ended:
        return None  # builds and tests of the project, not the user's machine
    if ended:
        return "ended"
    hardware = any(each.place.fact in ("gpu", "card", "capability", "cpu", "instruction") for each in places)
    needed = any(_needed(text, each) for each in places)
    if hardware and _FIGURE.search(text) and (_GAIN.search(text) or not needed):
        return "measured"
    return "needed" if needed else "about"


def _needed(text: str, each: Named) -> bool:
    """Return whether a word says that the feature itself is needed, unlike in "the work on Windows"."""
    after = text[each.end : each.end + 24]
    if re.match(r"\s*上的", after):
        return False
    return bool(_NEEDED.search(text[max(0, each.start - 40) : each.start]) or _NEEDED_AFTER.match(after))


def _own(side: Side, group: str) -> Side:
    """Return the side of one group: figures are measured on hardware, not on other features."""
    return "about" if side == "measured" and group not in ("gpu", "cpu", "instruction") else side


def _without_implied(places: Sequence[MachineFeature]) -> tuple[MachineFeature, ...]:
    """Remove vendors that are implied by a named generation or card, and duplicates."""
    facts = {place.fact for place in places}
    implied = {"capability": "nvidia", "card": "", "xpu-model": "xpu"}
    makers = {maker for fact, maker in implied.items() if fact in facts}
    if "card" in facts:
        makers |= {"amd" if place.low == () else "nvidia" for place in places if place.fact == "card"}
    if any(place.fact != "gpu" or place.value != "any" for place in places):
        makers.add("any")
    left = [p for p in places if not (p.fact == "gpu" and p.value in makers)]
    if any(p.value == "distribution" for p in left):
        left = [p for p in left if p.value != "Linux"]
    values = {p.value for p in left if p.fact == "cpu"}
    if values & {"graviton", "apple", "model-arm"}:
        left = [p for p in left if not (p.fact == "cpu" and p.value == "arm")]
    if "model-intel" in values:
        left = [p for p in left if not (p.fact == "cpu" and p.value in ("intel", "amd", "x86"))]
    if any(p.fact == "cpu" and p.value != "any" for p in left):
        left = [p for p in left if not (p.fact == "cpu" and p.value == "any")]
    return tuple(dict.fromkeys(left))


def _since(text: str, release: Release | None) -> tuple[Release | None, bool]:
    """Return the first release a sentence holds for (None: unclear), and whether it is still current."""
    named_releases = {Release.parse(m["a"] or m["b"]) for m in _RELEASE.finditer(text)}
    if _LAST.search(text):
        return None, True
    if not named_releases:
        return release, True
    if release in named_releases:
        return (release, True) if max(named_releases) == release else (None, False)
    if release is None:
        return (max(named_releases), True) if len(named_releases) == 1 else (None, False)
    if len(named_releases) == 1 and min(named_releases) > release:
        return min(named_releases), True
    return None, False


def _torch(release: Release) -> Condition:
    version: Version = (release.major, release.minor)
    return Condition((MachineFeature("torch", "", f"PyTorch {release}", version, ()),))
