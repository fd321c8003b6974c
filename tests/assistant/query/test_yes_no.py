"""Yes/no questions are told from others by their form, in both languages."""

from __future__ import annotations

from assistant.query.yes_no import is_yes_no
from tests.rows import each_row


@each_row(
    "text",
    [
        "Is FlexAttention available on CPU?",
        "does 2.6 ship conda packages",
        "I run 2.5 on an M1. Can torch.compile be used there?",
        "On Windows, did 2.7 add XPU wheels",
        "mkldnn int8 conv on ARM, supported?",
        "is python 3.14 only a preview on 2.9.1?",
        "FSDP2 是建立在 DTensor 上面的吗",
        "2.5 里是否支持 Python 3.13",
        "能不能在 Mac 上用 compile",
        "这个泄漏 2.9 修了没",
        "CUDA 11.8 的包还有没有？",
        "torch.qr 2.13 就报错了？",
    ],
)
def test_yes_no(text: str) -> None:
    assert is_yes_no(text)


@each_row(
    "text",
    [
        "What is FlexAttention?",
        "which release can I use on Python 3.13?",
        "how do I use it? it is slow",
        "why does torch.load fail",
        "Is it a prototype or a beta?",
        "FlexAttention 是什么",
        "哪个版本支持 Python 3.13 了？",
        "要装 cu126，还是 cu128",
        "2.6 是改了默认值吗，还是报错",
        "TCPStore libuv",
        "",
        "? !",
    ],
)
def test_others(text: str) -> None:
    assert not is_yes_no(text)
