"""Formatting of checks and verdicts for a terminal and as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ui.shared.console import one_line
from ui.shared.labels import COLON

if TYPE_CHECKING:
    from assistant.checks.check import Check, Words
    from assistant.checks.measurement import Ratio
    from assistant.checks.verdict import Result, Verdict
    from ingest.document import Language

_COLOURS: dict[Result, str] = {
    "confirmed": "green",
    "not-confirmed": "red",
    "inconclusive": "yellow",
    "failed": "red",
}
_RULE: dict[Language, str] = {"zh": "判据", "en": "rule"}
_ISOLATION: dict[Language, str] = {"zh": "隔离", "en": "isolation"}
_NOTHING_RAN: dict[Language, str] = {"zh": "没有运行程序", "en": "no program ran"}
_WEAKER: dict[Language, str] = {"zh": "{name}（较弱：{what}）", "en": "{name} (weaker: {what})"}
_RELEASE: dict[Language, str] = {
    "zh": "PyTorch {release} 的说法，未测试",
    "en": "claimed of PyTorch {release}, not tested",
}
_TESTED: dict[Language, str] = {
    "zh": "PyTorch {release} 的说法，用 torch {torch} 测试",
    "en": "claimed of PyTorch {release}, tested with torch {torch}",
}
_INTERRUPTED: dict[Language, str] = {
    "zh": "已中断：{count} 项检查中完成了 {done} 项",
    "en": "interrupted: {done} of {count} checks finished",
}
_LIMITS: dict[Language, str] = {"zh": "局限", "en": "does not show"}
_MACHINE: dict[Language, str] = {"zh": "机器", "en": "machine"}
_COUNT: dict[Language, str] = {"zh": "{name} {count} 项", "en": "{count} {name}"}
_COMMA: dict[Language, str] = {"zh": "，", "en": ", "}
_TITLE: dict[Language, str] = {
    "zh": "发布说明里的说法，在这台机器上用 torch {torch} 验证",
    "en": "Claims of the notes, checked on this machine with torch {torch}",
}
_HEAD: dict[Language, tuple[str, ...]] = {
    "zh": ("检查", "版本", "说法", "结论", "测得", "隔离"),
    "en": ("check", "release", "claim", "verdict", "measured", "isolation"),
}


def listed(check: Check, language: Language) -> str:
    """Format a check as one line.

    Args:
        check: the check.
        language: language of the text.
    """
    needs: list[str] = [check.needs.device] if check.needs.device != "cpu" else []
    needs += ["C++"] if check.needs.compiler else []
    facts = (check.release, check.cost, *needs)
    return f"{check.id:<28} {' · '.join(facts):<22} {one_line(check.claim[language])}"


def told(verdict: Verdict, language: Language) -> str:
    """Format a verdict as a few lines: what was tested, claim, measurements, rule, limits and isolation.

    Args:
        verdict: the verdict.
        language: language of the text.
    """
    check = verdict.check
    name = click.style(_result(verdict, language), fg=_COLOURS.get(verdict.result), bold=True)
    lines = [f"{check.id} · {tested(verdict, language)} · {name}", check.claim[language]]
    lines += [reason[language] for reason in verdict.reasons]
    lines += [measured(ratio) for ratio in verdict.ratios if not told_by_reason(verdict, ratio)]
    lines += [words[language] for words in _sides(verdict)]
    if verdict.measurements is not None:
        lines.append(f"{_RULE[language]}{COLON[language]}{check.rule.words(language)}")
    if verdict.limits.get(language):
        lines.append(f"{_LIMITS[language]}{COLON[language]}{verdict.limits[language]}")
    lines.append(f"{_ISOLATION[language]}{COLON[language]}{held_by(verdict, language)}")
    return "\n    ".join([lines[0], *map(one_line, lines[1:])])


def tested(verdict: Verdict, language: Language) -> str:
    """Format the release that a claim is of, and the torch that was tested.

    Args:
        verdict: the verdict.
        language: language of the text.
    """
    words = _TESTED if verdict.torch else _RELEASE
    return words[language].format(release=verdict.check.release, torch=verdict.torch)


def held_by(verdict: Verdict, language: Language) -> str:
    """Format the sandbox backend that a program ran under, and what it could do where that is weaker.

    Args:
        verdict: the verdict.
        language: language of the text.
    """
    from assistant.sandbox.isolation import ALL

    if not verdict.isolation:
        return _NOTHING_RAN[language]
    backend = next(each for each in ALL if each.name == verdict.isolation)
    if not backend.weaker:
        return verdict.isolation
    what = ("；" if language == "zh" else "; ").join(backend.not_held(language))
    return _WEAKER[language].format(name=verdict.isolation, what=what)


def interrupted(done: int, count: int, language: Language) -> str:
    """Format how many checks had finished when the user ended the rest.

    Args:
        done: number of checks that finished.
        count: number of checks that were to run.
        language: language of the text.
    """
    return _INTERRUPTED[language].format(done=done, count=count)


def measured(ratio: Ratio) -> str:
    """Format a ratio with median, minimum and maximum.

    Args:
        ratio: the ratio.
    """
    return (
        f"{ratio.name}: {ratio.median:.2f} [{ratio.minimum:.2f}-{ratio.maximum:.2f}] of {len(ratio.values)}"
    )


def told_by_reason(verdict: Verdict, ratio: Ratio) -> bool:
    """Return whether a reason of the verdict already includes the numbers of a ratio.

    Args:
        verdict: the verdict.
        ratio: one of its ratios.
    """
    return any(reason["en"].startswith(f"{ratio.name}: ") for reason in verdict.reasons)


def summary(verdicts: Sequence[Verdict], language: Language) -> str:
    """Format the number of verdicts by result, and the machine.

    Args:
        verdicts: the verdicts.
        language: language of the text.
    """
    counts = Counter(_result(verdict, language) for verdict in verdicts)
    machine = f"{_MACHINE[language]}{COLON[language]}{verdicts[0].machine}" if verdicts else ""
    counted = (_COUNT[language].format(name=name, count=count) for name, count in counts.items())
    return "\n".join(filter(None, (_COMMA[language].join(counted), machine)))


def markdown(verdicts: Sequence[Verdict], language: Language, *, note: str = "") -> str:
    """Format a report to share: a table of verdicts, and the machine.

    Args:
        verdicts: the verdicts.
        language: language of the text.
        note: a line below the title, such as that not all checks finished.
    """
    rows = [_HEAD[language], ("---",) * len(_HEAD[language])]
    for verdict in verdicts:
        seen = "; ".join(map(measured, verdict.ratios)) or "; ".join(
            reason[language] for reason in verdict.reasons
        )
        check = verdict.check
        for words in _sides(verdict):
            seen += f"; {words[language]}"
        result, held = _result(verdict, language), held_by(verdict, language)
        rows.append((f"`{check.id}`", check.release, check.claim[language], result, seen, held))
    table = "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows)
    torch = verdicts[0].machine.torch if verdicts else ""
    parts = [f"# {_TITLE[language].format(torch=torch)}", note, summary(verdicts, language), table]
    return "\n\n".join(filter(None, parts)) + "\n"


def _sides(verdict: Verdict) -> list[Words]:
    """Return which releases were seen, and what the notes say beyond that."""
    sides = verdict.sides.words if verdict.sides else None
    return [words for words in (sides, verdict.beyond) if words]


def _result(verdict: Verdict, language: Language) -> str:
    from assistant.checks.verdict import RESULTS

    return RESULTS[verdict.result][language]


def _cell(text: str) -> str:
    return one_line(text).replace("|", "\\|")
