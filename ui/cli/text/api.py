"""Formatting of reports on API names for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ui.shared.console import one_line
from ui.shared.labels import COLON

if TYPE_CHECKING:
    from assistant.api_usage.api_report import ApiReport, NameReport
    from assistant.api_usage.lookup import FoundName, Source
    from assistant.api_usage.mention import Mention
    from ingest.document import Language

Words = dict["Language", str]

_LONGEST = 240  # characters of a quote on one line

_NAMES: Words = {
    "en": "API names: {count}, looked up in torch {torch}",
    "zh": "共 {count} 个 API 名称，对照 torch {torch} 查得",
}
_NO_NAMES: Words = {"en": "No API name of torch in it was found.", "zh": "其中没有找到 torch 的 API 名称。"}
_LINE: Words = {"en": "lines {lines}", "zh": "第 {lines} 行"}
_EXISTS: Words = {"en": "exists", "zh": "存在"}
_MISSING: Words = {"en": "does not exist", "zh": "不存在"}
_REMOVED: Words = {"en": "removed", "zh": "已移除"}
_DEPENDS: Words = {"en": "made at run time, if at all", "zh": "运行时才注册，这里查不到"}
_DEPRECATED: Words = {"en": "deprecated", "zh": "已弃用"}
_IMPORT: Words = {"en": "needs `import {module}`", "zh": "需要 `import {module}`"}
_REACHED: Words = {
    "en": "there is {reached}, but no `{part}` in it",
    "zh": "有 {reached}，但其中没有 `{part}`",
}
_NEAR: Words = {"en": "hint, by resemblance only: {names}", "zh": "名称相近、仅供参考：{names}"}
_UNKNOWN: Words = {"en": "takes no argument named {names}", "zh": "没有名为 {names} 的参数"}
_MODULE: Words = {"en": "module", "zh": "模块"}
_WITHIN: Words = {"en": "in “{heading}”", "zh": "见“{heading}”一节"}
_EXAMPLES: Words = {"en": "used in code of the notes of {releases}", "zh": "{releases} 的说明里有代码用到"}
_ALSO: Words = {"en": "also in {releases}", "zh": "还见于 {releases}"}
_HISTORY: Words = {
    "en": "its feature: `torchnotes history {feature}`",
    "zh": "所属功能：`torchnotes history {feature}`",
}
_SILENT: Words = {
    "en": "not mentioned in the notes of {first} … {last} that the index holds",
    "zh": "索引里 {first} 至 {last} 的说明没有提到",
}
_NO_NOTES: Words = {"en": "the index holds no notes", "zh": "索引里没有发布说明"}
_SHORT_FORM: Words = {"en": "(its last part only)", "zh": "（只匹配到名称末段）"}
_SOURCES: dict[Source, Words] = {
    "run": {"en": "warned in this run", "zh": "本次运行的警告"},
    "lookup": {"en": "warned when looked up", "zh": "查找时的警告"},
    "mark": {"en": "marked in torch", "zh": "torch 中的标记"},
    "raises": {"en": "all it does is raise", "zh": "调用它只会抛出异常"},
    "warns": {"en": "its code warns", "zh": "它的代码会发出警告"},
    "doc": {"en": "its documentation", "zh": "它的文档"},
    "module": {"en": "documentation of its module", "zh": "所在模块的文档"},
}


def told_names(report: ApiReport, language: Language) -> str:
    """Format a report.

    Args:
        report: the report.
        language: language of the text.
    """
    if not report.names:
        return _NO_NAMES[language]
    lines = [bold(_NAMES[language].format(count=len(report.names), torch=report.torch))]
    for each in report.names:
        lines += _name(each, report, language)
    return "\n".join(lines)


def shown(text: str) -> str:
    """Return a text as one line of limited length.

    Args:
        text: any text.
    """
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _name(told: NameReport, report: ApiReport, language: Language) -> Iterator[str]:
    found = told.found
    facts = [bold(found.name.name), _lines(found, language), _state(found, language)]
    only_imported = found.kind == "module" and found.name.imported
    if only_imported:
        facts.append(_MODULE[language])
    if found.deprecated and not found.removed:
        facts.append(click.style(_DEPRECATED[language], fg="yellow"))
    yield " · ".join(filter(None, facts))
    yield from (f"    {line}" for line in _evidence(found, report, language))
    if not only_imported:  # the names taken from the module are more informative
        yield from (f"    {line}" for line in _notes(told, report, language))


def _notes(told: NameReport, report: ApiReport, language: Language) -> Iterator[str]:
    """Yield the mentions of a name."""
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
    if found.removed:
        return click.style(_REMOVED[language], fg="red")
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
        yield f"{_SOURCES[each.source][language]}{COLON[language]}{shown(each.words)}"


def _mention(mention: Mention, language: Language) -> str:
    """Format release, status, heading, quote and address of a mention."""
    from assistant.text.messages import STATUS_NAMES
    from assistant.timeline.heading_parser import bare
    from ingest.markup import inline_text, reading_text

    heading = inline_text(mention.heading)
    said = inline_text(reading_text(mention.quote))
    facts = [str(mention.release or "")]
    if mention.about:
        facts += [STATUS_NAMES[language][mention.status], bare(heading)]
    else:  # the section is about something else, so its status does not apply to the name
        facts.append(_WITHIN[language].format(heading=heading))
    facts += ["" if said == heading else f"“{shown(said)}”"]
    facts += ["" if mention.whole else _SHORT_FORM[language], mention.url]
    return one_line(" · ".join(filter(None, facts)))


def _silent(report: ApiReport, language: Language) -> str:
    if not report.releases:
        return _NO_NOTES[language]
    return _SILENT[language].format(first=report.releases[0], last=report.releases[-1])


def bold(text: str) -> str:
    """Return a text in bold.

    Args:
        text: any text.
    """
    return click.style(text, bold=True)
