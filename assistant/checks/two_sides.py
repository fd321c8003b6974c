"""A check on two releases of torch: what each did, and whether the claim lies between them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from statistics import median

from assistant.checks.check import Check, Words
from assistant.checks.machine import describe, version_numbers
from assistant.checks.torch_environment import TorchEnvironment
from assistant.checks.trial import try_check
from assistant.checks.verdict import RESULTS, Sides, Verdict
from assistant.sandbox.isolation import Isolation

_UNSEEN: Words = {
    "en": "only one side was seen; with torch {torch}: {reason}",
    "zh": "只看到一边；torch {torch}：{reason}",
}
_SAME_SIDE: Words = {
    "en": "only one side was seen: torch {old} and {new} are on the same side of {release}",
    "zh": "只看到一边：torch {old} 和 {new} 在 {release} 的同一侧",
}
_BETWEEN: Words = {
    "en": "both sides were seen, the claim lies between them: {was} with {old} ({reason}), {now} with {new}",
    "zh": "两边都看到了，说法所讲的变化就在两者之间：{old} {was}（{reason}），{new} {now}",
}
_NO_CHANGE: Words = {
    "en": "both sides were seen, and no change between them: {was} with {old}, {now} with {new}{times}",
    "zh": "两边都看到了，没有看到变化：{old} {was}，{new} {now}{times}",
}
_BOTH: Words = {
    "en": "both sides were seen: {was} with {old}, {now} with {new}",
    "zh": "两边都看到了：{old} {was}，{new} {now}",
}
_TIMES: Words = {
    "en": "; a call took {parts}, which was not timed in turns",
    "zh": "；一次调用 {parts}，不是交替计时",
}


def try_on_both(
    check: Check,
    environment: TorchEnvironment,
    *,
    isolation: Isolation | None = None,
    on_line: Callable[[str], None] | None = None,
    cancelled: threading.Event | None = None,
) -> Verdict:
    """Run a check with the torch here, and with another release, which need not be as new as the claim.

    Args:
        check: the check.
        environment: an environment in which the other release is installed.
        isolation: as for `try_check`.
        on_line: as for `try_check`.
        cancelled: as for `try_check`.

    Returns:
        The verdict on the newer of the two, with what both did.

    Raises:
        OSError: as for `try_check`.
    """
    anywhere = replace(check, needs=replace(check.needs, torch=""))
    verdicts = [
        replace(
            try_check(
                anywhere,
                machine=describe(python) if python else describe(),
                isolation=isolation,
                on_line=on_line,
                cancelled=cancelled,
                python=python,
            ),
            check=check,
        )
        for python in (None, environment.python)
    ]
    old, new = sorted(verdicts, key=lambda verdict: version_numbers(verdict.machine.torch))
    return replace(new, other=old, sides=compare(check, old, new))


def compare(check: Check, old: Verdict, new: Verdict) -> Sides:
    """Return what two releases of torch did, and what that says of the claim.

    Args:
        check: the check.
        old: verdict with the older release.
        new: verdict with the newer one.
    """
    if unseen := next((verdict for verdict in (old, new) if not _seen(verdict)), None):
        torch, reason = unseen.machine.torch, unseen.reasons[0]
        return Sides(both=False, words=_said(_UNSEEN, torch=torch, reason=reason))
    before, claimed, after = (
        version_numbers(each)[:2] for each in (old.machine.torch, check.release, new.machine.torch)
    )
    if not before < claimed <= after:
        versions = {"old": old.machine.torch, "new": new.machine.torch}
        return Sides(both=False, words=_said(_SAME_SIDE, release=check.release, **versions))
    found = _BOTH
    if new.result == "confirmed":
        found = _NO_CHANGE if old.result == "confirmed" else _BETWEEN
    words = _said(
        found,
        old=f"torch {old.machine.torch}",
        new=f"torch {new.machine.torch}",
        was=RESULTS[old.result],
        now=RESULTS[new.result],
        reason=old.reasons[0],
        times=_times(old, new),
    )
    return Sides(both=True, words=words)


def _said(words: Words, **given: str | Words) -> Words:
    """Fill words in both languages with what is given in one form, or in a form for each."""
    return {
        language: text.format(
            **{key: each if isinstance(each, str) else each[language] for key, each in given.items()}
        )
        for language, text in words.items()
    }


def _seen(verdict: Verdict) -> bool:
    """Return whether a side was tried, or is seen not to have what is claimed."""
    lacks = verdict.measurements is not None and verdict.measurements.missing[0].startswith("torch.")
    return lacks or (bool(verdict.torch) and verdict.result != "failed")


def _times(old: Verdict, new: Verdict) -> Words:
    """Return how long a call took with each release; runs that are not timed in turns decide nothing."""
    parts = []
    for ratio in new.ratios:
        before = next((each for each in old.ratios if each.name == ratio.name), None)
        if before and before.candidate_seconds and ratio.candidate_seconds:
            was, now = (1000 * median(each.candidate_seconds) for each in (before, ratio))
            parts.append(f"{was:.3g} → {now:.3g} ms")
    if not parts:
        return {"en": "", "zh": ""}
    return _said(_TIMES, parts=", ".join(parts))
