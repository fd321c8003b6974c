"""The models that `torchnotes model get` offers (models.toml), and where they are kept."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_FILE = Path(__file__).with_name("models.toml")


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """A model of the catalogue.

    Attributes:
        name: short name, as typed.
        title: full name with its quantization.
        about: what it is good for, in a few words.
        licence: SPDX identifier of the licence of its weights.
        repository: repository on the Hugging Face hub.
        revision: commit of the repository.
        file: name of the GGUF file there.
        size: size of the file in bytes.
        sha256: checksum of the file.
    """

    name: str
    title: str
    about: str
    licence: str
    repository: str
    revision: str
    file: str
    size: int
    sha256: str

    @property
    def shown_size(self) -> str:
        """The size in GB."""
        return f"{self.size / 1e9:.1f} GB"

    def path(self, home: Path) -> Path:
        """Return where the file is once it has been downloaded and verified.

        Args:
            home: data folder.
        """
        return folder(home) / f"{self.name}.gguf"

    def to_dict(self, home: Path) -> dict[str, Any]:
        """Return a JSON-serializable dictionary.

        Args:
            home: data folder, for whether it has been downloaded.
        """
        path = self.path(home)
        return {**asdict(self), "path": str(path) if path.is_file() else None}


@lru_cache(maxsize=1)
def catalogue() -> dict[str, CatalogueModel]:
    """Return all models by name, the smallest first."""
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    models = [CatalogueModel(name=name, **table) for name, table in tables.items()]
    return {model.name: model for model in sorted(models, key=lambda model: model.size)}


def folder(home: Path) -> Path:
    """Return the folder of downloaded models.

    Args:
        home: data folder.
    """
    return home / "models"


def downloaded(home: Path) -> list[CatalogueModel]:
    """Return the models that have been downloaded, the smallest first.

    Args:
        home: data folder.
    """
    return [model for model in catalogue().values() if model.path(home).is_file()]
