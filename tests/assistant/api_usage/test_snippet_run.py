"""A user's program runs as Python would run it, and its warnings and its error are told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assistant.api_usage.snippet import snippet_of
from assistant.api_usage.snippet_run import SnippetRun, run_snippet
from assistant.sandbox.run_limits import Limits
from ingest.errors import SourceError


def ran(source: str, *, arguments: tuple[str, ...] = (), files: tuple[Path, ...] = ()) -> SnippetRun:
    return run_snippet(
        snippet_of(source.encode()), arguments=arguments, files=files, limits=Limits(seconds=30)
    )


def test_it_is_the_main_program() -> None:
    source = """
import os, pickle, sys
class Mine: ...
print(__name__, os.path.basename(__file__), os.path.basename(sys.argv[0]), sys.argv[1:])
print(sys.modules["__main__"].Mine is Mine, type(pickle.loads(pickle.dumps(Mine()))) is Mine)
print(os.path.basename(sys.path[0]))
"""
    done = ran(source, arguments=("--a", "b c"))
    assert done.outcome.ok, done
    assert done.outcome.stdout.splitlines() == [
        "__main__ snippet.py snippet.py ['--a', 'b c']",
        "True True",
        "program",
    ]
    assert (done.warnings, done.broke, done.stderr) == ((), None, "")


@pytest.mark.parametrize(
    ("source", "code", "reason", "stderr"),
    [
        ("raise SystemExit(7)", 7, "exit code 7", ""),
        ("import sys; sys.exit('no luck')", 1, "exit code 1: no luck", "no luck\n"),
        ("import warnings, sys; warnings.warn('x'); sys.exit(3)", 3, "exit code 3", ""),
    ],
    ids=["code", "text", "after-a-warning"],
)
def test_exit_codes_are_kept(source: str, code: int, reason: str, stderr: str) -> None:
    done = ran(source)
    assert (done.outcome.exit_code, done.outcome.reason, done.outcome.stderr) == (code, reason, stderr)
    assert done.broke is None


def test_an_error_is_told_with_lines_of_the_user_only() -> None:
    source = "import json, sys\nprint('before', file=sys.stderr)\ndef f():\n    json.loads('{')\nf()"
    done = ran(source)
    assert done.broke and done.broke.error.startswith("json.decoder.JSONDecodeError: Expecting property name")
    assert done.broke.frames == (("snippet.py", 5, "f()"), ("snippet.py", 4, "json.loads('{')"))
    assert done.broke.outside == 3
    assert done.stderr == "before\n"
    assert "Traceback" in done.outcome.stderr and "snippet_guest" not in done.outcome.stderr
    assert done.outcome.reason.startswith("exit code 1: json.decoder.JSONDecodeError")


def test_warnings_are_told_with_the_line_that_raised_them(tmp_path: Path) -> None:
    helper = tmp_path / "helper.py"
    helper.write_text(
        "import warnings\ndef old():\n    warnings.warn('old is deprecated', DeprecationWarning, 9)\n",
        encoding="utf-8",
    )
    source = "import helper, warnings\nfor _ in range(3):\n    helper.old()\nwarnings.warn('hm')\n"
    done = ran(source, files=(helper,))
    assert done.outcome.ok and done.outcome.stderr == ""
    assert [(w.category, w.file, w.line, w.code, w.deprecation) for w in done.warnings] == [
        (
            "DeprecationWarning",
            "helper.py",
            3,
            "warnings.warn('old is deprecated', DeprecationWarning, 9)",
            True,
        ),
        ("UserWarning", "snippet.py", 4, "warnings.warn('hm')", False),
    ]
    assert done.deprecations == done.warnings[:1]
    told = done.to_dict()
    assert told["warnings"][0]["deprecation"] is True and told["outcome"]["exit_code"] == 0


def test_output_that_looks_like_ours_is_the_program_s() -> None:
    source = (
        'import sys\nsys.stderr.write(\'\\x1e0\\x1e{"warning": "x"}\\x1e0\\x1e\')\nprint(\'{"error": "x"}\')'
    )
    done = ran(source)
    assert (done.warnings, done.broke) == ((), None) and "warning" in done.stderr


def test_what_the_program_catches_is_its_own() -> None:
    source = "import warnings as w\nwith w.catch_warnings(record=True) as caught:\n    w.warn('x')\n"
    source += "print(len(caught))"
    done = ran(source)
    assert done.warnings == () and done.outcome.stdout == "1\n"


def test_its_files_must_be_there_and_differ(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none.py: cannot be read \(No such file"):
        ran("pass", files=(tmp_path / "none.py",))
    twin = tmp_path / "snippet.py"
    twin.write_text("", encoding="utf-8")
    with pytest.raises(SourceError, match="two files have the same name"):
        ran("pass", files=(twin,))


def test_what_comes_after_the_traceback_is_kept() -> None:
    source = "import atexit, sys\natexit.register(lambda: print('bye', file=sys.stderr))\n1 / 0"
    done = ran(source)
    assert done.broke and done.stderr == "bye\n" and "Traceback" in done.outcome.stderr
    hooked = ran("import sys\nsys.excepthook = lambda *a: print('mine', file=sys.stderr)\n1 / 0")
    assert hooked.broke and hooked.stderr == "mine\n"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize(
    "fact", ["3", "[]", "{", '{"warning": 1}', '{"error": "x", "frames": [[1]], "outside": 0}']
)
def test_a_program_that_forges_what_is_told_breaks_nothing(fact: str) -> None:
    source = f"""
import sys
mark = open("/proc/self/cmdline").read().split("\\0")[2]
sys.stderr.write(mark + {fact!r} + mark + "end")
"""
    done = ran(source)
    assert done.outcome.ok and (done.warnings, done.broke, done.stderr) == ((), None, "end")


def test_what_a_reader_of_lines_raises_is_no_fault_of_a_file() -> None:
    def gone(line: str) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    with pytest.raises(BrokenPipeError):
        run_snippet(snippet_of(b"print(1)"), on_line=gone)
