"""`ask(..., check=True)`: verdicts attached to the answer that calls for them."""

from __future__ import annotations

import json

import pytest

from assistant.answer_checks.attach import called_for, with_verdicts
from assistant.assistant import Assistant
from assistant.checks import trial
from assistant.sandbox.isolation import NONE
from ingest.errors import TorchnotesError

UNANSWERED = "How much faster is SDPA on CPU than on a TPU v5e pod in 2.1?"
QUESTION = "What is the new default of weights_only in torch.load in 2.6?"


def test_an_answer_gets_its_verdicts(digest_assistant: Assistant) -> None:
    answer = digest_assistant.ask(QUESTION)
    assert answer.verdicts == () and answer.to_dict()["verdicts"] == []
    checked = with_verdicts(answer, called_for(answer, digest_assistant))
    assert [(v.check.id, v.result) for v in checked.verdicts] == [("weights-only", "confirmed")]
    assert checked.text == answer.text and checked.citations == answer.citations
    (told,) = json.loads(json.dumps(checked.to_dict()))["verdicts"]
    assert told["check"] == "weights-only" and told["machine"]["torch"]


def test_weaker_isolation_has_to_be_allowed(
    digest_assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "isolation_for", lambda checks: NONE)
    monkeypatch.setattr("assistant.answer_checks.attach.isolation_for", lambda checks: NONE)
    answer = digest_assistant.ask(QUESTION)
    found = called_for(answer, digest_assistant)
    with pytest.raises(TorchnotesError, match=r"isolation is weaker here \(none\): .*allow_weaker=True"):
        with_verdicts(answer, found)


def test_nothing_runs_where_nothing_is_called_for(digest_assistant: Assistant) -> None:
    declined = digest_assistant.ask(UNANSWERED)
    assert declined.abstained and called_for(declined, digest_assistant) == ()
    assert with_verdicts(declined, ()) is declined
