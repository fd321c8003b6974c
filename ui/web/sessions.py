"""Limits on the state that gradio keeps for each visitor.

A program can use a new session for each request. gradio keeps 10,000 of them, each with the last value of
every input, and messages that are never fetched.

Imports gradio: import it lazily (`ui.web.server` does).
"""

from __future__ import annotations

import asyncio

from gradio.blocks import Blocks
from gradio.queueing import Queue
from gradio.routes import App, file_upload_statuses
from gradio.server_messages import EventMessage, ProcessCompletedMessage
from gradio.state_holder import SessionState, StateHolder
from gradio.utils import LRUCache

MAX_SESSIONS = 1000  # the maximum number of connections; each takes a few kilobytes
MAX_UNREAD_SESSIONS = 500
MAX_UPLOADS = 1000  # whose progress may be asked for; a program can make up any number of them
MAX_UNREAD_MESSAGES = 1000  # of one session; an answer that grows sends some hundred


def bound_sessions(app: App, page: Blocks) -> None:
    """Limit the number of sessions of a gradio app, and the state of each.

    Args:
        app: app that the page is mounted with, before its first request.
        page: the page.
    """
    page.state_session_capacity = MAX_SESSIONS
    app.state_holder = BoundedStates()
    app.state_holder.set_blocks(page)
    page._queue.pending_messages_per_session = BoundedMessages(page._queue)
    file_upload_statuses._statuses = LRUCache(MAX_UPLOADS)
    file_upload_statuses._signals = UploadSignals(MAX_UPLOADS)  # type: ignore[assignment]


class ValuelessState(SessionState):
    """State of a session without the values of its inputs and outputs.

    gradio keeps these for links to a filled-in page, a route that is closed here. Changes of components, such
    as the choices of a list, are kept.
    """

    def __init__(self, blocks: Blocks) -> None:
        super().__init__(blocks)
        self.config_values.clear()

    def __setitem__(self, key: int, value: object) -> None:
        """Store a changed component, or the value of a `gr.State`.

        Args:
            key: id of the component.
            value: the component or value.
        """
        super().__setitem__(key, value)
        self.config_values.clear()

    def _update_config(self, key: int) -> None:
        """Do nothing."""

    def _update_value_in_config(self, key: int, value: object) -> None:
        """Do nothing."""


class BoundedStates(StateHolder):
    """States of the most recently used sessions."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def __getitem__(self, session_id: str) -> SessionState:
        """Return the state of a session, creating it if necessary.

        Args:
            session_id: id of the session.
        """
        if session_id not in self.session_data:
            self.session_data[session_id] = ValuelessState(self.blocks)
        return super().__getitem__(session_id)


class BoundedMessages(LRUCache[str, "asyncio.Queue[EventMessage]"]):
    """Unread messages of each session; idle sessions that were used least recently are dropped.

    Args:
        queue: queue of the page.
    """

    def __init__(self, queue: Queue) -> None:
        super().__init__(MAX_UNREAD_SESSIONS)
        self._queue = queue

    def __getitem__(self, session_id: str) -> asyncio.Queue[EventMessage]:
        """Return the messages of a session and mark it as used.

        Args:
            session_id: id of the session.
        """
        messages = super().__getitem__(session_id)
        self.move_to_end(session_id)
        return messages

    def __setitem__(self, session_id: str, messages: asyncio.Queue[EventMessage]) -> None:
        """Add a session.

        Args:
            session_id: id of the session.
            messages: ignored; gradio passes a new, empty queue, which is replaced by a bounded one.
        """
        if max(len(self), len(self._queue.pending_event_ids_session)) >= self.max_size:
            self._forget()
        # Not LRUCache.__setitem__, which would drop the oldest session even if it is running.
        super(LRUCache, self).__setitem__(session_id, UnreadMessages(self._queue, session_id))

    def _forget(self) -> None:
        """Drop the idle sessions used least recently, until there is room for a new one."""
        events, unfinished = self._queue.event_ids_to_events, self._queue.pending_event_ids_session
        running = {event.session_hash for event in events.values()}
        # Readers that disconnected leave event ids without messages.
        for session_id in [each for each in unfinished if each not in self and each not in running]:
            del unfinished[session_id]
        idle = [each for each in self if each not in running]
        for session_id in idle[: max(0, len(self) - self.max_size + 1)]:
            del self[session_id]
            unfinished.pop(session_id, None)


class UploadSignals(LRUCache[str, asyncio.Event]):
    """What waits for an upload to begin, of those that were asked for last."""

    def __missing__(self, upload_id: str) -> asyncio.Event:
        """Return a new one."""
        self[upload_id] = signal = asyncio.Event()
        return signal


class UnreadMessages(asyncio.Queue[EventMessage]):
    """Messages of a session; if they are not read, only the newest are kept.

    Args:
        queue: queue of the page.
        session_id: id of the session.
    """

    def __init__(self, queue: Queue, session_id: str) -> None:
        super().__init__()
        self._page_queue, self._session_id = queue, session_id

    def put_nowait(self, item: EventMessage) -> None:
        """Add a message; if there are too many, the oldest is dropped as if it had been read.

        Args:
            item: the message.
        """
        if self.qsize() >= MAX_UNREAD_MESSAGES:
            dropped = self.get_nowait()
            if isinstance(dropped, ProcessCompletedMessage) and dropped.event_id:
                unfinished = self._page_queue.pending_event_ids_session
                unfinished.get(self._session_id, set()).discard(dropped.event_id)
        super().put_nowait(item)
