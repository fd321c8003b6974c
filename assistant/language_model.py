"""A language model behind the OpenAI chat API: Ollama, vLLM, llama.cpp, LM Studio, OpenAI, DeepSeek, Qwen.

The official client does the talking: it streams, retries 408, 409, 429 and 5xx with backoff (or as
`Retry-After` says), and times out. Here its errors become one line that says what to type next; no key
stands in any of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypedDict, cast

from ingest.errors import LanguageModelError

if TYPE_CHECKING:
    from openai import OpenAI

DEFAULT_CONTEXT = 4096  # tokens; what Ollama reads unless told otherwise, and it cuts the rest off silently
DEFAULT_TIMEOUT = 60.0
_CONNECT = 5.0  # seconds
_RETRIES = 2
_PING_TOKENS = 16
_LISTED = 8  # models named in an error
_LONGEST_REASON = 200  # characters
_NO_KEY = "none"  # local servers ask for none, the client for some
#: What newer models of OpenAI want in place of the first; asked for when the server says so.
_PARAMETERS: tuple[str, ...] = ("max_tokens", "max_completion_tokens")


class Message(TypedDict):
    """One message of a chat."""

    role: str
    content: str


class ContextTooLongError(LanguageModelError):
    """The prompt is longer than what the model reads."""


class CutShortError(LanguageModelError):
    """The reply reached its longest length; what came before was yielded."""


class LanguageModel:
    """One model of one server.

    Args:
        url: root of the API, such as http://localhost:11434/v1.
        model: its name there; "" takes the only one that the server has.
        api_key: "" where none is needed.
        context: tokens that prompt and answer may have together.
        timeout: seconds to wait for the next piece of text.
    """

    def __init__(
        self,
        url: str,
        model: str = "",
        api_key: str = "",
        *,
        context: int = DEFAULT_CONTEXT,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> None:
        self.url = url
        self.context = context
        self.timeout = timeout
        self._model = model
        self._key = api_key

    def __repr__(self) -> str:
        return f"LanguageModel({self.url!r}, {self._model!r})"

    @cached_property
    def name(self) -> str:
        """The model's name; asks the server when none was given.

        Raises:
            LanguageModelError: the server has none, or several.
        """
        if self._model:
            return self._model
        names = self.names()
        if len(names) == 1:
            return names[0]
        raise LanguageModelError(
            f"language model at {self.url}: it has {_several(names)}; set TORCHNOTES_LLM_MODEL to one of them"
        )

    def names(self) -> list[str]:
        """The models that the server offers.

        Raises:
            LanguageModelError: it does not answer.
        """
        with self._errors():
            return [model.id for model in self._client.models.list().data]

    def stream(self, messages: Sequence[Message], max_tokens: int) -> Iterator[str]:
        """The reply, piece by piece; closing the iterator ends the request.

        Args:
            messages: the chat so far.
            max_tokens: longest reply.

        Raises:
            LanguageModelError: the server cannot be reached, refuses, is too slow, or breaks off; what came
                before was yielded.
        """
        with self._errors():
            chunks = self._request(messages, max_tokens)
            try:
                finish, spoke = None, False
                for chunk in chunks:
                    for choice in chunk.choices or ():
                        finish = choice.finish_reason or finish
                        if choice.delta and choice.delta.content:
                            spoke = True
                            yield choice.delta.content
            finally:
                chunks.close()
        if finish is None:
            broke = "broke off in the middle of its answer" if spoke else "sent no chat completion"
            hint = (
                "try again"
                if spoke
                else "TORCHNOTES_LLM_URL must be the root of an OpenAI API; it ends in /v1"
            )
            raise LanguageModelError(f"{self._told()}: it {broke}; {hint}")
        if finish == "length":
            raise CutShortError(f"{self._told()}: its answer was cut at {max_tokens} tokens")

    def complete(self, messages: Sequence[Message], max_tokens: int) -> str:
        """The whole reply.

        Raises:
            LanguageModelError: as `stream`.
        """
        return "".join(self.stream(messages, max_tokens))

    def ping(self) -> None:
        """Ask for one word.

        Raises:
            LanguageModelError: none comes.
        """
        with suppress(CutShortError):
            self.complete([{"role": "user", "content": "Say yes."}], _PING_TOKENS)

    @cached_property
    def _client(self) -> OpenAI:
        try:
            import openai
        except ImportError:
            raise LanguageModelError(
                "a language model needs the openai package; type `pip install 'torchnotes[llm]'`"
            ) from None
        # The key and the organization of the user's OpenAI account are for OpenAI, not for every address.
        return openai.OpenAI(
            base_url=self.url,
            api_key=self._key or _NO_KEY,
            timeout=openai.Timeout(self.timeout, connect=_CONNECT),
            max_retries=_RETRIES,
            default_headers={"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()},  # type: ignore[dict-item]
        )

    def _request(self, messages: Sequence[Message], max_tokens: int) -> Any:  # noqa: ANN401 - the client's own
        """A streaming request, with the newer name of its parameter where the server wants that."""
        import openai

        for parameter in _PARAMETERS:
            options: dict[str, Any] = {parameter: max_tokens}
            if parameter == _PARAMETERS[0]:
                options["temperature"] = 0.0
            try:
                return self._client.chat.completions.create(
                    model=self.name, messages=cast("Any", list(messages)), stream=True, **options
                )
            except openai.BadRequestError as error:
                unknown = parameter in str(error) or "temperature" in str(error)
                if not unknown or parameter == _PARAMETERS[-1]:
                    raise
        raise AssertionError("the last parameter returns or raises")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """The client's errors as one line each."""
        client = self._client  # tells when the package is missing
        import openai

        broken = _broken()
        try:
            yield
        except openai.APITimeoutError:
            raise LanguageModelError(
                f"{self._told()}: no answer within {self.timeout:g} s; wait until it is loaded, or set "
                "TORCHNOTES_LLM_TIMEOUT to more seconds"
            ) from None
        except openai.APIConnectionError as error:
            reason = self._clean(str(error.__cause__ or error))
            raise LanguageModelError(
                f"{self._told()}: it cannot be reached ({reason}); start it, or correct TORCHNOTES_LLM_URL"
            ) from None
        except openai.APIStatusError as error:
            raise self._refused(error.status_code, self._clean(_reason(error)), client) from None
        except broken as error:
            raise LanguageModelError(
                f"{self._told()}: it broke off or sent what is no chat completion "
                f"({self._clean(str(error)) or type(error).__name__}); try again, or correct "
                f"TORCHNOTES_LLM_URL"
            ) from None

    def _refused(self, status: int, reason: str, client: OpenAI) -> LanguageModelError:
        told = f"{self._told()}: "
        if status in (401, 403):
            return LanguageModelError(
                f"{told}the key is refused ({status}: {reason}); set TORCHNOTES_LLM_API_KEY to a valid one"
            )
        if status == 404:
            return LanguageModelError(
                f"{told}there is no such model or address (404: {reason}); {self._offered(client)}"
            )
        if status == 429:
            return LanguageModelError(f"{told}it takes no more requests now (429: {reason}); try again later")
        if status in (400, 413, 422) and any(
            word in reason.lower() for word in ("context", "too long", "maximum")
        ):
            return ContextTooLongError(
                f"{told}the prompt is too long for it ({status}: {reason}); set "
                f"TORCHNOTES_LLM_CONTEXT to the "
                "tokens that it reads"
            )
        hint = "try again later" if status >= 500 else "correct the TORCHNOTES_LLM_ settings"
        return LanguageModelError(f"{told}it refuses ({status}: {reason}); {hint}")

    def _offered(self, client: OpenAI) -> str:
        broken = _broken()
        try:
            names = [model.id for model in client.with_options(max_retries=0).models.list().data]
        except broken:
            return "TORCHNOTES_LLM_URL must be the root of an OpenAI API; it ends in /v1"
        return f"it has {_several(names)}; set TORCHNOTES_LLM_MODEL to one of them"

    def _told(self) -> str:
        return (
            f"language model {self._model} at {self.url}" if self._model else f"language model at {self.url}"
        )

    def _clean(self, reason: str) -> str:
        """A reason in one short line without the key."""
        line = " ".join(reason.split())
        line = line.replace(self._key, "…") if self._key else line
        return line if len(line) <= _LONGEST_REASON else line[: _LONGEST_REASON - 1] + "…"


def _several(names: Sequence[str]) -> str:
    shown = ", ".join(sorted(names)[:_LISTED]) or "no model"
    return shown + (f" and {len(names) - _LISTED} more" if len(names) > _LISTED else "")


def _reason(error: Any) -> str:  # noqa: ANN401 - openai is imported late
    """What a server says of its refusal."""
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        return str(message or error.message)
    return str(error.message)


def _broken() -> tuple[type[Exception], ...]:
    """What the client raises where a reply is none, and its HTTP library where a stream breaks."""
    import importlib

    import openai

    found: list[type[Exception]] = [openai.OpenAIError, json.JSONDecodeError]
    for library in ("httpx", "httpx2"):  # the client has changed its library once
        try:
            found.append(importlib.import_module(library).HTTPError)
        except ImportError:
            continue
    return tuple(found)
