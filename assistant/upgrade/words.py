"""Words of the upgrade report in both languages."""

from __future__ import annotations

from collections.abc import Callable

from assistant.upgrade.finding import Finding, Kind, Searched, UpgradeReport
from ingest.document import Language

KIND_NAMES: dict[Language, dict[Kind, str]] = {
    "en": {
        "breaks": "breaks",
        "default": "default",
        "deprecated": "deprecated",
        "platform": "platform",
        "status": "status",
        "new": "new",
    },
    "zh": {
        "breaks": "不兼容",
        "default": "默认值",
        "deprecated": "已弃用",
        "platform": "平台",
        "status": "状态",
        "new": "新功能",
    },
}
TITLE: dict[Language, str] = {
    "en": "torch {older} → {newer} in {path}",
    "zh": "{path}：torch {older} → {newer}",
}
COUNTS: dict[Language, dict[str, str]] = {
    "en": {
        "breaks": "{n} breaking",
        "default": "{n} with another default",
        "deprecated": "{n} deprecated",
        "platform": "{n} about platforms",
        "status": "{n} with another status",
        "new": "{n} with something new to use",
        "possible": "{n} only possible",
    },
    "zh": {
        "breaks": "{n} 处不兼容",
        "default": "{n} 处默认值改变",
        "deprecated": "{n} 处已弃用",
        "platform": "{n} 处涉及平台",
        "status": "{n} 处状态改变",
        "new": "{n} 处有新功能可用",
        "possible": "{n} 处只是可能",
    },
}
NOTHING: dict[Language, str] = {
    "en": "Nothing in it is affected, as far as the notes tell.",
    "zh": "就发布说明所及，没有受影响之处。",
}
POSSIBLE: dict[Language, str] = {
    "en": "Only possible: in the case that the quote describes, or if the object is what its name suggests",
    "zh": "只是可能：仅在引文所述情形下，或对象确如其名时才受影响",
}
INSTEAD: dict[Language, str] = {"en": "instead: {names}", "zh": "改用：{names}"}
CHECK: dict[Language, str] = {
    "en": "see it here: torchnotes check {id}",
    "zh": "在本机查看：torchnotes check {id}",
}
LIKELY: dict[Language, str] = {"en": "likely", "zh": "很可能"}
SINCE: dict[Language, str] = {"en": "since {release}", "zh": "自 {release} 起"}
LINE: dict[Language, str] = {"en": "line {n}", "zh": "第 {n} 行"}
GOES: dict[Language, str] = {"en": "removal announced for {release}", "zh": "已宣布于 {release} 移除"}
SKIPPED: dict[Language, str] = {"en": "Not searched", "zh": "未查找"}
_FROM: dict[Language, dict[str, str]] = {
    "en": {},
    "zh": {"given": "指定", "installed": "已安装", "newest of the notes": "发布说明中最新"},
}
_SOURCES: dict[Language, str] = {
    "en": "from: {older} ({older_from}) · to: {newer} ({newer_from})",
    "zh": "从：{older}（{older_from}）· 到：{newer}（{newer_from}）",
}
_SEARCHED: dict[Language, str] = {
    "en": "Looked at {files}, {lines} of Python, {names} of torch, for {changes} changes of "
    "{first} … {last}{torch}.",
    "zh": "查找范围：{files}，{lines} Python，{names}，对照 {first} … {last} 的 {changes} 项变更{torch}。",
}
_LINES: dict[Language, tuple[str, str]] = {"en": ("{n} line", "{n:,} lines"), "zh": ("{n} 行", "{n:,} 行")}
_NAMES: dict[Language, tuple[str, str]] = {
    "en": ("{n} name", "{n:,} names"),
    "zh": ("{n} 个 torch 名称", "{n:,} 个 torch 名称"),
}
_FILES: dict[Language, tuple[str, str]] = {  # one, several
    "en": ("{n} {kind} file", "{n:,} {kind} files"),
    "zh": ("{n} 个 {kind} 文件", "{n:,} 个 {kind} 文件"),
}
_COMMA: dict[Language, str] = {"en": ", ", "zh": "、"}
_KINDS_OF_FILES = {"python": "Python", "docker": "Docker", "cpp": "C++", "shell": "shell/YAML"}
_NO_FILES: dict[Language, str] = {"en": "no files", "zh": "没有文件"}
_TORCH: dict[Language, str] = {
    "en": " and what torch {version} itself marks",
    "zh": "，以及 torch {version} 自身的标记",
}
_GUARDED: dict[Language, str] = {
    "en": "Left out: {n} behind a check of the version or an except for missing names (--json lists them).",
    "zh": "略去 {n} 处：有版本判断，或已捕获名称缺失的异常（见 --json）。",
}


def title(report: UpgradeReport, language: Language) -> str:
    """Return the title of a report.

    Args:
        report: the report.
        language: language of the text.
    """
    return TITLE[language].format(older=report.older, newer=report.newer, path=report.path)


def counts(report: UpgradeReport, language: Language) -> str:
    """Return the numbers of findings by kind as one line.

    Args:
        report: the report.
        language: language of the text.
    """
    found = report.counts()
    return " · ".join(words.format(n=found[kind]) for kind, words in COUNTS[language].items() if found[kind])


def sources(report: UpgradeReport, language: Language) -> str:
    """Return where the releases come from as one line.

    Args:
        report: the report.
        language: language of the text.
    """
    known = _FROM[language]
    return _SOURCES[language].format(
        older=report.older,
        newer=report.newer,
        older_from=known.get(report.older_from, report.older_from),
        newer_from=known.get(report.newer_from, report.newer_from),
    )


def facts(finding: Finding, language: Language) -> list[str]:
    """Return release, times and certainty of a finding, for one line.

    Args:
        finding: the finding.
        language: language of the text.
    """
    told = [finding.release or finding.source]
    if finding.kind == "deprecated":
        told = [SINCE[language].format(release=finding.since)] if finding.since else [finding.source]
        told += [GOES[language].format(release=finding.removed_in)] if finding.removed_in else []
    told += [finding.why] if finding.why else []
    return told + ([LIKELY[language]] if finding.certainty == "likely" else [])


def instead(finding: Finding, language: Language, quoted: Callable[[str], str] = str) -> str:
    """Return what to use instead, "" if that is told already.

    Args:
        finding: the finding.
        language: language of the text.
        quoted: makes code of a name.
    """
    names = finding.replacement
    if not names or names == (finding.symbol,):
        return ""
    return INSTEAD[language].format(names=", ".join(map(quoted, names)))


def searched(looked: Searched, language: Language) -> str:
    """Return what was searched as one line.

    Args:
        looked: what was searched.
        language: language of the text.
    """
    files = _COMMA[language].join(
        _FILES[language][n > 1].format(n=n, kind=_KINDS_OF_FILES.get(kind, kind))
        for kind, n in sorted(looked.files.items(), key=lambda item: -item[1])
    )
    told = _SEARCHED[language].format(
        files=files or _NO_FILES[language],
        lines=_LINES[language][looked.lines != 1].format(n=looked.lines),
        names=_NAMES[language][looked.names != 1].format(n=looked.names),
        changes=looked.changes,
        first=looked.releases[0] if looked.releases else "-",
        last=looked.releases[-1] if looked.releases else "-",
        torch=_TORCH[language].format(version=looked.torch) if looked.torch else "",
    )
    guarded = _GUARDED[language].format(n=len(looked.guarded)) if looked.guarded else ""
    return " ".join(filter(None, (told, guarded)))
