"""How idle threads of OpenMP wait: told while a library is loaded, and then no more."""

from __future__ import annotations

import os

import pytest

from index.embedding.base import patient_threads

_NAMES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")


@pytest.fixture(autouse=True)
def _untold(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _NAMES:
        monkeypatch.delenv(name, raising=False)


def test_idle_threads_spin_shortly_and_then_sleep() -> None:
    with patient_threads():
        assert os.environ["OMP_WAIT_POLICY"] == "passive"
        assert 0 < int(os.environ["GOMP_SPINCOUNT"]) <= 2000


def test_the_process_keeps_its_environment() -> None:
    with patient_threads():
        pass
    assert not [name for name in _NAMES if name in os.environ]


def test_the_environment_is_kept_also_where_the_library_cannot_be_loaded() -> None:
    with pytest.raises(ImportError), patient_threads():
        raise ImportError
    assert not [name for name in _NAMES if name in os.environ]


@pytest.mark.parametrize("name", _NAMES)
def test_what_the_user_says_stands(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "active" if name.startswith("OMP") else "7")
    before = dict(os.environ)
    with patient_threads():
        assert dict(os.environ) == before
    assert dict(os.environ) == before
