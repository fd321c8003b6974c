"""A light index for tests: an embedder made of hashes, a few documents, and a writer that can be killed.

Importable by name, since a writer runs in a process of its own.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from multiprocessing.synchronize import Event
from pathlib import Path

import numpy as np

from index.embedding.base import Embedder, Progress, Vectors
from index.storage.store import IndexBuilder, Store
from ingest.document import Document
from ingest.release import Release
from ingest.segment import Segmenter
from ingest.splitter import ReleaseNoteSplitter

DIMENSION = 16
WORDS = ("张量并行", "检查点")


class LightEmbedder(Embedder):
    """Unit vectors drawn from the hash of a text: equal texts, equal vectors; every text is counted."""

    def __init__(self, name: str = "light", dimension: int = DIMENSION) -> None:
        self._name = name
        self._dimension = dimension
        self.embedded: list[str] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def max_tokens(self) -> int:
        return 512

    def encode_query(self, text: str) -> Vectors:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        vector = np.random.default_rng(seed).standard_normal(self._dimension).astype(np.float32)
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)

    def encode_documents(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        self.embedded.extend(texts)
        if progress:
            progress(len(texts))
        rows = [self.encode_query(text) for text in texts]
        return np.stack(rows) if rows else np.empty((0, self._dimension), np.float32)

    def count_tokens(self, text: str) -> int:
        return len(text) // 3 + 1


@lru_cache(maxsize=1)
def segmenter() -> Segmenter:
    """One for all tests: jieba takes most of a second to get ready."""
    made = Segmenter(WORDS)
    made.terms("张量并行")
    return made


def make_builder(
    embedder: LightEmbedder, *, max_tokens: int = 120, words: Segmenter | None = None
) -> IndexBuilder:
    """A builder of small chunks."""
    words = words or segmenter()
    return IndexBuilder(
        ReleaseNoteSplitter(embedder.count_tokens, words, max_tokens=max_tokens), words, embedder
    )


def make_document(name: str, text: str, *, release: str = "2.4") -> Document:
    """A document of the user's own."""
    return Document(
        id=name,
        title=f"Notes {name}",
        url=f"https://example.org/{name}",
        release=Release.parse(release),
        kind="user",
        language="zh" if "。" in text else "en",
        date=date(2024, 7, 24),
        text=text,
        origin=f"notes/{name}.md",
    )


ENGLISH = """# PyTorch 2.4

## Python 3.12 support

`torch.compile` now works with Python 3.12. Before, it raised an error at import.

## TCPStore uses libuv

The default backend of TCPStore is libuv (#127957). Set `USE_LIBUV=0` to go back.

```python
store = TCPStore("localhost", 29500, is_master=True, use_libuv=False)
```

| Operator | Status |
| --- | --- |
| FlexAttention | prototype |
"""
CHINESE = """# PyTorch 2.4 发布说明

## [Beta] 张量并行

张量并行现在支持更多的并行方式。请使用 `parallelize_module` 来切分模型。

## 分布式检查点

- 检查点可以异步保存。
- 读取检查点时不再需要全部内存。
"""


def sample_documents() -> list[Document]:
    """Three documents in two languages."""
    older = "## New\n\nFSDP2 is a prototype. It shards each parameter by itself.\n"
    return [
        make_document("en-2.4", ENGLISH),
        make_document("zh-2.4", CHINESE),
        make_document("en-2.3", older, release="2.3"),
    ]


def changed_documents() -> list[Document]:
    """The same with one sentence changed in the first, the last gone under another name, and one more."""
    first, second, third = sample_documents()
    return [
        replace(first, text=ENGLISH.replace("raised an error at import", "failed at import")),
        second,
        replace(third, id="en-2.3-moved"),
        make_document("en-2.5", "## New\n\nFlexAttention runs on more devices.\n", release="2.5"),
    ]


def kill_at_touch(folder: Path, number: int) -> Callable[[], int]:
    """Kill this process before it touches a file of a folder (opening, renaming, ...) for the n-th time.

    Returns:
        Tells how often it did; a negative number kills never.
    """
    touches = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal touches
        watched = event == "open" or event.startswith(("os.", "shutil.", "sqlite3."))
        if watched and any(str(folder) in str(a) for a in arguments):
            if touches == number:
                os.kill(os.getpid(), signal.SIGKILL)
            touches += 1

    sys.addaudithook(hook)
    return lambda: touches


def write_changes(home: Path, begun: Event | None = None, stop_at: int | None = None) -> None:
    """Turn the sample documents into the changed ones, in a process of its own.

    Args:
        home: whose index to update.
        begun: set right before the update.
        stop_at: kill this process before its n-th touch of a file (opening, renaming, ...); None: never.
    """
    if stop_at is not None:
        kill_at_touch(home, stop_at)
    store, builder = Store(home), make_builder(LightEmbedder())
    if begun:
        begun.set()
    store.update(changed_documents(), ["en-2.3"], builder=builder)


def write_in_turns(home: Path, rounds: int) -> None:
    """Switch between the sample documents and the changed ones."""
    store, builder = Store(home), make_builder(LightEmbedder())
    for number in range(rounds):
        wanted = sample_documents() if number % 2 else changed_documents()
        ids = {document.id for document in wanted}
        store.update(wanted, store.open().documents.keys() - ids, builder=builder)


def hold_lock(home: Path, held: Event, stop: Event) -> None:
    """Stay within an update until told to stop."""

    def wait(stage: str, done: int, total: int) -> None:
        held.set()
        stop.wait()

    documents = [make_document("held", "Held by another process.\n")]
    Store(home).update(documents, builder=make_builder(LightEmbedder()), progress=wait)
