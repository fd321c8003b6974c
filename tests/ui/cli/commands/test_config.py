"""`torchnotes config`: the settings in effect, where each is from, and no secret."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.configuration.model_choice import ModelChoice, store_choice
from assistant.configuration.values import SECRET
from assistant.settings import Settings
from tests.ui.saying import said

SECRETS = {
    "TORCHNOTES_LLM_API_KEY": "sk-0123456789",
    "TORCHNOTES_METRICS_TOKEN": "a-token-of-24-characters",
    "TORCHNOTES_PASSWORD": "open sesame",
    "GITHUB_TOKEN": "ghp_0123456789",
    "SLACK_BOT_TOKEN": "xoxb-0123456789",
}


@pytest.fixture(autouse=True)
def clean(empty_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.__dataclass_fields__:
        if name != "home":
            monkeypatch.delenv(f"TORCHNOTES_{name.upper()}", raising=False)
    for name in ("TORCHNOTES_PASSWORD", "GITHUB_TOKEN", "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def rows(capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[object, str]]:
    code, out, _ = said(capsys, "config", "--json")
    assert code == 0
    return {row["name"]: (row["value"], row["origin"]) for row in json.loads(out)}


def test_each_value_is_told_with_where_it_is_from(
    empty_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("torchnotes.toml").write_text('log_level = "info"\nslack_channels = "C1,dm"\nreader = false\n')
    monkeypatch.setenv("TORCHNOTES_READER", "yes")
    store_choice(empty_home, ModelChoice(llm_url="http://localhost:1/v1", llm_context=8192))
    told = rows(capsys)
    assert told["TORCHNOTES_HOME"] == (str(empty_home), "environment")
    assert told["TORCHNOTES_LOG_LEVEL"] == ("info", "torchnotes.toml")
    assert told["TORCHNOTES_SLACK_CHANNELS"] == (["C1", "dm"], "torchnotes.toml")
    assert told["TORCHNOTES_READER"] == (True, "environment"), "it comes before the file"
    assert told["TORCHNOTES_LLM_URL"] == ("http://localhost:1/v1", "stored choice")
    assert told["TORCHNOTES_LLM_CONTEXT"] == (8192, "stored choice")
    assert told["TORCHNOTES_DRAIN_SECONDS"] == (30.0, "default")
    assert {f"TORCHNOTES_{name.upper()}" for name in Settings.__dataclass_fields__} <= told.keys()
    code, out, _ = said(capsys, "config")
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert code == 0 and lines["TORCHNOTES_SLACK_CHANNELS"].split() == ["C1,dm", "torchnotes.toml"]
    assert lines["TORCHNOTES_SHIPPED_CORPUS"].split() == ["true", "default"]


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_secrets_are_not_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    before = said(capsys, "config", *arguments)[1]
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    code, out, err = said(capsys, "config", *arguments)
    assert code == 0 and not [value for value in SECRETS.values() if value in out + err]
    assert out != before, "that they are set is told"
    assert "hidden" in out or '"secret": true' in out


@pytest.mark.parametrize("name", sorted(SECRET))
def test_a_secret_that_cannot_be_used_is_not_quoted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setenv(f"TORCHNOTES_{name.upper()}", " short")
    code, out, err = said(capsys, "config")
    assert code == 2 and "short" not in out + err and f"TORCHNOTES_{name.upper()}='…' cannot be used" in err


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("LOG_LEVEL", "loud", "one of debug, info, warning, error"),
        ("LOG_FORMAT", "xml", "one of text, json"),
        ("OTLP_URL", "localhost:4318", "an address such as http://localhost:4318"),
        ("DRAIN_SECONDS", "-1", "a number of at least 0"),
    ],
)
def test_settings_of_operations_are_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, line: str
) -> None:
    monkeypatch.setenv(f"TORCHNOTES_{name}", value)
    code, _, err = said(capsys, "config")
    assert code == 2 and line in err and err.count("\n") == 1
