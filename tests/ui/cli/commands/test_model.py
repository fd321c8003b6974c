"""`torchnotes model`: what is found, chosen, tried and downloaded, and one line for each failure."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from assistant.configuration.model_choice import ModelChoice, load_choice
from assistant.llm import catalogue, discovery
from tests.assistant.llm.hub import Hub
from tests.assistant.llm.test_download import BODY, SMALL
from tests.assistant.llm.whole_replies import calling, whole
from tests.assistant.model_server import MODEL, ModelServer, Reply, Request, refusal
from tests.assistant.model_server import said as replied
from tests.ui.saying import said, type_in

DRAFT = "The default backend of TCPStore is `libuv` [1]. It is 9 times faster [1]."


@pytest.fixture(autouse=True)
def no_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this machine is found unless a test says so."""
    monkeypatch.setattr(discovery, "PORTS", {})


def found_at(monkeypatch: pytest.MonkeyPatch, **servers: ModelServer) -> None:
    ports = {name: urlsplit(server.url).port for name, server in servers.items()}
    monkeypatch.setattr(discovery, "PORTS", ports)


def capable(request: Request) -> Reply:
    """A model that writes, keeps to a schema and calls functions."""
    if "judgements" in request.body["messages"][0]["content"]:
        items = [{"sentence": n, "passage": 0, "quote": "", "verdict": "absent"} for n in (1, 2)]
        return replied(json.dumps({"judgements": items}))
    if "response_format" in request.body:
        return whole({"content": '{"legs": 8}'})
    if "tools" in request.body:
        return calling(("search", {"query": "TCPStore"}))
    return replied(DRAFT)


@pytest.mark.usefixtures("empty_home")
def test_what_is_found_is_listed_and_what_is_in_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(models=["qwen3:4b", "llama3"]) as server:
        found_at(monkeypatch, Ollama=server)
        code, out, _ = said(capsys, "model")
        assert code == 0
        assert out == (
            "no language model in use: answers are sentences of the notes\n\n"
            f"Ollama at {server.url}\n  llama3\n  qwen3:4b\n\ntype `torchnotes model use NAME`\n"
        )
        monkeypatch.setenv("TORCHNOTES_LLM_URL", server.url)
        told = json.loads(said(capsys, "model", "--json")[1])
    used = {"url": server.url, "model": "", "file": "", "from": "environment"}
    assert told["in_use"] == used and told["servers"][0]["models"] == ["llama3", "qwen3:4b"]
    assert {each["name"] for each in told["catalogue"]} == set(catalogue.catalogue())


@pytest.mark.usefixtures("empty_home")
def test_where_nothing_is_found_the_ways_on_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "model")
    assert code == 0 and "torchnotes model use URL" in out and "torchnotes model get NAME" in out
    assert "qwen3-4b" in out and "Apache-2.0" in out and "2.5 GB" in out


def test_a_model_is_chosen_used_and_forgotten(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(
        replied("The default backend of TCPStore is `libuv` [1]."), models=["a:1b", "b"]
    ) as server:
        found_at(monkeypatch, Ollama=server)
        code, out, _ = said(capsys, "model", "use", "a", "--context", "8192")
        assert code == 0 and out.startswith(f"a:1b at {server.url} answers from now on")
        assert load_choice(home) == ModelChoice(server.url, "a:1b", "", 8192)
        asked = ("ask", "--json", "What is the default backend of TCPStore in 2.4?")
        assert json.loads(said(capsys, *asked)[1])["model"] == "a:1b"
        assert said(capsys, "model")[1].startswith(f"in use: a:1b at {server.url} (stored choice)\n")
        assert said(capsys, "model", "off")[:2] == (0, "the chosen model is forgotten\n")
        assert json.loads(said(capsys, *asked)[1])["model"] == ""
        assert said(capsys, "model", "off")[:2] == (0, "no model was chosen\n")


def test_a_server_is_chosen_by_its_name_or_url(
    empty_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(replied("Yes."), models=["b"]) as server:
        found_at(monkeypatch, Ollama=server)
        for target in ("ollama", "b"):
            assert said(capsys, "model", "use", target)[0] == 0
            assert load_choice(empty_home) == ModelChoice(server.url, "b")
        told = json.loads(said(capsys, "model", "use", f"{server.url}/", "--model", "c", "--json")[1])
        assert told == {
            "llm_url": server.url,
            "llm_model": "c",
            "llm_file": "",
            "llm_context": 0,
            "llm_tools": False,
        }


def test_a_model_that_does_not_answer_is_not_chosen(
    empty_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(refusal(401, "no")) as server:
        code, out, err = said(capsys, "model", "use", server.url)
    assert code == 2 and not out and "set TORCHNOTES_LLM_API_KEY to a valid one" in err
    assert load_choice(empty_home) is None


def test_the_environment_that_comes_first_is_told(
    empty_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TORCHNOTES_LLM_URL", "http://127.0.0.1:9/v1")
    with ModelServer(replied("Yes.")) as server:
        code, _, err = said(capsys, "model", "use", server.url)
    assert code == 0 and err.startswith("the environment names another model and comes first")
    assert load_choice(empty_home) == ModelChoice(server.url)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["use", "ollama"], "Ollama at .* has a:1b, b; type `torchnotes model use 'ollama' --model NAME`"),
        (["use", "vllm"], "vLLM at .* has no model; load one there"),
        (["use", "c"], "no model 'c' here; a:1b, b can be used: type `torchnotes model`"),
        (["use", "qwen3-4b"], "has not been downloaded; type `torchnotes model get qwen3-4b`"),
        (["use", "http://me:secret@host/v1"], "cannot be used: it must be an address"),
        (["use", "b", "--context", "5"], "5 is not in the range x>=1024"),
        (["test"], "no language model is in use; type `torchnotes model`"),
        (["get", "gpt"], "there is no model 'gpt' to download; there are qwen2.5-1.5b, "),
        (["--json", "off"], "give --json after `off`"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else None,
)
@pytest.mark.usefixtures("empty_home")
def test_what_cannot_be_meant_is_one_line(
    arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(models=["a:1b", "b"]) as ollama, ModelServer(models=[]) as vllm:
        found_at(monkeypatch, Ollama=ollama, vLLM=vllm)
        code, out, err = said(capsys, "model", *arguments)
    assert code == 2 and not out and err.count("\n") == 1
    assert pytest.raises(AssertionError, match=told).matches(AssertionError(err)), err


@pytest.mark.usefixtures("home")
def test_a_model_is_tried(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with ModelServer(script=capable) as server:
        monkeypatch.setenv("TORCHNOTES_LLM_URL", server.url)
        code, out, _ = said(capsys, "model", "test")
        told = json.loads(said(capsys, "model", "test", "--json")[1])
    assert code == 0 and out.startswith(f"{MODEL} at {server.url}\n\nWhat does FlexAttention do?\n")
    assert "structured output  works\ntool calls         works\njudging itself     works\n" in out
    assert "sentences: " in out and " not confirmed, 0 contradicted" in out
    assert told["structured_output"] is True and told["tool_calls"] is True and told["speed"]["rate"] > 0
    assert len(told["trials"]) == 3 and told["outcomes"]["contradicted"] == 0
    sums = [sum(trial["outcomes"][name] for trial in told["trials"]) for name in ("proved", "unconfirmed")]
    assert sums == [told["outcomes"]["proved"], told["outcomes"]["unconfirmed"]] and sum(sums) > 0


def test_a_model_that_calls_functions_looks_things_up_and_shows_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ModelServer(script=capable) as server:
        assert said(capsys, "model", "use", server.url, "--tools")[0] == 0
        out = said(capsys, "ask", "What is the default backend of TCPStore in 2.4?")[1]
    choice = load_choice(home)
    assert choice and choice.llm_tools
    assert out.splitlines()[0].startswith("→ search(query=TCPStore): ") and "libuv" in out
    with ModelServer(replied("Yes.")) as server:
        code, _, err = said(capsys, "model", "use", server.url, "--tools")
    assert code == 2 and "does not call functions; type the same command without --tools" in err
    assert load_choice(home) == choice


@pytest.mark.usefixtures("home")
def test_a_model_that_can_do_neither_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def script(request: Request) -> Reply:
        return refusal(400, "no") if {"response_format", "tools"} & request.body.keys() else replied(DRAFT)

    with ModelServer(script=script) as server:
        monkeypatch.setenv("TORCHNOTES_LLM_URL", server.url)
        out = said(capsys, "model", "test")[1]
    assert "structured output  does not work\ntool calls         does not work\n" in out
    assert out.endswith("judging itself     does not work, and is left out\n")


@pytest.fixture
def small_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small file of the tests in the catalogue, to be downloaded whatever is installed."""
    models = {"small": SMALL}
    monkeypatch.setattr(catalogue, "catalogue", lambda: models)
    monkeypatch.setattr("ui.cli.commands.model._check_binding", lambda: None)


@pytest.mark.usefixtures("small_catalogue", "empty_home")
def test_a_download_is_shown_and_asked_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Hub(BODY) as hub:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
        type_in(monkeypatch, "", terminal=False)
        code, _, err = said(capsys, "model", "get", "small")
        assert code == 2 and err.endswith("nobody can be asked here whether to download it; add --yes\n")
        assert "licence  MIT\n" in err and "size     0.0 GB\n" in err and "someone/Small-GGUF" in err
        type_in(monkeypatch, "n\n", terminal=True)
        assert said(capsys, "model", "get", "small")[0] == 0 and not hub.requests


@pytest.mark.usefixtures("empty_home")
def test_without_the_binding_nothing_is_downloaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    code, _, err = said(capsys, "model", "get", "qwen3-4b", "--yes")
    assert code == 2 and err.endswith("type `pip install 'torchnotes[local-model]'`\n")
