"""Words and signs that express bounds on releases, in Chinese and English.

The word decides whether a bound includes the release it names. Open bounds exclude it: after, newer than,
before, until, older than, 之后, 之前, 以前, 早于, 高于. Closed bounds include it: since, from ... on, at least, up to,
or later, and older, 以来, 起, 以后, as well as 以上 and 以下, which are inclusive as in article 1259 of the Civil Code
of China. The end of a range is closed whatever word precedes it ("from 2.4 until 2.6"), unless it has a bound
of its own ("to before 2.6").
"""

from __future__ import annotations

import re
from typing import Literal

from assistant.query.release_mentions import SIGN

Sign = Literal["", ">=", ">", "<=", "<", "!=", "~="]

SIGNS: dict[str, Sign] = {
    ">=": ">=", "≥": ">=", ">": ">", "<=": "<=", "≤": "<=", "<": "<", "!=": "!=", "~=": "~=", "^": "~=",
}  # fmt: skip
MIRRORED: dict[Sign, Sign] = {">=": "<=", ">": "<", "<=": ">=", "<": ">"}
_FILLER = r"\s*(?:(?:the|pytorch|torch|releases?|versions?|版本号?|版)\s*){{0,3}}$"
SYMBOL = re.compile(rf"({SIGN})\s*$")
_TAIL = r"\s*(?:版本|releases?|versions?|版)?\s*"
_NOT_A_THING = r"(?!\s*(?:哪|几[个种项条]|功能|内容|问题|各[项个]|特性|这些|那些|代码|例子|提到|所述|说|列))"
_FROM_THEN_ON = r"到(?:现在|目前|今|如今|最新)|至今|to (?:now|today|date|the (?:latest|newest|present|current)|(?:the )?present)|until (?:now|today)"
_ALONE = r"(?!\s+(?:than|to)\b|\s*(?:(?:the|pytorch|torch|release|version)\s*){0,2}v?\d)"  # else part of the next bound
_Rules = tuple[tuple[Sign, str], ...]
#: Words before a release; the first match wins.
_BEFORE: _Rules = (
    ("<", r"\bup to,? but (?:not including|excluding)"),
    (
        ">=",
        r"\b(?:since|at least|(?:starting|beginning)(?: (?:with|from|in|at))?|(?:no|not) (?:earlier|older|lower|less) than"
        r"|(?:not|never) (?:before|below)|minimum)|(?<!各)自从?|不[早低旧老小]于|至少(?:是|要|需要?|得)?|最低(?:是|要|支持)?"
        r"|(?:大于|高于)(?:或者?)?等于",
    ),
    (
        "<=",
        r"\b(?:up to(?: and including)?|through|thru|(?:no|not) (?:later|newer|higher|greater|more) than"
        r"|(?:not|never) (?:after|above|beyond)|at most|maximum)|不[晚高新大]于|不超过|至多(?:是|到)?|最多(?:是|到)?|最高(?:是|到)?"
        r"|截[至止]到?|直到|(?:小于|低于)(?:或者?)?等于",
    ),
    ("!=", r"\b(?:(?:but )?(?:excluding|except(?: for)?|not including)|other than)|除了?|不(?:含|包含|包括)"),
    (
        ">",
        r"\b(?:after|above|beyond|past|(?:later|newer|higher|greater|bigger|more recent) than)|(?<!不)[晚高新大]于|超过",
    ),
    (
        "<",
        r"\b(?:before|until|till|below|preceding|pre-?|prior to|(?:earlier|older|lower|less|smaller) than)|(?<!不)[早低旧老小]于"
        r"|不到|不足",
    ),
)
#: Words after a release; the first match wins.
_AFTER: _Rules = (
    (
        ">=",
        rf"{_FROM_THEN_ON}|以来|以后|起(?!不?来)|开始|往[后上]|[及或](?:其|者)?(?:以上|以后|之后|之上|更[高新晚])|以上{_NOT_A_THING}"
        r"|\+(?!\w)|onwards?\b|on(?=\s*(?:[,.;?!]|$|but\b|and\b))|forwards?\b|upwards?\b"
        rf"|(?:and|or) (?:later|newer|up(?:wards?)?|above|higher|greater|onwards?|beyond|after|more recent)\b{_ALONE}",
    ),
    (
        "<=",
        rf"[及或](?:其|者)?(?:以[下前]|之[前下]|更[低旧早老])|以下{_NOT_A_THING}|往前|往下|为止"
        rf"|(?:and|or) (?:earlier|older|below|before|lower|previous|prior|less)\b{_ALONE}",
    ),
    (">", r"之后|后的?(?:各|所有)?(?:版本?)"),
    ("<", r"之前|以前|前的?(?:各|所有)?(?:版本?)"),
)


def _compiled(rules: _Rules, frame: str) -> tuple[tuple[Sign, re.Pattern[str]], ...]:
    return tuple((sign, re.compile(frame.format(words), re.I)) for sign, words in rules)


BEHIND_OF = _compiled(_AFTER, _TAIL + "(?:{})")
AHEAD_OF = _compiled(_BEFORE, "(?:{})" + _FILLER)
#: "比 2.4 新" ("newer than 2.4"), expressed by words on both sides.
THAN = re.compile(r"比\s*(?:pytorch|torch)?\s*$", re.I)
THAN_WHAT = _compiled(
    ((">", "(?:[晚高大]|新(?![增加功特出东]))"), ("<", "[旧老早低小]")), _TAIL + "(?:还要?|更)?{}"
)
#: "2.4 <= torch": the sign follows the release.
MIRROR = re.compile(rf"\s*({SIGN})\s*(?:pytorch|torch|versions?|releases?|版本|[xv])(?![A-Za-z])", re.I)
OPEN_FROM = re.compile(r"\bfrom\s*(?:pytorch|torch|releases?|versions?)?\s*$", re.I)
#: In "升级到 2.4 之后" ("after upgrading to 2.4"), "after" refers to the upgrade, and the release is 2.4.
MOVED = re.compile(
    r"(?:升级?到?至?|更新到?|换[到成]?|切换?到|装[了上好]?|安装[了好]?|迁移?到|用[上了]{0,2}|(?<!以)上)\s*(?:pytorch|torch|版本)?\s*$",
    re.I,
)
MOVED_THEN = re.compile(rf"{_TAIL}(?:之后|以后|之前|以前)(?!\s*的)")
EVENT = re.compile(r"\s*(?:upgrades?|updates?|migration|installation)\b", re.I)  # "after the 2.4 upgrade"
#: Words between the ends of a range.
LINK = re.compile(
    r"\s*(?:版本?|releases?|versions?)?\s*(?:-+|–|—|~|→|->|=>|\.\.+|…|一?直?到|至|升级?[到至]*|to|through|thru|until|till"
    r"|(?:and )?up to|all the way to|(?:and )?(?:then )?upgraded? to)\s*(?:升级?\s*)?(?:(?:pytorch|torch|releases?|versions?|版本?)\s*)?",
    re.I,
)
AND = re.compile(
    r"\s*(?:版本?)?\s*(?:and|和|与|跟|及|&|到|至)\s*(?:(?:pytorch|torch|releases?|versions?|版本?)\s*)?", re.I
)
BETWEEN = re.compile(r"(?:\bbetween|介于)\s*(?:pytorch|torch|releases?|versions?|版本)?\s*$", re.I)
AMONG = re.compile(r"\s*(?:这?两?个?版本?)?之间")
NOTHING = re.compile(r"[\s,，、]*(?:(?:and|but|而|但)\s*)?")
#: Words before the release that an upgrade starts from.
FROM = re.compile(r"(?:\bfrom|从|由)\s*(?:pytorch|torch|releases?|versions?|版本)?\s*$", re.I)
TO = re.compile(r"(?<!up )\bto\b|到|至|->|→", re.I)
UPGRADES = re.compile(r"\bupgrad|\bmigrat|升级|升到|迁移到|换到", re.I)
