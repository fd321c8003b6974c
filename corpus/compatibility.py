"""The compatibility table: the Python, CUDA, ROCm and GPUs that each release of PyTorch runs on."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

COMPATIBILITY = Path(__file__).with_name("compatibility.toml")
_VERSION = re.compile(r"(\d{1,2})\.(\d{1,2})(?:\.\d{1,3}){0,2}t?")


@dataclass(frozen=True, slots=True)
class Compatibility:
    """What a release runs on and is built with.

    Attributes:
        release: the release, as text.
        date: of the release.
        python: lowest and highest Python version that is fully supported.
        python_experimental: Python versions with experimental builds; a trailing t means free-threaded.
        cpp: C++ standard.
        cuda_stable: CUDA versions of the stable builds.
        cuda_experimental: CUDA versions of the experimental builds.
        cuda_other: CUDA versions of builds that the official matrix leaves out.
        default_cuda: CUDA version of the default Linux package, None where not known.
        cudnn: CUDA version -> cuDNN version of that build.
        nccl: CUDA version -> NCCL version of that build, where known.
        triton: Triton version of the default Linux package, None where not known.
        rocm: ROCm versions.
        torchvision: companion version of torchvision.
        sm: CUDA version -> compute capabilities that the Linux x86-64 build has code for, where known.
        sources: where it stands.
    """

    release: str
    date: date
    python: tuple[str, str]
    python_experimental: tuple[str, ...]
    cpp: str
    cuda_stable: tuple[str, ...]
    cuda_experimental: tuple[str, ...]
    cuda_other: tuple[str, ...]
    default_cuda: str | None
    cudnn: Mapping[str, str]
    nccl: Mapping[str, str]
    triton: str | None
    rocm: tuple[str, ...]
    torchvision: str
    sm: Mapping[str, tuple[str, ...]]
    sources: tuple[str, ...]

    @property
    def cuda(self) -> tuple[str, ...]:
        """CUDA versions of all builds, lowest first."""
        return tuple(sorted(self.cuda_stable + self.cuda_experimental + self.cuda_other, key=_order))

    def cuda_for(self, capability: str) -> tuple[str, ...]:
        """Return the CUDA versions of the builds that run on a card, lowest first.

        A card runs code that was compiled for its own major capability and its own minor one or a lower one:
        a 6.1 card runs 6.0 code, an 8.9 card 8.6 code.

        Args:
            capability: compute capability of the card, such as "6.1" or "sm_61".

        Raises:
            ValueError: the text is no compute capability.
        """
        major, minor = _order(_capability(capability))
        return tuple(
            cuda
            for cuda, built in sorted(self.sm.items(), key=lambda item: _order(item[0]))
            if any(m == major and n <= minor for m, n in map(_order, built))
        )


@lru_cache(maxsize=1)
def load_compatibility(path: Path = COMPATIBILITY) -> tuple[Compatibility, ...]:
    """Return the rows of the table, oldest release first.

    Args:
        path: TOML file of the table.
    """
    with path.open("rb") as file:
        tables = tomllib.load(file)["release"]
    return tuple(
        Compatibility(
            release=t["release"],
            date=t["date"],
            python=(t["python"][0], t["python"][1]),
            python_experimental=tuple(t.get("python_experimental", ())),
            cpp=t["cpp"],
            cuda_stable=tuple(t["cuda_stable"]),
            cuda_experimental=tuple(t.get("cuda_experimental", ())),
            cuda_other=tuple(t.get("cuda_other", ())),
            default_cuda=t.get("default_cuda"),
            cudnn=MappingProxyType(t["cudnn"]),
            nccl=MappingProxyType(t.get("nccl", {})),
            triton=t.get("triton"),
            rocm=tuple(t["rocm"]),
            torchvision=t["torchvision"],
            sm=MappingProxyType({cuda: tuple(built) for cuda, built in t["sm"].items()}),
            sources=tuple(t["sources"]),
        )
        for t in tables
    )


def find_compatibility(release: str) -> Compatibility | None:
    """Return the row of a release, None where the table has none.

    Args:
        release: release, such as "2.4".
    """
    return next((row for row in load_compatibility() if row.release == release), None)


def releases_with_python(version: str) -> tuple[str, ...]:
    """Return the releases that run on a Python version, oldest first.

    Args:
        version: Python version, such as "3.12", "3.12.4" or "3.13t"; versions that a release supports
            experimentally count.

    Raises:
        ValueError: the text is no version.
    """
    wanted = _order(version)
    name = f"{wanted[0]}.{wanted[1]}" + ("t" if version.strip().endswith("t") else "")
    return tuple(
        row.release
        for row in load_compatibility()
        if name in row.python_experimental
        or (not name.endswith("t") and _order(row.python[0]) <= wanted <= _order(row.python[1]))
    )


def _capability(text: str) -> str:
    """Write a compute capability as "6.1", given as "6.1", "61" or "sm_61"."""
    digits = re.fullmatch(r"(?:sm_?|compute_)?(\d{1,2})\.?(\d)[af]?", text.strip().lower())
    if digits is None:
        raise ValueError(f"{text!r} is not a compute capability; write it like 7.0 or sm_70")
    return f"{digits[1]}.{digits[2]}"


def _order(version: str) -> tuple[int, int]:
    """Return major and minor number of a version, so that 3.9 < 3.10."""
    match = _VERSION.fullmatch(version.strip())
    if match is None:
        raise ValueError(f"{version!r} is not a version; write it like 12.6 or 3.10")
    return int(match[1]), int(match[2])
