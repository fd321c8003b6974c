"""A run of the user's own program, and what is known of API names, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ui.console import one_line, printable

if TYPE_CHECKING:
    from assistant.checks.api_report import ApiReport, NameReport
    from assistant.checks.lookup import FoundName, Source
    from assistant.checks.mentions import Mention
    from assistant.checks.outcome import Ended
    from assistant.checks.snippet_run import SnippetRun, Warned
    from ingest.document import Language

Words = dict["Language", str]

_LONGEST = 240  # characters of a quote on one line
_LAST = 12  # lines of standard error that are shown
_MB = 1 << 20

_PEAK: Words = {"en": "peak memory {peak:.0f} MB", "zh": "内存峰值 {peak:.0f} MB"}
_HELD: Words = {"en": "held by {name}", "zh": "隔离方式：{name}"}
_FINISHED: Words = {"en": "finished", "zh": "运行完毕"}
_EXIT: Words = {"en": "exit code {code}", "zh": "退出码 {code}"}
_ENDED: dict[Ended, str] = {
    "timed-out": "超过时限，已结束",
    "cpu-limit": "超过 CPU 时限，已结束",
    "memory": "超出内存限制，已结束",
    "processes": "进程过多，已结束",
    "output": "写出过多，已结束",
    "cancelled": "已取消",
    "failed-to-start": "未能启动",
}
_BY: Words = {"en": "raised in {file} while this line ran", "zh": "这一行运行时由 {file} 发出"}
_OUTSIDE: Words = {
    "en": "… and {count} lines of other files below",
    "zh": "……其下还有 {count} 层不属于你的文件",
}
_STDERR: Words = {"en": "Standard error", "zh": "标准错误输出"}
_LEFT_OUT: Words = {"en": "… {count} lines before", "zh": "……前面还有 {count} 行"}
_DEPRECATIONS: Words = {"en": "Deprecation warnings: {count}", "zh": "弃用警告：{count} 条"}
_OTHERS: Words = {"en": "Other warnings: {count}", "zh": "其他警告：{count} 条"}
_NOWHERE: Words = {"en": "not from a line of yours", "zh": "不是你的代码行触发的"}
_NAMES: Words = {
    "en": "API names: {count}, looked up in torch {torch}",
    "zh": "API 名称 {count} 个，查自 torch {torch}",
}
_NO_NAMES: Words = {"en": "No API name of torch in it was found.", "zh": "其中没有找到 torch 的 API 名称。"}
_LINE: Words = {"en": "lines {lines}", "zh": "第 {lines} 行"}
_EXISTS: Words = {"en": "exists", "zh": "存在"}
_MISSING: Words = {"en": "does not exist", "zh": "不存在"}
_DEPENDS: Words = {"en": "made at run time, if at all", "zh": "运行时才注册，这里查不到"}
_DEPRECATED: Words = {"en": "deprecated", "zh": "已弃用"}
_IMPORT: Words = {"en": "needs `import {module}`", "zh": "需要 `import {module}`"}
_REACHED: Words = {
    "en": "there is {reached}, but no `{part}` in it",
    "zh": "有 {reached}，但其中没有 `{part}`",
}
_NEAR: Words = {"en": "hint, by resemblance only: {names}", "zh": "仅按相似程度的提示：{names}"}
_UNKNOWN: Words = {"en": "takes no argument named {names}", "zh": "没有名为 {names} 的参数"}
_MODULE: Words = {"en": "module", "zh": "模块"}
_WITHIN: Words = {"en": "in “{heading}”", "zh": "见“{heading}”一节"}
_EXAMPLES: Words = {"en": "used in code of the notes of {releases}", "zh": "{releases} 的说明在代码里用到"}
_ALSO: Words = {"en": "also in {releases}", "zh": "还见于 {releases}"}
_HISTORY: Words = {
    "en": "`torchnotes history {feature}` tells its life",
    "zh": "历程见 `torchnotes history {feature}`",
}
_SILENT: Words = {
    "en": "not mentioned in the notes of {first} … {last} that the index holds",
    "zh": "索引里 {first} … {last} 的说明没有提到",
}
_NO_NOTES: Words = {"en": "the index holds no notes", "zh": "索引里没有发布说明"}
_SHORT_FORM: Words = {"en": "its last part only", "zh": "只有名称末段"}
_COLON: Words = {"en": ": ", "zh": "："}
_SOURCES: dict[Source, Words] = {
    "run": {"en": "warned in this run", "zh": "本次运行的警告"},
    "lookup": {"en": "warned when looked up", "zh": "查找时的警告"},
    "mark": {"en": "marked in torch", "zh": "torch 中的标记"},
    "raises": {"en": "all it does is raise", "zh": "它只会抛出错误"},
    "doc": {"en": "its documentation", "zh": "它的文档"},
}


def told_run(ran: SnippetRun, language: Language) -> str:
    """How a run ended, and its warnings."""
    return "\n".join([*_end(ran, language), *_warnings(ran, language)])


def told_names(report: ApiReport, language: Language) -> str:
    """What is known of each name."""
    if not report.names:
        return _NO_NAMES[language]
    lines = [_bold(_NAMES[language].format(count=len(report.names), torch=report.torch))]
    for each in report.names:
        lines += _name(each, report, language)
    return "\n".join(lines)


def _end(ran: SnippetRun, language: Language) -> Iterator[str]:
    outcome = ran.outcome
    how = _FINISHED[language] if outcome.ok else _ended(ran, language)
    parts = [_bold(one_line(ran.snippet.file)), click.style(how, fg="green" if outcome.ok else "red")]
    parts.append(f"{outcome.seconds:.1f} s")
    if outcome.peak_memory:
        parts.append(_PEAK[language].format(peak=outcome.peak_memory / _MB))
    yield " · ".join([*parts, _HELD[language].format(name=outcome.isolation)])
    stderr = outcome.stderr
    if ran.broke:
        stderr = ran.stderr
        for file, line, code in ran.broke.frames:
            yield f"    {one_line(file)}:{line}  {one_line(code)}"
        if ran.broke.outside:
            yield f"    {_OUTSIDE[language].format(count=ran.broke.outside)}"
        yield f"    {_shown(ran.broke.error)}"
    lines = printable(stderr).rstrip().splitlines()
    if lines:
        yield _bold(_STDERR[language])
        if len(lines) > _LAST:
            yield f"    {_LEFT_OUT[language].format(count=len(lines) - _LAST)}"
        yield from (f"    {line}" for line in lines[-_LAST:])


def _ended(ran: SnippetRun, language: Language) -> str:
    outcome = ran.outcome
    if ran.broke and outcome.ended == "finished":  # the error itself follows
        return _EXIT[language].format(code=outcome.exit_code)
    reason = one_line(outcome.reason)
    known = _ENDED.get(outcome.ended) if language == "zh" else None
    return f"{known} ({reason})" if known else reason


def _warnings(ran: SnippetRun, language: Language) -> Iterator[str]:
    others = [each for each in ran.warnings if not each.deprecation]
    for head, warned in ((_DEPRECATIONS, ran.deprecations), (_OTHERS, others)):
        if warned:
            yield _bold(head[language].format(count=len(warned)))
            for each in warned:
                yield from _warning(each, language)


def _warning(warned: Warned, language: Language) -> Iterator[str]:
    place = (
        f"{one_line(warned.file)}:{warned.line}  {one_line(warned.code)}"
        if warned.file
        else _NOWHERE[language]
    )
    yield f"    {place}"
    yield f"        {warned.category}: {_shown(warned.message)}"
    if warned.by and warned.file:
        yield f"        {_BY[language].format(file=one_line(warned.by))}"


def _name(told: NameReport, report: ApiReport, language: Language) -> Iterator[str]:
    found = told.found
    facts = [_bold(found.name.name), _lines(found, language), _state(found, language)]
    only_imported = found.kind == "module" and found.name.imported
    if only_imported:
        facts.append(_MODULE[language])
    if found.deprecated:
        facts.append(click.style(_DEPRECATED[language], fg="yellow"))
    yield " · ".join(filter(None, facts))
    yield from (f"    {line}" for line in _evidence(found, report, language))
    if not only_imported:  # what is taken from it tells more
        yield from (f"    {line}" for line in _notes(told, report, language))


def _notes(told: NameReport, report: ApiReport, language: Language) -> Iterator[str]:
    """What the notes tell of a name."""
    notes = told.notes
    yield from (_mention(mention, language) for mention in notes.telling)
    rest = [each for each in notes.mentions if each not in notes.telling and each.release]
    used = [str(each.release) for each in rest if each.example and not each.about]
    also = [str(each.release) for each in rest if not each.example or each.about]
    for words, releases in ((_ALSO, also), (_EXAMPLES, used)):
        if releases:
            yield words[language].format(releases=", ".join(releases))
    if not notes.mentions:
        yield _silent(report, language)
    if notes.feature:
        yield _HISTORY[language].format(feature=notes.feature)


def _lines(found: FoundName, language: Language) -> str:
    lines = found.name.lines
    if not lines:
        return ""
    words = _LINE[language].format(lines=", ".join(map(str, lines)))
    return words.replace("lines", "line") if len(lines) == 1 else words


def _state(found: FoundName, language: Language) -> str:
    if found.exists is None:
        return click.style(_DEPENDS[language], fg="yellow")
    return _EXISTS[language] if found.exists else click.style(_MISSING[language], fg="red")


def _evidence(found: FoundName, report: ApiReport, language: Language) -> Iterator[str]:
    if found.exists is False and found.reached:
        part = found.name.name.removeprefix(f"{found.reached}.").partition(".")[0]
        yield _REACHED[language].format(reached=found.reached, part=part)
    if found.near:
        yield _NEAR[language].format(names=", ".join(found.near))
    imported = [each.found.name.name for each in report.names if each.found.name.imported]
    brought = any(f"{name}.".startswith(f"{found.imports}.") for name in imported)
    if found.exists and found.imports and not brought:
        yield _IMPORT[language].format(module=found.imports)
    if found.unknown:
        yield click.style(_UNKNOWN[language].format(names=", ".join(found.unknown)), fg="red")
    for each in found.deprecated:
        yield f"{_SOURCES[each.source][language]}{_COLON[language]}{_shown(each.words)}"


def _mention(mention: Mention, language: Language) -> str:
    """Release, status, heading, the words and where they stand."""
    from assistant.subject import bare
    from assistant.wording import STATUS_NAMES
    from ingest.markup import inline_text, reading_text

    heading = inline_text(mention.heading)
    said = inline_text(reading_text(mention.quote))
    facts = [str(mention.release or "")]
    if mention.about:
        facts += [STATUS_NAMES[language][mention.status], bare(heading)]
    else:  # the status of a section that is about something else is none of this name
        facts.append(_WITHIN[language].format(heading=heading))
    facts += ["" if said == heading else f"“{_shown(said)}”"]
    facts += ["" if mention.whole else f"({_SHORT_FORM[language]})", mention.url]
    return one_line(" · ".join(filter(None, facts)))


def _silent(report: ApiReport, language: Language) -> str:
    if not report.releases:
        return _NO_NOTES[language]
    return _SILENT[language].format(first=report.releases[0], last=report.releases[-1])


def _shown(text: str) -> str:
    """A text on one line, cut where it is long."""
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _bold(text: str) -> str:
    return click.style(text, bold=True)
