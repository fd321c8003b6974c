"""Code that is pasted with a mention: what an upgrade breaks in it, in the language of the thread."""

from __future__ import annotations

import pytest

from assistant.upgrade.pasted import NotPythonError
from tests.rows import each_row
from tests.ui.slack.channels import BOB
from tests.ui.slack.conftest import idle
from tests.ui.slack.server import FakeSlack
from tests.ui.slack.test_conversation import mention, text_of
from ui.slack.code_fences import snippet_in, words_around
from ui.slack.incoming import IncomingQuestion
from ui.slack.service import Service
from ui.slack.snippets import findings_messages, is_torch_code, wants_findings

CODE = "import torch\nfor x in y:\n    torch.qr(x)\n    torch.load(p)\n"
FENCED = f"```{CODE}```"


@each_row(
    ("raw", "code"),
    [
        (f"<@UBOT> {FENCED}", CODE),
        (f"<@UBOT> ```python\n{CODE}```", CODE),
        ("```a &lt; b```\nand ```c```", "a < b\nc\n"),
        ("```see(<https://a.org/x|https://a.org/x>)```", "see(https://a.org/x)\n"),
        ("``` ``` `inline`", ""),
        ("no code", ""),
    ],
)
def test_code_keeps_its_indentation(raw: str, code: str) -> None:
    assert snippet_in(raw) == code


@each_row(
    ("text", "wanted"),
    [
        ("", True),
        (":eyes:?", False),
        ("2.3 → 2.8", True),
        ("from torch 2.3 to v2.8", True),
        ("从 2.3 到 2.8", True),
        ("what breaks in 2.8?", True),
        ("is this deprecated?", True),
        ("check this please", True),
        ("升级到 2.8 会坏吗", True),
        ("帮我看看", True),
        ("why is this slow?", False),
        ("check why the loss is nan", False),
        ("what is new in TCPStore in 2.4?", False),
    ],
)
def test_what_asks_for_findings(text: str, wanted: bool) -> None:
    assert wants_findings(text) == wanted


@pytest.mark.parametrize(
    ("code", "is_code"),
    [
        (CODE, True),
        ("print(1)", False),
        ("Traceback (most recent call last):\n  File 'a.py', line 1\nRuntimeError: torch", False),
        ("import torch\n" + "(" * 5_000, False),
        ("", False),
    ],
)
def test_what_is_code(code: str, is_code: bool) -> None:
    assert is_torch_code(code) == is_code


def test_long_code_is_not_parsed_by_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's parser takes 6 GB and a minute for 150 kB of an import, and meanwhile no other thread runs."""
    read: list[str] = []
    monkeypatch.setattr("ui.slack.snippets.parsed", read.append)
    assert is_torch_code("import torch\nimport " + ".".join("a" * 75_000)) and not read
    with pytest.raises(NotPythonError):
        findings_messages("", "import torch (\n" + "# a line\n" * 1_000, "en")


def test_findings_are_short() -> None:
    (message,) = findings_messages("from 2.3 to 2.8", CODE, "en")
    told = text_of(message.to_dict())
    assert (
        told.startswith("*torch 2.3 → 2.8* · ")
        and "line 4 · *default* · `torch.load(weights_only=)` · 2.6" in told
    )
    assert "Looked at 1 Python file" in told and len(told) < 3_000
    many = (
        "import torch\n"
        + "".join(
            f"torch.{name}(x)\n"
            for name in ("qr", "cholesky", "symeig", "align_tensors", "get_autocast_gpu_dtype", "has_mkldnn")
        )
        + "torch.load(p)\ntorch.cuda.amp.autocast()\ntorch.cuda.amp.GradScaler()\n"
        + "torch.has_cuda\ntorch.has_mps\ntorch.zeros(2, names=('N',))\n"
    )
    (message,) = findings_messages("to 2.13", many, "zh")
    told = text_of(message.to_dict())
    assert told.count("•") == 8 and "还有" in told and "torch … → 2.13" in told


def test_nothing_found_is_said_with_what_was_looked_at() -> None:
    (message,) = findings_messages("", "import torch\ntorch.ones(2)\n", "en")
    told = text_of(message.to_dict())
    assert "Nothing in it is affected" in told and "1 name of torch" in told


def test_code_becomes_no_mention(slack: FakeSlack) -> None:
    (message,) = findings_messages("", "import torch\ntorch.load('<!channel> *x*')\n", "en")
    assert "<!" not in str(message.blocks)


def test_a_mention_with_code(slack: FakeSlack, bot: Service) -> None:
    mention(slack, f"what breaks from 2.3 to 2.8?\n{FENCED}")
    slack.until(lambda: slack.answers())
    idle(bot)
    said = text_of(slack.answers()[0])
    assert "*torch 2.3 → 2.8*" in said and "torch.load(weights_only=)" in said
    assert len(slack.answers()) == 1


def test_code_alone_is_answered_in_the_language_of_the_thread(slack: FakeSlack, bot: Service) -> None:
    root = slack.says("我们打算升级 PyTorch")["ts"]
    mention(slack, FENCED, user=BOB, thread=root)
    slack.until(lambda: slack.answers())
    idle(bot)
    assert "torch … →" in text_of(slack.answers()[0]) and "查找范围" in text_of(slack.answers()[0])


def test_three_releases_are_one_line(slack: FakeSlack, bot: Service) -> None:
    mention(slack, f"does 2.3, 2.4 or 2.8 break this?\n{FENCED}")
    slack.until(lambda: slack.answers())
    idle(bot)
    assert "name the release you have" in text_of(slack.answers()[0])


def test_another_question_about_code_is_answered_as_before(slack: FakeSlack, bot: Service) -> None:
    mention(slack, f"What is new in TCPStore in 2.4?\n{FENCED}")
    slack.until(lambda: slack.answers())
    idle(bot)
    assert "libuv" in text_of(slack.answers()[0])


def test_a_task_of_an_earlier_version_has_no_code() -> None:
    task = {
        "teams": [],
        "channel": "C1",
        "direct": False,
        "user": "U1",
        "asked_at": "1.0",
        "thread": "1.0",
        "text": "x",
        "mentioned": True,
        "files": [],
    }
    assert IncomingQuestion.from_task(task).code == ""
    assert words_around(f"a {FENCED}\n b") == "a b"
