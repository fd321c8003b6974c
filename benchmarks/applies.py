"""How right are the marks of "does this apply to me?"?

    python -m benchmarks.applies [--set held_out] [--misses]

Reads labelled sentences (tests/quality/applies.jsonl, applies_held_out.jsonl, applies_fresh.jsonl), each with
the mark that it deserves on each of ten machines (tests/quality/machines.json), and prints precision and
recall by mark. A mark that is given is right when it is the one wanted; where none is wanted, every mark is
wrong.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.applicability.applicability import Result, applies
from assistant.applicability.reading import conditions
from assistant.checks.machine import Machine
from benchmarks.table import markdown
from ingest.release import Release

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "quality"
LETTERS: Mapping[str, Result | None] = {
    "A": "applies",
    "N": "not-here",
    "E": "measured-elsewhere",
    "U": "unknown",
    "-": None,
}
SETS = ("held_out", "fresh", "drawn")
RESULTS: tuple[Result, ...] = ("applies", "not-here", "measured-elsewhere", "unknown")


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence on a machine, with the mark wanted and the one given."""

    sentence: str
    machine: str
    wanted: Result | None
    given: Result | None


def machines(path: Path = FOLDER / "machines.json") -> dict[str, Machine]:
    """The machines by name, in the order of the letters of a label."""
    rows: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return {name: _machine(row) for name, row in rows.items()}


def _machine(row: dict[str, Any]) -> Machine:
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    return Machine(**fields)


def marked(path: Path) -> Iterator[Marked]:
    """Every sentence of a file on every machine."""
    known = machines()
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for letter, (name, machine) in zip(row["marks"], known.items(), strict=True):
            told = applies(conditions(row["sentence"], Release.parse(row["release"])), machine)
            yield Marked(row["sentence"], name, LETTERS[letter], told.result if told else None)


def precision(found: list[Marked], result: Result | None = None) -> float:
    """The share of the marks given that are right, of one result or of all."""
    given = [each for each in found if each.given and result in (None, each.given)]
    return sum(each.given == each.wanted for each in given) / len(given) if given else 1.0


def recall(found: list[Marked], result: Result | None = None) -> float:
    """The share of the marks wanted that are given, of one result or of all."""
    wanted = [each for each in found if each.wanted and result in (None, each.wanted)]
    return sum(each.given == each.wanted for each in wanted) / len(wanted) if wanted else 1.0


def table(found: list[Marked]) -> str:
    """Precision and recall by mark, with the counts."""
    wanted, given = Counter(each.wanted for each in found), Counter(each.given for each in found)
    rows = [
        [
            name,
            str(wanted[name]),
            str(given[name]),
            f"{precision(found, name):.3f}",
            f"{recall(found, name):.3f}",
        ]
        for name in RESULTS
    ]
    counts = [str(sum(count[name] for name in RESULTS)) for count in (wanted, given)]
    rows.append(["all", *counts, f"{precision(found):.3f}", f"{recall(found):.3f}"])
    return markdown(["mark", "wanted", "given", "precision", "recall"], rows)


def main() -> int:
    """Score and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--set", choices=SETS, default="", help="which sentences; those looked at otherwise")
    parser.add_argument(
        "--misses", action="store_true", help="print each sentence with a wrong or missing mark"
    )
    options = parser.parse_args()
    name = f"applies{'_' if options.set else ''}{options.set}.jsonl"
    found = list(marked(FOLDER / name))
    letters = {result: letter for letter, result in LETTERS.items()}
    if options.misses:
        sentences: dict[str, list[Marked]] = {}
        for each in found:
            sentences.setdefault(each.sentence, []).append(each)
        for sentence, on in sentences.items():
            wanted = "".join(letters[each.wanted] for each in on)
            given = "".join(letters[each.given] for each in on)
            if wanted != given:
                print(f"{wanted} {given} {sentence}")
    print(
        f"{name}: {len(found) // len(machines())} sentences on {len(machines())} machines\n\n{table(found)}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
