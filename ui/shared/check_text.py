"""Formatting of checks and verdicts for a terminal and as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ui.shared.console import one_line
from ui.shared.labels import COLON

if TYPE_CHECKING:
    from assistant.checks.check import Check
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
_LIMITS: dict[Language, str] = {"zh": "局限", "en": "does not show"}
_MACHINE: dict[Language, str] = {"zh": "机器", "en": "machine"}
_COUNT: dict[Language, str] = {"zh": "{name} {count} 项", "en": "{count} {name}"}
_COMMA: dict[Language, str] = {"zh": "，", "en": ", "}
_TITLE: dict[Language, str] = {
    "zh": "发布说明里的说法，在这台机器上验证",
    "en": "Claims of the notes, checked on this machine",
}
_HEAD: dict[Language, tuple[str, ...]] = {
    "zh": ("检查", "版本", "说法", "结论", "测得"),
    "en": ("check", "release", "claim", "verdict", "measured"),
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
    """Format a verdict as a few lines: claim, measurements, and rule.

    Args:
        verdict: the verdict.
        language: language of the text.
    """
    check = verdict.check
    name = click.style(_result(verdict, language), fg=_COLOURS.get(verdict.result), bold=True)
    lines = [f"{check.id} · PyTorch {check.release} · {name}", check.claim[language]]
    lines += [reason[language] for reason in verdict.reasons]
    lines += [measured(ratio) for ratio in verdict.ratios if not told_by_reason(verdict, ratio)]
    if verdict.measurements is not None:
        lines.append(f"{_RULE[language]}{COLON[language]}{check.rule.words(language)}")
    if check.limits.get(language):
        lines.append(f"{_LIMITS[language]}{COLON[language]}{check.limits[language]}")
    return "\n    ".join([lines[0], *map(one_line, lines[1:])])


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


def markdown(verdicts: Sequence[Verdict], language: Language) -> str:
    """Format a report to share: a table of verdicts, and the machine.

    Args:
        verdicts: the verdicts.
        language: language of the text.
    """
    rows = [_HEAD[language], ("---",) * len(_HEAD[language])]
    for verdict in verdicts:
        seen = "; ".join(map(measured, verdict.ratios)) or "; ".join(
            reason[language] for reason in verdict.reasons
        )
        check = verdict.check
        rows.append((f"`{check.id}`", check.release, check.claim[language], _result(verdict, language), seen))
    table = "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows)
    return f"# {_TITLE[language]}\n\n{summary(verdicts, language)}\n\n{table}\n"


def _result(verdict: Verdict, language: Language) -> str:
    from assistant.checks.verdict import RESULTS

    return RESULTS[verdict.result][language]


def _cell(text: str) -> str:
    return one_line(text).replace("|", "\\|")
