"""A language model behind the OpenAI chat API: Ollama, vLLM, llama.cpp, LM Studio, OpenAI, DeepSeek, Qwen.

The official client does the talking: it streams, retries 408, 409, 429 and 5xx with backoff (or as
`Retry-After` says) and servers that say nothing in time. Its errors become one line each (model_errors.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypedDict, cast

from assistant.llm.errors import CutShortError, Explainer
from assistant.settings import DEFAULT_CONTEXT, DEFAULT_TIMEOUT
from ingest.errors import LanguageModelError
from ingest.locked_property import locked_cached_property

if TYPE_CHECKING:
    from openai import OpenAI

_CONNECT = 5.0  # seconds
_RETRIES = 2
_PING_TOKENS = 16
_NO_KEY = "none"  # local servers ask for none, the client for some
#: What newer models of OpenAI want in place of the first; asked for when the server says so.
_PARAMETERS: tuple[str, ...] = ("max_tokens", "max_completion_tokens")


class ChatMessage(TypedDict):
    """One message of a chat."""

    role: str
    content: str


class LanguageModel:
    """One model of one server.

    Args:
        url: root of the API, such as http://localhost:11434/v1.
        model: its name there; "" takes the only one that the server has.
        api_key: "" where none is needed.
        context: tokens that prompt and answer may have together.
        timeout: seconds to wait for the next piece of text; the client asks three times for the first.
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
        self._explainer = Explainer(url, model, api_key, timeout)

    def __repr__(self) -> str:
        return f"LanguageModel({self.url!r}, {self._model!r})"

    @locked_cached_property
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
        raise self._explainer.no_one_model(names)

    def names(self) -> list[str]:
        """The models that the server offers.

        Raises:
            LanguageModelError: it does not answer.
        """
        with self._errors():
            return self._list(self._client)

    def stream(self, messages: Sequence[ChatMessage], max_tokens: int) -> Iterator[str]:
        """The reply, piece by piece; closing the iterator ends the request.

        Args:
            messages: the chat so far.
            max_tokens: longest reply.

        Raises:
            LanguageModelError: the server cannot be reached, refuses, is too slow, or breaks off; what came
                before was yielded.
        """
        with self._errors():
            import openai

            chunks = self._request(messages, max_tokens)
            finish, spoke, lost = None, False, False
            try:
                for chunk in chunks:
                    choice = _first_choice(chunk)
                    finish = getattr(choice, "finish_reason", None) or finish
                    text = getattr(getattr(choice, "delta", None), "content", None)
                    if isinstance(text, str) and text:
                        spoke = True
                        yield text
            except openai.APITimeoutError:
                raise
            except openai.APIConnectionError:
                lost = True
            finally:
                chunks.close()
        self._explainer.check_end(finish, max_tokens, spoke=spoke, lost=lost)

    def complete(self, messages: Sequence[ChatMessage], max_tokens: int) -> str:
        """The whole reply.

        Raises:
            LanguageModelError: as `stream`.
        """
        return "".join(self.stream(messages, max_tokens))

    def silent(self) -> LanguageModelError:
        """What to raise where its reply holds nothing to read."""
        return self._explainer.silent()

    def ping(self) -> None:
        """Ask for one word.

        Raises:
            LanguageModelError: none comes.
        """
        with suppress(CutShortError):
            self.complete([{"role": "user", "content": "Say yes."}], _PING_TOKENS)

    @locked_cached_property
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

    def _request(self, messages: Sequence[ChatMessage], max_tokens: int) -> Any:  # noqa: ANN401 - the client's own
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
        with self._explainer.explained(lambda: self._list(client.with_options(max_retries=0))):
            yield

    def _list(self, client: OpenAI) -> list[str]:
        """The names of the server's models."""
        found = client.get("/models", cast_to=object)  # models.list() breaks on what is no list
        models = found.get("data") if isinstance(found, dict) else None
        if not isinstance(models, list):
            raise self._explainer.no_list()
        return [str(model["id"]) for model in models if isinstance(model, dict) and model.get("id")]


def _first_choice(chunk: Any) -> Any:  # noqa: ANN401 - openai is imported late, and servers send what they like
    """The first choice of a piece of a reply; one is asked for, and others are another text."""
    choices = getattr(chunk, "choices", None)
    found = [c for c in choices if not getattr(c, "index", 0)] if isinstance(choices, list) else []
    return found[0] if found else None
