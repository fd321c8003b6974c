"""Each name of a change is one that the search finds, or stands below."""

from __future__ import annotations

import re
from functools import cache

from assistant.upgrade.patterns import _NAME
from assistant.upgrade.reading import Part, parts_of
from assistant.upgrade.search import Search
from assistant.upgrade.source_files import list_given
from corpus.changes import Change, load_changes
from ingest.release import Release
from tests.rows import each_row

#: Names that are not searched for as they stand.
OTHERWISE = {
    # Versions, systems and cards: `platform_rules` compares what files name with the compatibility table.
    *("CUDA 10.2", "CUDA 11.3", "CUDA 11.6", "CUDA 11.7", "CUDA 12.1", "CUDA 12.4", "CUDA 12.8", "CUDA 12.9"),
    *(
        "Python 3.7",
        "Python 3.8",
        "Python 3.9",
        "macOS 12",
        "macOS 13",
        "macOS Ventura",
        "macOS x86",
        "macOS x64",
    ),
    *(
        "sm50",
        "sm60",
        "sm70",
        "sm_70",
        "Maxwell",
        "Pascal",
        "Volta",
        "V100",
        "Anaconda",
        "conda channel pytorch",
    ),
    *("https://download.pytorch.org/whl/cu128", "cu128", "Amazon Linux 2", "CentOS 7"),
    # The same under its full name, which stands beside it.
    *("metadata_json", "kDLCPUPinned", "c10::Scalar::isIntegral()"),
    # Nothing to search for: any code may hold it, and only some of it is affected.
    *(
        "RuntimeError",
        "GCC",
        "glibc2_26",
        "manylinux_2_28",
        "Manylinux 2.28",
        "Python 3.11",
        "optimizer.grad_scale",
    ),
    *("torch.backends.mps", "pip install torch", "~/.cache/torch", "libtorch_python.so", "onnxscript"),
    *(
        "triton<2.2.0",
        "setSequenceNumberForGroup",
        "overwrite_output_observer",
        "overwrite_output_fake_quantize",
    ),
    *("custom_op_default_layout_constraint", "cmake/public/cuda.cmake", "bazel build //:torch"),
}
#: Another change tells the same use.
TOLD_BY_ANOTHER = {
    "torch.ao.quantization.backend_config.BackendPatternConfig": "torch.ao.quantization",
    "torch.ao.quantization.quantizer.xnnpack_quantizer.XNNPACKQuantizer": "torch.ao.quantization.quantizer",
    "torch.ao.quantization.quantizer.xnnpack_quantizer.get_symmetric_quantization_config": (
        "torch.ao.quantization.quantizer"
    ),
    "torch.backends.cuda.sdp_kernel(enable_flash=True)": "torch.backends.cuda.sdp_kernel",
}
FILES = {
    "cpp": ("a.cpp",),
    "build": ("CMakeLists.txt", "setup.py"),
    "shell": ("a.sh",),
    "config": ("requirements.txt", "a.sh"),
    "python": ("a.py", "a.cpp"),
}
SEARCHED = [(c, name) for c in load_changes() for name in c.names if name not in OTHERWISE]


def python_use(change: Change, name: str) -> str | None:
    """Code that uses a name as the change describes, None if it is no name of Python."""
    if name.startswith("--"):
        return f"parser.add_argument({name!r})"
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    path, inside = match["path"], match["inside"]
    if path == "torch.Tensor.__torch_dispatch__":
        return "class Mine(torch.Tensor):\n    def __torch_dispatch__(self, *given): ..."
    if inside is None:
        return f"{path}()" if change.unless else path
    keyword, equal, value = inside.partition("=")
    if keyword.isdigit():
        return f"{path}({', '.join(['x'] * (int(keyword) + 1))})"
    if not equal:
        return f"{path}({inside})"
    if (change.kind == "default" and not value) or keyword in change.unless:
        return f"{path}()"
    return f"{path}({keyword}={value or 'x'})"


@cache
def search() -> Search:
    return Search(Release(1, 8), Release(2, 14), "en")


def symbols_in(file: str, text: str) -> set[str]:
    (source,) = list_given({file: text.encode()}).files
    found = search().text(source, text) if source.kind != "python" or file == "setup.py" else []
    if source.kind == "python":
        for part in parts_of(source, text):
            found += search().code(part).findings if isinstance(part, Part) else ()
    return {each.symbol for each in found}


@each_row(("change", "name"), SEARCHED, ids=lambda each: getattr(each, "section", each))
def test_a_name_is_found(change: Change, name: str) -> None:
    expected = TOLD_BY_ANOTHER.get(name, name)
    if (code := python_use(change, name)) and change.files in ("python", "config"):
        start = "import torch, functorch, caffe2\n"
        caught = "try:\n" + re.sub("^", "    ", code, flags=re.M) + "\nexcept RuntimeError:\n    raise\n"
        found = symbols_in("a.py", f"{start}{code}\n") | symbols_in("a.py", start + caught)
    else:
        found = {
            symbol
            for file in FILES[change.files]
            for text in (f" {name} \n", f'import torch\nx = "{name}"\n')
            if not file.endswith(".py") or "import" in text
            for symbol in symbols_in(file, text)
        }
    assert expected in found


def test_no_name_is_listed_in_vain() -> None:
    names = {name for change in load_changes() for name in change.names}
    assert names >= OTHERWISE and TOLD_BY_ANOTHER.keys() <= names
