"""Formatting of checks, shown before they run, and of their verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from statistics import median

from assistant.checks.check import SECONDS, Check
from assistant.checks.measurement import Ratio
from assistant.checks.trial import limits_of
from assistant.checks.verdict import RESULTS, Verdict
from assistant.sandbox.isolation import Isolation
from ingest.document import Language
from ui.shared.check_text import held_by, measured, tested, told_by_reason
from ui.web.components import check_labels as words
from ui.web.components.safe import safe

_GIGABYTE = 2**30


def consent_to_html(
    check: Check, unmet: Verdict | None, isolation: Isolation, machine: str, language: Language
) -> str:
    """Format all that a reader needs to decide whether a check may run.

    Args:
        check: the check.
        unmet: verdict if this machine does not meet the requirements, else None.
        isolation: sandbox backend.
        machine: description of this machine, one line.
        language: language of the interface.
    """
    usual, most = SECONDS[check.cost]
    memory = round(limits_of(check).memory / _GIGABYTE)
    held = words.WEAKER if isolation.weaker else words.HELD
    what = "; ".join(isolation.not_held(language))
    parts = [
        _facts(check, language),
        f'<p class="tn-quiet">{words.MACHINE[language]}: {escape(machine)}</p>',
    ]
    if unmet is not None:
        parts.append(f'<p class="tn-notice">{words.CANNOT[language]}: {_reasons(unmet, language)}</p>')
    else:
        parts.append(
            f"<p>{words.TAKES[language].format(usual=usual, most=most, memory=memory)}</p>"
            f'<p class="{"tn-notice" if isolation.weaker else "tn-quiet"}">'
            f"{escape(held[language].format(name=isolation.name, what=what))}</p>"
        )
    shared = check.kit.read_text(encoding="utf-8")
    parts.append(
        f'<div class="tn-head">{words.PROGRAM[language]}</div>{_code(check.code)}'
        f"<details><summary>{words.SHARED_PROGRAM[language]}</summary>{_code(shared)}</details>"
    )
    return safe("".join(parts))


def verdict_to_html(verdict: Verdict, language: Language) -> str:
    """Format a verdict, with two bars for each ratio.

    Args:
        verdict: the verdict.
        language: language of the interface.
    """
    check = verdict.check
    result = RESULTS[verdict.result][language]
    held = held_by(verdict, language)
    took = words.TOOK[language].format(seconds=verdict.seconds, isolation=held) if verdict.isolation else held
    parts = [
        f'<div class="tn-meta"><span class="tn-badge tn-result tn-{verdict.result}">{result}</span>'
        f'<span class="tn-path">{escape(check.id)} · {escape(tested(verdict, language))}</span></div>',
        f'<p class="tn-claim">{escape(check.claim[language])}</p>',
        f"<p>{_reasons(verdict, language)}</p>",
        *(_ratio(verdict, ratio) for ratio in verdict.ratios),
        f'<p class="tn-quiet">{escape(verdict.beyond[language])}</p>' if verdict.beyond else "",
        _facts(check, language) if verdict.measurements else "",
        f'<p class="tn-quiet">{escape(str(verdict.machine))} · {escape(took)}</p>',
    ]
    return safe(f'<div class="tn-verdict" lang="{language}">{"".join(parts)}</div>')


def _reasons(verdict: Verdict, language: Language) -> str:
    return "<br>".join(escape(reason[language]) for reason in verdict.reasons)


def _facts(check: Check, language: Language) -> str:
    told = [(words.RULE, check.rule.words(language)), (words.LIMITS, check.limits[language])]
    return "".join(f'<p class="tn-quiet">{name[language]}: {escape(text)}</p>' for name, text in told if text)


def _ratio(verdict: Verdict, ratio: Ratio) -> str:
    """Format the times of baseline and candidate as two bars, with median and range.

    The name of a ratio is "baseline over candidate"; the bars are labelled accordingly.
    """
    head = "" if told_by_reason(verdict, ratio) else f"<p>{escape(measured(ratio))}</p>"
    times = (ratio.baseline_seconds, ratio.candidate_seconds)
    if not all(times):
        return head
    longest = max(max(seconds) for seconds in times)
    baseline, _, candidate = ratio.name.partition(" over ")
    first = _bar(baseline, times[0], longest, "tn-bar tn-bar-first")
    second = _bar(candidate, times[1], longest, "tn-bar")
    return f'{head}<div class="tn-bars">{first}{second}</div>'


def _bar(name: str, seconds: Sequence[float], longest: float, kind: str) -> str:
    """Format one bar; a script sets its width, because `safe` removes styles."""
    name = escape(name)
    low, middle, high = (100 * each / longest for each in (min(seconds), median(seconds), max(seconds)))
    told = f"{duration(median(seconds))} [{duration(min(seconds))}-{duration(max(seconds))}]"
    return (
        f'<span class="tn-bar-name">{name}</span>'
        f'<span class="{kind}" role="img" aria-label="{name} {told}" data-low="{low:.1f}" '
        f'data-middle="{middle:.1f}" data-high="{high:.1f}"></span><span class="tn-bar-time">{told}</span>'
    )


def duration(seconds: float) -> str:
    """Format a duration in a unit without leading zeros.

    Args:
        seconds: number of seconds.

    >>> duration(0.0000123), duration(0.25), duration(3.2)
    ('12.3 µs', '250 ms', '3.2 s')
    """
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _code(text: str) -> str:
    return f'<pre class="tn-program" tabindex="0"><code>{escape(text)}</code></pre>'
