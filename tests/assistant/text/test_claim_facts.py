"""Points: the names, amounts and statuses that a proof must hold."""

from __future__ import annotations

import pytest

from assistant.text.claim_facts import code_in, holds_amount, holds_name, maturities, points, says_status
from assistant.text.quantities import amounts
from ingest.document import Language
from tests.rows import each_row


@each_row(
    ("text", "language", "names"),
    [
        pytest.param(
            "Set `TORCH_LOGS=+dynamo` first.", "en", {"torch_logs", "dynamo"}, id="variable in code"
        ),
        pytest.param("Export TORCH_LOGS first.", "en", {"torch_logs"}, id="variable in prose"),
        pytest.param("Use `clang-cl`.", "en", {"clang", "cl"}, id="a hyphen in code is no flag"),
        pytest.param("Pass --nproc-per-node to it.", "en", {"--nproc-per-node"}, id="flag"),
        pytest.param(
            "It calls torch.compile and mark_dynamic().", "en", {"torch.compile", "mark_dynamic"}, id="API"
        ),
        pytest.param("It calls oneDNN and cuDNN.", "en", {"onednn", "cudnn"}, id="capitals inside"),
        pytest.param("Fixed in #12345.", "en", {"#12345"}, id="pull request"),
        pytest.param("It needs C++ and CUDA.", "en", {"c++", "cuda"}, id="languages"),
        pytest.param(
            "On H100, int8 and FlashAttention-2 too.",
            "en",
            {"h100", "int8", "flashattention-2"},
            id="devices",
        ),
        pytest.param("The new Triton is fast.", "en", {"triton"}, id="a capital within a sentence"),
        pytest.param("Speed matters. Memory too.", "en", set(), id="capitals that open sentences"),
        pytest.param("It takes 16 GB.", "en", set(), id="a unit is no name"),
        pytest.param("耗时 376 us", "zh", set(), id="nor is one in Chinese"),
        pytest.param("默认使用 inductor 后端", "zh", {"inductor"}, id="any Latin word among Chinese"),
        pytest.param("The PyTorch API is `import torch`.", "en", set(), id="words of any sentence"),
        pytest.param("`torch.compile` is stable", "en", {"torch.compile"}, id="a status is no name"),
        pytest.param("Inductor 的Beta版", "zh", {"inductor"}, id="nor is one among Chinese"),
    ],
)
def test_names_of_a_sentence(text: str, language: Language, names: set[str]) -> None:
    assert points(text, language).names == names


def test_numbers_within_names_and_code_are_no_amounts() -> None:
    found = points("FlashAttention-2 and `f(8)` are 2x faster on H100 than on A100", "en")
    assert [(a.value, a.unit) for a in found.amounts] == [("2", "x")]


@each_row(
    ("text", "statuses"),
    [
        pytest.param("It is stable.", {"stable"}, id="stable"),
        pytest.param("It is unstable.", {"unstable"}, id="unstable is not stable"),
        pytest.param("不稳定", {"unstable"}, id="nor is it in Chinese"),
        pytest.param("稳定性", set(), id="stability is no status"),
        pytest.param("这是 Stable版。", {"stable"}, id="without a space"),
        pytest.param("测试版功能", {"beta"}, id="beta"),
        pytest.param("experimental", {"experimental"}, id="experimental"),
        pytest.param("已弃用，默认关闭", {"deprecated", "default"}, id="two"),
        pytest.param("It was removed; opt in.", {"removed", "opt-in"}, id="removed"),
        pytest.param("It no longer works.", set(), id="a way of quotes only"),
        pytest.param("see https://x.y/stable/beta", set(), id="an address"),
        pytest.param("`torch.stable`", set(), id="code"),
    ],
)
def test_statuses_of_a_sentence(text: str, statuses: set[str]) -> None:
    assert points(text, "zh").statuses == statuses


@each_row(
    ("name", "text", "held"),
    [
        pytest.param("mark_dynamic", "use mark_dynamic(x)", True, id="a call"),
        pytest.param("mark_dynamic", "use mark_dynamics", False, id="another name that begins so"),
        pytest.param("mark_dynamic()", "torch._dynamo.mark_dynamic", True, id="with and without brackets"),
        pytest.param("torch.compile", "torch.compiler", False, id="a longer module"),
        pytest.param("compile", "torch.compile", True, id="the last part"),
        pytest.param("use_libuv", "use_libuv=0", True, id="variable"),
        pytest.param("--foo", "`--foo=1`", True, id="flag"),
        pytest.param("--foo", "--foo-bar", False, id="a longer flag"),
        pytest.param("-foo", "--foo", False, id="a flag of another kind"),
        pytest.param("gpu", "two gpus", True, id="plural in the text"),
        pytest.param("gpus", "one gpu", True, id="plural in the name"),
        pytest.param("x86", "x86_64", False, id="part of a name"),
        pytest.param("h100", "一块h100上", True, id="between Chinese"),
        pytest.param("aot-inductor", "aotinductor", True, id="without its hyphen"),
        pytest.param("https://x.y/z.", "see https://x.y/z", True, id="an address at the end of a sentence"),
    ],
)
def test_a_name_stands_by_itself(name: str, text: str, held: bool) -> None:
    assert holds_name(name, text) is held


@each_row(
    ("one", "others", "held"),
    [
        pytest.param("2x", "两倍", True, id="same"),
        pytest.param("2x", "2 GB", False, id="another unit"),
        pytest.param("2x", "about 2", True, id="without a unit"),
        pytest.param("2.4", "2.4.0", True, id="a release without its zero"),
        pytest.param("2.1", "2.10", False, id="another release"),
        pytest.param("30%", "3%, 300%", False, id="another figure"),
    ],
)
def test_an_amount_is_held_by_the_same_number_and_unit(one: str, others: str, held: bool) -> None:
    assert holds_amount(amounts(one)[0], amounts(others)) is held


@each_row(
    ("status", "text", "section", "said"),
    [
        pytest.param("beta", "now in Beta", "", True, id="by its words"),
        pytest.param("beta", "runs on libuv", "beta", True, id="by its section"),
        pytest.param("stable", "now in beta", "beta", False, id="another"),
        pytest.param("experimental", "a prototype", "", True, id="a prototype is an experiment"),
        pytest.param("removed", "we are removing it", "", True, id="removing"),
        pytest.param("dropped", "不再提供", "", True, id="no longer there"),
        pytest.param("removed", "now deprecated", "", False, id="deprecated is not removed"),
    ],
)
def test_a_status_is_said_in_its_words(status: str, text: str, section: str, said: bool) -> None:
    assert says_status(status, text, section) is said


def test_code_is_read_without_its_marks() -> None:
    assert code_in("Use `a` and ``b`c``.") == ["a", "b`c"]


def test_an_experiment_is_as_ready_as_a_prototype() -> None:
    assert maturities("实验性功能") == maturities("a prototype") == {"prototype"}
    assert maturities("deprecated, `stable`") == set()
