"""What gradio keeps of each visitor between requests, within bounds.

A program can give each of its requests a session of its own. gradio keeps 10,000 of them, each with the last
value of every input, and what it has to tell to those that never ask for it.

It brings gradio: import it late (`ui.web.server` does).
"""

from __future__ import annotations

import asyncio

from gradio.blocks import Blocks
from gradio.queueing import Queue
from gradio.routes import App
from gradio.server_messages import EventMessage, ProcessCompletedMessage
from gradio.state_holder import SessionState, StateHolder
from gradio.utils import LRUCache

MAX_SESSIONS = 1000  # as many as there may be connections; one takes some kilobytes
MAX_UNREAD_SESSIONS = 500
MAX_UNREAD_MESSAGES = 1000  # of one session; an answer that grows sends some hundred


def bound_sessions(app: App, page: Blocks) -> None:
    """Have a gradio app keep little of each session, and of a bounded number of them.

    Args:
        app: that the page is mounted with; nobody has asked it for anything yet.
        page: its blocks.
    """
    page.state_session_capacity = MAX_SESSIONS
    app.state_holder = BoundedStates()
    app.state_holder.set_blocks(page)
    page._queue.pending_messages_per_session = BoundedMessages(page._queue)


class ValuelessState(SessionState):
    """The state of a session without the values of its inputs and outputs.

    gradio keeps them for links to a filled-in page, whose route is closed here. What the page needs stays:
    what it changed in its parts, such as the choices of a list.
    """

    def __init__(self, blocks: Blocks) -> None:
        super().__init__(blocks)
        self.config_values.clear()

    def __setitem__(self, key: int, value: object) -> None:
        """Keep a part of the page that was changed, or the value of a `gr.State`."""
        super().__setitem__(key, value)
        self.config_values.clear()

    def _update_config(self, key: int) -> None:
        """Keep nothing."""

    def _update_value_in_config(self, key: int, value: object) -> None:
        """Keep nothing."""


class BoundedStates(StateHolder):
    """The states of the sessions that were used last."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __getitem__(self, session_id: str) -> SessionState:
        """Return the state of a session, a new one where there is none."""
        if session_id not in self.session_data:
            self.session_data[session_id] = ValuelessState(self.blocks)
        return super().__getitem__(session_id)


class BoundedMessages(LRUCache[str, "asyncio.Queue[EventMessage]"]):
    """What is still to be told to each session; of those where nothing runs, the ones used last.

    Args:
        queue: of the page.
    """

    def __init__(self, queue: Queue) -> None:
        super().__init__(MAX_UNREAD_SESSIONS)
        self._queue = queue

    def __getitem__(self, session_id: str) -> asyncio.Queue[EventMessage]:
        """Return the messages of a session, which count as used now."""
        messages = super().__getitem__(session_id)
        self.move_to_end(session_id)
        return messages

    def __setitem__(self, session_id: str, messages: asyncio.Queue[EventMessage]) -> None:
        """Give a session messages: ours in the place of gradio's, which are new and empty."""
        if max(len(self), len(self._queue.pending_event_ids_session)) >= self.max_size:
            self._forget()
        # Not by LRUCache, which drops the oldest even where something runs.
        super(LRUCache, self).__setitem__(session_id, UnreadMessages(self._queue, session_id))

    def _forget(self) -> None:
        """Forget the sessions used longest ago where nothing runs, down to below the bound."""
        events, unfinished = self._queue.event_ids_to_events, self._queue.pending_event_ids_session
        running = {event.session_hash for event in events.values()}
        # A reader that went away leaves numbers of events without messages.
        for session_id in [each for each in unfinished if each not in self and each not in running]:
            del unfinished[session_id]
        idle = [each for each in self if each not in running]
        for session_id in idle[: max(0, len(self) - self.max_size + 1)]:
            del self[session_id]
            unfinished.pop(session_id, None)


class UnreadMessages(asyncio.Queue[EventMessage]):
    """The messages to a session; where nobody reads them, the newest ones.

    Args:
        queue: of the page.
        session_id: whose they are.
    """

    def __init__(self, queue: Queue, session_id: str) -> None:
        super().__init__()
        self._page_queue, self._session_id = queue, session_id

    def put_nowait(self, item: EventMessage) -> None:
        """Add a message; where there are too many, the oldest goes as if it had been read."""
        if self.qsize() >= MAX_UNREAD_MESSAGES:
            dropped = self.get_nowait()
            if isinstance(dropped, ProcessCompletedMessage) and dropped.event_id:
                unfinished = self._page_queue.pending_event_ids_session
                unfinished.get(self._session_id, set()).discard(dropped.event_id)
        super().put_nowait(item)
