"""Any other embedding model, through sentence-transformers: by hub name or folder."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from index.embedding.base import (
    DEFAULT_EMBEDDER,
    Embedder,
    Progress,
    Vectors,
    encode_sorted,
    patient_threads,
    plain_text,
)
from ingest.errors import EmbedderError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_BATCH_BYTES = 4_096  # some 1,000 tokens: what a layer reads and writes then stays in the caches of a core
_GPU_BATCH_BYTES = 65_536
_UNLIMITED = 1 << 20  # tokens; for models that name no limit


class SentenceTransformerEmbedder(Embedder):
    """A sentence-transformers model; its prompts for queries and documents are honoured.

    Args:
        name_or_path: a name on the hub, such as "BAAI/bge-m3", or a folder.
        device: "cpu", "cuda", "mps", ...; None takes the best there is.

    Raises:
        EmbedderError: the package or the model is missing, or the model cannot be downloaded.
    """

    def __init__(self, name_or_path: str, device: str | None = None) -> None:
        self._model = _load(name_or_path, device)
        dimension = self._model.get_embedding_dimension()
        if dimension is None:
            dimension = len(self._model.encode_query([""], show_progress_bar=False)[0])
        self._dimension = dimension
        dtype = str(self._model.dtype or "float32").removeprefix("torch.")
        self._name = f"{_label(name_or_path)}-{dtype}-{_fingerprint(self._model)}"
        self._max_tokens = max(1, (self._model.max_seq_length or _UNLIMITED) - self._frame_tokens())

    @property
    def name(self) -> str:
        """The model's name, precision and a digest of weights and prompts, the same wherever it lies."""
        return self._name

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return self._dimension

    @property
    def max_tokens(self) -> int:
        """The model's limit less special tokens and its longest prompt."""
        return self._max_tokens

    def encode_query(self, text: str) -> Vectors:
        """Embed one question with the model's query prompt.

        Args:
            text: the question.
        """
        rows = self._model.encode_query(
            [plain_text(text)], normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(rows[0], dtype=np.float32)

    def encode_documents(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Embed documents with the model's document prompt, the longest first.

        Args:
            texts: the texts.
            progress: called with how many texts are done.
        """

        def encode(batch: list[str]) -> Vectors:
            return np.asarray(
                self._model.encode_document(
                    batch, batch_size=len(batch), normalize_embeddings=True, show_progress_bar=False
                ),
                dtype=np.float32,
            )

        texts = [plain_text(text) for text in texts]
        lengths = [len(text.encode()) for text in texts]
        room = _GPU_BATCH_BYTES if self._model.device.type == "cuda" else _BATCH_BYTES
        return encode_sorted(texts, lengths, room, encode, self.dimension, progress)

    def count_tokens(self, text: str) -> int:
        """Tokens of a text by the model's own tokenizer.

        Args:
            text: the text.
        """
        return self._count(plain_text(text))

    def _count(self, text: str, *, specials: bool = False) -> int:
        from transformers import PreTrainedTokenizerBase

        tokenizer = self._model.tokenizer
        if isinstance(tokenizer, PreTrainedTokenizerBase):
            # Not verbose: a text longer than the model's limit is the splitter's daily bread.
            return len(tokenizer(text, add_special_tokens=specials, verbose=False)["input_ids"])
        return len(tokenizer.encode(text, add_special_tokens=specials).ids)

    def _frame_tokens(self) -> int:
        prompts = [prompt for prompt in self._model.prompts.values() if prompt]
        return self._count("", specials=True) + max((self._count(prompt) for prompt in prompts), default=0)


def _load(name_or_path: str, device: str | None) -> SentenceTransformer:
    try:
        with patient_threads():
            from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise EmbedderError(
            f"embedder {name_or_path!r}: sentence-transformers is not installed; type "
            f"`pip install sentence-transformers`, or use TORCHNOTES_EMBEDDER={DEFAULT_EMBEDDER}"
        ) from error
    folder = Path(name_or_path).expanduser()
    path_like = name_or_path.startswith((".", "~")) or folder.is_absolute()
    if path_like and not folder.is_dir():
        raise EmbedderError(f"embedder {name_or_path!r}: there is no such folder; {_ALLOWED}")
    try:
        if folder.is_dir():
            return SentenceTransformer(str(folder), device=device)
        try:  # what was downloaded before needs no network
            return SentenceTransformer(name_or_path, device=device, local_files_only=True)
        except OSError:
            _ask_hub(name_or_path)
            return SentenceTransformer(name_or_path, device=device)
    except Exception as error:
        # A folder without a model, an unknown name, no network, an unknown device: each library and each of
        # its versions has types of its own.
        raise EmbedderError(f"embedder {name_or_path!r}: {_first_line(error)}; {_ALLOWED}") from error


def _ask_hub(name: str) -> None:
    """Fail at once where there is no network or no such model; a download retries for over a minute."""
    from huggingface_hub import model_info, repo_exists

    # sentence-transformers looks for a name without an owner among its own models first.
    own = f"sentence-transformers/{name}"
    try:
        if "/" in name or not repo_exists(own):
            model_info(name, timeout=10)
    except Exception as error:  # of the HTTP client's own type, which changed between versions of the hub's
        reason = f"it was not downloaded before and the hub does not give it ({_first_line(error)})"
        raise EmbedderError(reason) from error


_ALLOWED = (
    f'give "{DEFAULT_EMBEDDER}" (ships, offline), a folder that holds a sentence-transformers model, or a '
    f"hub name that can be downloaded; for the first set TORCHNOTES_EMBEDDER={DEFAULT_EMBEDDER}"
)


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].rstrip(".;:")[:200]


def _label(name_or_path: str) -> str:
    folder = Path(name_or_path).expanduser()
    return folder.resolve().name if folder.is_dir() else name_or_path


def _fingerprint(model: SentenceTransformer) -> str:
    """Eight hex digits over a sample of every tensor, the prompts and the length limit."""
    digest = hashlib.sha256(repr((sorted(model.prompts.items()), model.max_seq_length)).encode())
    for key, tensor in sorted(model.state_dict().items()):
        digest.update(f"{key}{tuple(tensor.shape)}".encode())
        digest.update(tensor.flatten()[:64].float().cpu().numpy().tobytes())
    return digest.hexdigest()[:8]
