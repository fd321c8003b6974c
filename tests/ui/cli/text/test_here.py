"""`torchnotes ask --here`: what applies to this machine, under the answer and in JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assistant.applicability.marks import mark
from assistant.checks import machine
from assistant.checks.machine import Machine
from benchmarks.applies import machines
from tests.ui.answers import answer
from tests.ui.saying import said
from ui.cli.text.here import applies_text, machine_lines

MAC = machines()["mac-m2"]
QUESTION = "What is the default backend of TCPStore in 2.4?"


def test_marks_stand_under_an_answer() -> None:
    told = mark(answer("a [1]", ["It works on Linux."]), MAC)
    text = applies_text(told, MAC, "zh")
    assert "[1] " in text and "不适用于本机" in text and "涉及 Linux；本机是 macOS 14" in text
    assert "none of the sentences cited" in applies_text((), MAC, "en")
    assert "torch cannot be loaded here" in applies_text((), replace(MAC, torch=""), "en")


def test_a_mac_is_told() -> None:
    lines = list(machine_lines(MAC))
    assert lines[0] == "macOS 14 (Darwin 23.6.0), arm64, Python 3.12.4" and "GPU by mps" in lines


@pytest.mark.usefixtures("home")
def test_the_machine_is_looked_at_only_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looked: list[Machine] = []

    def describe() -> Machine:
        looked.append(machines()["rtx2080-torch2.3"])
        return looked[0]

    monkeypatch.setattr(machine, "describe", describe)
    code, out, _ = said(capsys, "ask", "--json", QUESTION)
    assert code == 0 and "applies" not in json.loads(out) and not looked
    code, out, _ = said(capsys, "ask", "--here", "--json", QUESTION)
    found = json.loads(out)
    assert code == 0 and looked and found["machine"]["torch"] == "2.3.1+cu121"
    assert found["applies"][0]["reasons"][0]["en"] == "holds from PyTorch 2.4 on; torch here is 2.3.1+cu121"
    code, out, _ = said(capsys, "ask", "--here", QUESTION)
    assert code == 0 and "Does it apply here?" in out and "\n    - holds from PyTorch 2.4 on" in out
