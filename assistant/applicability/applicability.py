"""Evaluation of conditions on a machine, with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assistant.applicability.condition import Condition, MachineFeature, Side
from assistant.applicability.facts import holds
from assistant.applicability.here import here
from assistant.checks.check import Words
from assistant.checks.machine import Machine

#: "measured-elsewhere": a figure measured on other hardware, which may hold for this one or not.
Result = Literal["applies", "not-here", "measured-elsewhere", "unknown"]
LABELS: dict[Result, Words] = {
    "applies": {"en": "applies here", "zh": "适用于本机"},
    "not-here": {"en": "does not apply here", "zh": "不适用于本机"},
    "measured-elsewhere": {"en": "measured on other hardware", "zh": "数据来自其他硬件"},
    "unknown": {"en": "not known here", "zh": "本机无法判断"},
}
_SAID: dict[Side, Words] = {
    "about": {"en": "about {}; {}", "zh": "涉及 {}；{}"},
    "needed": {"en": "needs {}; {}", "zh": "需要 {}；{}"},
    "ended": {"en": "an end or a limit for {}; {}", "zh": "涉及 {} 的终止支持或限制；{}"},
    "measured": {"en": "measured on {}; {}", "zh": "数据在 {} 上测得；{}"},
}
_SINCE: Words = {"en": "holds from {} on; {}", "zh": "自 {} 起适用；{}"}
_CHINESE = (
    ("compute capability", "计算能力"),
    (" or newer", " 及以上"),
    (" or older", " 及以下"),
    ("older than ", "早于 "),
    (" to ", " 至 "),
    ("Mac with an Intel processor", "Intel 处理器的 Mac"),
    ("Apple silicon", "Apple 芯片"),
    ("free-threaded Python", "自由线程版 Python"),
    ("a C++ compiler", "C++ 编译器"),
)
_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class Applicability:
    """Whether a statement applies to a machine.

    Attributes:
        result: the result, see `LABELS`.
        reasons: one line each, in both languages.
    """

    result: Result
    reasons: tuple[Words, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        reasons = [dict(reason) for reason in self.reasons]
        return {"result": self.result, "label": dict(LABELS[self.result]), "reasons": reasons}


def applies(found: Sequence[Condition], machine: Machine) -> Applicability | None:
    """Evaluate the conditions of a sentence on a machine.

    A release that is new enough is not sufficient to say that a statement applies; one that is too old is
    sufficient to say that it does not.

    Args:
        found: conditions of the sentence.
        machine: the machine.

    Returns:
        The result, None if the conditions say nothing about the machine.
    """
    met = [(condition, _met(condition, machine)) for condition in found]
    if all(condition.group == "torch" for condition in found):
        met = [(condition, answer) for condition, answer in met if answer is False]
    if not met:
        return None
    failing = [condition for condition, answer in met if answer is False]
    unknown = [condition for condition, answer in met if answer is None]
    if failing:
        measured = all(condition.side == "measured" for condition in failing)
        return Applicability("measured-elsewhere" if measured else "not-here", _reasons(failing, machine))
    if unknown:
        return Applicability("unknown", _reasons(unknown, machine))
    return Applicability("applies", _reasons([c for c in found if c.group != "torch"], machine))


def _met(condition: Condition, machine: Machine) -> bool | None:
    """Return whether one of the alternatives holds; None if one may hold."""
    answers = {holds(place, machine) for place in condition.places}
    return True if True in answers else None if None in answers else False


def _reasons(found: Sequence[Condition], machine: Machine) -> tuple[Words, ...]:
    return tuple(_reason(condition, machine) for condition in found)


def _reason(condition: Condition, machine: Machine) -> Words:
    held = next((place for place in condition.places if holds(place, machine)), condition.places[0])
    said = _SINCE if condition.group == "torch" else _SAID[condition.side]
    told = here(held, machine)
    return {
        "en": said["en"].format(_names(condition.places, " or "), told["en"]),
        "zh": said["zh"].format(_chinese(_names(condition.places, " 或 ")), told["zh"]),
    }


def _names(places: Sequence[MachineFeature], joint: str) -> str:
    names = list(dict.fromkeys(place.name for place in places))
    return joint.join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")


def _chinese(names: str) -> str:
    for english, chinese in _CHINESE:
        names = names.replace(english, chinese)
    return names
