"""What a program said: facts, comparisons and ratios, read from its lines."""

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

#: Two threads that wait for a busy neighbour take whole slices of the scheduler, of this many seconds.
SLICE = 0.004
#: Records of the protocol that are read; none of the checks tells a tenth of it.
MOST = 500
_KINDS = {"fact", "equal", "ratio", "missing", "failed"}
_MOST_THREADS = 4096
_NEAR = 0.00015  # seconds: how near to a whole number of slices a median has to be to look like them


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two results that have to agree: the largest absolute difference, and how large it may be."""

    name: str
    difference: float
    limit: float

    @property
    def holds(self) -> bool:
        """Whether they agree; what is no number does not."""
        return self.difference <= self.limit


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times faster a candidate is than a baseline, over repeats that took turns.

    Attributes:
        name: what is compared.
        values: one a repeat, in the order measured.
        baseline_seconds: of a call, in each repeat; empty where they are not known.
        candidate_seconds: likewise.
        threads: with how many the measured process computed.
    """

    name: str
    values: tuple[float, ...]
    baseline_seconds: tuple[float, ...] = ()
    candidate_seconds: tuple[float, ...] = ()
    threads: int = 1

    @property
    def minimum(self) -> float:
        """The least of the repeats."""
        return min(self.values)

    @property
    def median(self) -> float:
        """The middle of the repeats."""
        return median(self.values)

    @property
    def maximum(self) -> float:
        """The greatest of the repeats."""
        return max(self.values)

    @property
    def suspect(self) -> bool:
        """Whether the times look like those of threads that waited, and not of work.

        With several threads, each parallel operation beside a busy neighbour lasts whole slices of the
        scheduler. The ratios are then tidy (1.000, 2.000, 0.667, all repeats alike) and say nothing.
        """
        if self.threads < 2:
            return False
        medians = [median(s) for s in (self.baseline_seconds, self.candidate_seconds) if s]
        alike = self.maximum - self.minimum < 0.001 * self.maximum
        return alike or any(_whole_slices(seconds) for seconds in medians)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
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
    """All that a program said.

    Attributes:
        facts: what it saw, by name.
        comparisons: in the order told.
        ratios: by name.
        missing: what the machine lacks and why, "" where nothing.
        failed: the error that the program broke off with, "" where it did not.
    """

    facts: Mapping[str, Value]
    comparisons: tuple[Comparison, ...]
    ratios: Mapping[str, Ratio]
    missing: tuple[str, str] = ("", "")
    failed: str = ""


def read(stdout: str) -> Measurements:
    """Read the lines of a program; lines that are not of the protocol (torch's own) are passed over.

    What is of the protocol but makes no sense, or does not end, counts as broken off: a program that tells
    such things may have meant to tell others as well.
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
    """Those of the protocol; what is cut off, or not ours, is passed over: the verdict tells what misses."""
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
