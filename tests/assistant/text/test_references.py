"""Which sentences make sense by themselves, and which open an answer well."""

from __future__ import annotations

from assistant.text.references import needs_antecedent, refers_back, says_whom, tells_past
from tests.rows import each_row


@each_row(
    ("text", "needs", "refers"),
    [
        ("Therefore nothing else is needed.", True, True),
        ("A program can therefore run on a GPU.", True, True),
        ("Install the CUDA 12.6 build on these cards.", True, True),
        ("One stance is `eager`.", True, True),
        ("After that, it failed.", True, True),
        ("因此这一步不再需要。", True, True),
        ("随后内核报错。", True, True),
        ("其值为 3。", True, True),
        ("其他程序不受影响。", False, False),
        ("However, it is slower.", False, True),
        ("For example, pass `x=1`.", False, True),
        ("此外还有一个选项。", False, True),
        ("但速度更慢。", False, True),
        ("PyTorch 2.4 adds `libuv`.", False, False),
        ("用环境变量打开。", False, False),
        ("This affects you if you have a V100.", False, False),
        ("受影响的情况：使用 V100。", False, False),
    ],
)
def test_a_sentence_goes_on_from_another_or_stands_alone(text: str, needs: bool, refers: bool) -> None:
    assert needs_antecedent(text) is needs
    assert refers_back(text) is refers


@each_row(
    ("text", "whom", "past"),
    [
        ("This affects you if you have a V100.", True, False),
        ("- This also affects you if it is old.", True, False),
        ("受影响的情况：使用 V100。", True, False),
        ("This effect is small.", False, False),
        ("Before PyTorch 2.7, it was slow.", False, True),
        ("Until 2.6 it was slow.", False, True),
        ("PyTorch 2.4 以前，模型会失败。", False, True),
        ("在 PyTorch 2.4 之前会失败。", False, True),
        ("PyTorch 2.4 起不再失败。", False, False),
        ("Before you upgrade, read this.", False, False),
    ],
)
def test_whom_a_change_hits_and_how_it_was_are_told_apart(text: str, whom: bool, past: bool) -> None:
    assert says_whom(text) is whom
    assert tells_past(text) is past
