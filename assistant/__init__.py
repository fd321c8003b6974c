"""What can be said, and from what: `ask` a question, get an answer that cites every sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.answer import Answer, Citation
    from assistant.applicability.marks import Mark
    from assistant.assistant import Assistant
    from assistant.factory import AssistantFactory
    from ingest.document import Language
    from ingest.release import Release

__all__ = ["Answer", "Assistant", "Citation", "applies_here", "ask", "load_assistant"]


def ask(
    question: str,
    history: Sequence[str] = (),
    *,
    releases: Sequence[str | Release] | None = None,
    language: Language | None = None,
    top_k: int = 8,
    use_model: bool = True,
    unfiltered: bool = False,
    check: bool = False,
    allow_weaker: bool = False,
) -> Answer:
    """Answer a question from the index that the settings name; see `Assistant.ask`.

    answer = ask("what is the default TCPStore backend in 2.4?")
    print(answer.text)

    Args:
        check: run the checks of the sections that the answer cites on this machine, and attach what came of
            them as `answer.verdicts`. Programs that ship with torchnotes run, for seconds or minutes each,
            apart from your files and the network. Where there is no such check, the language model proposes
            one of those that ship; one that fails to is told of in `answer.notices`.
        allow_weaker: run them also where this system cannot keep them apart so.

    Raises:
        TorchnotesError: an argument cannot be used, or checks could only run with weaker isolation.
    """
    assistant = _workshop().latest()
    answer = assistant.ask(
        question,
        history,
        releases=releases,
        language=language,
        top_k=top_k,
        use_model=use_model,
        unfiltered=unfiltered,
    )
    if not check:
        return answer
    from assistant.answer_checks.attach import checked

    return checked(answer, assistant, use_model=use_model, weaker=allow_weaker)


def applies_here(answer: Answer) -> tuple[Mark, ...]:
    """Which statements that an answer cites apply to this machine, with the reasons.

    The machine is looked at once, in a process of its own that loads torch.
    """
    from assistant.applicability.marks import mark
    from assistant.checks.machine import describe

    return mark(answer, describe())


def load_assistant() -> Assistant:
    """An assistant of one's own, over the index that the settings name."""
    return _workshop().assistant()


@lru_cache(maxsize=1)
def _workshop() -> AssistantFactory:
    """The parts, made once: settings are read when the first question is asked."""
    from assistant.factory import AssistantFactory
    from assistant.settings import load_settings

    return AssistantFactory(load_settings())


def __getattr__(name: str) -> object:
    """The classes, imported when first named: `import assistant` alone stays cheap."""
    if name in ("Answer", "Citation"):
        import assistant.answer

        return getattr(assistant.answer, name)
    if name == "Assistant":
        from assistant.assistant import Assistant

        return Assistant
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
