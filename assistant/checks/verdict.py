"""Verdicts on checks: never more than the measurements show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from assistant.checks.check import BEYOND, Check, Words
from assistant.checks.failure import contradicts
from assistant.checks.machine import Machine
from assistant.checks.measurement import Comparison, Measurements, Ratio
from assistant.checks.rule import RatioRule, Rule, Value

Result = Literal["confirmed", "not-confirmed", "inconclusive", "not-applicable", "failed"]

RESULTS: dict[Result, Words] = {
    "confirmed": {"en": "confirmed", "zh": "证实"},
    "not-confirmed": {"en": "not confirmed", "zh": "未证实"},
    "inconclusive": {"en": "inconclusive", "zh": "无法判定"},
    "not-applicable": {"en": "not applicable", "zh": "不适用"},
    "failed": {"en": "failed to run", "zh": "运行失败"},
}
REPEATS = 3  # minimum number of repeats for a decision


@dataclass(frozen=True, slots=True)
class Sides:
    """What two releases of torch did.

    Attributes:
        both: both were tried, one from before the release of the claim and one from after it.
        words: what each did.
    """

    both: bool
    words: Words


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check on a machine.

    Attributes:
        check: the check.
        result: the result.
        reasons: why, most important first; for "not-applicable" what is missing.
        measurements: output of the program, None if it did not run.
        machine: machine that the verdict holds for.
        seconds: duration of the run, 0 if it did not run.
        isolation: name of the sandbox backend, "" if it did not run.
        other: verdict with another release of torch, None if there is none.
        sides: what both releases did, None if only one was tried.
    """

    check: Check
    result: Result
    reasons: tuple[Words, ...]
    measurements: Measurements | None
    machine: Machine
    seconds: float = 0.0
    isolation: str = ""
    other: Verdict | None = None
    sides: Sides | None = None

    @property
    def torch(self) -> str:
        """Version of torch that was tested, "" if none was."""
        tried = self.measurements is not None and self.result != "not-applicable"
        return self.machine.torch if tried else ""

    @property
    def beyond(self) -> Words | None:
        """What the notes say beyond what was tested; None if nothing, or if nothing was tested."""
        words = BEYOND.get(self.check.kind)
        told = self.sides is not None and self.check.kind == "previous-release"
        if words is None or told or not self.torch:
            return None
        return {language: text.format(torch=self.torch) for language, text in words.items()}

    @property
    def limits(self) -> Words:
        """What the check does not show; nothing where it lacked the other release, and that was seen."""
        whole = self.sides is not None and self.sides.both and self.check.kind == "previous-release"
        return {"en": "", "zh": ""} if whole else self.check.limits

    @property
    def ratios(self) -> tuple[Ratio, ...]:
        """The measured ratios, those of the rule first."""
        if self.measurements is None:
            return ()
        ruled = [rule.name for rule in self.check.rule.ratios]
        return tuple(sorted(self.measurements.ratios.values(), key=lambda ratio: ratio.name not in ruled))

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        told = self.measurements
        return {
            "check": self.check.id,
            "release": self.check.release,
            "section": self.check.section,
            "claim": dict(self.check.claim),
            "limits": dict(self.limits),
            "kind": self.check.kind,
            "torch": self.torch,
            "result": self.result,
            "reasons": [dict(reason) for reason in self.reasons],
            "beyond": dict(self.beyond) if self.beyond else None,
            "rule": {"en": self.check.rule.words("en"), "zh": self.check.rule.words("zh")},
            "facts": dict(told.facts) if told else {},
            "comparisons": [_compared(comparison) for comparison in told.comparisons] if told else [],
            "ratios": [ratio.to_dict() for ratio in self.ratios],
            "machine": self.machine.to_dict(),
            "seconds": self.seconds,
            "isolation": self.isolation,
            "sides": dict(self.sides.words) if self.sides else None,
            "other": self.other.to_dict() if self.other else None,
        }


def judge(rule: Rule, told: Measurements) -> tuple[Result, tuple[Words, ...]]:
    """Judge the output of a program that ran to its end.

    Correctness comes first: a wrong result is not confirmed however fast it is. Then facts, then ratios.

    Args:
        rule: rule of the check.
        told: output of the program.

    Returns:
        The result, and the reasons in both languages.
    """
    if told.missing[0]:
        what, why = told.missing
        text = f"{what}: {why}" if why else what
        return "not-applicable", ({"en": f"missing: {text}", "zh": f"缺少：{text}"},)
    if told.failed:
        return judge_failure(rule, told, told.failed)
    wrong = _wrong(told)
    if wrong:
        return "not-confirmed", wrong
    silent = _untold(rule, told)
    if silent:
        names = ", ".join(silent)
        return "failed", ({"en": f"the program did not tell: {names}", "zh": f"程序没有给出：{names}"},)
    other = _unexpected(rule, told)
    if other:
        return "not-confirmed", other
    return _timed(rule, told)


def judge_failure(rule: Rule, told: Measurements, reason: str) -> tuple[Result, tuple[Words, ...]]:
    """Judge the output of a program that did not run to its end.

    It is not confirmed if something was seen before that is not as claimed, or if torch refused what is
    claimed; else nothing is known.

    Args:
        rule: rule of the check.
        told: output of the program.
        reason: why it ended, in one line.

    Returns:
        The result, and the reasons in both languages.
    """
    ended: Words = {"en": f"then the program ended: {reason}", "zh": f"随后程序中止：{reason}"}
    wrong = _wrong(told) or _unexpected(rule, told)
    if wrong:
        return "not-confirmed", (*wrong, ended)
    if contradicts(told.failed):
        return "not-confirmed", ({"en": f"torch refuses it: {reason}", "zh": f"torch 拒绝执行：{reason}"},)
    return "failed", (_both(reason),)


def _timed(rule: Rule, told: Measurements) -> tuple[Result, tuple[Words, ...]]:
    results: list[Result] = []
    reasons: list[Words] = []
    for wanted in rule.ratios:
        result, reason = _judge_ratio(wanted, told.ratios[wanted.name])
        results.append(result)
        reasons.append(reason)
    if not rule.ratios:
        return "confirmed", ({"en": "all that was checked is as claimed", "zh": "检查的各项均与说法一致"},)
    for worst in ("not-confirmed", "inconclusive"):
        if worst in results:
            return worst, tuple(reasons)
    return "confirmed", tuple(reasons)


def _judge_ratio(wanted: RatioRule, ratio: Ratio) -> tuple[Result, Words]:
    numbers = f"{ratio.median:.2f} [{ratio.minimum:.2f}-{ratio.maximum:.2f}], n={len(ratio.values)}"

    def told(en: str, zh: str) -> Words:
        return {"en": f"{ratio.name}: {numbers}; {en}", "zh": f"{ratio.name}：{numbers}；{zh}"}

    if len(ratio.values) < REPEATS:
        return "inconclusive", told("too few repeats", "重复次数太少")
    if ratio.suspect:
        return "inconclusive", told(
            "these times are those of threads that wait for a busy machine",
            "机器繁忙，测到的是线程的等待时间",
        )
    if ratio.minimum > wanted.confirm_min:
        return "confirmed", told(
            f"every repeat is above {wanted.confirm_min:g}", f"每次都大于 {wanted.confirm_min:g}"
        )
    if ratio.maximum < wanted.refute_max:
        text = f"{wanted.refute_max:g}"
        return "not-confirmed", told(f"every repeat is below {text}", f"每次都小于 {text}")
    return "inconclusive", told("the repeats do not decide", "各次重复的结果不足以判定")


def _untold(rule: Rule, told: Measurements) -> list[str]:
    """Return names that the rule needs and the program did not write; ratios need a comparison as well."""
    facts = [name for name in (*rule.facts, *rule.at_least, *rule.at_most) if name not in told.facts]
    ratios = [ratio.name for ratio in rule.ratios if ratio.name not in told.ratios]
    bare = (rule.ratios or not rule.names) and not told.comparisons
    return [*facts, *ratios, *(["whether the results agree"] if bare else [])]


def _wrong(told: Measurements) -> tuple[Words, ...]:
    """Return the results that do not agree."""
    return tuple(_disagreement(comparison) for comparison in told.comparisons if not comparison.holds)


def _unexpected(rule: Rule, told: Measurements) -> tuple[Words, ...]:
    """Return the facts that differ from the rule; those that were not written are not among them."""
    found = []
    for name, seen in told.facts.items():
        if name in rule.facts and seen != rule.facts[name]:
            found.append(_fact(name, seen, f"= {rule.facts[name]}"))
        if name in rule.at_least and not _number(seen) >= rule.at_least[name]:
            found.append(_fact(name, seen, f"≥ {rule.at_least[name]:g}"))
        if name in rule.at_most and not _number(seen) <= rule.at_most[name]:
            found.append(_fact(name, seen, f"≤ {rule.at_most[name]:g}"))
    return tuple(found)


def _number(value: Value) -> float:
    return float("nan") if isinstance(value, str) else float(value)


def _fact(name: str, value: Value, wanted: str) -> Words:
    return {"en": f"{name}: {value}, not {wanted}", "zh": f"{name}：{value}，应为 {wanted}"}


def _disagreement(compared: Comparison) -> Words:
    numbers = f"{compared.difference:.3g} > {compared.limit:.3g}"
    return {"en": f"{compared.name} differ: {numbers}", "zh": f"{compared.name} 不一致：{numbers}"}


def _compared(compared: Comparison) -> dict[str, Any]:
    difference = compared.difference if compared.difference < float("inf") else None  # JSON has no infinity
    return {"name": compared.name, "difference": difference, "limit": compared.limit, "holds": compared.holds}


def _both(text: str) -> Words:
    return {"en": text, "zh": text}
