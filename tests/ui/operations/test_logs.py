"""The log: lines of JSON or text, without secrets, and without questions unless they are asked for."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant.answer import DraftSentence, ModelError
from assistant.observation import Observation
from assistant.settings import Settings
from tests.ui.answers import answer
from ui.operations.answer_log import AnswerLog
from ui.operations.logs import PACKAGES, configure_logs
from ui.operations.request_context import current_request, request_context
from ui.operations.secrets import HIDDEN, Secrets

QUESTION = 'Why does "my secret project" fail in 2.4?'
KEY = "key-0123456789"


@pytest.fixture(autouse=True)
def untouched() -> Iterator[None]:
    """Logging as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    logging.captureWarnings(False)
    root.handlers[:], root.level = handlers, level
    for package in PACKAGES:
        logging.getLogger(package).setLevel(logging.NOTSET)


def start(**given: Any) -> None:
    """Configure the log as a server does."""
    settings = Settings(Path("home"), llm_api_key=KEY, **given)
    configure_logs(settings, Secrets.of(settings, {"GITHUB_TOKEN": "gh-token-1"}, "sésame"))


def observed() -> Observation:
    """A question of which something is to be told."""
    drafted = (DraftSentence("a", "proved"), DraftSentence("b", "unconfirmed"))
    errors = (ModelError("tools", "it is down"),)
    made = replace(answer("text [1]", ["text"]), sentences=drafted, model_errors=errors)
    return Observation(QUESTION, "answered", 1.0, 0.25, made)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_an_answer_is_a_line_of_json_without_the_question(capsys: pytest.CaptureFixture[str]) -> None:
    start(log_level="info", log_format="json")
    with request_context("r-1", QUESTION):
        AnswerLog().observe(observed())
    warning, line = lines(capsys)
    assert (warning["level"], warning["step"], warning["reason"]) == ("warning", "tools", "it is down")
    assert (line["level"], line["request"], line["ending"], line["seconds"]) == (
        "info",
        "r-1",
        "answered",
        0.25,
    )
    assert line["statements"] == {"proved": 1, "unconfirmed": 1} and line["citations"] == 1
    assert line["time"].endswith("Z") and "secret project" not in json.dumps([warning, line])


def test_the_question_is_there_if_a_setting_asks_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    start(log_level="info", log_format="json", log_questions=True)
    with request_context("r-1", QUESTION):
        AnswerLog(questions=True).observe(observed())
    assert lines(capsys)[-1]["question"] == QUESTION


@pytest.mark.parametrize("form", ["json", "text"])
def test_an_error_that_quotes_question_and_secrets_is_logged_without_them(
    capsys: pytest.CaptureFixture[str], form: str
) -> None:
    start(log_format=form)
    log = logging.getLogger("ui.somewhere")
    with request_context("r-2", QUESTION):
        try:
            raise ValueError(f"{QUESTION!r} with {KEY} and gh-token-1, Authorization: Bearer abcdefghijkl")
        except ValueError:
            log.exception("%s failed: %s", "sésame", "http://user:pass@host/")
    err = capsys.readouterr().err
    for hidden in (KEY, "gh-token-1", "abcdefghijkl", "sésame", "user:pass", "secret project"):
        assert hidden not in err, hidden
    assert HIDDEN in err and "[question]" in err and "ValueError" in err and "r-2" in err
    if form == "json":
        (line,) = map(json.loads, err.splitlines())
        assert line["error"]["type"] == "ValueError" and "test_logs.py" in line["error"]["trace"]


def test_a_message_is_one_line_of_text(capsys: pytest.CaptureFixture[str]) -> None:
    start()
    logging.getLogger("index.somewhere").warning("two\nlines\x1b[31m", extra={"fields": {"a": "b\nc"}})
    assert capsys.readouterr().err == 'WARNING index.somewhere: two lines[31m a="b\\nc"\n'


@pytest.mark.parametrize(("level", "told"), [("debug", 3), ("info", 2), ("warning", 1), ("error", 0)])
def test_the_level_is_that_of_our_packages(capsys: pytest.CaptureFixture[str], level: str, told: int) -> None:
    start(log_level=level, log_format="json")
    for name in ("assistant.x", "openai"):  # which logs at DEBUG what it sends
        for write in (logging.getLogger(name).debug, logging.getLogger(name).info):
            write("message")
    logging.getLogger("ingest.x").warning("message")
    assert [line["logger"] for line in lines(capsys)].count("openai") == 0
    start(log_level=level, log_format="json")
    for write in (
        logging.getLogger("ui").debug,
        logging.getLogger("ui").info,
        logging.getLogger("ui").warning,
    ):
        write("message")
    assert len(lines(capsys)) == told


def test_the_context_of_a_request_ends_with_it() -> None:
    with request_context(question="q"):
        assert len(current_request().id) == 16 and current_request().question == "q"
        with request_context("inner"):
            assert current_request().id == "inner"
    assert current_request().id == ""


def test_short_values_hide_nothing() -> None:
    assert Secrets(["", "a", "no"]).hide("a note of no one") == "a note of no one"
    assert (
        Secrets.of(Settings(Path("home")), os.environ | {"TORCHNOTES_PASSWORD": "open sesame"}).hide(
            "the open sesame"
        )
        == f"the {HIDDEN}"
    )
