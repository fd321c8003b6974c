"""Event handlers of the documents tab."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from index.storage.store import IndexBusyError
from ingest.document import Language
from ingest.errors import TorchnotesError
from ui.shared.app_state import AppState
from ui.shared.documents import check_removable
from ui.web.asking import in_turn
from ui.web.components.background_work import WorkStep
from ui.web.documents import document_labels as words
from ui.web.documents.documents_html import (
    Listed,
    label,
    line_to_html,
    listed,
    matching,
    outcome_to_html,
    question_to_html,
    step_to_html,
    table_to_html,
)
from ui.web.documents.intake import Intake, IntakeOutcome, LockedError, Upload, check_allowed

_log = logging.getLogger(__name__)
Updates = tuple[Any, ...]


class Handlers:
    """The event handlers; changes are made by the intake, which checks permissions.

    Args:
        app_state: shared state, with the index.
        intake: changes the index.

    Attributes:
        in_turn: lets a handler wait for a place among the other views of the page.
    """

    def __init__(self, app_state: AppState, intake: Intake) -> None:
        self._app_state = app_state
        self._intake = intake
        self.in_turn = partial(in_turn, app_state.views)

    def table(self, said: str, text: str) -> str:
        """Return the table of documents that match the filter.

        Args:
            said: language of the interface.
            text: text of the filter.
        """
        shown = _language(said)
        try:
            rows = self._rows()
        except TorchnotesError as error:
            return line_to_html(str(error), "tn-error")
        return table_to_html(rows, matching(rows, text or ""), shown)

    def choices(self, said: str) -> Updates:
        """Return updates of the list of removable documents, and of its button.

        Args:
            said: language of the interface.
        """
        shown = _language(said)
        try:
            own = [row.document for row in self._rows() if not row.shipped]
        except TorchnotesError:  # shown by the table
            own = []
        named = [(label(document, shown), document.id) for document in own]
        info = None if own else words.REMOVE_NONE[shown]
        return gr.update(choices=named, info=info), gr.update(interactive=bool(own))

    def add(
        self, sent: Sequence[Mapping[str, Any]] | None, address: str | None, said: str, text: str
    ) -> Iterator[Updates]:
        """Add files and the page at an address.

        Yields updates of report, files, address, table, choices, and the button below them.

        Args:
            sent: files as sent by gradio: "path" on this machine, "orig_name" at their owner.
            address: address as typed.
            said: language of the interface.
            text: text of the filter.
        """
        shown = _language(said)
        uploads, address = [*_uploads(sent)], (address or "").strip()
        if self._app_state.allow_documents and not uploads and not address:
            yield _only(line_to_html(words.NOTHING_GIVEN[shown], "tn-error"), 6)
            return
        address_after: Any = gr.skip()  # a rejected address is kept, to be corrected
        for report, outcome in self._reports(self._intake.add(uploads, address, shown), shown):
            yield _only(report, 6)
            if outcome and outcome.taken:
                address_after = ""
        yield gr.skip(), None, address_after, self.table(said, text), *self.choices(said)

    def ask(self, chosen: Sequence[str] | None, said: str) -> Updates:
        """Ask for confirmation before documents are removed.

        Args:
            chosen: ids of the selected documents.
            said: language of the interface.

        Returns:
            Updates of the question, and of the buttons that answer it.
        """
        shown = _language(said)
        ids = [*map(str, chosen or ())]
        try:
            check_allowed(self._app_state)
            documents = self._app_state.assistant().retriever.generation.documents
            check_removable(documents, ids, shipped_corpus=self._app_state.factory.settings.shipped_corpus)
        except TorchnotesError as error:
            return gr.update(value=_error(error, shown), visible=True), gr.update(visible=False)
        if not ids:
            line = line_to_html(words.CHOOSE[shown], "tn-error")
            return gr.update(value=line, visible=True), gr.update(visible=False)
        question = question_to_html([documents[name] for name in ids], shown)
        return gr.update(value=question, visible=True), gr.update(visible=True)

    @staticmethod
    def keep() -> Updates:
        """Hide the question; return the same updates as `ask`."""
        return gr.update(visible=False), gr.update(visible=False)

    def remove(self, chosen: Sequence[str] | None, said: str, text: str) -> Iterator[Updates]:
        """Remove documents; yield updates of report, question, its buttons, table, choices, button.

        Args:
            chosen: ids of the selected documents.
            said: language of the interface.
            text: text of the filter.
        """
        shown = _language(said)
        for report, _ in self._reports(self._intake.remove([*map(str, chosen or ())]), shown):
            yield report, *self.keep(), gr.skip(), gr.skip(), gr.skip()
        choices, button = self.choices(said)
        yield gr.skip(), gr.skip(), gr.skip(), self.table(said, text), choices | {"value": []}, button

    def _reports(
        self, work: Generator[WorkStep, None, IntakeOutcome], shown: Language
    ) -> Iterator[tuple[str, IntakeOutcome | None]]:
        """Yield the progress of a change as HTML, and with the last one the result, unless it failed."""
        try:
            while True:
                yield step_to_html(next(work), shown), None
        except StopIteration as end:
            yield outcome_to_html(end.value, shown), end.value
        except TorchnotesError as error:
            yield _error(error, shown), None
        except Exception:  # noqa: BLE001 - visitors see one line, the log has the details
            _log.exception("a change of the documents failed")
            yield line_to_html(words.BROKEN[shown], "tn-error"), None

    def _rows(self) -> list[Listed]:
        generation = self._app_state.assistant().retriever.generation
        return listed(generation, shipped_corpus=self._app_state.factory.settings.shipped_corpus)


def _language(said: str) -> Language:
    return "zh" if said == "zh" else "en"


def _uploads(sent: Sequence[Mapping[str, Any]] | None) -> Iterator[Upload]:
    for each in sent or ():
        path = Path(str(each["path"]))
        yield Upload(path, str(each.get("orig_name") or path.name))


def _only(report: str, count: int) -> Updates:
    """Return an update of the report, and of nothing else."""
    return report, *(gr.skip() for _ in range(count - 1))


def _error(error: TorchnotesError, shown: Language) -> str:
    if isinstance(error, LockedError):
        return line_to_html(words.LOCKED[shown], "tn-error")
    if isinstance(error, IndexBusyError):  # its message names folders and processes of this machine
        return line_to_html(words.BUSY[shown], "tn-error")
    return line_to_html(str(error), "tn-error")
