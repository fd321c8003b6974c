from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import pytest

from ingest.segment import Segmenter, fold, simplify, stem
from tests.ingest.splitting import segmenter
from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[2]


@each_row(
    ("text", "terms"),
    [
        ("torch.compile", {"torch.compile", "torch", "compile"}),
        ("torch._dynamo.mark_dynamic", {"torch._dynamo.mark_dynamic", "mark", "dynamic", "dynamo"}),
        (
            "scaled_dot_product_attention",
            {"scaled_dot_product_attention", "scaled", "dot", "product", "attention"},
        ),
        ("FSDP2", {"fsdp2", "fsdp"}),
        ("2.10", {"2.10"}),
        ("2.7.0", {"2.7.0"}),
        ("v2.4", {"v2.4", "2.4"}),
        ("--device", {"--device", "device"}),
        ("TORCH_LOGS", {"torch_logs", "torch", "logs", "log"}),
        ('TORCH_LOGS="+dynamo"', {"torch_logs", "dynamo"}),
        ("#156181", {"#156181"}),
        ("C++", {"c++"}),
        ("2:4", {"2:4"}),
        ("ReduceOp::AVG", {"reduceop::avg", "reduceop", "avg"}),
        ("max-autotune", {"max-autotune", "max", "autotune"}),
        ("TensorParallel", {"tensorparallel", "tensor"}),
        ("1.6x", {"1.6x", "1.6"}),
        ("50%", {"50%", "50"}),
        ("1,024", {"1024"}),
        ("支持torch.compile的后端", {"torch.compile", "后端"}),
        ("在2.10版", {"2.10"}),
    ],
)
def test_names_come_out_whole_and_in_parts(text: str, terms: set[str]) -> None:
    assert terms <= set(segmenter().terms(text))


def test_threads_stem_as_one_does() -> None:
    endings = ("ing", "ization", "ations", "fulness", "ed", "ies", "ement")
    words = [
        f"{a}{b}{ending}" for a in "bcdfghlmnprst" for b in ("and", "ol", "ew", "uck") for ending in endings
    ]
    wanted = [stem(word) for word in words]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(2):
            stem.cache_clear()
            with ThreadPoolExecutor(8) as pool:
                found = list(
                    pool.map(lambda shift: [stem(w) for w in words[shift:] + words[:shift]], range(8))
                )
            for shift, stems in enumerate(found):
                assert stems == wanted[shift:] + wanted[:shift]
    finally:
        sys.setswitchinterval(interval)


def test_a_run_of_underscores_costs_little() -> None:
    """Minutes where the time grows with the square of its length."""
    run = "_" * 200_000
    assert segmenter().terms(f"{run} {run}private") == [f"{run}private", "private", "privat"]


@pytest.mark.parametrize("text", ["2.10", "#156181", "2:4", "2.1"])
def test_numbers_have_no_parts(text: str) -> None:
    assert segmenter().terms(text) == [text]


@each_row(
    ("text", "same"),
    [
        ("Torch.Compile", "torch.compile"),
        ("ＦＳＤＰ２", "fsdp2"),
        ("２．１０", "2.10"),
        ("－－ｄｅｖｉｃｅ", "--device"),
        ("＃１５６１８１", "#156181"),
        ("張量並行", "张量并行"),
        ("檢查點", "检查点"),
        ("compiling", "Compiles"),
    ],
)
def test_spellings_that_are_one(text: str, same: str) -> None:
    assert segmenter().terms(text) == segmenter().terms(same) != []


@lru_cache
def plain() -> Segmenter:
    """Made once: jieba's dictionary takes a second to parse."""
    return Segmenter()


@lru_cache
def taught() -> Segmenter:
    """One that was given a word."""
    return Segmenter(["云龙编译台"])


@pytest.mark.parametrize("word", ["张量并行", "检查点", "半结构化稀疏", "重计算"])
def test_words_of_the_glossary_stay_whole(word: str) -> None:
    assert word in segmenter().terms(f"我们把{word}用起来")


def test_a_given_word_stays_whole_and_keeps_its_known_parts() -> None:
    assert "云龙编译台" not in plain().terms("用云龙编译台来跑")
    assert {"云龙编译台", "编译"} <= set(taught().terms("用云龙编译台来跑"))


def test_a_word_that_jieba_does_not_know_yields_its_bigrams() -> None:
    assert {"黑塞人", "黑塞", "塞人"} <= set(plain().terms("高效计算雅各比人和黑塞人"))
    assert "据集" not in plain().terms("数据集")  # known: no bigrams


def test_stop_words_are_left_out() -> None:
    assert segmenter().terms("What is the 的 和 是 what") == []


def test_order_is_that_of_the_text() -> None:
    assert segmenter().terms("数据 before 2.10") == ["数据", stem("before"), "2.10"]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("用torch.nn.Linear(x)在2.10跑", ["torch.nn.Linear", "2.10"]),
        ("见#156181和--device、C++与TORCH_LOGS", ["#156181", "--device", "C++", "TORCH_LOGS"]),
        ("👩‍💻写代码👍🏽", ["👩‍💻", "👍🏽"]),
        ("张量并行很快", ["张量并行"]),
    ],
)
def test_words_are_what_must_not_be_broken(text: str, whole: list[str]) -> None:
    words = segmenter().words(text)
    assert "".join(words) == text
    assert set(whole) <= set(words)


def test_fold_and_simplify() -> None:
    assert fold("ＴＯＲＣＨ Straße") == "torch strasse"
    assert simplify("張量並行，後端") == "张量并行，后端" and simplify("Torch 2.4") == "Torch 2.4"


def test_segmenters_do_not_share_words() -> None:
    taught().terms("云龙编译台")
    assert "云龙编译台" not in plain().terms("云龙编译台")


def test_jieba_is_imported_late_and_says_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ingest.segment import Segmenter\n"
        "s = Segmenter(['检查点'], cache_folder=Path(sys.argv[1])); assert 'jieba' not in sys.modules\n"
        "assert s.terms('检查点')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
