"""Language models that run in this process: GGUF files, by llama.cpp.

The binding brings llama.cpp's own server, which listens on a free port of the loopback address and requires a
key that only this process has. So the same client talks to it, with the same errors, streaming and structured
output as to any other server.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from assistant.llm.client import LanguageModel
from assistant.settings import DEFAULT_CONTEXT, DEFAULT_TIMEOUT
from ingest.errors import LanguageModelError
from ingest.locked_property import locked_cached_property

INSTALL = "pip install 'torchnotes[local-model]'"
_MAGIC = b"GGUF"
_QUIET = -1  # llama.cpp logs nothing


class LocalModel(LanguageModel):
    """One GGUF file, loaded with the first request.

    Args:
        file: the GGUF file.
        context: size of the context in tokens, for prompt and reply together.
        timeout: seconds to wait for the next piece of text.
        calls_tools: as for `LanguageModel`.
    """

    def __init__(
        self,
        file: Path,
        *,
        context: int = DEFAULT_CONTEXT,
        timeout: float = DEFAULT_TIMEOUT,
        calls_tools: bool = False,
    ) -> None:
        key = secrets.token_urlsafe(24)
        super().__init__(str(file), file.stem, key, context=context, timeout=timeout, calls_tools=calls_tools)
        self._file = file

    def _address(self) -> str:
        return f"{self._server.listening_address}/v1"

    @locked_cached_property
    def _server(self) -> Any:  # noqa: ANN401 - the binding has no types
        """The server, which ends with this object."""
        try:
            import xllamacpp
        except ImportError:
            raise LanguageModelError(
                f"a model in this process needs the packages openai and xllamacpp; type `{INSTALL}`"
            ) from None
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(check_gguf(self._file))
        parameters.n_ctx = self.context
        parameters.n_parallel = 1
        # Half of the CPUs, as many as there are cores with two threads each: its threads wait by spinning.
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = max(
            1, (os.cpu_count() or 2) // 2
        )
        parameters.hostnames = ["127.0.0.1"]
        parameters.port = 0
        parameters.api_keys = [self._key]
        parameters.ui = parameters.endpoint_slots = False
        parameters.verbosity = _QUIET
        try:
            return xllamacpp.Server(parameters)
        except (RuntimeError, ValueError) as error:
            reason = " ".join(str(error).split()) or "no reason is given"
            raise LanguageModelError(
                f"language model {self._file} cannot be loaded ({reason}); give TORCHNOTES_LLM_CONTEXT fewer "
                "tokens, or type `torchnotes model get` for one that runs here"
            ) from None


def check_gguf(file: Path) -> Path:
    """Check that a file is a GGUF file.

    Args:
        file: path of the file.

    Returns:
        The path.

    Raises:
        LanguageModelError: it is none, or cannot be read.
    """
    try:
        with file.open("rb") as opened:
            found = opened.read(len(_MAGIC))
    except OSError as error:
        raise LanguageModelError(
            f"{file}: it cannot be read ({error.strerror}); type `torchnotes model get` for a model"
        ) from None
    if found != _MAGIC:
        raise LanguageModelError(f"{file} is no GGUF file; type `torchnotes model get` for one")
    return file
