"""The environment that a reader states: what is not stated is unknown, and nothing else is taken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.applicability.marks import in_section
from assistant.checks.machine import Machine
from ingest.errors import TorchnotesError
from tests.rows import each_row
from tests.ui.web.chat.test_here_html import OLD
from ui.shared.app_state import AppState
from ui.web.chat.environment import environment_of, read_environment

STATED = {"torch": "2.8.0+cu128", "python": "3.12.4", "cuda": "12.8", "gpu": "NVIDIA A100-SXM4-80GB"}
LINUX = {**STATED, "system": "Ubuntu 22.04.4 LTS (x86_64)"}


def result(sentence: str, stated: dict[str, str]) -> str:
    machine = read_environment(stated)
    assert machine is not None
    found = in_section(sentence, "", None, machine)
    assert found is not None
    return found.result


def test_what_is_stated_is_read() -> None:
    machine = read_environment(LINUX)
    assert machine is not None and machine.has_nvidia
    assert (machine.torch, machine.python, machine.capability) == ("2.8.0+cu128", "3.12.4", (8, 0))
    assert machine.system == "Linux"
    assert read_environment(None) is None and read_environment({"torch": " "}) is None


@each_row(
    ("sentence", "stated", "expected"),
    [
        ("It needs a GPU with compute capability 9.0 or newer.", LINUX, "not-here"),
        ("It needs a GPU with compute capability 8.0 or newer.", LINUX, "applies"),
        ("It needs a GPU with compute capability 8.0 or newer.", {**LINUX, "gpu": "NVIDIA X"}, "unknown"),
        ("On Windows, it needs MSVC.", {"torch": "2.8.0", "python": "3.12"}, "unknown"),
        ("It needs Python 3.13.", {"torch": "2.8.0"}, "unknown"),
        ("It needs a CUDA GPU.", {"torch": "2.8.0", "gpu": "A100"}, "unknown"),
    ],
)
def test_what_is_not_stated_is_unknown(sentence: str, stated: dict[str, str], expected: str) -> None:
    assert result(sentence, stated) == expected


@pytest.mark.parametrize("wrong", [[], "2.8", {"torch": 2.8}, {"torch": "2" * 101}, {"gpu": ["a"]}])
def test_what_the_page_cannot_have_sent_is_refused(wrong: object) -> None:
    with pytest.raises(TorchnotesError, match="environment"):
        read_environment(wrong)


def test_only_the_readers_own_machine_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def machine(_: AppState) -> Machine | None:
        return known

    monkeypatch.setattr(AppState, "machine", machine)
    app_state = object.__new__(AppState)
    known: Machine | None = None
    assert environment_of(app_state)(None) == {}
    known = replace(OLD, gpu="<b>A100</b>")
    assert environment_of(app_state)(None) == {
        "torch": "2.13.0+cpu",
        "python": "3.11.7",
        "cuda": "",
        "rocm": "",
        "gpu": "<b>A100</b>",
        "system": "Linux 6",
    }
