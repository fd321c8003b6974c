"""Answer types: the kinds of values that a question asks for, and whether a text contains one.

Declining is hardest for near misses, where the notes cover the subject but give no figure, date or driver. A
kind is a pair of patterns: one for the question, and one for texts that can answer it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from assistant.text.identifiers import VARIABLE
from corpus.hardware import is_mentioned, named_devices
from ingest.status import SAID


class Kind(NamedTuple):
    """A kind of value.

    Attributes:
        name: identifier.
        asked: matches questions that ask for it.
        given: matches texts that contain it.
        exact: whether a text without it cannot answer, as the question names the unit.
    """

    name: str
    asked: re.Pattern[str]
    given: re.Pattern[str]
    exact: bool = False


def _kind(name: str, asked: str, given: str, *, exact: bool = False) -> Kind:
    return Kind(name, re.compile(asked, re.I), re.compile(given, re.I), exact)


# 几 also means "some", so a unit is asked for where the question ends: 快几秒？ but not 等好几分钟.
_HOW_MANY, _ENDS = r"(?:多少|(?<![好十百])几)个?\s*", r"(?=[了呢啊呀]?\s*(?:[？?]|$))"


KINDS: tuple[Kind, ...] = (
    _kind(
        "percent",
        r"\b(?:what|how many|which) per ?cent|\bby what percentage|百分之[几多]|百分比是?多少|(?<!好)[几多]少?个?百分点(?=[？?]|$)",
        r"\d\s*[%％]|百分之",
        exact=True,
    ),
    _kind(
        "factor",
        r"\bhow many times\b|\bwhat(?: is| was|'s)?(?: the)? (?:[\w-]+ )?(?:factor|speed-?up)\b|[几多]少?倍|\b(?:by )?how much (?:faster|quicker|slower|less|more|memory|time|speed|does (?:it|that|this) (?:save|help|gain))"
        r"|\bby how much\b|(?:快|慢|省|降|降低|减少|少|提速|加速|提升|提高)(?:了|掉)?多少",
        r"\d\s*(?:[x×倍%％]|times)|(?:up to|about|around|nearly|over|by|高达|达到?|约|超过)\s*\d+\.\d|两倍|twofold|\btwice as\b"
        r"|\d\s*(?:[KMG]i?B\b|ms\b|毫秒|秒)|一半|分之一|减半|\bhal(?:f|ves)\b|\bquarter\b",
    ),
    _kind(
        "size",
        rf"\bhow many (?:[kmg]i?b|(?:mega|giga)?bytes)\b|{_HOW_MANY}[KMG]i?B?{_ENDS}|多大体积",
        r"\d\s*(?:[KMG]i?B\b|[KMG]\b|兆)",
        exact=True,
    ),
    _kind(
        "duration",
        r"\bhow many (?:more |fewer )?(?:ms|(?:milli|micro)?seconds|minutes|hours)\b|\bin (?:milli)?seconds\W*$"
        rf"|{_HOW_MANY}(?:毫秒|秒|分钟|小时){_ENDS}",
        r"\d\s*(?:ms\b|s\b|sec|min|秒|毫秒|分钟|小时|hours?)|\b(?:two|three|five|ten|thirty) (?:seconds|minutes|hours)",
        exact=True,
    ),
    _kind(
        "day",
        r"\b(?:what|which) (?:date|day)\b|哪一?天|几号|几月|日期|\bend of life\b|\bEOL\b",
        r"\d{4}\s*年|\d{1,2}\s*月|\b20\d\d-\d\d|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? ",
    ),
    _kind(
        "price",
        r"\bprices?\b|\bcost per\b|\bcosts? .*per (?:hour|month)|多少钱|价格|收费|费用",
        r"[$¥€]\s*\d|\bUSD\b|\d\s*元",
    ),
    _kind(
        "status",
        r"(?:beta|prototype|stable|experimental|测试版?|稳定版?|原型|实验性?)\s*(?:or|还是|，?还是)\s*(?:a |已经|是)?"
        r"(?:beta|prototype|stable|experimental|测试|稳定|原型|实验|正式)|(?:什么|哪个|哪种|啥)(?:状态|阶段|级别|成熟度)|\bhow (?:mature|stable)\b"
        r"|\bwhat (?:status|stage|maturity)\b",
        "|".join(SAID.values()),
    ),
    _kind(
        "driver",
        r"\b(?:which|what|minimum|newest|latest) (?:[\w.-]+ ){0,4}drivers?\b|驱动.{0,4}(?:版本|多少|哪个|几)"
        r"|(?:哪个|什么|多少|最低)[^，。]{0,8}驱动",
        r"\bdrivers?\b|驱动",
        exact=True,
    ),
    _kind("licence", r"\blicen[cs]es?\b|许可证|开源协议", r"\blicen[cs]e|许可证|BSD|Apache|\bMIT\b"),
    _kind(
        "accuracy",
        r"\baccuracy\b|\bperplexity\b|\berror rate\b|\bWER\b|\bBLEU\b|准确率|困惑度|掉点|精度(?:损失|下降)",
        r"\baccura|\bperplexity|\berror rate|\bWER\b|\bBLEU\b|准确|困惑度|精度",
    ),
    _kind(
        "variable",
        r"\benv(?:ironment)? (?:variable|var|knob)s?\b.*\bname|\bname of the env|环境变量.{0,8}(?:名|叫)",
        rf"(?-i:{VARIABLE})",
    ),
    _kind(
        "devices",
        r"\bhow many (?:[\w-]+ )?(?:GPUs?|cards?|devices?|nodes?|machines?)\b|(?:几|多少)[张块台个](?:[A-Za-z]*\s*)?(?:显?卡|GPU|机器|节点)",
        r"\d\s*(?:x\s*)?(?:[A-Z]\d+|GPUs?|cards?|nodes?|devices?|[张块台]|个?(?:GPU|节点))",
    ),
    _kind(
        "command",
        r"\b(?:which|what) (?:pip |conda |shell )?command\b|什么命令|哪条命令",
        r"\bpip3? |\bconda |--\w|```",
    ),
)


_MEASURED = ("factor", "percent", "duration", "size", "devices")  # kinds of values that devices differ in

#: Asks for the version of something named: "which NCCL version", "NCCL 是什么版本", "哪个版本的 NCCL".
_VERSION_OF = re.compile(
    r"\b(?:which|what)\s+([A-Za-z][\w.+-]*)\s+(?:versions?|releases?)\b"
    r"|\b(?:which|what)\s+(?:versions?|releases?)\s+of\s+([A-Za-z][\w.+-]*)"
    r"|(?<![\w.+-])([A-Za-z][\w.+-]{0,40})(?![\w.+-])[^，。？?]{0,6}?(?:是|要|用|带|配)?(?:什么|哪个|哪些|几个?)(?:的)?版本"
    r"(?=\s*(?:[了呢啊呀]?\s*[？?。，,！!]|$))"  # "哪个版本加入的" asks for a PyTorch release
    r"|哪个版本的\s*([A-Za-z][\w.+-]*)",
    re.I,
)


def asks_version_of(question: str) -> bool:
    """Check whether a question asks for the version of something other than PyTorch.

    Args:
        question: normalized question.
    """
    return any(kind.name == "version" for kind in asked_kinds(question))


_CODE = re.compile(
    r"\b(?:code|snippets?|examples?|sample|scripts?|syntax|commands?|one-liners?|write)\b|怎么写|咋写|写法|代码|示例|例子|命令|脚本",
    re.I,
)

_MEANS = re.compile(
    r"\b(?:tools?|ways?|knobs?|flags?|switch|options?|tricks?|workarounds?|fix)\b|工具|办法|法子|方法|开关|选项|途径|咋办",
    re.I,
)


def asks_for_means(question: str) -> bool:
    """Check whether a question asks for something to use, such as a tool, a flag or a workaround.

    Args:
        question: normalized question.
    """
    return _MEANS.search(question) is not None


def asks_for_code(question: str) -> bool:
    """Check whether a question asks for code or a command, rather than for what it does.

    Args:
        question: normalized question.
    """
    return _CODE.search(question) is not None


@lru_cache(maxsize=256)  # called for each sentence that may answer a question
def asked_kinds(question: str) -> tuple[Kind, ...]:
    """Return the kinds of values that a question asks for.

    Args:
        question: normalized question.
    """
    kinds = [kind for kind in KINDS if kind.asked.search(question)]
    for match in _VERSION_OF.finditer(question):
        name = next(group for group in match.groups() if group)
        if name.casefold() not in ("pytorch", "torch"):
            kinds.append(Kind("version", _VERSION_OF, re.compile(rf"{re.escape(name)}\D{{0,12}}\d", re.I)))
    return tuple(kinds)


def lacks_exact(question: str, texts: Sequence[str]) -> bool:
    """Check whether a question asks for a value in a unit that it names, and no text has one in that unit.

    Args:
        question: normalized question.
        texts: what it would be answered from.
    """
    asked = (kind for kind in asked_kinds(question) if kind.exact)
    return any(not any(kind.given.search(text) for text in texts) for kind in asked)


def lacks_device(question: str, texts: Sequence[str]) -> bool:
    """Check whether a question asks for a measured value on a device that no text speaks of.

    Args:
        question: normalized question.
        texts: what it would be answered from.
    """
    if not any(kind.name in _MEASURED for kind in asked_kinds(question)):
        return False
    told = "\n".join(texts)
    return any(not is_mentioned(name, device, told) for name, device in named_devices(question))


def missing(question: str, texts: Sequence[str]) -> int:
    """Count the kinds of values that a question asks for and no text contains.

    Args:
        question: normalized question.
        texts: candidate answers.
    """
    return sum(1 for kind in asked_kinds(question) if not any(kind.given.search(text) for text in texts))
