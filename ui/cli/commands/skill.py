"""`torchnotes skill`: teach a coding agent to ask the release notes."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import click


@click.command()
@click.argument(
    "folder", metavar="[DIR]", type=click.Path(file_okay=False, path_type=Path), default=".agents/skills"
)
@click.option("--replace", is_flag=True, help="Replace a skill of this name that has other content.")
def skill(folder: Path, replace: bool) -> None:
    """Write a skill that teaches a coding agent when to ask torchnotes, and how to read what it says.

    DIR is the agent's folder of skills: .agents/skills by default, .claude/skills for Claude Code, or one of
    these in your home folder for all projects.
    """
    from ui.agents.skill import write_skill

    path = write_skill(folder, replace=replace)
    click.echo(f"written to {path}")
    command = _command()
    config = {"mcpServers": {"torchnotes": {"command": command[0], "args": [*command[1:], "mcp"]}}}
    click.echo("The agent can use the command line now. Give it the MCP server as well, in its settings:")
    click.echo(json.dumps(config, ensure_ascii=False))


def _command() -> list[str]:
    """Return the command of torchnotes as an agent can start it, which has another search path."""
    started = Path(sys.argv[0])
    if started.stem == "torchnotes":
        return [str(Path(shutil.which(sys.argv[0]) or started).absolute())]
    found = shutil.which("torchnotes")
    return [found] if found else [sys.executable, "-m", "ui.cli.main"]
