"""`torchnotes mcp`, as a coding agent starts it and talks to it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, TextContent

from assistant.versions import own_version

ROOT = Path(__file__).resolve().parents[3]
_Result = TypeVar("_Result")


def talk(home: Path, folder: Path, conversation: Callable[[ClientSession], Awaitable[_Result]]) -> _Result:
    """Start the server in a folder, and have a conversation with it."""
    variables = {**os.environ, "TORCHNOTES_HOME": str(home), "TORCHNOTES_SHIPPED_CORPUS": "false"}
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "ui.cli.main", "mcp"],
        env={**variables, "PYTHONPATH": str(ROOT)},
        cwd=folder,
    )

    async def run() -> _Result:
        async with stdio_client(command) as (read, write), ClientSession(read, write) as session:
            started = await session.initialize()
            assert (started.serverInfo.name, started.serverInfo.version) == ("torchnotes", own_version())
            return await conversation(session)

    return asyncio.run(run())


def told(result: CallToolResult) -> str:
    """The text of a result."""
    return "\n".join(each.text for each in result.content if isinstance(each, TextContent))


def test_a_client_finds_calls_and_reads_the_tools(built: Path, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch\ntorch.load(path)\n", encoding="utf-8")

    async def all_tools(session: ClientSession) -> tuple[Any, dict[str, CallToolResult]]:
        calls: dict[str, dict[str, Any]] = {
            "ask": {"question": "What is the default backend of TCPStore in 2.4?"},
            "search": {"query": "FlexAttention", "limit": 2},
            "history": {"feature": "FlexAttention", "language": "en"},
            "compare": {"older": "2.4", "newer": "2.5", "groups": ["new"], "about": "flex"},
            "upgrade": {"path": ".", "older": "2.3", "newer": "2.8"},
        }
        return await session.list_tools(), {
            name: await session.call_tool(name, arguments) for name, arguments in calls.items()
        }

    tools, results = talk(built, tmp_path, all_tools)
    assert [tool.name for tool in tools.tools] == list(results)
    for tool in tools.tools:
        assert tool.description.count("\n    ") and not tool.description.startswith((" ", "\n"))
        assert tool.outputSchema["type"] == "object" and tool.annotations.readOnlyHint
    assert not [name for name, result in results.items() if result.isError]
    data = {name: result.structuredContent or {} for name, result in results.items()}
    assert not data["ask"]["declined"] and "libuv" in data["ask"]["sources"][0]["quote"]
    assert [each["release"] for each in data["search"]["passages"]][:1] == ["2.5"]
    (feature,) = data["history"]["features"]
    assert [(step["release"], step["status"]) for step in feature["steps"]] == [("2.5", "prototype")]
    assert [(each["group"], each["release"]) for each in data["compare"]["changes"]] == [("new", "2.5")]
    (finding,) = data["upgrade"]["findings"]
    assert finding["places"] == ["train.py:2"] and finding["symbol"] == "torch.load(weights_only=)"
    assert all(len(told(result)) < 6_000 for result in results.values())


def test_an_error_is_one_line_and_the_server_goes_on(built: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "secret.py").write_text("import torch\ntorch.load(path)\n", encoding="utf-8")
    (tmp_path / "work" / "link.py").symlink_to(tmp_path / "secret.py")
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("ask", {"question": " "}, "the question is empty"),
        ("search", {"query": "x", "limit": 0}, "limit is 0; give 1 to 20"),
        ("history", {"feature": "FlexAtention0"}, "no feature 'FlexAtention0' in the notes"),
        ("compare", {"older": "2.4", "newer": "2.5", "groups": ["all"]}, "groups holds 'all'; give some of"),
        ("upgrade", {"older": "2.3", "newer": "2.8"}, "give one of code"),
        ("upgrade", {"path": "../secret.py", "newer": "2.8"}, "'../secret.py' is outside of"),
        ("upgrade", {"path": "link.py", "newer": "2.8"}, "'link.py' is outside of"),
        ("upgrade", {"path": "a\0b", "newer": "2.8"}, "is not a path"),
        ("upgrade", {"code": "import torch (", "older": "2.3", "newer": "2.8"}, "is not valid Python"),
    ]

    async def all_wrong(session: ClientSession) -> list[CallToolResult]:
        results = [await session.call_tool(name, arguments) for name, arguments, _ in wrong]
        return [*results, await session.call_tool("search", {"query": "TCPStore"})]

    *results, last = talk(built, tmp_path / "work", all_wrong)
    for result, (_, _, line) in zip(results, wrong, strict=True):
        assert result.isError and line in told(result) and "Traceback" not in told(result)
        assert "\n" not in told(result)
    assert not last.isError and "libuv" in told(last)


def test_standard_output_is_for_the_protocol_alone(capfd: pytest.CaptureFixture[str]) -> None:
    import subprocess

    code = (
        "import os, sys; from ui.agents.server import _keep_output_for_protocol as keep; keep(); "
        "os.write(1, b'a library'); sys.stdout.buffer.write(b'protocol'); sys.stdout.flush()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("protocol", "a library")
