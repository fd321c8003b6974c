"""Parsing of a check program's output: facts, comparisons and ratios."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from assistant.checks.rule import Value
from assistant.sandbox.reports import (
    any_number_of,
    number_of,
    numbers_of,
    record,
    text_of,
    value_of,
    whole_of,
)

#: Seconds of a scheduler time slice; threads that wait for a busy core take a multiple of it.
SLICE = 0.004
#: Maximum number of records; no check writes a tenth of it.
MOST = 500
_KINDS = {"fact", "equal", "ratio", "missing", "failed"}
_MOST_THREADS = 4096
_NEAR = 0.00015  # seconds: tolerance for a median to count as a whole number of slices


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two results that must agree.

    Attributes:
        name: what is compared.
        difference: largest absolute difference; may be infinite or NaN.
        limit: maximum difference.
    """

    name: str
    difference: float
    limit: float

    @property
    def holds(self) -> bool:
        """Whether they agree; NaN does not."""
        return self.difference <= self.limit


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times faster a candidate is than a baseline, measured alternately.

    Attributes:
        name: what is compared.
        values: ratio of each repeat, in the order measured.
        baseline_seconds: seconds of a call in each repeat; empty if unknown.
        candidate_seconds: seconds of a call in each repeat; empty if unknown.
        threads: number of threads of the measured process.
    """

    name: str
    values: tuple[float, ...]
    baseline_seconds: tuple[float, ...] = ()
    candidate_seconds: tuple[float, ...] = ()
    threads: int = 1

    @property
    def minimum(self) -> float:
        """Lowest value."""
        return min(self.values)

    @property
    def median(self) -> float:
        """Median of the values."""
        return median(self.values)

    @property
    def maximum(self) -> float:
        """Highest value."""
        return max(self.values)

    @property
    def suspect(self) -> bool:
        """Whether the times look like those of waiting threads.

        If a core is busy, each parallel operation of several threads takes whole time slices of the
        scheduler. The ratios are then round (1.000, 2.000, 0.667, all repeats equal) and meaningless.
        """
        if self.threads < 2:
            return False
        medians = [median(s) for s in (self.baseline_seconds, self.candidate_seconds) if s]
        alike = self.maximum - self.minimum < 0.001 * self.maximum
        return alike or any(_whole_slices(seconds) for seconds in medians)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return {
            "name": self.name,
            "min": self.minimum,
            "median": self.median,
            "max": self.maximum,
            "values": list(self.values),
            "baseline_seconds": list(self.baseline_seconds),
            "candidate_seconds": list(self.candidate_seconds),
            "threads": self.threads,
            "suspect": self.suspect,
        }


@dataclass(frozen=True, slots=True)
class Measurements:
    """The output of a check program.

    Attributes:
        facts: observed values by name.
        comparisons: comparisons, in the order written.
        ratios: ratios by name.
        missing: what the machine lacks, and why; "" if nothing.
        failed: error that stopped the program, "" if there was none.
    """

    facts: Mapping[str, Value]
    comparisons: tuple[Comparison, ...]
    ratios: Mapping[str, Ratio]
    missing: tuple[str, str] = ("", "")
    failed: str = ""


def read(stdout: str) -> Measurements:
    """Parse the output of a check program.

    Lines that are not records (such as torch's own output) are ignored. Invalid records, or too many, count
    as failure: the program may have meant to write more.

    Args:
        stdout: standard output of the program.
    """
    facts: dict[str, Value] = {}
    comparisons: list[Comparison] = []
    ratios: dict[str, Ratio] = {}
    missing, failed = ("", ""), ""
    for count, told in enumerate(_records(stdout)):
        if count == MOST:
            failed = failed or f"the program told more than {MOST} things"
            break
        try:
            if "fact" in told:
                facts[text_of(told["fact"])] = value_of(told["value"])
            elif "equal" in told:
                comparisons.append(_comparison(told))
            elif "ratio" in told:
                if (found := _ratio(told)).values:
                    ratios[found.name] = found
            elif "missing" in told:
                missing = (text_of(told["missing"]), text_of(told["why"]))
            elif "failed" in told:
                failed = text_of(told["failed"])
        except KeyError as error:
            failed = failed or f"the program told something without {error}"
        except ValueError as error:
            failed = failed or f"the program told {error}"
    return Measurements(facts, tuple(comparisons), ratios, missing, failed)


def _records(stdout: str) -> Iterator[Mapping[str, Any]]:
    """Yield the records; truncated and foreign lines are skipped, the verdict reports what is missing."""
    for line in stdout.splitlines():
        if line.startswith("{") and (found := record(line)) and _KINDS & found.keys():
            yield found


def _comparison(told: Mapping[str, Any]) -> Comparison:
    difference = any_number_of(told["difference"])
    if difference < 0:
        raise ValueError("a difference below 0")
    return Comparison(text_of(told["equal"]), difference, number_of(told["limit"], 0))


def _ratio(told: Mapping[str, Any]) -> Ratio:
    return Ratio(
        text_of(told["ratio"]),
        numbers_of(told["values"]),
        numbers_of(told.get("baseline_seconds", [])),
        numbers_of(told.get("candidate_seconds", [])),
        whole_of(told.get("threads", 1), 1, _MOST_THREADS),
    )


def _whole_slices(seconds: float) -> bool:
    slices = round(seconds / SLICE)
    return slices >= 1 and math.isclose(seconds, slices * SLICE, rel_tol=0, abs_tol=_NEAR)
