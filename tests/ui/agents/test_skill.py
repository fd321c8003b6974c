"""`torchnotes skill`: what it writes, and that it tells of what there is."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import click
import pytest

from tests.ui.saying import said
from ui.agents.skill import FILE
from ui.agents.tools import Tools
from ui.cli.main import commands

SKILL = Path(inspect.getfile(Tools)).with_name(FILE).read_text(encoding="utf-8")


def test_it_is_written_where_agents_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = said(capsys, "skill")
    path = tmp_path / ".agents/skills/torchnotes/SKILL.md"
    assert code == 0 and out.startswith("written to .agents/skills/torchnotes/SKILL.md\n")
    assert path.read_text(encoding="utf-8") == SKILL
    server = json.loads(out.splitlines()[-1])["mcpServers"]["torchnotes"]
    assert server["args"][-1] == "mcp" and Path(server["command"]).is_absolute()
    assert said(capsys, "skill", ".claude/skills")[0] == 0
    assert (tmp_path / ".claude/skills/torchnotes/SKILL.md").is_file()


def test_what_somebody_else_wrote_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "skill", str(tmp_path))[0] == 0
    path = tmp_path / "torchnotes" / FILE
    path.write_text("mine", encoding="utf-8")
    code, _, err = said(capsys, "skill", str(tmp_path))
    assert code == 2 and "add --replace, or give another folder" in err
    assert path.read_text(encoding="utf-8") == "mine"
    assert said(capsys, "skill", str(tmp_path), "--replace")[0] == 0
    assert path.read_text(encoding="utf-8") == SKILL


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    code, _, err = said(capsys, "skill", str(tmp_path / "file" / "skills"))
    assert code == 2 and err.count("\n") == 1 and "give a folder that can be written" in err


def test_the_front_matter_is_that_of_a_skill() -> None:
    front = re.match(r"---\nname: (\S+)\ndescription: (.+)\n---\n", SKILL)
    assert front and front[1] == "torchnotes" and len(front[2]) <= 1024
    assert ": " not in front[2], "YAML would read a mapping"
    assert SKILL.count("\n") < 60


def test_it_names_tools_arguments_and_commands_that_exist() -> None:
    for name, inside in re.findall(r"`(\w+)\(([^`]*)\)`", SKILL):
        known = inspect.signature(getattr(Tools, name)).parameters
        assert set(re.findall(r"(\w+)=", inside)) <= set(known), name
    typed = re.findall(r"`torchnotes (\w+)([^`]*)`", SKILL)
    assert {name for name, _ in typed} == {"upgrade", "ask", "history", "compare"}
    for name, rest in typed:
        command = commands.commands[name]
        options = {o for p in command.params if isinstance(p, click.Option) for o in p.opts}
        assert set(re.findall(r"--[\w-]+", rest)) <= options, name
