"""`torchnotes slack`: what is missing is said, and the manifest is what Slack takes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from ingest.errors import TorchnotesError
from tests.ui.saying import said
from tests.ui.slack.server import APP_TOKEN, BOT, BOT_TOKEN, SECRET, FakeSlack
from ui.cli.commands.slack import check_installed

ROOT = Path(__file__).resolve().parents[4]
NAMES = ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET")


@pytest.fixture
def slack(monkeypatch: pytest.MonkeyPatch, empty_home: Path) -> Iterator[FakeSlack]:
    """A Slack, and an environment that is set up for it."""
    with FakeSlack() as slack:
        for name, value in zip(NAMES, (BOT_TOKEN, APP_TOKEN, SECRET), strict=True):
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("TORCHNOTES_SLACK_API", slack.root)
        yield slack


def checked(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, list[str]]:
    """Exit code of a check, and the lines that are not well."""
    code, out, err = said(capsys, "slack", "--check", *options)
    assert not [secret for secret in (BOT_TOKEN, APP_TOKEN, SECRET) if secret in out + err]
    return code, [line for line in out.splitlines() if line.startswith("!!")]


def test_all_is_well(slack: FakeSlack, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "slack", "--check")
    assert code == 0, out
    assert "ok  bot token: torchnotes in the workspace Team" in out and "ok  app token: the socket" in out
    assert "/invite @torchnotes" in out
    assert checked(capsys, "--http") == (0, [])


def test_what_is_not_set_is_named_with_where_to_find_it(
    slack: FakeSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        monkeypatch.delenv(name)
    code, wrong = checked(capsys)
    assert code == 1 and len(wrong) == 2
    assert wrong[0].startswith("!!  SLACK_BOT_TOKEN is not set; copy the token that starts with xoxb-")
    assert "connections:write" in wrong[1]
    assert "signing secret" in checked(capsys, "--http")[1][1]
    code, _, err = said(capsys, "slack")
    assert code == 2 and "SLACK_BOT_TOKEN is not set" in err and "--check" in err


def test_a_scope_that_is_missing_is_named(slack: FakeSlack, capsys: pytest.CaptureFixture[str]) -> None:
    slack.scopes = [scope for scope in slack.scopes if scope != "im:history"]
    code, (line,) = checked(capsys)
    assert code == 1 and "the scope im:history is missing; add it under OAuth & Permissions" in line


@pytest.mark.parametrize(
    ("method", "error", "line"),
    [
        ("auth.test", "account_inactive", "Slack refuses SLACK_BOT_TOKEN (account_inactive); copy the token"),
        (
            "apps.connections.open",
            "missing_scope",
            "SLACK_APP_TOKEN (missing_scope); turn Socket Mode on",
        ),
    ],
)
def test_a_token_that_is_refused_is_named(
    slack: FakeSlack, capsys: pytest.CaptureFixture[str], method: str, error: str, line: str
) -> None:
    slack.fail(method, error=error, times=9)
    code, wrong = checked(capsys)
    assert code == 1 and line in wrong[0]


def test_tokens_that_are_mixed_up_are_told(
    slack: FakeSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", APP_TOKEN)
    code, wrong = checked(capsys)
    assert code == 1 and "SLACK_BOT_TOKEN does not start with xoxb-" in wrong[0]


def test_a_refused_token_ends_the_start_in_one_line(
    slack: FakeSlack, capsys: pytest.CaptureFixture[str]
) -> None:
    slack.fail("auth.test", error="invalid_auth")
    code, _, err = said(capsys, "slack")
    assert code == 2 and "Slack refuses SLACK_BOT_TOKEN (invalid_auth)" in err and BOT_TOKEN not in err


def test_a_server_that_is_not_there_is_told(
    slack: FakeSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.slack.app.patient", list)
    monkeypatch.setenv("TORCHNOTES_SLACK_API", "http://127.0.0.1:9/api")
    code, wrong = checked(capsys)
    assert code == 1 and "is not reached" in wrong[0] and "is not reached" in wrong[1]
    code, _, err = said(capsys, "slack")
    assert code == 2 and "Slack is not reached at http://127.0.0.1:9/api/" in err


def test_the_manifest_is_printed_with_a_link_that_makes_the_app(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "slack", "--manifest")
    made = json.loads(out)
    assert code == 0 and made["settings"]["socket_mode_enabled"] is True
    assert "chat:write" in made["oauth_config"]["scopes"]["bot"]
    link = urlsplit(err.splitlines()[1])
    assert link.netloc == "api.slack.com" and json.loads(parse_qs(link.query)["manifest_json"][0]) == made
    _, out, _ = said(capsys, "slack", "--manifest", "--url", "https://bot.example.org/")
    made = json.loads(out)
    address = "https://bot.example.org/slack/events"
    assert made["settings"]["event_subscriptions"]["request_url"] == address
    assert made["features"]["slash_commands"][0]["url"] == address
    assert made["settings"]["socket_mode_enabled"] is False
    assert said(capsys, "slack", "--manifest", "--url", "http://x")[0] == 2


def test_the_manifest_keeps_slacks_limits() -> None:
    made = json.loads((ROOT / "ui" / "slack" / "manifest.json").read_text(encoding="utf-8"))
    told = made["display_information"]
    assert len(told["name"]) <= 35 and len(told["description"]) <= 140
    assert 175 <= len(told["long_description"]) <= 4000
    assert len(made["features"]["slash_commands"][0]["description"]) <= 2000


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(TorchnotesError, match=r'pip install "torchnotes\[slack\]"'):
        check_installed()


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl+C", "SIGTERM"])
def test_the_command_answers_until_it_is_ended(slack: FakeSlack, home: Path, end: signal.Signals) -> None:
    heeding = "signal.signal(signal.SIGINT, signal.default_int_handler)"  # behind `&` it would be ignored
    code = f"import signal, sys; {heeding}; from ui.cli.main import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "slack"],
        cwd=ROOT,
        env=dict(os.environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdout
        assert process.stdout.readline().startswith("torchnotes answers in Team over the socket")
        slack.until(lambda: slack.connections)  # this side may see it later than the other one
        slack.deliver(slack.says(f"<@{BOT}> What is the default backend of TCPStore in 2.4?"))
        slack.until(lambda: slack.answers())
    finally:
        process.send_signal(end)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 0 and "Traceback" not in err and BOT_TOKEN not in err
    assert slack.problems == []
