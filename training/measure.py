"""Ask the questions of the sections that are held out (`make held-out`).

No learned part saw the questions of these sections, but for the weights of `make fusion`, and what the writer
of a question wrote is not known when it is asked. Prints, for each style: whether a section that answers is
among the first five passages, is cited first, and is cited at all; whether a sentence that answers is quoted,
where the answer is in the language in which the row names it; and how many questions are declined, of those
that the notes answer and of those that they do not.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant.answer import Answer
from assistant.factory import AssistantFactory
from assistant.retrieval.known_questions import section_name
from assistant.settings import Settings
from training.questions import unknown_to
from training.rows import Row, is_answered, read_rows

_TOP = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question that the notes answer; `quoted` is None where it cannot be told."""

    found: bool
    cited_first: bool
    cited: bool
    quoted: bool | None
    declined: bool


def main() -> int:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--questions", type=int, default=400, help="how many are drawn, always the same ones")
    parser.add_argument("--misses", type=int, default=0, help="how many that went wrong are printed")
    parser.add_argument("--answers", type=int, default=0, help="how many answers are printed whole")
    parser.add_argument(
        "--home", type=Path, help="of an index of the shipped digests; made where there is none"
    )
    given = parser.parse_args()
    rows = [row for row in read_rows() if row.held_out and _is_asked(row)]
    rows = random.Random(0).sample(rows, min(given.questions, len(rows)))
    with tempfile.TemporaryDirectory() as home:
        assistant = AssistantFactory(Settings(home=given.home or Path(home))).assistant()
        told = [(row, other.ask(row.text, history=row.history)) for other, row in unknown_to(assistant, rows)]
    outcomes = [(row, outcome(row, answer)) for row, answer in told if is_answered(row)]
    styles: dict[str, list[Outcome]] = {}
    for row, got in outcomes:
        styles.setdefault(row.style or row.kind, []).append(got)
    for style, some in [*sorted(styles.items()), ("all", [got for _, got in outcomes])]:
        sys.stdout.write(f"{style:9}{shares(some)}\n")
    silent = [answer.abstained for row, answer in told if not is_answered(row)]
    sys.stdout.write(f"not answered by the notes: declined {np.mean(silent):.3f}, {len(silent)} questions\n")
    wrong = [
        (row, answer) for row, answer in told if is_answered(row) and not outcome(row, answer).cited_first
    ]
    for row, answer in wrong[: given.misses]:
        first = answer.citations[0].passage if answer.citations else None
        where = "declined" if answer.abstained else section_name(first) if first else "no citation"
        sys.stdout.write(f"{row.id} {row.text}\n    wanted {', '.join(row.sections)}, got {where}\n")
    for row, answer in told[: given.answers]:
        asked = " / ".join([*row.history, row.text])
        sys.stdout.write(f"\n## {row.id} {asked}\n\n{answer.text}\n")
    return 0


def outcome(row: Row, answer: Answer) -> Outcome:
    """Compare an answer with the sections and sentences that the row names."""
    cited = [section_name(citation.passage) in row.sections for citation in answer.citations]
    openings = tuple(opening for section in row.answers for opening in section)
    return Outcome(
        found=any(section_name(passage) in row.sections for passage in answer.passages[:_TOP]),
        cited_first=any(cited[:1]) and not answer.abstained,
        cited=any(cited) and not answer.abstained,
        quoted=_quotes(answer, openings) if answer.language == row.view else None,
        declined=answer.abstained,
    )


def shares(outcomes: Sequence[Outcome]) -> str:
    """Return the share of each outcome as one line."""
    fields = ("found", "cited_first", "cited", "quoted", "declined")
    told = {name: [getattr(one, name) for one in outcomes] for name in fields}
    parts = [f"{name} {np.mean([v for v in told[name] if v is not None]):.3f}" for name in fields]
    return f"{', '.join(parts)}, {len(outcomes)} questions"


def _quotes(answer: Answer, openings: tuple[str, ...]) -> bool:
    return not answer.abstained and any(citation.quote.startswith(openings) for citation in answer.citations)


def _is_asked(row: Row) -> bool:
    return row.kind in ("question", "polar", "unanswerable")


if __name__ == "__main__":
    raise SystemExit(main())
