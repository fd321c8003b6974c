"""What kind of thing a question asks for, and whether a text has one."""

from __future__ import annotations

import pytest

from assistant.query.answer_type import (
    KINDS,
    asked_kinds,
    asks_for_code,
    asks_for_means,
    lacks_device,
    lacks_exact,
    missing,
)
from tests.rows import each_row

CASES = [
    ("percent", "By what per cent did it drop?", "30% less memory", "less memory"),
    ("percent", "下降了百分之多少", "显存减少 30%", "显存减少"),
    ("factor", "How much faster is it?", "1.7x on H100", "faster on H100"),
    ("factor", "快了多少倍", "提升 1.7 倍", "提升明显"),
    ("factor", "省了多少", "显存减少到四分之一", "调用两次"),
    ("factor", "by how much does it shrink?", "it is twice as small", "called twice"),
    ("status", "是 beta 还是 prototype", "在 1.10 中是 Beta 功能", "在 1.10 中加入"),
    ("status", "how mature is it?", "a Prototype of 2.5", "new in 2.5"),
    ("size", "how many gigabytes does it need", "needs 24 GB", "needs much memory"),
    ("duration", "How many seconds does start-up take?", "takes 16 seconds", "takes long"),
    ("duration", "要几秒", "需要 3 秒", "需要很久"),
    ("day", "On what date was it released?", "released on Jul 24", "released"),
    ("day", "哪天发布的", "2024年7月24日发布", "已发布"),
    ("price", "How much does it cost per hour?", "it costs $3", "it costs nothing to try"),
    ("driver", "which driver do I need", "driver 550 or newer", "CUDA 12.4 or newer"),
    ("licence", "用的什么许可证", "以 BSD 许可证发布", "已发布"),
    ("accuracy", "准确率掉了多少", "准确率不变", "速度不变"),
    ("variable", "what is the name of the environment variable", "set USE_LIBUV=0", "call use_libuv"),
    ("devices", "How many H100 cards did it take?", "on 8 GPUs", "on many GPUs"),
    ("devices", "一共用了几张卡", "用了 512 张卡", "用了很多卡"),
    ("command", "Which pip command installs it?", "pip install torch", "install torch"),
]


@each_row(("kind", "question", "given", "lacking"), CASES)
def test_a_text_has_what_is_asked_for_or_not(kind: str, question: str, given: str, lacking: str) -> None:
    (entry,) = (entry for entry in KINDS if entry.name == kind)
    assert entry.asked.search(question)
    assert entry.given.search(given) and not entry.given.search(lacking)
    assert missing(question, [lacking]) == 1
    assert missing(question, [lacking, given]) == 0


def test_every_kind_is_tested_once_and_named_once() -> None:
    names = [kind.name for kind in KINDS]
    assert len(set(names)) == len(names) and {kind for kind, *_ in CASES} == set(names)


@pytest.mark.parametrize("question", ["What is FlexAttention?", "什么是 TCPStore", ""])
def test_a_plain_question_misses_nothing(question: str) -> None:
    assert missing(question, []) == 0


def test_without_texts_everything_asked_for_is_missing() -> None:
    assert missing("快了多少倍，用什么驱动", []) == 2


@pytest.mark.parametrize(
    ("question", "name", "given", "lacking"),
    [
        ("Which NCCL version is bundled?", "NCCL", "NCCL 2.26 is bundled", "NCCL was upgraded in 2.7"),
        ("what version of CMake does it need", "CMake", "CMake ≥ 3.27", "CMake is needed since 2.8"),
        ("2.5 该配哪个版本的 torchaudio？", "torchaudio", "torchaudio 2.5", "torchaudio 也有新版"),
        ("cuDNN 是什么版本", "cuDNN", "cuDNN 升级到 9.8", "cuDNN 已升级"),
    ],
)
def test_the_version_of_something_is_a_number_beside_its_name(
    question: str, name: str, given: str, lacking: str
) -> None:
    (kind,) = asked_kinds(question)
    assert kind.name == "version" and name in kind.given.pattern
    assert missing(question, [given]) == 0 and missing(question, [lacking]) == 1


@pytest.mark.parametrize(
    "question",
    [
        "In which version of PyTorch did it come?",
        "哪个版本的 PyTorch 加入的？",
        "FlexAttention 是哪个版本加入的？",
        "把网络切成几段分到多张卡",
    ],
)
def test_a_release_of_pytorch_and_an_untold_many_are_no_such_thing(question: str) -> None:
    assert asked_kinds(question) == ()


@each_row(
    ("question", "text", "lacks"),
    [
        ("大概能省几秒？", "启动更快。", True),
        ("大概能省几秒？", "启动省 3 秒。", False),
        ("等了好几分钟才开始", "启动更快。", False),  # "some minutes" asks for nothing
        ("每次冷启动十几分钟，能短吗", "启动更快。", False),
        ("解码快了百分之几", "解码快 2 倍。", True),
        ("解码快了百分之几", "解码快 20%。", False),
        ("现在占多少 GB", "省显存。", True),
        ("想量一下 kernel 花多少毫秒，怎么写", "用计时函数。", False),
        ("how many milliseconds does a call take?", "Calls are faster.", True),
        ("how many milliseconds does a call take?", "A call takes 3 ms.", False),
        ("the default timeout, in seconds?", "It waits longer.", True),
        ("what percentage of the peak is reached?", "It reaches the peak.", True),
        ("by what percentage is it faster?", "It is faster.", True),
        ("it is five per cent slower, why?", "A known issue.", False),
        ("how many GB does it need?", "It needs 3 GB.", False),
    ],
)
def test_a_question_that_names_a_unit_needs_a_value_in_it(question: str, text: str, lacks: bool) -> None:
    assert lacks_exact(question, [text]) is lacks
    assert lacks_exact(question, []) is (lacks or any(kind.exact for kind in asked_kinds(question)))


@each_row(
    ("question", "asks"),
    [
        ("有工具能查吗", True),
        ("any flag to turn it off?", True),
        ("is it faster?", False),
        ("它更快吗", False),
    ],
)
def test_something_to_use_is_asked_for_in_words(question: str, asks: bool) -> None:
    assert asks_for_means(question) is asks


@each_row(
    ("question", "asks"),
    [
        ("怎么写才能恢复旧行为", True),
        ("给个示例", True),
        ("which command installs it?", True),
        ("an example of context_fn", True),
        ("换成哪个参数", False),
        ("which argument replaces it?", False),
        ("my encoder fails", False),
    ],
)
def test_code_is_asked_for_in_words(question: str, asks: bool) -> None:
    assert asks_for_code(question) is asks


@each_row(
    ("question", "text", "lacks"),
    [
        ("how much faster is it on an A100?", "1.5x on H100", True),
        ("how much faster is it on an A100?", "1.5x on Ampere", False),
        ("how much faster is it on an A100?", "1.5x on A100", False),
        ("4090 上能快几倍", "H100 上快 2 倍", True),
        ("4090 上能快几倍", "Ada 显卡上快 2 倍", False),
        ("how much faster is it on a 4090?", "an adaptive step, 1.5x", True),  # holds the letters of Ada
        ("does it work on an A100?", "it works on H100", False),  # asks for no value
        ("how much faster is it?", "1.5x on H100", False),
    ],
)
def test_a_value_measured_on_a_device_is_told_of_that_device(question: str, text: str, lacks: bool) -> None:
    assert lacks_device(question, ["Other text.", text]) is lacks
