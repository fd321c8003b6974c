"""How the index grows: 1 k, 10 k, 100 k and 1 M chunks, made by repeating real ones and perturbing each copy.

    python -m benchmarks.growth [FOLDER ...] [--sizes 1000 10000 100000 1000000] [--scratch DIRECTORY]

The originals are the digests that ship, and the documents of the folders given; the questions are those of
`tests/quality/questions.jsonl`, as the assistant asks them of its index. Of each size the index is built,
opened and asked by the product's own classes, every step in a process of its own. Nothing is embedded anew:
copies take their original's vector with noise (see `benchmarks/copies.py`). A query is a retrieval: dense,
lexical and fused, without the embedding of the question. It takes one thread: on a busy machine its processor
time is nearer to what it takes on a quiet one. One million chunks take a quarter of an hour, 18 GB of memory
and 25 GB of disk.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.table import markdown, megabytes, milliseconds

ROOT = Path(__file__).resolve().parents[1]
SIZES = (1_000, 10_000, 100_000, 1_000_000)
HEADER = (
    *(
        "chunks",
        "sentences",
        "query p50, ms",
        "p95, ms",
        "processor p50, ms",
        "neighbours found",
        "one document changed, s",
    ),
    *("build, s", "of it vectors", "terms", "writing", "open, s", "memory serving, MB", "index, MB"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure every size and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="*", help="documents to repeat, beside the digests")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of chunks")
    parser.add_argument("--scratch", type=Path, help="where to write the indexes (the temporary folder)")
    parser.add_argument(
        "--changed-up-to", type=int, default=100_000, help="largest index to change a document of"
    )
    options = parser.parse_args(arguments)
    rows = []
    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        home = Path(scratch) / "originals"
        home.mkdir()
        measure(home, home, 0, ["prepare"], options.folders)
        for size in options.sizes:
            steps = ["build", "ask", *(["change"] if size <= options.changed_up_to else [])]
            with tempfile.TemporaryDirectory(dir=scratch) as folder:
                rows.append(row(size, measure(Path(folder), home, size, steps)))
            sys.stderr.write(" | ".join(rows[-1]) + "\n")
    print(markdown(HEADER, rows))
    return 0


def measure(
    folder: Path, home: Path, size: int, steps: Sequence[str], documents: Sequence[Path] = ()
) -> dict[str, Any]:
    """The figures of some steps. This process stays small: its peak of memory would count as theirs."""
    task = {"home": str(home), "size": size, "documents": [str(path.resolve()) for path in documents]}
    (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
    figures: dict[str, Any] = {}
    for step in steps:
        command = [sys.executable, "-m", "benchmarks.growth_steps", step, str(folder)]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8")
        figures |= json.loads(done.stdout.splitlines()[-1])
    return figures


def row(size: int, figures: Mapping[str, Any]) -> list[str]:
    """A line of the table."""
    changed = figures.get("change")
    return [
        f"{size:,}",
        f"{figures['sentences']:,}",
        milliseconds(figures["p50"]),
        milliseconds(figures["p95"]),
        milliseconds(figures["processor"]),
        f"{figures['found']:.3f}",
        "–" if changed is None else f"{changed:.2f} (embedding {figures['change_embedding']:.2f})",
        f"{figures['build']:.1f}",
        f"{figures['build_vectors']:.1f}",
        f"{figures['build_terms']:.1f}",
        f"{figures['build_write']:.1f}",
        f"{figures['open']:.2f}",
        megabytes(figures["memory"]),
        megabytes(figures["bytes"]),
    ]


if __name__ == "__main__":
    raise SystemExit(main())
