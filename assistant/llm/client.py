"""Client for language models with an OpenAI chat API, such as Ollama, vLLM, llama.cpp, LM Studio or OpenAI.

Requests go through the official client, which streams and retries timeouts and the status codes 408, 409, 429
and 5xx, with backoff or as `Retry-After` says. Its errors are converted to one line each (`errors`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypedDict, cast

from assistant.llm.bounds import bound, longest_text
from assistant.llm.errors import CutShortError, Explainer
from assistant.llm.replies import ModelReply, first_choice, in_utf8, whole_reply
from assistant.settings import DEFAULT_CONTEXT, DEFAULT_TIMEOUT
from ingest.errors import LanguageModelError
from ingest.locked_property import locked_cached_property

if TYPE_CHECKING:
    from openai import OpenAI

_CONNECT = 5.0  # seconds
_RETRIES = 2
_PING_TOKENS = 16
_NO_KEY = "none"  # local servers need no key, but the client requires one
#: Parameter for the length of a reply. Newer OpenAI models reject the first, and then the second is tried.
_PARAMETERS: tuple[str, ...] = ("max_tokens", "max_completion_tokens")


class ChatMessage(TypedDict):
    """One message of a chat.

    Attributes:
        role: "system", "user" or "assistant".
        content: text of the message.
    """

    role: str
    content: str


class LanguageModel:
    """One model of one server.

    Args:
        url: root of the API, such as http://localhost:11434/v1.
        model: name of the model; "" selects the only model of the server.
        api_key: API key, or "" if none is needed.
        context: size of the context in tokens, for prompt and reply together.
        timeout: seconds to wait for the next piece of text. The first one is requested up to three times.
        calls_tools: whether the model may look things up by calling functions before it writes.
    """

    def __init__(
        self,
        url: str,
        model: str = "",
        api_key: str = "",
        *,
        context: int = DEFAULT_CONTEXT,
        timeout: float = DEFAULT_TIMEOUT,
        calls_tools: bool = False,
    ) -> None:
        self.url = url
        self.calls_tools = calls_tools
        self.context = context
        self.timeout = timeout
        self._model = model
        self._key = api_key
        self._explainer = Explainer(url, model, api_key, timeout)

    def __repr__(self) -> str:
        return f"LanguageModel({self.url!r}, {self._model!r})"

    @locked_cached_property
    def name(self) -> str:
        """Name of the model; queries the server if none was given.

        Raises:
            LanguageModelError: the server has no model or several, or does not answer.
        """
        if self._model:
            return self._model
        names = self.names()
        if len(names) == 1:
            return names[0]
        raise self._explainer.no_one_model(names)

    def names(self) -> list[str]:
        """Return the names of the models that the server offers.

        Raises:
            LanguageModelError: the server does not answer.
        """
        with self._errors():
            return self._list(self._client)

    def stream(
        self, messages: Sequence[ChatMessage], max_tokens: int, *, schema: Mapping[str, Any] | None = None
    ) -> Iterator[str]:
        """Yield the reply as it arrives. Closing the iterator cancels the request.

        Args:
            messages: the chat so far.
            max_tokens: maximum length of the reply in tokens.
            schema: JSON schema of the text; a server without structured output may ignore or refuse it.

        Raises:
            CutShortError: the reply reached `max_tokens`. All of it was yielded before.
            RefusedError: the server rejects the request.
            LanguageModelError: the server cannot be reached, rejects the request, times out, or closes the
                connection early. Text received before was yielded.
        """
        with self._errors():
            import openai

            chunks = self._request(messages, max_tokens, **_following(schema))
            finish, spoke, lost = None, False, False
            room = longest_text(max_tokens)
            try:
                for chunk in chunks:
                    choice = first_choice(chunk)
                    finish = in_utf8(getattr(choice, "finish_reason", None) or "") or finish
                    text = getattr(getattr(choice, "delta", None), "content", None)
                    if isinstance(text, str) and text:
                        spoke = True
                        yield in_utf8(text[:room])
                        room -= len(text)
                        if room <= 0:  # the server does not keep to `max_tokens`
                            finish = "length"
                            break
            except openai.APITimeoutError:
                raise
            except openai.APIConnectionError:
                lost = True
            finally:
                chunks.close()
        self._explainer.check_end(finish, max_tokens, spoke=spoke, lost=lost)

    def complete(self, messages: Sequence[ChatMessage], max_tokens: int) -> str:
        """Return the whole reply.

        Args:
            messages: the chat so far.
            max_tokens: maximum length of the reply in tokens.

        Raises:
            CutShortError: the reply reached `max_tokens`.
            LanguageModelError: as for `stream`.
        """
        return "".join(self.stream(messages, max_tokens))

    def reply(
        self,
        messages: Sequence[Mapping[str, Any]],
        max_tokens: int,
        *,
        tools: Sequence[Mapping[str, Any]] = (),
        schema: Mapping[str, Any] | None = None,
    ) -> ModelReply:
        """Return a whole reply that may call functions, or follows a JSON schema.

        Args:
            messages: the chat so far; messages may have the keys of function calls.
            max_tokens: maximum length of the reply in tokens.
            tools: functions that the model may call, as the chat API declares them.
            schema: JSON schema of the text; a server without structured output may ignore it.

        Raises:
            LanguageModelError: as for `stream`.
        """
        options: dict[str, Any] = {"tools": list(tools)} if tools else {}
        with self._errors():
            whole = self._request(messages, max_tokens, stream=False, **options, **_following(schema))
        reply = whole_reply(whole)
        if reply is None:
            raise self._explainer.error("it sent no chat completion; correct TORCHNOTES_LLM_URL")
        return reply

    def silent(self) -> LanguageModelError:
        """Return the error to raise if a reply contains no usable text."""
        return self._explainer.silent()

    def ping(self) -> None:
        """Request one word to check that the model works.

        Raises:
            LanguageModelError: there is no reply.
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
        # Do not use key and organization of OPENAI_ variables: they must not reach other servers.
        return openai.OpenAI(
            base_url=self._address(),
            api_key=self._key or _NO_KEY,
            timeout=openai.Timeout(self.timeout, connect=_CONNECT),
            max_retries=_RETRIES,
            default_headers={
                "OpenAI-Organization": openai.Omit(),  # type: ignore[dict-item]
                "OpenAI-Project": openai.Omit(),  # type: ignore[dict-item]
                "Accept-Encoding": "identity",  # what is compressed can be a thousand times as long
            },
            # A redirect would take question and passages to where nobody has said that they may go.
            http_client=openai.DefaultHttpxClient(event_hooks={"response": [bound]}, follow_redirects=False),
        )

    def _address(self) -> str:
        """Return the root of the API, which a subclass may have to start first."""
        return self.url

    def _request(
        self, messages: Sequence[Mapping[str, Any]], max_tokens: int, *, stream: bool = True, **given: object
    ) -> Any:  # noqa: ANN401 - the client's own
        """Start a request, trying the next length parameter if the server rejects one."""
        import openai

        for parameter in _PARAMETERS:
            options: dict[str, Any] = {**given, parameter: max_tokens}
            if parameter == _PARAMETERS[0]:
                options["temperature"] = 0.0
            try:
                return self._client.chat.completions.create(
                    model=self.name, messages=cast("Any", list(messages)), stream=stream, **options
                )
            except openai.BadRequestError as error:
                unknown = parameter in str(error) or "temperature" in str(error)
                if not unknown or parameter == _PARAMETERS[-1]:
                    raise
        raise AssertionError("the last parameter returns or raises")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Convert the client's errors to one line each."""
        client = self._client  # raises if the package is missing
        with self._explainer.explained(lambda: self._list(client.with_options(max_retries=0))):
            yield

    def _list(self, client: OpenAI) -> list[str]:
        """Return the names of the server's models."""
        found = client.get("/models", cast_to=object)  # models.list() fails on malformed replies
        models = found.get("data") if isinstance(found, dict) else None
        if not isinstance(models, list):
            raise self._explainer.no_list()
        return [in_utf8(model["id"]) for model in models if isinstance(model, dict) and model.get("id")]


def _following(schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the options of a request whose reply is to follow a JSON schema."""
    if schema is None:
        return {}
    wanted = {"name": "reply", "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": wanted}}
