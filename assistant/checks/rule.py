"""Rules that decide whether a claim is confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ingest.document import Language

Value = bool | int | float | str


@dataclass(frozen=True, slots=True)
class RatioRule:
    """A condition on a ratio: how many times faster the candidate is than the baseline.

    Attributes:
        name: name of the ratio in the program's output.
        confirm_min: confirmed if every repeat is above it.
        refute_max: not confirmed if every repeat is below it.
    """

    name: str
    confirm_min: float
    refute_max: float = 1.0


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions on a program's output. In addition, all comparisons must agree; they are checked first.

    Attributes:
        facts: required values.
        at_least: lower bounds of numeric facts.
        at_most: upper bounds of numeric facts.
        ratios: conditions on ratios.
    """

    facts: Mapping[str, Value]
    at_least: Mapping[str, float]
    at_most: Mapping[str, float]
    ratios: tuple[RatioRule, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all facts and ratios that the program must write."""
        return *self.facts, *self.at_least, *self.at_most, *(ratio.name for ratio in self.ratios)

    def words(self, language: Language) -> str:
        """Return the rule in words.

        Args:
            language: language of the text.
        """
        return ("；" if language == "zh" else "; ").join(self._parts(language))

    def _parts(self, language: Language) -> list[str]:
        zh = language == "zh"
        parts = ["所有比较结果在误差范围内一致" if zh else "all compared results agree within their limits"]
        signs = [(self.facts, "="), (self.at_least, "≥"), (self.at_most, "≤")]
        for bounds, sign in signs:
            parts += [f"{_quoted(name, language)} {sign} {_value(value)}" for name, value in bounds.items()]
        for ratio in self.ratios:
            name = _quoted(ratio.name, language)
            if zh:
                parts.append(f"{name}：每次重复都大于 {ratio.confirm_min:g} 才算证实")
                parts.append(f"每次都小于 {ratio.refute_max:g} 则算未证实，其余为无法判定")
            else:
                parts.append(f"{name}: confirmed if every repeat is above {ratio.confirm_min:g}")
                parts.append(f"not confirmed if every one is below {ratio.refute_max:g}, else inconclusive")
        return parts


def _quoted(name: str, language: Language) -> str:
    return f"“{name}”" if language == "zh" else f'"{name}"'


def _value(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
