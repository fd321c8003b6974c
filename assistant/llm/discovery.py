"""Finds language model servers on this machine: at their usual ports on the loopback address only.

Whatever listens there may be no such server, so each answer is limited in size and time, redirects are not
followed, and names are checked before they are shown.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx

#: Default ports by server.
PORTS = {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080, "vLLM": 8000}
_PATIENCE = 1.0  # seconds for a whole answer; a server on this machine lists its models in milliseconds
_LARGEST = 1024 * 1024  # bytes
_MOST_MODELS = 200
_LONGEST_NAME = 200  # characters


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A language model server on this machine.

    Attributes:
        name: the server that usually has this port.
        url: root of its API.
        models: names of its models, sorted.
    """

    name: str
    url: str
    models: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serializable dictionary."""
        return asdict(self)


def find_servers() -> list[FoundServer]:
    """Ask all known ports at once, and return the servers that list their models, in the order of `PORTS`."""
    return asyncio.run(_find_servers())


async def _find_servers() -> list[FoundServer]:
    import httpx

    plain = {"Accept-Encoding": "identity"}  # what is compressed anyhow is no list: its size is not known
    async with httpx.AsyncClient(
        trust_env=False, follow_redirects=False, timeout=_PATIENCE, headers=plain
    ) as client:
        found = await asyncio.gather(*(_server(client, name, port) for name, port in PORTS.items()))
    return [server for server in found if server]


async def _server(client: httpx.AsyncClient, name: str, port: int) -> FoundServer | None:
    """Return the server at a port, or None if there is none or it is something else."""
    import httpx

    url = f"http://127.0.0.1:{port}/v1"
    try:
        models = await asyncio.wait_for(_models(client, f"{url}/models"), _PATIENCE)
    except (httpx.HTTPError, asyncio.TimeoutError):
        return None
    return None if models is None else FoundServer(name, url, models)


async def _models(client: httpx.AsyncClient, url: str) -> tuple[str, ...] | None:
    """Return the names of the models listed at a URL, or None if what is there is no such list."""
    async with client.stream("GET", url) as response:
        if response.status_code != 200:
            return None
        body = b""
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > _LARGEST:
                return None
    return model_names(body)


def model_names(body: bytes) -> tuple[str, ...] | None:
    """Parse a list of models as servers send it.

    Args:
        body: body of the answer.

    Returns:
        Names that can be shown and sent back, or None if it is no list of models.
    """
    try:
        listed = json.loads(body)
    except (ValueError, RecursionError):
        return None
    models = listed.get("data") if isinstance(listed, dict) else None
    if models is None and isinstance(listed, dict) and "data" in listed:
        return ()  # Ollama without any model
    if not isinstance(models, list):
        return None
    ids = (model.get("id") for model in models[:_MOST_MODELS] if isinstance(model, dict))
    return tuple(sorted({name for name in ids if isinstance(name, str) and _showable(name)}))


def _showable(name: str) -> bool:
    return 0 < len(name) <= _LONGEST_NAME and name.isprintable() and name == name.strip()
