"""Message templates of answers to broad questions: lists, overviews, comparisons, upgrades."""

from __future__ import annotations

from ingest.document import Language
from ingest.status import Status

#: What a status is called where features or changes with it are counted: of one, of several.
COUNTED: dict[Language, dict[Status, tuple[str, str]]] = {
    "zh": {
        "stable": ("项稳定版（Stable）功能",) * 2,
        "beta": ("项测试版（Beta）功能",) * 2,
        "prototype": ("项原型（Prototype）功能",) * 2,
        "unstable": ("项 API 不稳定（API-Unstable）功能",) * 2,
        "deprecated": ("项弃用",) * 2,
        "breaking": ("项不兼容变更",) * 2,
        "performance": ("项性能改进",) * 2,
        "new": ("项新功能",) * 2,
        "improvement": ("组改进",) * 2,
        "bug-fix": ("组缺陷修复",) * 2,
        "regression": ("个已知问题",) * 2,
    },
    "en": {
        "stable": ("Stable feature", "Stable features"),
        "beta": ("Beta feature", "Beta features"),
        "prototype": ("Prototype feature", "Prototype features"),
        "unstable": ("API-Unstable feature", "API-Unstable features"),
        "deprecated": ("deprecation", "deprecations"),
        "breaking": ("breaking change", "breaking changes"),
        "performance": ("performance item", "performance items"),
        "new": ("new feature", "new features"),
        "improvement": ("group of improvements", "groups of improvements"),
        "bug-fix": ("group of bug fixes", "groups of bug fixes"),
        "regression": ("known issue", "known issues"),
    },
}
LIST_LEAD: dict[Language, str] = {
    "zh": "PyTorch {release} 的发布说明列出 {count} {what}",
    "en": "The notes of PyTorch {release} list {count} {what}",
}
#: Of a list over several releases that is not grouped by release.
LIST_LEAD_SEVERAL: dict[Language, str] = {
    "zh": "PyTorch {first} 到 {last} 的发布说明列出 {count} {what}，按影响到谁分组",
    "en": "The notes of PyTorch {first} to {last} list {count} {what}, by whom they hit",
}
NAME_LEAD: dict[Language, str] = {
    "zh": "PyTorch {release} 的发布说明有 {count} 节讲到 {name}",
    "en": "The notes of PyTorch {release} tell of {name} in {count} sections",
}
#: Headings of the parts of an answer to a broad question.
OVERVIEW_HEAD: dict[Language, str] = {"zh": "PyTorch {release} 概览", "en": "PyTorch {release} in brief"}
GAINS_HEAD: dict[Language, str] = {"zh": "亮点功能", "en": "Headline features"}
GAINS_BETWEEN: dict[Language, str] = {"zh": "能得到什么", "en": "What you gain"}
GAINS_NEWER: dict[Language, str] = {
    "zh": "PyTorch {newer} 有而 {older} 没有",
    "en": "New in PyTorch {newer} against {older}",
}
MOVES_HEAD: dict[Language, str] = {"zh": "状态变了的功能", "en": "Features that changed status"}
BREAKING_HEAD: dict[Language, str] = {"zh": "不兼容变更", "en": "Breaking changes"}
DEPRECATED_HEAD: dict[Language, str] = {"zh": "弃用", "en": "Deprecations"}
PLATFORM_HEAD: dict[Language, str] = {"zh": "平台", "en": "Platform"}
PLATFORM_TARGET: dict[Language, str] = {
    "zh": "PyTorch {release} 需要的平台",
    "en": "What PyTorch {release} runs on",
}
NOTES_SAY: dict[Language, str] = {"zh": "发布说明里还有", "en": "The notes also say"}
#: After the heading of a part: how many there are, and how many of them follow.
ALL_SHOWN: dict[Language, str] = {"zh": "（{count} 项）", "en": " ({count})"}
SOME_SHOWN: dict[Language, str] = {
    "zh": "（共 {count} 项，先看这 {shown} 项）",
    "en": " ({shown} of {count})",
}
ALL_OF_STATUS: dict[Language, str] = {"zh": "，状态都是{status}", "en": ", all {status}"}
COMPARISON_LEAD: dict[Language, str] = {
    "zh": "PyTorch {newer} 与 {older} 相比",
    "en": "PyTorch {newer} compared with {older}",
}
UPGRADE_LEAD: dict[Language, tuple[str, str]] = {
    "zh": ("从 PyTorch {older} 升级到 {newer}：发布说明列出 {count} 项不兼容变更，最要紧的在前",) * 2,
    "en": (
        "From PyTorch {older} to {newer} the notes list {count} breaking change",
        "From PyTorch {older} to {newer} the notes list {count} breaking changes, the most serious first",
    ),
}
UPGRADE_NO_BREAKING: dict[Language, str] = {
    "zh": "从 PyTorch {older} 升级到 {newer}：索引里的发布说明没有列出不兼容变更",
    "en": "From PyTorch {older} to {newer} the notes in the index list no breaking change",
}
#: Before the lead of an upgrade where the question does not say which releases.
UPGRADE_NEWEST: dict[Language, str] = {
    "zh": "问题里没有说升到哪一版，这里按发布说明里最新的 PyTorch {newer} 回答。",
    "en": "No release to upgrade to was named; this is about the newest in the notes, PyTorch {newer}. ",
}
NOT_SHOWN: dict[Language, str] = {
    "zh": "另有 {count} 项不兼容变更没有列出（{releases}）。",
    "en": "Not shown: {count} more breaking changes ({releases}). ",
}
#: A notice below lists of what breaks.
HIGHLIGHTS_ONLY: dict[Language, str] = {
    "zh": "索引里 PyTorch {releases} 的说明只讲重点，不兼容变更可能不止这些；请再看这些版本的完整发布说明。",
    "en": "The notes in the index on PyTorch {releases} tell of highlights only; more may break than they "
    "list, so look at the full release notes as well.",
}
ASK_NEXT: dict[Language, str] = {"zh": "可以接着问：{questions}", "en": "Ask next: {questions}"}
NEXT_QUESTIONS: dict[Language, dict[str, str]] = {
    "zh": {
        "breaking": "“{release} 有哪些不兼容变更”",
        "deprecated": "“{release} 弃用了什么”",
        "overview": "“{release} 有什么新东西”",
        "upgrade": "“从 {older} 升到 {newer} 要注意什么”",
    },
    "en": {
        "breaking": "“breaking changes in {release}”",
        "deprecated": "“what is deprecated in {release}”",
        "overview": "“what is new in {release}”",
        "upgrade": "“upgrade from {older} to {newer}”",
    },
}
