"""What the visitors of a server share."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.checks.machine import Machine
from assistant.factory import AssistantFactory
from assistant.settings import load_settings
from ingest.loaders import load
from ui.shared.app_state import AppState

NEW = (
    '---\ntitle: New\nrelease: "2.7"\nlanguage: en\n---\n\n## [Beta] Frobnicator\n\nThe frobnicator is new.\n'
)


@pytest.mark.usefixtures("home")
def test_a_changed_index_is_answered_from_at_once(tmp_path: Path) -> None:
    app_state = AppState(AssistantFactory(load_settings()))
    before = app_state.health()
    assert app_state.releases() == ["2.5", "2.4", "2.3"] and before["documents"] == 3
    (tmp_path / "new.md").write_text(NEW, encoding="utf-8")
    AssistantFactory(load_settings()).update(list(load(tmp_path / "new.md", on_skip=lambda _: None)))
    assert app_state.releases() == ["2.7", "2.5", "2.4", "2.3"]
    after = app_state.health()
    assert after["documents"] == 4 and after["generation"] != before["generation"]
    assert after["started"] == before["started"]


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({}, ""),
        ({"llm_url": "http://localhost:11434/v1"}, "localhost:11434"),
        ({"llm_url": "http://localhost:11434/v1", "llm_model": "qwen2.5:7b"}, "qwen2.5:7b · localhost:11434"),
    ],
)
def test_the_model_that_is_configured_is_named(settings: dict[str, str], shown: str) -> None:
    assert AppState(AssistantFactory(load_settings(**settings))).model() == shown


def test_the_machine_is_known_only_where_it_is_the_readers(
    digest_factory: AssistantFactory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    machine = Machine("Linux", "CPU", (), 1, 0, "3.11", torch="2.13.0")
    monkeypatch.setattr("assistant.checks.machine.describe", lambda: machine)
    assert AppState(digest_factory, checks="here").machine() is machine
    assert AppState(digest_factory).machine() is None
    assert AppState(digest_factory, checks="allowed").machine() is None

    def broken() -> Machine:
        raise OSError("no /proc here")

    monkeypatch.setattr("assistant.checks.machine.describe", broken)
    assert AppState(digest_factory, checks="here").machine() is None and "no /proc here" in caplog.text
