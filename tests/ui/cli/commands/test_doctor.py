"""`torchnotes doctor`: one line a finding, with what mends it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.checks import machine
from assistant.sandbox import probe, seccomp
from assistant.sandbox.isolation import NAMESPACES, NONE
from benchmarks.applies import machines
from tests.assistant.faults import FAILURES, Failure
from tests.assistant.model_server import KEY, MODEL, ModelServer
from tests.assistant.model_server import said as replied
from tests.ui.saying import said

SHOWN = ("401", "404 for the model", "404 for the address", "500 for ever", "cut in a sentence", "no text")


@pytest.mark.usefixtures("home")
def test_an_index_without_the_digests_that_are_wanted_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TORCHNOTES_SHIPPED_CORPUS", "true")
    code, out, _ = said(capsys, "doctor")
    assert code == 0
    assert "; without the shipped digests: `torchnotes rebuild` takes them in" in out


@pytest.mark.usefixtures("home")
def test_doctor_finds_all_well(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "doctor")
    assert code == 0, out
    assert all(line.startswith("ok  ") for line in out.splitlines())
    assert re.search(r"index of 3 documents, \d+ chunks", out)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("reader", "line"), [("true", r"ok  reader: ready in \d+\.\d s"), ("false", "ok  reader: off; .+")]
)
def test_doctor_loads_the_reader(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], reader: str, line: str
) -> None:
    monkeypatch.setenv("TORCHNOTES_READER", reader)
    code, out, _ = said(capsys, "doctor")
    assert code == 0 and any(re.fullmatch(line, each) for each in out.splitlines()), out


@pytest.mark.usefixtures("home")
def test_doctor_tells_the_machine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "describe", lambda: machines()["windows-rtx3060"])
    code, out, _ = said(capsys, "doctor")
    assert code == 0
    assert "ok  torch 2.7.1+cu128 loads, built with CUDA 12.8\n" in out
    assert "ok  Windows 11, AMD64, Python 3.11.9\n" in out
    assert "ok  GPU NVIDIA GeForce RTX 3060 (compute capability 8.6, Ampere)\n" in out
    assert "ok  no C++ compiler; torch.compile on CPU needs one\n" in out


@pytest.mark.usefixtures("home")
def test_doctor_tells_what_holds_programs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(probe, "available", lambda: (NAMESPACES, NONE))
    assert (
        "ok  programs of checks are held by namespaces: no network, no files or processes of yours, "
        "kernel calls filtered, memory and files limited\n" in said(capsys, "doctor")[1]
    )
    monkeypatch.setattr(seccomp, "why_not", lambda: "this kernel does not filter calls")
    assert (
        "ok  programs of checks are held less well here, by namespaces: "
        "it can make calls of the kernel that no check needs (io_uring, tracing, keys)\n"
        in said(capsys, "doctor")[1]
    )
    monkeypatch.setattr(probe, "available", lambda: (NONE,))
    monkeypatch.setattr(probe, "why_not", lambda name: f"{name} is not installed")
    out = said(capsys, "doctor")[1]
    assert "by none: it can make calls" in out and "it can reach the network" in out
    assert "(bubblewrap: bubblewrap is not installed)\n" in out


@pytest.mark.usefixtures("home")
def test_a_torch_that_cannot_be_loaded_is_diagnosed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = replace(machines()["x86-avx2"], torch="", error="ImportError: libtorch.so\nis missing")
    monkeypatch.setattr(machine, "describe", lambda: broken)
    code, out, _ = said(capsys, "doctor")
    (line,) = [line for line in out.splitlines() if line.startswith("!!  ")]
    assert code == 1 and "cannot be loaded (ImportError: libtorch.so is missing); type `pip" in line


@pytest.mark.parametrize("place", ["file", "file/below", "~no-such-user/x"])
@pytest.mark.usefixtures("empty_home")
def test_a_home_that_is_no_folder_is_diagnosed(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("TORCHNOTES_HOME", place)
    code, out, _ = said(capsys, "doctor")
    assert code == 1
    (line,) = [line for line in out.splitlines() if not line.startswith("ok  ")]
    assert line.startswith(f"!!  TORCHNOTES_HOME={place!r} cannot be used: it must be a folder, and ")
    code, _, err = said(capsys, "ask", "x")
    assert code == 2
    assert "correct it in the environment" in err and len(err.splitlines()) == 1


@pytest.mark.parametrize("made", [True, False], ids=["unwritable", "cannot be made"])
@pytest.mark.usefixtures("empty_home")
def test_a_home_that_cannot_be_written_is_diagnosed(
    made: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not Path("/proc/self/task").is_dir():
        pytest.skip("only /proc refuses files of every user, and there is none")
    home = "/proc/self/task" if made else "/proc/nothing/home"
    monkeypatch.setenv("TORCHNOTES_HOME", home)
    code, out, err = said(capsys, "doctor")
    assert (code, err) == (1, "")
    assert re.search(
        rf"^!!  data folder {home} cannot be written \(.+\); make it writable, or set TORCHNOTES_", out, re.M
    )
    assert all(line.startswith(("ok  ", "!!  ")) for line in out.splitlines())
    code, _, err = said(capsys, "ask", "x")
    assert code == 2
    assert "something broke" not in err


@pytest.mark.usefixtures("empty_home")
def test_doctor_names_what_mends(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "doctor")
    assert code == 1
    assert re.search(r"^!!  no index in .*; type `torchnotes add PATH`", out, re.M)


def model_line(out: str) -> str:
    (line,) = [line for line in out.splitlines() if "language model" in line]
    return line


@pytest.mark.usefixtures("home")
def test_without_a_language_model_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "doctor")
    assert code == 0 and model_line(out).startswith("ok  no language model: answers are sentences")


@pytest.mark.usefixtures("home")
def test_a_language_model_that_answers_is_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TORCHNOTES_LLM_API_KEY", KEY)
    with ModelServer(replied("Yes.")) as server:
        monkeypatch.setenv("TORCHNOTES_LLM_URL", server.url)
        code, out, err = said(capsys, "doctor")
        assert re.fullmatch(
            rf"ok  language model {MODEL} at {server.url} answers in [\d.]+ s", model_line(out)
        )
    assert code == 0 and KEY not in out + err


@pytest.mark.usefixtures("home", "no_retries")
@pytest.mark.parametrize("failure", [pytest.param(FAILURES[name], id=name) for name in SHOWN])
def test_what_mends_a_language_model_is_named(
    failure: Failure, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TORCHNOTES_LLM_MODEL", MODEL)
    monkeypatch.setenv("TORCHNOTES_LLM_API_KEY", KEY)
    with failure.server() as server:
        monkeypatch.setenv("TORCHNOTES_LLM_URL", server.url)
        code, out, err = said(capsys, "doctor")
        assert model_line(out).startswith(f"!!  language model {MODEL} at {server.url}: ")
    assert f"TORCHNOTES_LLM_{failure.setting}" in model_line(out)
    assert code == 1 and KEY not in out + err and "Traceback" not in out + err


@pytest.mark.usefixtures("home")
def test_a_model_without_an_address_is_diagnosed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TORCHNOTES_LLM_MODEL", "m")
    code, out, _ = said(capsys, "doctor")
    assert code == 1 and "\n!!  TORCHNOTES_LLM_MODEL='m' is set without TORCHNOTES_LLM_URL; " in out
