"""Score the assistant on a file of questions (`make eval`).

Builds an index of the shipped digests and of a folder of documents in a home that lives as long as the run,
and hands `assistant:ask` on it to a scoring script, which gets the rest of the arguments.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from assistant.assemble import Workshop
from assistant.settings import load_settings
from ingest.errors import TorchnotesError
from ingest.loaders import load

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, then score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "documents", type=Path, help="folder of documents to index beside the shipped digests"
    )
    parser.add_argument("scorer", type=Path, help="script that takes the questions and calls `assistant:ask`")
    parser.add_argument("questions", type=Path, nargs="+", help="questions, one JSON object a line")
    given, rest = parser.parse_known_args(arguments)
    for path in (given.documents, given.scorer, *given.questions):
        if not path.exists():
            parser.error(f"there is no {path}; give the folder, the script and the questions to score with")
    with tempfile.TemporaryDirectory() as home:
        report = Workshop(load_settings(home=Path(home))).update(list(load(given.documents, on_skip=skipped)))
        sys.stderr.write(f"indexed {len(report.added)} documents, {len(report.left_out)} left out\n")
        command = [sys.executable, str(given.scorer), *map(str, given.questions), *rest]
        environment = os.environ | {"TORCHNOTES_HOME": home}
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def skipped(error: TorchnotesError) -> None:
    """Tell of a document that cannot be read; the rest is scored."""
    sys.stderr.write(f"skipped: {error}\n")


if __name__ == "__main__":
    raise SystemExit(main())
