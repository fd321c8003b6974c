"""Formatting of runs of a user's program for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import click

from ui.cli.text.api import Words, bold, shown
from ui.shared.console import one_line, printable

if TYPE_CHECKING:
    from assistant.api_usage.snippet_run import SnippetRun, Warned
    from assistant.sandbox.outcome import Ended
    from ingest.document import Language

_LAST = 12  # maximum lines of standard error shown
_MB = 1 << 20

_PEAK: Words = {"en": "peak memory {peak:.0f} MB", "zh": "内存峰值 {peak:.0f} MB"}
_HELD: Words = {"en": "held by {name}", "zh": "隔离方式：{name}"}
_FINISHED: Words = {"en": "finished", "zh": "运行完毕"}
_EXIT: Words = {"en": "exit code {code}", "zh": "退出码 {code}"}
_ENDED: dict[Ended, str] = {
    "timed-out": "运行超时，已终止",
    "cpu-limit": "CPU 时间超限，已终止",
    "memory": "内存超限，已终止",
    "processes": "进程或线程过多，已终止",
    "output": "输出过多，已终止",
    "cancelled": "已取消",
    "failed-to-start": "未能启动",
}
_BY: Words = {"en": "raised in {file} while this line ran", "zh": "这一行运行时由 {file} 发出"}
_OUTSIDE: Words = {
    "en": "… and {count} lines of other files below",
    "zh": "……再往下还有 {count} 行，不在你的文件里",
}
_STDERR: Words = {"en": "Standard error", "zh": "标准错误输出"}
_LEFT_OUT: Words = {"en": "… {count} lines before", "zh": "……前面还有 {count} 行"}
_DEPRECATIONS: Words = {"en": "Deprecation warnings: {count}", "zh": "弃用警告：{count} 条"}
_OTHERS: Words = {"en": "Other warnings: {count}", "zh": "其他警告：{count} 条"}
_NOWHERE: Words = {"en": "not from a line of yours", "zh": "不是由你的代码行触发"}


def told_run(ran: SnippetRun, language: Language) -> str:
    """Format the outcome of a run, and its warnings.

    Args:
        ran: the run.
        language: language of the text.
    """
    return "\n".join([*_end(ran, language), *_warnings(ran, language)])


def _end(ran: SnippetRun, language: Language) -> Iterator[str]:
    outcome = ran.outcome
    how = _FINISHED[language] if outcome.ok else _ended(ran, language)
    parts = [bold(one_line(ran.snippet.file)), click.style(how, fg="green" if outcome.ok else "red")]
    parts.append(f"{outcome.seconds:.1f} s")
    if outcome.peak_memory:
        parts.append(_PEAK[language].format(peak=outcome.peak_memory / _MB))
    yield " · ".join([*parts, _HELD[language].format(name=outcome.isolation)])
    stderr = outcome.stderr
    if ran.broke:
        stderr = ran.stderr
        for (file, line, code), same in groupby(ran.broke.frames):
            times = len([*same])
            yield f"    {one_line(file)}:{line}  {one_line(code)}{f'  ×{times}' if times > 1 else ''}"
        if ran.broke.outside:
            yield f"    {_OUTSIDE[language].format(count=ran.broke.outside)}"
        yield f"    {shown(ran.broke.error)}"
    lines = printable(stderr).rstrip().splitlines()
    if lines:
        yield bold(_STDERR[language])
        if len(lines) > _LAST:
            yield f"    {_LEFT_OUT[language].format(count=len(lines) - _LAST)}"
        yield from (f"    {line}" for line in lines[-_LAST:])


def _ended(ran: SnippetRun, language: Language) -> str:
    outcome = ran.outcome
    if ran.broke and outcome.ended == "finished":  # the error is shown below
        return _EXIT[language].format(code=outcome.exit_code)
    reason = one_line(outcome.reason)
    known = _ENDED.get(outcome.ended) if language == "zh" else None
    return f"{known} ({reason})" if known else reason


def _warnings(ran: SnippetRun, language: Language) -> Iterator[str]:
    others = [each for each in ran.warnings if not each.deprecation]
    for head, warned in ((_DEPRECATIONS, ran.deprecations), (_OTHERS, others)):
        if warned:
            yield bold(head[language].format(count=len(warned)))
            for each in warned:
                yield from _warning(each, language)


def _warning(warned: Warned, language: Language) -> Iterator[str]:
    place = (
        f"{one_line(warned.file)}:{warned.line}  {one_line(warned.code)}"
        if warned.file
        else _NOWHERE[language]
    )
    yield f"    {place}"
    yield f"        {warned.category}: {shown(warned.message)}"
    if warned.by and warned.file:
        yield f"        {_BY[language].format(file=one_line(warned.by))}"
