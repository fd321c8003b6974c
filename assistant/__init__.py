"""Public API: `ask` a question about PyTorch releases and get an answer that cites every sentence."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.answer import Answer, Citation
    from assistant.applicability.marks import Mark
    from assistant.assistant import Assistant
    from assistant.factory import AssistantFactory
    from assistant.upgrade.finding import UpgradeReport
    from ingest.document import Language
    from ingest.release import Release

__all__ = ["Answer", "Assistant", "Citation", "applies_here", "ask", "load_assistant", "upgrade_report"]


def ask(
    question: str,
    history: Sequence[str] = (),
    *,
    releases: Sequence[str | Release] | None = None,
    language: Language | None = None,
    top_k: int = 8,
    use_model: bool = True,
    strict: bool | None = None,
    check: bool = False,
    allow_weaker: bool = False,
) -> Answer:
    """Answer a question from the index selected by the settings.

    The index is opened, or created, on the first call, and opened again when it has changed.

        answer = ask("what is the default TCPStore backend in 2.4?")
        print(answer.text)

    Args:
        question: question in Chinese or English.
        history: earlier turns of the conversation, as typed, oldest first. The last 24 are read, up to 8,000
            characters in total; small talk among them is passed over.
        releases: releases to search; None searches those that the question names, or all.
        language: language of the answer, "zh" or "en"; None means that of the question.
        top_k: number of passages to return, from 1 to 50.
        use_model: whether the language model of the settings, if any, may write the answer.
        strict: whether to show only those sentences of the language model that the notes prove; None takes
            the setting.
        check: whether to run the checks of the cited sections on this machine, and attach the results as
            `answer.verdicts`. Checks are programs that ship with torchnotes, and run for seconds or minutes
            each, isolated from the user's files and the network. If the sections have no check, the language
            model proposes one of those that ship; if it fails to, `answer.notices` says so.
        allow_weaker: whether to run checks even if this system cannot fully isolate them.

    Returns:
        The answer. If the notes do not answer the question, `answer.abstained` is true.

    Raises:
        TorchnotesError: an argument or a setting is invalid, the index cannot be read, or checks could only
            run with weaker isolation.
    """
    assistant = _factory().latest()
    answer = assistant.ask(
        question,
        history,
        releases=releases,
        language=language,
        top_k=top_k,
        use_model=use_model,
        strict=strict,
    )
    if not check:
        return answer
    from assistant.answer_checks.attach import checked

    return checked(answer, assistant, use_model=use_model, weaker=allow_weaker)


def applies_here(answer: Answer) -> tuple[Mark, ...]:
    """Determine which of the statements cited by an answer apply to this machine.

    The machine is inspected once, in a separate process that imports torch.

    Args:
        answer: answer with citations.

    Returns:
        Marks with the reasons.
    """
    from assistant.applicability.marks import mark
    from assistant.checks.machine import describe

    return mark(answer, describe())


def upgrade_report(
    path: str | os.PathLike[str],
    *,
    older: str | Release | None = None,
    newer: str | Release | None = None,
    language: Language = "en",
    ask_installed: bool = True,
) -> UpgradeReport:
    """Tell what an upgrade of torch affects in a code base. Nothing of it is imported or run.

        report = upgrade_report(".", older="2.3", newer="2.8")
        for finding in report.findings:
            print(finding.place.file, finding.place.line, finding.kind, finding.symbol, finding.quote)

    Args:
        path: folder or file: Python, notebooks, requirements, Dockerfiles.
        older: release to upgrade from; None: what the files pin, or else what is installed.
        newer: release to upgrade to; None: what the files pin or what is installed, if that is newer, or else
            the newest of the notes.
        language: language of the quotes.
        ask_installed: whether to ask the installed torch for its own deprecation marks. It is imported by a
            program of torchnotes in a process of its own.

    Returns:
        The report; `to_dict()` is JSON-ready.

    Raises:
        TorchnotesError: there is no such path, or a release is unknown, missing, or not newer than the other.
    """
    from assistant.upgrade.report import upgrade_report as report

    return report(path, older=older, newer=newer, language=language, ask_installed=ask_installed)


def load_assistant() -> Assistant:
    """Return a new assistant for the index selected by the settings.

    Raises:
        TorchnotesError: a setting is invalid, or the index cannot be read.
    """
    return _factory().assistant()


@lru_cache(maxsize=1)
def _factory() -> AssistantFactory:
    """Create the factory once; settings are read when the first question is asked."""
    from assistant.factory import AssistantFactory
    from assistant.settings import load_settings

    return AssistantFactory(load_settings())


def __getattr__(name: str) -> object:
    """Import public classes on first access, so that `import assistant` stays cheap."""
    if name in ("Answer", "Citation"):
        import assistant.answer

        return getattr(assistant.answer, name)
    if name == "Assistant":
        from assistant.assistant import Assistant

        return Assistant
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
