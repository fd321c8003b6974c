"""Coverage-guided fuzzing of one target: `python -m fuzz question 2000000`, or `make fuzz`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["assistant", "corpus", "index", "ingest", "ui"]):
    from fuzz.seeds import SEEDS
    from fuzz.targets import TARGETS

_LONGEST = 512  # bytes of an input; time is measured apart, on long ones
_SECONDS = 10  # for one input: what takes longer is a failure


def main() -> None:
    """Fuzz a target until it fails or has run so often."""
    name, runs, *more = sys.argv[1:]
    target = TARGETS[name]

    def once(data: bytes) -> None:
        target(data.decode("utf-8", "surrogateescape" if data[:1] == b"\xff" else "replace"))

    for seed in SEEDS[name]:
        target(seed)  # dictionaries are read first: that takes seconds
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate(SEEDS[name]):
            Path(folder, str(number)).write_bytes(seed.encode())
        options = [f"-runs={runs}", f"-max_len={_LONGEST}", f"-timeout={_SECONDS}", "-rss_limit_mb=2048"]
        atheris.Setup([sys.argv[0], folder, *options, "-print_final_stats=1", *more], once)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
