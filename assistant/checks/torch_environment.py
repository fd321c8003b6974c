"""Another release of torch in an environment of its own, so that two releases can be compared."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from ingest.errors import TorchnotesError

#: Index of builds without CUDA, which are a tenth of the others' size; on macOS there are no others.
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
SIZE = ("200 MB", "1 GB")  # to download, and on disk
_RELEASE = re.compile(r"\d+\.\d+(\.\d+)?")
_UNREACHED = re.compile(
    r"NameResolution|Failed to (?:resolve|establish)|Connection(?:Error|Refused|Reset)|connection broken"
    r"|Network is unreachable|timed out|ProxyError|SSLError|CERTIFICATE_VERIFY",
    re.I,
)
_THERE = re.compile(r"\(from versions: (?P<versions>[^)]*)\)")
_SHOWN = 12  # releases named in an error
_RESUMES = (25, 1)  # pip that goes on with a download whose connection was lost
_OLD_NUMPY = (2, 3)  # releases before it need NumPy 1


@dataclass(frozen=True, slots=True)
class TorchEnvironment:
    """A virtual environment with a release of torch.

    Attributes:
        folder: the environment.
        release: release of torch, such as "2.8" or "2.8.0".
        index: address of the package index; "" for the one that pip is configured with.
    """

    folder: Path
    release: str
    index: str

    @classmethod
    def of(cls, release: str, home: Path, index: str = "") -> TorchEnvironment:
        """Return the environment for a release, which need not exist.

        Args:
            release: as typed.
            home: data folder.
            index: address of the package index; "" for the builds without CUDA.

        Raises:
            TorchnotesError: it is not the number of a release.
        """
        if not _RELEASE.fullmatch(release):
            raise TorchnotesError(f"{release[:40]!r} is no release of torch; give one such as 2.8 or 2.8.0")
        default = CPU_INDEX if sys.platform == "linux" else ""
        return cls(home / "torch" / release, release, index or default)

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def version(self) -> str:
        """Version of the installed torch; "" if none is, or if its installation was cut off."""
        try:
            return self._mark.read_text(encoding="utf-8").strip()
        except OSError:
            return ""

    def install(self, on_line: Callable[[str], None]) -> None:
        """Install torch; what an installation that was cut off left is used.

        Args:
            on_line: called with each line that pip writes.

        Raises:
            TorchnotesError: it cannot be installed, with the reason.
        """
        if importlib.util.find_spec("pip") is None:
            raise TorchnotesError(
                "pip is missing, which installs torch; type `python -m ensurepip`, then again"
            )
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(f"{self.folder}.lock", timeout=0):
                venv.EnvBuilder(symlinks=os.name != "nt").create(self.folder)
                self._pip(on_line)
                self._mark.write_text(self._imported(), encoding="utf-8")
        except Timeout:
            raise TorchnotesError(
                f"another process installs torch {self.release} right now; wait for it"
            ) from None
        except OSError as error:
            raise TorchnotesError(f"torch {self.release} is not installed: {error}") from None

    @property
    def _mark(self) -> Path:
        return self.folder / "torch-version"

    def _pip(self, on_line: Callable[[str], None]) -> None:
        pinned = f"torch=={self.release}" + ("" if self.release.count(".") == 2 else ".*")
        old = tuple(map(int, self.release.split(".")[:2])) < _OLD_NUMPY
        options = [
            "--disable-pip-version-check",
            "--no-input",
            "--only-binary",
            ":all:",
            "--progress-bar",
            "off",
        ]
        options += ["--resume-retries", "20"] if _pip_version() >= _RESUMES else []
        options += ["--index-url", self.index] if self.index else []
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install", *options]
        lines: list[str] = []
        with subprocess.Popen(
            [*pip, pinned, "numpy<2" if old else "numpy"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as process:
            assert process.stdout
            for line in process.stdout:
                lines.append(line.rstrip())
                on_line(line.rstrip())
        if process.returncode:
            raise TorchnotesError(f"torch {self.release} is not installed: {self._reason(lines)}")

    def _reason(self, lines: list[str]) -> str:
        """Return why pip failed, and what helps."""
        text = "\n".join(lines)
        there = [name for found in _THERE.findall(text) for name in found.split(", ") if name != "none"]
        if there:
            python = ".".join(map(str, sys.version_info[:2]))
            return f"there is no such build for Python {python} here; there are {', '.join(there[-_SHOWN:])}"
        if _UNREACHED.search(text):
            index = self.index or "the package index"
            return (
                f"{index} is not reached; check the network, HTTPS_PROXY, or give a mirror with --torch-index"
            )
        errors = [line for line in lines if line.startswith("ERROR")] or lines[-1:] or ["pip says nothing"]
        return errors[0].removeprefix("ERROR: ")

    def _imported(self) -> str:
        """Return the version that is imported."""
        command = [str(self.python), "-I", "-c", "import torch; print(torch.__version__)"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            last = done.stderr.strip().rpartition("\n")[2]
            raise TorchnotesError(f"torch {self.release} is installed and cannot be loaded: {last}")
        return done.stdout.strip()


def _pip_version() -> tuple[int, ...]:
    from importlib.metadata import version

    return tuple(int(part) for part in re.findall(r"\d+", version("pip"))[:2])
