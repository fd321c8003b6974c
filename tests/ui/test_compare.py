"""`torchnotes compare` on a small index."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ui.cli.main import main

pytestmark = pytest.mark.usefixtures("home")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["compare", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_each_change_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "2.3", "2.4")
    assert code == 0
    assert out.splitlines() == [
        "PyTorch 2.3 → 2.4: what changes",
        "From the notes of PyTorch 2.4 in the index, in their own words.",
        *("", "Breaking changes (0)", "The notes in the index name none."),
        *("", "Deprecations (0)", "The notes in the index name none."),
        *("", "Changes of status (0)", "The notes in the index name none."),
        *("", "New features (3)"),
        "2.4 · 2024-07-24 · Beta · TCPStore uses libuv · The default backend of TCPStore is libuv in PyTorch "
        "2.4. · https://example.org/notes/2.4",
        "2.4 · 2024-07-24 · Beta · Custom operators in Python · A custom operator is registered with "
        "torch.library.custom_op in PyTorch 2.4: · https://example.org/notes/2.4",
        "2.4 · 2024-07-24 · Prototype · FSDP2 · FSDP2 is a prototype that shards each parameter by itself. · "
        "https://example.org/notes/2.4",
        *("", "Other additions (0)", "The notes in the index name none."),
    ]


def test_it_speaks_chinese_and_the_order_is_free(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "2.5", "v2.4.0", "--language", "zh")
    lines = out.splitlines()
    assert lines[0] == "PyTorch 2.4 → 2.5：有哪些变化"
    assert (
        "2.5 · 2024-10-17 · 原型（Prototype） · FlexAttention · FlexAttention 是 PyTorch 2.5 加入的原型功能，"
        "用几行代码就能写出各种注意力机制。 · https://example.org/notes/2.5-zh" in lines
    )


def test_markdown_can_be_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "2.3", "2.4", "--markdown")
    assert code == 0 and out.startswith("# PyTorch 2.3 → 2.4: what changes\n\n")
    assert (
        "- **TCPStore uses libuv** · Beta · 2.4 · The default backend of TCPStore is `libuv` in PyTorch 2.4. "
        "· [PyTorch 2.4](https://example.org/notes/2.4)\n" in out
    )


def test_json_tells_the_words_of_the_notes(capsys: pytest.CaptureFixture[str]) -> None:
    row = json.loads(said(capsys, "2.3", "2.5", "--json")[1])
    assert (row["older"], row["newer"], row["between"]) == ("2.3", "2.5", ["2.4", "2.5"])
    names = [item["name"] for item in row["new"]]
    assert names == [
        "TCPStore uses libuv",
        "Custom operators in Python",
        "FSDP2",
        "编译缓存",
        "FlexAttention",
    ]
    (source,) = row["new"][2]["sources"]
    assert source["quote"] == "FSDP2 is a prototype that shards each parameter by itself."
    assert source["heading"] == "[Prototype] FSDP2"


@pytest.mark.parametrize("form", [[], ["--markdown"], ["--json"]], ids=["text", "markdown", "json"])
def test_a_file_holds_what_would_be_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, form: list[str]
) -> None:
    file = tmp_path / "变化.md"
    file.write_text("what stood there before", encoding="utf-8")
    _, printed, _ = said(capsys, "2.3", "2.4", *form)
    code, out, err = said(capsys, "2.3", "2.4", *form, "--output", str(file))
    assert (code, out) == (0, "") and err == f"written to {file}\n"
    assert file.read_text(encoding="utf-8") == printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["2.4", "2.4"], "release 2.4 cannot be compared with itself; give two of 2.3, 2.4, 2.5", id="same"
        ),
        pytest.param(
            ["2.4", "9.9"],
            "no document in the index is about release 9.9; give two of 2.3, 2.4, 2.5",
            id="unknown",
        ),
        pytest.param(["new", "2.4"], "'new' is not a release; write it like 2.4", id="no-release"),
        pytest.param(["2.4"], "Missing argument 'NEWER'; see `torchnotes compare --help`", id="one"),
        pytest.param(["2.4", "2.5", "-l", "fr"], "'fr' is not one of 'zh', 'en'", id="language"),
        pytest.param(
            ["2.4", "2.5", "--json", "--markdown"], "--json and --markdown exclude each other", id="two-forms"
        ),
        pytest.param(["2.4", "2.5", "-o", "."], "is a directory", id="folder"),
        pytest.param(
            ["2.4", "2.5", "-o", "gone/x.md"], "give --output a file that can be written", id="no-folder"
        ),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    code, out, err = said(capsys, *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1 and message in err
