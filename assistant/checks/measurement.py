"""What a program said: facts, comparisons and ratios, read from its lines."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from assistant.checks.rule import Value

#: Two threads that wait for a busy neighbour take whole slices of the scheduler, of this many seconds.
SLICE = 0.004
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
    """Read the lines of a program; lines that are not of the protocol (torch's own) are passed over."""
    facts: dict[str, Value] = {}
    comparisons: list[Comparison] = []
    ratios: dict[str, Ratio] = {}
    missing, failed = ("", ""), ""
    for record in _records(stdout):
        if "fact" in record:
            facts[record["fact"]] = record["value"]
        elif "equal" in record:
            comparisons.append(Comparison(record["equal"], record["difference"], record["limit"]))
        elif record.get("ratio") and record["values"]:
            ratios[record["ratio"]] = _ratio(record)
        elif "missing" in record:
            missing = (record["missing"], record["why"])
        elif "failed" in record:
            failed = record["failed"]
    return Measurements(facts, tuple(comparisons), ratios, missing, failed)


def _records(stdout: str) -> Iterator[dict[str, Any]]:
    for line in stdout.splitlines():
        if line.startswith("{"):
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue  # cut off, or not ours: what the rule misses is told by the verdict
            if isinstance(record, dict):
                yield record


def _ratio(record: Mapping[str, Any]) -> Ratio:
    times = (tuple(map(float, record.get(f"{which}_seconds", ()))) for which in ("baseline", "candidate"))
    baseline, candidate = times
    values = tuple(map(float, record["values"]))
    return Ratio(record["ratio"], values, baseline, candidate, int(record.get("threads", 1)))


def _whole_slices(seconds: float) -> bool:
    slices = round(seconds / SLICE)
    return slices >= 1 and math.isclose(seconds, slices * SLICE, rel_tol=0, abs_tol=_NEAR)
