"""Ask for known vulnerabilities of what constraints.txt pins: `python -m scripts.audit [OPTION...]`.

Exits with 1 where there are some; where nobody can be asked, it says so and exits with 0. The options
are those of pip-audit.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
_PIP_AUDIT = _ROOT / ".venv-tools" / "bin" / "pip-audit"
_LOCK = _ROOT / "constraints.txt"
_PROBE, _ALL = 30, 90  # seconds for one package, and for every one


class NoAnswerError(Exception):
    """No advisories came: there is no network, or nothing that knows of any."""


def ask(requirements: Path, options: Sequence[str], seconds: float) -> list[dict[str, Any]]:
    """Return what pip-audit tells of each package.

    Args:
        requirements: with hashes; nothing is installed or resolved.
        options: of pip-audit.
        seconds: that it may take.

    Raises:
        NoAnswerError: it failed, or took longer.
    """
    command = [
        *(str(_PIP_AUDIT), "--disable-pip", "--require-hashes", "--requirement", str(requirements)),
        *("--format", "json", "--progress-spinner", "off", "--timeout", "5", *options),
    ]
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=seconds, check=False)
        told: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except subprocess.TimeoutExpired as error:
        raise NoAnswerError(f"no answer within {seconds:.0f} seconds") from error
    except json.JSONDecodeError as error:  # a traceback came instead
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise NoAnswerError(last.partition(":")[0]) from error
    return told


def verdict(told: Sequence[dict[str, Any]]) -> tuple[list[str], int]:
    """Return lines to show and the exit status.

    Args:
        told: of each package, as pip-audit tells it.

    Raises:
        NoAnswerError: of none of them is anything known.
    """
    known = [package for package in told if "skip_reason" not in package]
    if not known:
        raise NoAnswerError("the package index tells of no advisories")
    lines = [
        f"{package['name']} {package['version']}: {flaw['id']}, "
        f"mended in {', '.join(flaw['fix_versions']) or 'no version'}"
        for package in known
        for flaw in package["vulns"]
    ]
    unknown = ", ".join(package["name"] for package in told if "skip_reason" in package)
    ending = f"audit: {len(known)} packages, {len(lines)} known vulnerabilities"
    raise_them = ["raise a version with: make lock LOCK_ARGS='--upgrade-package NAME'"] if lines else []
    return [*lines, ending + (f"; nothing is known of {unknown}" if unknown else ""), *raise_them], int(
        bool(lines)
    )


def main(options: Sequence[str]) -> int:
    """Ask for one package first, so that where nobody answers it is soon known."""
    first = re.match(r"(?:#.*\n)*(\S+==.*(?:\n +--hash=.*)+\n)", _LOCK.read_text(encoding="utf-8"))
    assert first, "constraints.txt pins nothing"
    try:
        with tempfile.TemporaryDirectory() as folder:
            probe = Path(folder, "probe.txt")
            probe.write_text(first[1], encoding="utf-8")
            verdict(ask(probe, options, _PROBE))
        lines, status = verdict(ask(_LOCK, options, _ALL))
    except NoAnswerError as error:
        lines, status = [f"audit SKIPPED, nothing was checked: {error}"], 0
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
