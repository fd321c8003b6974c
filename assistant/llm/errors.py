"""Errors of language models, in one line that says which setting to change and never contains the API key."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ingest.errors import LanguageModelError

_LISTED = 8  # models listed in an error message
_LONGEST_REASON = 200  # characters
_ROOT = "TORCHNOTES_LLM_URL must be the root of an OpenAI API; it ends in /v1"
_OTHER = "set TORCHNOTES_LLM_MODEL to another model"


class ContextTooLongError(LanguageModelError):
    """The prompt exceeds the context of the model."""


class RefusedError(LanguageModelError):
    """The server rejects the request as it is."""


class CutShortError(LanguageModelError):
    """The reply reached its maximum length. Text received before was yielded."""


@dataclass(frozen=True, slots=True)
class Explainer:
    """Converts errors of the client to one-line messages.

    Attributes:
        url: root of the API.
        model: name of the model, or "" if none was given.
        key: API key, which is removed from all messages.
        timeout: timeout in seconds, as quoted in messages.
    """

    url: str
    model: str
    key: str = field(repr=False)
    timeout: float

    @contextmanager
    def explained(self, offered: Callable[[], Sequence[str]]) -> Iterator[None]:
        """Convert errors of the client in the body of a `with` statement.

        Args:
            offered: queries the names of the server's models, for the message if the model does not exist. It
                may raise errors of the client.

        Raises:
            LanguageModelError: the body raised an error of the client or its HTTP library.
        """
        import openai

        broken = _broken()
        try:
            yield
        except openai.APITimeoutError:
            raise self.error(
                f"no answer within {self.timeout:g} s; wait until it is loaded, or set "
                "TORCHNOTES_LLM_TIMEOUT to more seconds"
            ) from None
        except openai.APIConnectionError as error:
            reason = self._clean(str(error.__cause__ or error))
            raise self.error(
                f"it cannot be reached ({reason}); start it, or correct TORCHNOTES_LLM_URL"
            ) from None
        except openai.APIStatusError as error:
            raise self._refused(error.status_code, self._clean(_reason(error)), offered) from None
        except broken as error:
            raise self.error(
                f"it broke off or sent what is no chat completion "
                f"({self._clean(str(error)) or type(error).__name__}); try again, or correct "
                "TORCHNOTES_LLM_URL"
            ) from None

    def check_end(self, finish: str | None, max_tokens: int, *, spoke: bool, lost: bool) -> None:
        """Check that a reply is complete.

        Args:
            finish: finish reason sent by the server, or None.
            max_tokens: maximum length of the reply in tokens.
            spoke: whether any text was received.
            lost: whether the connection was lost.

        Raises:
            CutShortError: the reply reached its maximum length.
            LanguageModelError: the reply broke off, is empty, or is not a chat completion.
        """
        if finish is None and (spoke or lost):
            raise self.error(f"it broke off in the middle of its answer; try again, or {_OTHER}")
        if finish is None:
            raise self.error(f"it sent no chat completion; {_ROOT}")
        if finish == "length":
            raise CutShortError(
                f"{self._told()}: its answer was cut at {max_tokens} tokens; set TORCHNOTES_LLM_CONTEXT "
                "to what it reads, a quarter of which it may write"
            )
        if not spoke:
            raise self.silent(self._clean(finish))

    def silent(self, finish: str = "stop") -> LanguageModelError:
        """Return the error for a reply without text.

        Args:
            finish: finish reason sent by the server.
        """
        return self.error(f"it wrote nothing (finish_reason {finish}); try again, or {_OTHER}")

    def error(self, what: str) -> LanguageModelError:
        """Return an error prefixed by the model and its server.

        Args:
            what: what went wrong and what to do.
        """
        return LanguageModelError(f"{self._told()}: {what}")

    def no_one_model(self, names: Sequence[str]) -> LanguageModelError:
        """Return the error that no model was given and the server does not have exactly one.

        Args:
            names: models of the server.
        """
        return self.error(f"it has {_several(names)}; set TORCHNOTES_LLM_MODEL to one of them")

    def no_list(self) -> LanguageModelError:
        """Return the error that the server sent no list of models."""
        return self.error(f"it sent no list of models; {_ROOT}")

    def _refused(self, status: int, reason: str, offered: Callable[[], Sequence[str]]) -> LanguageModelError:
        if status in (401, 403):
            return self.error(
                f"the key is refused ({status}: {reason}); set TORCHNOTES_LLM_API_KEY to a valid one"
            )
        if status == 404:
            unlisted: tuple[type[Exception], ...] = (LanguageModelError, *_broken())
            try:
                hint = f"it has {_several(offered())}; set TORCHNOTES_LLM_MODEL to one of them"
            except unlisted:
                hint = _ROOT
            return self.error(f"there is no such model or address (404: {reason}); {hint}")
        if status == 429:
            return self.error(
                f"it takes no more requests now (429: {reason}); try again later, or set "
                "TORCHNOTES_LLM_API_KEY to one with quota left"
            )
        if status in (400, 413, 422) and any(
            word in reason.lower() for word in ("context", "too long", "maximum")
        ):
            return ContextTooLongError(
                f"{self._told()}: the prompt is too long for it ({status}: {reason}); set "
                "TORCHNOTES_LLM_CONTEXT to the tokens that it reads"
            )
        if status >= 500:
            return self.error(f"it fails ({status}: {reason}); try again later, or {_OTHER}")
        return RefusedError(
            f"{self._told()}: it refuses ({status}: {reason}); correct the TORCHNOTES_LLM_ settings"
        )

    def _told(self) -> str:
        return f"language model {self.model} at {self.url}" if self.model else f"language model at {self.url}"

    def _clean(self, reason: str) -> str:
        """Shorten a reason to one line without the key."""
        line = " ".join(reason.split())
        line = line.replace(self.key, "…") if self.key else line
        return line if len(line) <= _LONGEST_REASON else line[: _LONGEST_REASON - 1] + "…"


def _several(names: Sequence[str]) -> str:
    shown = ", ".join(sorted(names)[:_LISTED]) or "no model"
    return shown + (f" and {len(names) - _LISTED} more" if len(names) > _LISTED else "")


def _reason(error: Any) -> str:  # noqa: ANN401 - openai is imported late
    """Extract the server's message from a status error."""
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        return str(message or error.message)
    return str(error.message)


def _broken() -> tuple[type[Exception], ...]:
    """Return the exceptions raised for malformed replies and broken streams."""
    import openai

    found: list[type[Exception]] = [openai.OpenAIError, json.JSONDecodeError, RecursionError, UnicodeError]
    for library in ("httpx", "httpx2"):  # the client has changed its library once
        try:
            found.append(importlib.import_module(library).HTTPError)
        except ImportError:
            continue
    return tuple(found)
