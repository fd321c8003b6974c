"""Named endpoints for `gradio_client`, plain HTTP and MCP clients.

All take and return JSON. MCP clients show the docstrings as descriptions of the tools.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import anyio.to_thread
import gradio as gr
from gradio.events import api as gr_api

from assistant.query.question_language import question_language
from assistant.query.validation import check_feature, check_language, check_release
from assistant.release_diff.upgrade import upgrade
from assistant.timeline.lookup import features_named
from assistant.upgrade.pasted import report_on_code
from ingest.document import Language
from ingest.errors import TorchnotesError
from ui.operations.request_context import request_context
from ui.shared.app_state import AppState
from ui.shared.request_queue import RequestQueue
from ui.web.asking import asking

_Result = TypeVar("_Result")


class Endpoints:
    """The endpoints.

    Args:
        app_state: shared state, with the assistant.
    """

    def __init__(self, app_state: AppState) -> None:
        self._app_state = app_state

    async def ask(
        self,
        question: str,
        history: list[str] | None = None,
        releases: list[str] | None = None,
        language: str = "",
        use_model: bool = True,
    ) -> dict[str, Any]:
        """Answer a question about PyTorch releases from the release notes, every sentence cited.

        If the notes do not answer it, "abstained" is true, and the nearest sections are named.

        Args:
            question: question in English or Chinese, such as "what breaks when I go from 2.6 to 2.8?".
            history: earlier turns of the conversation, oldest first; the last 24 are read. With them, "why?",
                "shorter", "show me code", "are you sure?", "source?" and "in Chinese" are understood.
            releases: use only these releases, such as ["2.4", "2.5"]; empty for all.
            language: language of the answer, "zh" or "en"; empty for that of the question.
            use_model: let the configured language model write, if there is one.

        Returns:
            The answer: text (Markdown with marks [1], [2]), citations (quote, url, release ...), abstained,
            standalone (the question as understood), act ("thanks", "shorter" ...; "" for a question).
        """

        def answer() -> dict[str, Any]:
            said = _language(language)
            found = self._app_state.assistant().ask(
                question, history or (), releases=releases or None, language=said, use_model=use_model
            )
            return found.to_dict()

        return await self._run(answer, question=question)

    async def search(
        self, query: str, releases: list[str] | None = None, top_k: int = 8
    ) -> list[dict[str, Any]]:
        """Find the passages of the PyTorch release notes that are nearest to a query, best first.

        Args:
            query: question or keywords in English or Chinese; API names can be used as they are.
            releases: use only these releases, such as ["2.4"]; empty for all.
            top_k: number of passages, 1 to 50.

        Returns:
            Passages: text, release, heading, status, url, language, score.
        """

        def passages() -> list[dict[str, Any]]:
            found = self._app_state.assistant().passages(query, releases=releases or None, top_k=top_k)
            return [passage.to_dict() for passage in found]

        return await self._run(passages)

    async def history(self, feature: str, language: str = "") -> list[dict[str, Any]]:
        """Return the status history of a PyTorch feature: the release it appeared in, and each status since.

        Args:
            feature: name of the feature, such as "FlexAttention" or "张量并行"; all features of this name are
                returned.
            language: language of names and quotes, "zh" or "en"; empty for that of the name.

        Returns:
            Features: name and steps, each with release, date, status, and verbatim quotes.
        """

        def lives() -> list[dict[str, Any]]:
            assistant = self._app_state.assistant()
            name = check_feature(feature)
            found = features_named(
                name, assistant.histories(), assistant.glossary, hint="give the name of one"
            )
            said = _language(language) or question_language(name)
            return [each.to_dict(said) for each in found]

        return await self._run(lives)

    async def compare(self, older: str, newer: str, language: str = "en") -> dict[str, Any]:
        """Compare two PyTorch releases: breaking changes, deprecations, changes of status, new features.

        Args:
            older: a release, such as "2.4".
            newer: a later release, such as "2.6"; changes of the releases between them are included.
            language: language of names and quotes, "zh" or "en".

        Returns:
            Groups of items, each with name, release, status before and after, quote and url.
        """

        def change() -> dict[str, Any]:
            assistant = self._app_state.assistant()
            found = upgrade(
                assistant.retriever.generation,
                assistant.histories(),
                check_release(older),
                check_release(newer),
            )
            return found.to_dict(_language(language) or "en")

        return await self._run(change)

    async def upgrade(self, code: str, older: str, newer: str, language: str = "en") -> dict[str, Any]:
        """Tell what breaks in Python code when PyTorch is upgraded: removed or deprecated APIs, defaults.

        Ask before you write or change code that uses torch. The code is not run.

        Args:
            code: Python code, at most 200,000 characters.
            older: release that the code runs on, such as "2.3".
            newer: release that it is to run on, such as "2.8".
            language: language of the quotes, "zh" or "en".

        Returns:
            Findings, each with line, symbol, kind, certainty, the sentence of the notes, url and replacement;
            and what was searched.
        """

        def findings() -> dict[str, Any]:
            spoken = _language(language) or "en"
            report = report_on_code(
                code, check_release(older), check_release(newer), spoken, name_checks=True
            )
            told = report.to_dict()
            return {key: told[key] for key in ("from", "to", "counts", "findings", "searched")}

        return await self._run(findings, self._app_state.reports)

    async def _run(
        self, work: Callable[[], _Result], line: RequestQueue | None = None, *, question: str = ""
    ) -> _Result:
        """Wait for a place in a queue and run the work; errors become one line for the caller."""
        try:
            async with (line or self._app_state.line).place(asking()):
                with request_context(question=question):
                    return await anyio.to_thread.run_sync(work)
        except TorchnotesError as error:
            raise gr.Error(str(error), print_exception=False) from None


def offer_endpoints(app_state: AppState) -> None:
    """Add the endpoints to the page under construction.

    Args:
        app_state: shared state, with the assistant.
    """
    endpoints = Endpoints(app_state)
    offered = (endpoints.ask, endpoints.search, endpoints.history, endpoints.compare, endpoints.upgrade)
    for function in offered:
        gr_api(function, api_name=function.__name__, concurrency_limit=None)


def _language(code: str) -> Language | None:
    return check_language(code) if code else None
