"""API names found in code and in answers, without running anything."""

from __future__ import annotations

import pytest

from assistant.api_usage.names import MOST, is_api_name, names_in, names_in_answer
from tests.rows import each_row


def found(source: str) -> list[str]:
    return [each.name for each in names_in(source)]


@each_row(
    ("source", "names"),
    [
        pytest.param("import torch\ntorch.compile(f)", ["torch.compile"], id="import"),
        pytest.param(
            "import torch.nn.functional as F\nF.relu(x)",
            ["torch.nn.functional", "torch.nn.functional.relu"],
            id="as",
        ),
        pytest.param(
            "from torch import nn as n\nn.Linear(1, 2)", ["torch.nn", "torch.nn.Linear"], id="from-as"
        ),
        pytest.param(
            "import torch\ndef f():\n    sdpa = torch.nn.Linear\n    return sdpa(1, 2)",
            ["torch.nn.Linear"],
            id="alias",
        ),
        pytest.param("import torch\nx = torch.randn(2).cuda()", ["torch.randn"], id="method-of-a-result"),
        pytest.param(
            "import torch\n@torch.compile(mode='x')\ndef f(x: torch.Tensor): ...",
            ["torch.compile", "torch.Tensor"],
            id="decorator",
        ),
        pytest.param(
            "import torch\ntorch.backends.cudnn.benchmark = True",
            ["torch.backends.cudnn.benchmark"],
            id="set",
        ),
        pytest.param("from functorch import vmap\nvmap(f)", ["functorch.vmap"], id="functorch"),
        pytest.param(
            "import torch\nclass M(torch.nn.Module):\n    def f(self): return torch.abs",
            ["torch.nn.Module", "torch.abs"],
            id="class",
        ),
        pytest.param(
            "import torch\n[torch.bar for _ in (lambda: torch.baz)()]",
            ["torch.bar", "torch.baz"],
            id="lambda",
        ),
        pytest.param("from torch import *\nrandn(2)", [], id="star"),
        pytest.param("import numpy as torch\ntorch.foo()", [], id="another-module"),
        pytest.param("from .torch import compile\ncompile(f)", [], id="relative"),
        pytest.param("torch.compile(f)", [], id="never-imported"),
        pytest.param("import torchvision\ntorchvision.models.resnet18()", [], id="torchvision"),
    ],
)
def test_names_are_resolved(source: str, names: list[str]) -> None:
    assert found(source) == names


def test_a_name_with_two_meanings_is_left_alone() -> None:
    assert found("import torch.nn.functional as F\ndef g(F): return F.bad") == ["torch.nn.functional"]
    assert found("import torch.nn as x\nx = 3\nx.bad") == ["torch.nn"]
    tried = "try:\n    from torch.nn import A\nexcept ImportError:\n    A = None\nA.bad"
    assert found(tried) == ["torch.nn.A"]


def test_a_name_of_a_class_is_not_seen_by_its_methods() -> None:
    source = "import torch.nn.functional as F\nclass M:\n    F = 3\n    def f(self): return F.relu"
    assert found(source) == ["torch.nn.functional", "torch.nn.functional.relu"]


def test_lines_and_keywords_are_told_once_a_name() -> None:
    (name,) = names_in("import torch\ntorch.zeros(2, dtype=None)\n\ntorch.zeros(3, device='cpu', dtype=None)")
    assert (name.written, name.lines, name.keywords) == ("torch.zeros", (2, 4), ("dtype", "device"))
    (imported, used) = names_in("from torch import nn as n\nn.ReLU()")
    assert imported.imported and not used.imported and used.written == "n.ReLU"
    assert used.to_dict()["lines"] == (2,)


def test_code_warnings_stay_with_their_author() -> None:
    assert found("import torch\ntorch.abs('\\d')") == ["torch.abs"]  # a SyntaxWarning would be an error here


def test_a_long_file_has_an_end() -> None:
    assert len(names_in("import torch\n" + "\n".join(f"torch.f{n}" for n in range(MOST + 50)))) == MOST


def test_no_python_is_told() -> None:
    with pytest.raises(SyntaxError):
        names_in("x = (")


ANSWER = """PyTorch 2.4: `torch.load()` and torch.export.export. See `nn.Linear(1, 2)`, nn.ReLU is bare.

Read https://pytorch.org/torch.html, docs/torch.md and torch.py; `my_torch.thing`, `x.torch.y` are others.

```python
import torch
with torch.autocast("cuda", dtype=None):
    ...
```

~~~
model = torch.compile(model, ...  # it goes on
~~~
"""


def test_names_in_an_answer() -> None:
    names = {each.name: each for each in names_in_answer(ANSWER)}
    assert [*names] == [
        "torch.load",
        "torch.export.export",
        "torch.nn.Linear",
        "torch.autocast",
        "torch.compile",
    ]
    assert names["torch.nn.Linear"].written == "nn.Linear"
    assert (names["torch.autocast"].lines, names["torch.autocast"].keywords) == ((7,), ("dtype",))
    assert names["torch.compile"].lines == (12,)


def test_names_in_a_chinese_answer() -> None:
    names = names_in_answer("自2.4起请用torch.amp.autocast。`F.relu`，（torch.compile）也可以。")
    assert [each.name for each in names] == [
        "torch.amp.autocast",
        "torch.nn.functional.relu",
        "torch.compile",
    ]


@each_row("text", ["torch", "numpy.array", "torch.", "torch.2", "torch.a b", "torch.é"])
def test_what_is_no_name(text: str) -> None:
    assert not is_api_name(text)
