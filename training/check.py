"""Check the training data: `python -m training.check`, exit code 1 when a row is wrong.

Each section exists, each answer opens a sentence of it, no text stands twice, the held-out part is that of
the sections, and no text is one of those that quality is measured on.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from training.rows import DATA, Row, digest_sentences, is_held_out, read_rows

_SHINGLE = 4  # words, or characters of Chinese
_LEAKED = 0.6  # share of a question's shingles that a row may not have
_EVAL = Path(__file__).resolve().parents[2] / "shared" / "eval"


def problems(rows: Iterable[Row], measured: Iterable[str] = ()) -> Iterator[str]:
    """Say what is wrong with rows, a line each.

    Args:
        rows: of the training data.
        measured: questions and statements that quality is measured on.
    """
    seen: dict[str, str] = {}
    index = _shingle_index(measured)
    for row in rows:
        folded = re.sub(r"\W+", "", row.text.lower()) + "|".join(row.history)
        if folded in seen:
            yield f"{row.id}: the text of {seen[folded]}"
        seen[folded] = row.id
        yield from _section_problems(row)
        if (leaked := _leaked(row.text, index)) is not None:
            yield f"{row.id}: like a measured one: {leaked[:80]}"


def _section_problems(row: Row) -> Iterator[str]:
    sentences = digest_sentences(row.view)
    unknown = [name for name in row.sections if name not in sentences]
    if unknown:
        yield f"{row.id}: no section {', '.join(unknown)}"
        return
    if row.sections and {is_held_out(name) for name in row.sections} != {row.held_out}:
        yield f"{row.id}: held_out is not that of its sections"
    if row.answers and len(row.answers) != len(row.sections):
        yield f"{row.id}: {len(row.answers)} lists of answers for {len(row.sections)} sections"
    for name, openings in zip(row.sections, row.answers, strict=False):
        for each in openings:
            if sum(sentence.startswith(each) for sentence in sentences[name]) != 1:
                yield f"{row.id}: not one sentence of {name} opens so: {each}"
    decided = row.kind == "question" or "unsaid" not in (row.polarity, row.verdict)
    if row.kind != "unanswerable" and decided and not all(row.answers):
        yield f"{row.id}: no answer"


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of four words of a text; of Chinese, of four characters."""
    words = re.findall(r"[\u4e00-\u9fff]|\w+(?:[.]\w+)*", text.lower())
    return frozenset(tuple(words[i : i + _SHINGLE]) for i in range(len(words) - _SHINGLE + 1))


def _shingle_index(texts: Iterable[str]) -> dict[tuple[str, ...], list[tuple[str, int]]]:
    index: dict[tuple[str, ...], list[tuple[str, int]]] = {}
    for text in texts:
        found = shingles(text)
        for each in found:
            index.setdefault(each, []).append((text, len(found)))
    return index


def _leaked(text: str, index: dict[tuple[str, ...], list[tuple[str, int]]]) -> str | None:
    """Return the measured text that shares most of its shingles with a text; None where none does."""
    shared = Counter(other for each in shingles(text) for other in index.get(each, ()))
    return next((other for (other, size), count in shared.most_common() if count > _LEAKED * size), None)


def measured_texts(folder: Path) -> list[str]:
    """Return the questions and statements of the files that quality is measured on; none without them."""
    rows = [
        json.loads(line)
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    return [str(row.get("question") or row.get("sentence")) for row in rows]


def main(arguments: list[str] | None = None) -> int:
    """Check all rows, or print some of them to read.

    Args:
        arguments: of the command line.

    Returns:
        0 where nothing is wrong, else 1.
    """
    parser = argparse.ArgumentParser(description="Check the training data, or draw rows to read.")
    parser.add_argument("--sample", type=int, metavar="N", help="print N rows with their sentences instead")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    rows = list(read_rows(DATA))
    if options.sample:
        for row in random.Random(options.seed).sample(rows, options.sample):
            print(_shown(row), end="\n\n")
        return 0
    found = list(problems(rows, measured_texts(_EVAL)))
    print(*found, sep="\n")
    for name in ("kind", "language", "style", "polarity", "verdict", "fault", "held_out"):
        print(
            name,
            dict(Counter(str(getattr(row, name)) for row in rows if getattr(row, name) != "").most_common()),
        )
    print(f"{len(rows)} rows, {len(found)} wrong" + ("" if _EVAL.is_dir() else "; nothing to compare with"))
    return 1 if found else 0


def _shown(row: Row) -> str:
    told = row.polarity or row.verdict or row.style
    lines = [
        f"{row.id} {row.kind} {told} {row.fault} {row.sections}",
        *(f"  before: {q}" for q in row.history),
    ]
    lines.append(f"  {row.text}")
    for name, openings in zip(row.sections, row.answers, strict=False):
        sentences = digest_sentences(row.view)[name]
        lines += [f"  > {s}" for each in openings for s in sentences if s.startswith(each)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
