from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.sandbox import execution
from assistant.sandbox.isolation import NONE, Isolation
from assistant.sandbox.outcome import Outcome, by_itself
from assistant.sandbox.probe import available
from assistant.sandbox.run_limits import MB, Limits
from assistant.sandbox.runner import run
from tests.assistant.sandbox.traces import processes_with

pytestmark = pytest.mark.usefixtures("alone")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
LIMITS = Limits(seconds=30, memory=400 * MB)
ROOT = Path(__file__).resolve().parents[3]
LEVELS = pytest.mark.parametrize("level", available(), ids=lambda level: level.name)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def ran(folder: Path, source: str, **options: object) -> Outcome:
    program = folder / "program.py"
    program.write_text(source, encoding="utf-8")
    return run(program, **{"limits": LIMITS, **options})  # type: ignore[arg-type]


@LEVELS
def test_a_program_runs(level: Isolation, tmp_path: Path) -> None:
    source = "import sys; print('说', *sys.argv[1:]); print('warning', file=sys.stderr)"
    outcome = ran(tmp_path, source, arguments=["a", "b c"], isolation=level)
    assert (outcome.ended, outcome.exit_code, outcome.signal, outcome.reason) == (
        "finished",
        0,
        None,
        "finished",
    )
    assert (outcome.stdout, outcome.stderr) == ("说 a b c\n", "warning\n")
    assert outcome.ok and outcome.isolation == level.name
    assert outcome.peak_memory and MB < outcome.peak_memory < 400 * MB
    assert outcome.cpu_seconds and outcome.cpu_seconds > 0
    assert outcome.seconds > 0


@LEVELS
def test_files_lie_beside_the_program(level: Isolation, tmp_path: Path) -> None:
    kit = tmp_path / "kit.py"
    kit.write_text("word = 'found'", encoding="utf-8")
    outcome = ran(tmp_path, "import kit; print(kit.word)", files=[kit], isolation=level)
    assert outcome.stdout == "found\n", outcome


@LEVELS
def test_its_folder_is_its_home_and_the_place_of_all_caches(level: Isolation, tmp_path: Path) -> None:
    source = """
import os, tempfile
home = os.path.expanduser("~")
assert os.getcwd() == home
assert not [name for name in os.listdir(home) if os.path.isfile(name)]
for name in ("TMPDIR", "XDG_CACHE_HOME", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"):
    assert os.environ[name].startswith(home + "/")
    open(os.path.join(os.environ[name], "file"), "w").close()
assert tempfile.gettempdir() == os.environ["TMPDIR"]
"""
    outcome = ran(tmp_path, source, isolation=level)
    assert outcome.ok, outcome


def test_its_environment_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("LD_PRELOAD", "")
    source = "import os; print(*sorted(f'{name}={value}' for name, value in os.environ.items()), sep='\\n')"
    outcome = ran(tmp_path, source, environment={"OMP_NUM_THREADS": "2", "MORE": "1"})
    assert not [
        name for name in ("AWS_SECRET_ACCESS_KEY", "PYTHONPATH", "LD_PRELOAD") if name in outcome.stdout
    ]
    assert {"LANG=C.UTF-8", "OMP_NUM_THREADS=2", "OMP_WAIT_POLICY=passive", "MORE=1", "USER=user"} <= {
        *outcome.stdout.split("\n")
    }


@LEVELS
@pytest.mark.parametrize(
    ("source", "code", "number", "reason"),
    [
        pytest.param("raise SystemExit(7)", 7, None, "exit code 7", id="code"),
        pytest.param("1 / 0", 1, None, "exit code 1: ZeroDivisionError: division by zero", id="error"),
        pytest.param(
            "import os; os.kill(os.getpid(), 6)",
            None,
            signal.SIGABRT,
            "ended by SIGABRT, which no limit of this run sent",
            id="signal",
        ),
        pytest.param("raise SystemExit(134)", 134, None, "exit code 134", id="like-a-signal"),
    ],
)
def test_how_it_ended_is_told(
    level: Isolation, source: str, code: int | None, number: int | None, reason: str, tmp_path: Path
) -> None:
    outcome = ran(tmp_path, source, isolation=level)
    assert (outcome.ended, outcome.exit_code, outcome.signal) == ("finished", code, number)
    assert outcome.reason == reason
    assert not outcome.ok


def test_lines_come_while_it_runs(tmp_path: Path) -> None:
    """The program waits for a file that is written when its first line has come."""
    source = """
import os, time
print("first")
while not os.path.exists("go"): time.sleep(0.01)
print("second", end="")
"""
    lines: list[str] = []

    def on_line(line: str) -> None:
        lines.append(line)
        if line == "first":
            (work,) = (tmp_path / "temporary").glob("*/work")
            (work / "go").touch()

    assert ran(tmp_path, source, on_line=on_line, isolation=NONE).ok
    assert lines == ["first", "second"]


def test_a_long_line_comes_in_pieces_and_whole_characters(tmp_path: Path) -> None:
    lines: list[str] = []
    outcome = ran(tmp_path, "print('长' * 20_000)", on_line=lines.append)
    assert max(map(len, lines)) <= 8192
    assert "".join(lines) == "长" * 20_000 == outcome.stdout.strip()


@LINUX
@LEVELS
def test_it_can_be_cancelled(level: Isolation, tmp_path: Path, temporary: Path) -> None:
    cancelled = threading.Event()
    source = "import time\nprint('ready')\ntime.sleep(1000)"
    outcome = ran(
        tmp_path,
        source,
        isolation=level,
        cancelled=cancelled,
        on_line=lambda line: cancelled.set(),
        environment={"MARK": str(tmp_path)},
    )
    assert (outcome.ended, outcome.reason, outcome.exit_code) == ("cancelled", "cancelled", None)
    assert outcome.stdout == "ready\n"
    assert not processes_with(str(tmp_path))
    assert not list(temporary.iterdir())


@LINUX
def test_what_the_listener_raises_ends_the_run(tmp_path: Path, temporary: Path) -> None:
    def on_line(line: str) -> None:
        raise KeyboardInterrupt(line)

    source = "import time\nprint('ready')\ntime.sleep(1000)"
    with pytest.raises(KeyboardInterrupt, match="ready"):
        ran(tmp_path, source, on_line=on_line, environment={"MARK": str(tmp_path)})
    assert not processes_with(str(tmp_path))
    assert not list(temporary.iterdir())


@LINUX
@LEVELS
def test_it_ends_with_whoever_started_it(level: Isolation, tmp_path: Path) -> None:
    """A server that is killed leaves no program behind."""
    program = tmp_path / "program.py"
    source = "import os, time\nif not os.fork():\n    os.setsid()\n    print('ready')\ntime.sleep(1000)"
    program.write_text(source)
    starter = (
        "import sys; from pathlib import Path; from assistant.sandbox.runner import run; "
        "from assistant.sandbox.isolation import Isolation; "
        f"level, marked = Isolation({level.name!r}), {{'MARK': sys.argv[1]}}; "
        "ended = run(Path(sys.argv[1]), isolation=level, environment=marked, "
        "on_line=lambda line: print(line, flush=True)); "
        "print(ended)"  # in place of a line it tells why there is none
    )
    command = [sys.executable, "-c", starter, str(program)]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdout
        line = server.stdout.readline()
        server.kill()
        assert line == b"ready\n", line.decode()
    until = time.monotonic() + 20
    while (left := processes_with(str(program))) and time.monotonic() < until:
        pass
    assert not left


def test_several_run_at_once(tmp_path: Path, temporary: Path) -> None:
    outcomes: dict[int, Outcome] = {}

    def one(number: int) -> None:
        folder = tmp_path / str(number)
        folder.mkdir()
        outcomes[number] = ran(folder, f"open('mine', 'x').close(); print({number})")

    threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {number: outcome.stdout for number, outcome in outcomes.items()} == {n: f"{n}\n" for n in range(4)}
    assert not list(temporary.iterdir())


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    ran(tmp_path, "pass")
    before = len(os.listdir("/dev/fd"))
    ran(tmp_path, "pass")
    assert len(os.listdir("/dev/fd")) == before


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing"):
        run(tmp_path / "missing.py")


def test_two_files_of_one_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="have the same name"):
        run(tmp_path / "a.py", files=[tmp_path / "more" / "a.py"])


def test_an_interpreter_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "program.py"
    program.touch()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    outcome = run(program, isolation=NONE)
    assert outcome.ended == "failed-to-start"
    assert "No such file" in outcome.reason and "\n" not in outcome.reason


def test_a_system_that_is_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "_POSIX", False)
    outcome = run(tmp_path / "program.py", isolation=NONE)
    assert (outcome.ended, outcome.isolation) == ("failed-to-start", "none")
    assert outcome.reason == "could not be started: programs are run on Linux and macOS only"


@pytest.mark.parametrize("name", Limits.__dataclass_fields__)
def test_a_limit_is_more_than_nothing(name: str) -> None:
    with pytest.raises(ValueError, match=f"the limit {name} is 0"):
        replace(Limits(), **{name: 0})


@pytest.mark.parametrize(
    ("exit_code", "number", "stderr", "cpu", "ended"),
    [
        pytest.param(0, None, "MemoryError", 1.0, "finished", id="only-said"),
        pytest.param(1, None, "Traceback\nMemoryError", 1.0, "finished", id="python"),
        pytest.param(1, None, "RuntimeError: can't allocate memory: you tried", 1.0, "finished", id="torch"),
        pytest.param(None, 6, "what():  std::bad_alloc", 1.0, "finished", id="c++"),
        pytest.param(1, None, "OSError: [Errno 28] No space left on device", 1.0, "finished", id="no-room"),
        pytest.param(0, None, "No space left on device", 1.0, "finished", id="no-room-and-well"),
        pytest.param(None, 7, "", 1.0, "finished", id="no-room-in-a-mapped-file"),
        pytest.param(None, 9, "", 1.0, "finished", id="killed-by-somebody"),
        pytest.param(None, 9, "", 10.2, "cpu-limit", id="killed-late"),
        pytest.param(None, 24, "", 10.0, "cpu-limit", id="warned"),
        pytest.param(None, 24, "", 0.1, "finished", id="warned-by-itself"),
        pytest.param(None, 11, "", None, "finished", id="crashed"),
    ],
)
def test_never_more_than_is_known(
    exit_code: int | None, number: int | None, stderr: str, cpu: float | None, ended: str
) -> None:
    assert by_itself(exit_code, number, stderr, cpu, 10)[0] == ended


def test_what_a_program_says_of_its_end_is_told_as_its_word() -> None:
    assert by_itself(1, None, "Traceback\nMemoryError", 1.0, 10)[1] == (
        "exit code 1: MemoryError; it says that it asked for more memory than it may have"
    )
    assert "it says that it wrote more" in by_itself(1, None, "No space left on device", 1.0, 10)[1]
