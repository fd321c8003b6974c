from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.sandbox import isolation, probe
from assistant.sandbox.filesystem_view import view
from assistant.sandbox.folder import run_folder
from assistant.sandbox.isolation import ALL, BUBBLEWRAP, HOLDS, MISSING, NAMESPACES, NONE, Isolation
from assistant.sandbox.probe import available, why_not
from assistant.sandbox.run_limits import Limits

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="isolations are of Linux")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text("pass\n", encoding="utf-8")
    return path


def test_none_works_everywhere_and_comes_last() -> None:
    assert available()[-1] == NONE
    assert why_not("none") is None


def test_the_best_comes_first() -> None:
    order = [level.name for level in ALL]
    names = [level.name for level in available()]
    assert names == [name for name in order if name in names]


@pytest.mark.parametrize("level", ALL, ids=lambda level: level.name)
def test_a_level_works_or_says_in_one_line_why_not(level: Isolation) -> None:
    reason = why_not(level.name)
    assert (reason is None) == (level in available())
    assert reason is None or (reason.strip() and "\n" not in reason)


def test_what_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "which", lambda name: None)
    why_not.cache_clear()
    try:
        assert why_not("bubblewrap") == "bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)"
        assert BUBBLEWRAP not in available()
    finally:
        why_not.cache_clear()


def test_what_is_refused_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(probe, "which", lambda name: str(broken))
    monkeypatch.setattr(isolation, "which", lambda name: str(broken))
    why_not.cache_clear()
    try:
        assert why_not("bubblewrap") == "bwrap: No permissions to create new namespace"
    finally:
        why_not.cache_clear()


def test_devices_are_kept_for_every_level() -> None:
    assert all(level.devices for level in available(devices=True))


@pytest.mark.parametrize("level", ALL, ids=lambda level: level.name)
def test_what_is_not_held_is_said_in_both_languages(level: Isolation) -> None:
    assert HOLDS[level.name] - {"forks"} <= level.holds <= HOLDS[level.name]
    assert level.weaker == (level == NONE)
    assert {*level.missing} | level.holds == {*MISSING}
    assert len(level.not_held("en")) == len(level.not_held("zh")) == len(level.missing)


def test_where_forks_are_not_held_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "forks_are_held", lambda: False)
    assert "forks" not in NONE.holds
    assert "it can start processes faster than they can be ended" in NONE.not_held()
    assert "forks" in NAMESPACES.holds


def test_without_isolation_network_and_files_are_named() -> None:
    assert "it can reach the network" in NONE.not_held()
    assert "程序可以访问网络" in NONE.not_held("zh")


@LINUX
def test_nothing_of_the_home_is_seen_but_the_interpreter(program: Path) -> None:
    with run_folder(program) as folder:
        seen = view(folder)
    prefixes = {Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)}
    homes = [path for path in seen.read_only if Path.home() in (path, *path.parents)]
    assert all(path.resolve() in prefixes for path in homes)
    assert Path("/") not in seen.read_only
    assert not [path for path in seen.read_only if path.is_relative_to("/etc") and path.name == "shadow"]


@LINUX
def test_only_two_folders_are_writable(program: Path) -> None:
    with run_folder(program) as folder:
        assert view(folder).writable == (folder.work, Path("/dev/shm"))


@LINUX
def test_no_device_is_seen_unless_asked_for(program: Path) -> None:
    with run_folder(program) as folder:
        assert view(folder).devices == ()
        assert all(path.is_relative_to("/dev") for path in view(folder, devices=True).devices)


@LINUX
def test_devices_change_what_is_seen_and_nothing_else() -> None:
    assert replace(NAMESPACES, devices=True).holds == NAMESPACES.holds


@LINUX
def test_the_path_decides_which_bubblewrap(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "which", lambda name: f"/opt/{name}")
    with run_folder(program) as folder:
        assert BUBBLEWRAP.command(folder, Limits(), ["true"])[0] == "/opt/bwrap"
        assert BUBBLEWRAP.command(folder, Limits(), ["true"])[-2:] == ["--", "true"]
        assert NONE.command(folder, Limits(), ["true"]) == ["true"]
