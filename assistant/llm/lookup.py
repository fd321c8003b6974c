"""Finds the language model that a user means: by URL, file, server, or name."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path

from assistant.configuration.model_choice import ModelChoice
from assistant.llm.catalogue import catalogue, downloaded
from assistant.llm.discovery import PORTS, FoundServer
from ingest.errors import TorchnotesError

_SHOWN = 8  # names in a message


def look_up(
    target: str, model: str, home: Path, find_servers: Callable[[], Sequence[FoundServer]]
) -> ModelChoice:
    """Find a language model.

    Args:
        target: URL of a server, path of a GGUF file, name of a downloaded model, name of a server on this
            machine such as "ollama", or name of one of its models.
        model: name of the model on the server, or "" where the target says it or the server has only one.
        home: data folder with the downloaded models.
        find_servers: finds the servers on this machine.

    Raises:
        TorchnotesError: there is no such model, or several.
    """
    if target.startswith(("http://", "https://")):
        return ModelChoice(llm_url=target.rstrip("/"), llm_model=model)
    local = {each.name: each for each in downloaded(home)}
    if target in local:
        return ModelChoice(llm_file=str(local[target].path(home)))
    if target.endswith(".gguf") and os.path.isfile(path := os.path.expanduser(target)):
        return ModelChoice(llm_file=os.path.abspath(path))
    servers = find_servers()
    for server in servers:
        if target.casefold() == server.name.casefold():
            return ModelChoice(llm_url=server.url, llm_model=model or _only(server))
    return _by_name(target, servers, home)


def _only(server: FoundServer) -> str:
    """Return the only model of a server.

    Raises:
        TorchnotesError: it has none or several.
    """
    if len(server.models) == 1:
        return server.models[0]
    raise TorchnotesError(
        f"{server.name} at {server.url} has {_several(server.models)}; type `torchnotes model use "
        f"{server.name.casefold()!r} --model NAME` with one of them"
        if server.models
        else f"{server.name} at {server.url} has no model; load one there, then type this again"
    )


def _by_name(name: str, servers: Sequence[FoundServer], home: Path) -> ModelChoice:
    """Return the model with a name, which may lack a tag such as ":latest"."""
    exact = [(s, m) for s in servers for m in s.models if m == name]
    found = exact or [(s, m) for s in servers for m in s.models if m.partition(":")[0] == name]
    if len(found) == 1:
        server, model = found[0]
        return ModelChoice(llm_url=server.url, llm_model=model)
    if found:
        places = ", ".join(f"{model} at {server.url}" for server, model in found[:_SHOWN])
        raise TorchnotesError(
            f"there are several models {name!r}: {places}; type `torchnotes model use URL --model NAME`"
        )
    if name in catalogue():
        raise TorchnotesError(
            f"{name} has not been downloaded; type `torchnotes model get {name}`, which also uses it"
        )
    known = [*(m for s in servers for m in s.models), *(m.name for m in downloaded(home))]
    near = get_close_matches(name, known, n=3, cutoff=0.5) or sorted(known)
    raise TorchnotesError(
        f"no model {name!r} here; {_several(near)} can be used: type `torchnotes model` to list all"
        if near
        else f"no model {name!r} here, and no server at the ports {_ports()}; start one, give its URL, or "
        "type `torchnotes model get`"
    )


def _ports() -> str:
    return ", ".join(f"{port} ({name})" for name, port in PORTS.items())


def _several(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
