"""The words that tell a text from others."""

from __future__ import annotations

import pytest

from assistant.evaluation.distinctive_terms import keys, names_and_figures, words
from assistant.evaluation.scoring import fold
from tests.ingest.splitting import segmenter
from tests.rows import each_row

QUOTE = "The default backend of TCPStore is `libuv` in PyTorch 2.4."


@each_row(
    ("text", "found"),
    [
        pytest.param(QUOTE, ["TCPStore", "libuv", "2.4"], id="names"),
        pytest.param(
            "cuDNN is up to 75% faster on H100 (16 GB)", ["cuDNN", "75%", "H100", "16 GB"], id="figures"
        ),
        pytest.param("在 H100 上速度提升 1.7 倍，显存减少 30%。", ["H100", "1.7 倍", "30%"], id="chinese"),
        pytest.param("`+` sets `a` to `x = f(1)`", ["a", "x = f(1)"], id="code"),
        pytest.param("torch.compile of PyTorch, torch", ["torch.compile"], id="common"),
        pytest.param(
            "See [the docs](https://x.org/a_b/9.9) or https://x.org/c_d/77 (#99270)", [], id="addresses"
        ),
        pytest.param("GPU, gpu and GPU", ["GPU"], id="once"),
        pytest.param("one of 3 ways", [], id="digit"),
        pytest.param("", [], id="empty"),
    ],
)
def test_names_and_figures(text: str, found: list[str]) -> None:
    assert names_and_figures(text) == found
    assert all(word in text for word in found)


def test_words_are_the_others_longest_first() -> None:
    assert words(QUOTE, segmenter().words) == ["default", "backend"]
    assert words("冷启动时间缩短了 `torch.compile`", segmenter().words)[0] in "冷启动时间缩短了"
    assert words("of the with", segmenter().words) == []


def chosen(text: str, *others: str) -> tuple[str, ...]:
    return keys(text, [fold(other) for other in others], segmenter().words)


def test_keys_are_those_that_no_other_text_holds_together() -> None:
    assert chosen(QUOTE, "TCPStore in 2.4", "libuv elsewhere") == ("TCPStore", "libuv")
    assert chosen(QUOTE, "TCPStore and libuv") == ("2.4", "TCPStore")
    assert chosen(QUOTE, "TCPStore and libuv in 2.4")[0] in ("default", "backend")  # names do not tell it


def test_a_text_that_holds_the_whole_proves_the_same() -> None:
    assert chosen(QUOTE, f"{QUOTE} And more of 2.4.", "TCPStore") == chosen(QUOTE, "TCPStore")


def test_a_text_like_another_is_told_from_the_rest() -> None:
    assert "libuv" in chosen(QUOTE, "Default: TCPStore, libuv, 2.4, backend", "TCPStore 2.4 backend default")


def test_with_nothing_to_tell_from_there_are_keys_all_the_same() -> None:
    assert chosen(QUOTE) == ("TCPStore", "libuv")
    assert keys(QUOTE, None, segmenter().words) == ("TCPStore", "libuv", "2.4")
    assert chosen("Nothing but plain words") == ("Nothing", "plain")
    assert chosen("of the") == keys("of the", None, segmenter().words) == ()
