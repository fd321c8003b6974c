"""`torchnotes history` on a small index."""

from __future__ import annotations

import json

import pytest

from ui.cli.main import main

pytestmark = pytest.mark.usefixtures("home")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["history", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        pytest.param(
            ["FSDP2"],
            [
                "FSDP2",
                "2.4 · 2024-07-24 · Prototype · FSDP2 is a prototype that shards each parameter by itself. · "
                "https://example.org/notes/2.4",
            ],
            id="en",
        ),
        pytest.param(
            ["FlexAttention", "--language", "zh"],
            [
                "FlexAttention",
                "2.5 · 2024-10-17 · 原型（Prototype） · FlexAttention 是 PyTorch 2.5 加入的原型功能，"
                "用几行代码就能写出各种注意力机制。 · https://example.org/notes/2.5-zh",
            ],
            id="zh",
        ),
        pytest.param(
            ["FSDP2", "--release", "2.5"],
            ["FSDP2", "not in the releases asked for; it is in 2.4"],
            id="elsewhere",
        ),
        pytest.param(
            ["-l", "zh", "-r", "2.5"],
            [
                "编译缓存：2.5 测试版（Beta）",
                "FlexAttention：2.5 原型（Prototype）",
                "共 2 个功能；`torchnotes history 名称` 可查看其中一个及其各部分。",
            ],
            id="list-zh",
        ),
    ],
)
def test_a_life_is_one_line_a_step(
    capsys: pytest.CaptureFixture[str], arguments: list[str], lines: list[str]
) -> None:
    code, out, _ = said(capsys, *arguments)
    assert code == 0
    assert out.splitlines() == lines


def test_a_chinese_name_is_answered_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "编译缓存")
    assert "测试版（Beta）" in out


def test_all_features_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys)
    assert code == 0
    assert "FSDP2: 2.4 Prototype" in out and "TCPStore: 2.4 Beta" in out
    assert out.splitlines()[-1] == "5 features; `torchnotes history NAME` tells one with its parts."


def test_json_tells_the_words_of_the_notes(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "FSDP2", "--json")
    (feature,) = json.loads(out)
    (step,) = feature["steps"]
    (source,) = step["sources"]
    assert feature["id"] == "fsdp2"
    assert (step["release"], step["date"], step["status"]) == ("2.4", "2024-07-24", "prototype")
    assert step["whole"] is True and step["before"] is None
    assert source["quote"] == "## [Prototype] FSDP2"
    assert source["sentence"] == "FSDP2 is a prototype that shards each parameter by itself."
    assert json.loads(said(capsys, "FSDP2", "--json", "-r", "2.5")[1]) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["FSPD2"],
            "no feature 'FSPD2' in the notes; near it are FSDP2; type `torchnotes history` to list them",
            id="near",
        ),
        pytest.param(
            ["zzzzzz"], "no feature 'zzzzzz' in the notes; type `torchnotes history` to list them", id="far"
        ),
        pytest.param(
            ["-r", "9.9"],
            "no document in the index is about release 9.9; there are 2.3, 2.4, 2.5",
            id="release",
        ),
        pytest.param(["-r", "new"], "'new' is not a release; write it like 2.4", id="no-release"),
        pytest.param(["-l", "fr"], "'fr' is not one of 'zh', 'en'", id="language"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    code, out, err = said(capsys, *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1 and message in err
