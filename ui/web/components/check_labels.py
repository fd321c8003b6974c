"""Labels for checks in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.document import Language

if TYPE_CHECKING:  # so that importing the labels does not import checks
    from assistant.checks.check import Cost

MACHINE: dict[Language, str] = {"zh": "机器", "en": "Machine"}
RULE: dict[Language, str] = {"zh": "判据", "en": "Rule"}
LIMITS: dict[Language, str] = {"zh": "局限", "en": "Does not show"}
TAKES: dict[Language, str] = {
    "zh": "大约 {usual} 秒，最多 {most} 秒；内存最多 {memory} GB。",
    "en": "Takes about {usual} s, at most {most} s, and at most {memory} GB of memory.",
}
HELD: dict[Language, str] = {
    "zh": "程序在沙箱中运行（{name}）：不能联网，看不到你的文件，结束后不留下任何东西。",
    "en": "It runs apart ({name}): no network, none of your files, and nothing is left behind.",
}
WEAKER: dict[Language, str] = {
    "zh": "这台机器的隔离较弱（{name}）：{what}。",
    "en": "Isolation is weaker on this machine ({name}): {what}.",
}
PROGRAM: dict[Language, str] = {"zh": "将要运行的程序", "en": "The program that would run"}
SHARED_PROGRAM: dict[Language, str] = {"zh": "它用到的 kit.py", "en": "kit.py, which it uses"}
CANNOT: dict[Language, str] = {"zh": "这台机器上无法验证", "en": "This machine cannot check it"}
TOOK: dict[Language, str] = {"zh": "用时 {seconds:.0f} 秒，{isolation}", "en": "{seconds:.0f} s, {isolation}"}
ENDED: dict[Language, str] = {
    "zh": "检查已取消，没有留下任何东西。",
    "en": "Cancelled; nothing is left behind.",
}

FORBIDDEN: dict[Language, str] = {
    "zh": "这个服务没有开放检查；管理员可以用 `torchnotes web --allow-checks` 启动来开放。",
    "en": "This server runs no checks; its operator allows them with `torchnotes web --allow-checks`.",
}
RUNNING: dict[Language, str] = {
    "zh": "另一项检查正在运行，同时运行会影响计时；请等它结束再试。",
    "en": "Another check is running, and two at a time would spoil their times; try again when it has ended.",
}
CHANGED: dict[Language, str] = {
    "zh": "程序与刚才显示的不一致，没有运行；请重新打开，看过再运行。",
    "en": "The program is not the one that was shown, and was not run; open it again and read it.",
}
AGAIN: dict[Language, str] = {
    "zh": "隔离较弱，需要你先同意；请勾选后再运行。",
    "en": "Isolation is weaker, and that was not agreed to; tick the box and run it again.",
}
BROKEN: dict[Language, str] = {
    "zh": "检查没能运行；请在终端运行 `torchnotes check {check}` 看原因。",
    "en": "The check could not be run; type `torchnotes check {check}` in a terminal to see why.",
}

COSTS: dict[Language, dict[Cost, str]] = {
    "zh": {"quick": "几秒", "medium": "约一分钟", "slow": "几分钟"},
    "en": {"quick": "seconds", "medium": "about a minute", "slow": "minutes"},
}

#: Texts of the page's scripts.
SCRIPTS: dict[Language, dict[str, str]] = {
    "zh": {
        "offer": "在本机验证",
        "again": "再验证一次",
        "run": "运行",
        "cancel": "取消",
        "agree": "我明白，仍要运行",
        "running": "正在运行，{seconds} 秒",
        "looking": "正在检测这台机器……",
        "lost": "连不上服务；检查已随之结束。",
        "propose": "让模型找一项可以在本机验证的说法",
        "none": "没有对应的检查。",
        "summary": "{count} 项说法可以在本机验证",
        "summaryRun": "{count} 项说法可以在本机验证，已验证 {run} 项",
    },
    "en": {
        "offer": "Check on this machine",
        "again": "Check again",
        "run": "Run it",
        "cancel": "Cancel",
        "agree": "I understand; run it all the same",
        "running": "Running, {seconds} s",
        "looking": "Looking at this machine ...",
        "lost": "The server cannot be reached; the check ended with it.",
        "propose": "Let the model find a claim to check on this machine",
        "none": "There is no such check.",
        "summary": "Claims that can be checked on this machine: {count}",
        "summaryRun": "Claims that can be checked on this machine: {count}, checked: {run}",
    },
}
