"""Would a linear map of the question's vector find more? Trained on some questions, tried on others.

    python -m benchmarks.adapter TRAINING.jsonl OTHER.jsonl

Trains W on the first three quarters of the first file, so that W times the vector of a question is near the
chunks with its evidence (a softmax over the chunks of the releases it names, W kept near the identity), and
prints how high the first such chunk stands by the vectors alone: on the last quarter and on the other file.
Asks the index that the settings name. Nothing of it ships: docs/quality.md says why.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from assistant.assistant import Assistant
from assistant.evaluation.loader import read_questions
from assistant.evaluation.scoring import fold
from assistant.factory import AssistantFactory
from assistant.settings import load_settings

Floats = NDArray[np.float32]
_TEMPERATURE = 0.03
_NEAR_IDENTITY = 0.1
_RATE = 1e-4
_EPOCHS = 6
_TOP = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A question's vector, the chunks that it is looked for in, and which of them hold its evidence."""

    vector: Floats
    scope: NDArray[np.int64]
    good: NDArray[np.bool_]


def main() -> int:
    """Train, measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("training", type=Path)
    parser.add_argument("other", type=Path)
    options = parser.parse_args()
    torch.manual_seed(0)
    assistant = AssistantFactory(load_settings()).assistant()
    chunks = assistant.retriever.generation.chunk_vectors
    vectors = chunks.rows(np.arange(len(assistant.retriever.generation.chunks), dtype=np.int64))
    training, other = cases(assistant, options.training), cases(assistant, options.other)
    kept = len(training) * 3 // 4
    identity = np.eye(vectors.shape[1], dtype=np.float32)
    trained = train(training[:kept], vectors)
    print(f"{'recall@5 / reciprocal rank':28}{'held out':>16}{options.other.stem:>16}")
    for name, matrix in (("as embedded", identity), ("through the adapter", trained)):
        told = (measure(part, vectors, matrix) for part in (training[kept:], other))
        print(f"{name:28}" + "".join(f"{cell:>16}" for cell in told))
    return 0


def cases(assistant: Assistant, path: Path) -> list[Case]:
    """The questions of a file that one chunk of their releases answers."""
    generation = assistant.retriever.generation
    releases = [generation.documents[chunk.document_id].release for chunk in generation.chunks]
    texts = [fold(generation.documents[c.document_id].text[c.start : c.end]) for c in generation.chunks]
    out = []
    for question in read_questions([path]):
        asked = assistant.candidates(question.text, question.history).question
        inside = [not asked.releases or release in asked.releases for release in releases]
        scope = np.flatnonzero(inside).astype(np.int64)
        good = [
            any(
                evidence.release == releases[row]
                and all(any(fold(form) in texts[row] for form in forms) for forms in evidence.keys)
                for evidence in question.evidence
            )
            for row in scope.tolist()
        ]
        if any(good):
            vector = assistant.embedder.encode_query(asked.standalone)
            out.append(Case(vector, scope, np.array(good, np.bool_)))
    return out


def train(training: Sequence[Case], vectors: Floats) -> Floats:
    """The map, (dimension, dimension)."""
    shift = torch.zeros(vectors.shape[1], vectors.shape[1], requires_grad=True)
    optimizer = torch.optim.Adam([shift], lr=_RATE)
    chunks = torch.from_numpy(vectors)
    order = np.random.default_rng(0)
    for _ in range(_EPOCHS):
        for number in order.permutation(len(training)):
            case = training[number]
            question = torch.from_numpy(case.vector)
            moved = question + shift @ question
            scores = chunks[case.scope] @ (moved / moved.norm()) / _TEMPERATURE
            missed = torch.logsumexp(scores, 0) - torch.logsumexp(scores[torch.from_numpy(case.good)], 0)
            loss = missed + _NEAR_IDENTITY * (shift**2).sum()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    matrix: Floats = np.eye(vectors.shape[1], dtype=np.float32) + shift.detach().numpy()
    return matrix


def measure(asked: Sequence[Case], vectors: Floats, matrix: Floats) -> str:
    """The share of questions with evidence among the first chunks, and the mean reciprocal rank of it."""
    places = [
        int(np.flatnonzero(case.good[np.argsort(-(vectors[case.scope] @ (matrix @ case.vector)))])[0])
        for case in asked
    ]
    first = np.mean([place < _TOP for place in places])
    return f"{first:.3f} / {np.mean([1 / (1 + place) for place in places]):.3f}"


if __name__ == "__main__":
    raise SystemExit(main())
