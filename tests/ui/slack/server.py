"""Slack, for tests: a local server of its Web API and of the web socket of Socket Mode, with channels."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve

from tests.ui.slack.block_kit import problems
from tests.ui.slack.channels import ANN, BOB, BOT, CHANNEL, DM, TEAM, Channels
from tests.ui.slack.handler import Handler, Json
from ui.slack.manifest import scopes

__all__ = ["ANN", "APP_TOKEN", "BOB", "BOT", "BOT_TOKEN", "CHANNEL", "DM", "SECRET", "TEAM", "FakeSlack"]

BOT_TOKEN = "xoxb-1-very-secret"
APP_TOKEN = "xapp-1-very-secret"
SECRET = "0123456789abcdef0123456789abcdef"
PATIENCE = 30.0  # seconds until a test fails


@dataclass(frozen=True, slots=True)
class Call:
    """A request of ours; the method of a private answer is "respond"."""

    method: str
    sent: Json


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to a request instead.

    Attributes:
        status: HTTP status; 0: the connection is dropped without a reply.
        headers: headers of the reply.
        body: the reply.
        done: the request is carried out, and only its reply is lost.
    """

    status: int
    headers: Mapping[str, str]
    body: Json
    done: bool = False


@dataclass
class FakeSlack(Channels):
    """Slack.

    Attributes:
        calls: requests so far.
        acked: ids of envelopes that were acknowledged, with what was said.
        problems: what was wrong with the payloads.
        faults: what happens to the next requests instead, by method.
        down: requests fail, but for those with which a bot connects.
        files: texts of files by name.
        scopes: of the bot's token.
        connections: web sockets that are open.
        greeted: number of web sockets so far.
    """

    calls: list[Call] = field(default_factory=list)
    acked: dict[str, Json] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    faults: dict[str, deque[Fault]] = field(default_factory=dict)
    down: bool = False
    files: dict[str, bytes] = field(default_factory=dict)
    scopes: list[str] = field(default_factory=scopes)
    connections: list[ServerConnection] = field(default_factory=list)
    greeted: int = 0

    def __post_init__(self) -> None:
        self.changed = threading.Condition()

    def __enter__(self) -> FakeSlack:
        handler = type("Handler", (Handler,), {"slack": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._socket: Server = serve(self._talk, "127.0.0.1", 0)
        self._threads = [
            threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True),
            threading.Thread(target=self._socket.serve_forever, daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._socket.shutdown()
        for thread in self._threads:
            thread.join(PATIENCE)

    @property
    def root(self) -> str:
        """Address of the Web API."""
        return f"http://127.0.0.1:{self._http.server_port}/api"

    @property
    def respond_url(self) -> str:
        """An address to respond to."""
        return f"http://127.0.0.1:{self._http.server_port}/respond"

    def fail(
        self,
        method: str,
        status: int = 200,
        *,
        times: int = 1,
        error: str = "",
        done: bool = False,
        **headers: str,
    ) -> None:
        """Refuse the next requests of a method; with status 0 and `done`, only their replies are lost."""
        body = {"ok": False, "error": error or "internal_error"}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.faults.setdefault(method, deque()).extend([Fault(status, named, body, done)] * times)

    def until(self, holds: Callable[[], object], what: str = "") -> None:
        """Wait until something holds."""
        with self.changed:
            assert self.changed.wait_for(holds, PATIENCE), what or "what was waited for did not happen"

    def said(self, channel: str = CHANNEL) -> list[Json]:
        """The bot's messages in a channel."""
        return [m for m in self.channels.get(channel, ()) if m["user"] == BOT]

    def answers(self, channel: str = CHANNEL) -> list[Json]:
        """The messages with which its answers begin."""
        return [
            m
            for m in self.said(channel)
            if any(str(b.get("block_id", "")).startswith("torchnotes-") for b in m.get("blocks", ()))
        ]

    def called(self, *methods: str) -> list[Json]:
        """What was sent to some methods."""
        return [call.sent for call in self.calls if call.method in methods]

    def says(
        self, text: str, *, user: str = ANN, channel: str = CHANNEL, thread: str = "", **more: Any
    ) -> Json:
        """A person writes; the event of it."""
        event = {"type": "message", "user": user, "text": text, "ts": self.stamp(), "channel": channel}
        event |= {"channel_type": "im" if channel.startswith("D") else "channel"}
        event |= {"thread_ts": thread} if thread else {}
        event |= more
        with self.changed:
            self.channels.setdefault(channel, []).append(dict(event))
        return event

    def deliver(
        self, event: Json, event_id: str = "", *, to: int = -1, team: str = TEAM, retry: int | None = None
    ) -> str:
        """Send an event over a socket; the envelope's id."""
        body: Json = {"type": "event_callback", "team_id": team, "api_app_id": "A1", "event": event}
        body |= {"event_id": event_id or f"Ev{next(self._number)}", "event_time": 1}
        body |= {"authorizations": [{"team_id": team, "user_id": BOT, "is_bot": True}]}
        more = {} if retry is None else {"retry_attempt": retry, "retry_reason": "timeout"}
        return self.send("events_api", body, to=to, **more)

    def send(self, kind: str, payload: Json, *, to: int = -1, **more: Any) -> str:
        """Send an envelope over a socket; its id."""
        name = f"envelope-{next(self._number)}"
        envelope = {"envelope_id": name, "type": kind, "payload": payload, **more}
        self.connections[to].send(json.dumps({**envelope, "accepts_response_payload": True}))
        return name

    def press(
        self, message: Json, action: str, *, user: str = ANN, channel: str = CHANNEL, **more: Any
    ) -> str:
        """A person presses a button of a message; the envelope's id."""
        blocks = [block for block in message["blocks"] if block["type"] == "actions"]
        (button,) = [e for b in blocks for e in b["elements"] if e["action_id"] == f"torchnotes_{action}"]
        held = {"type": "message", "message_ts": message.get("ts"), "channel_id": channel}
        held |= {"thread_ts": message["thread_ts"]} if message.get("thread_ts") else {}
        held |= {"is_ephemeral": bool(message.get("private"))}
        payload = {
            "type": "block_actions",
            "team": {"id": TEAM},
            "user": {"id": user, "team_id": TEAM},
            "channel": {"id": channel, "name": "general"},
            "container": held,
            "trigger_id": f"trigger-{next(self._number)}",
            "response_url": self.respond_url,
            "actions": [{**button, "action_ts": self.stamp(), "block_id": "b"}],
            **more,
        }
        return self.send("interactive", payload)

    def close_sockets(self) -> None:
        """Let go of every connection, as Slack does now and then."""
        for connection in [*self.connections]:
            connection.close()

    def _talk(self, connection: ServerConnection) -> None:
        with self.changed:
            self.connections.append(connection)
            self.greeted += 1
            connection.send(json.dumps({"type": "hello", "num_connections": len(self.connections)}))
            self.changed.notify_all()
        try:
            for text in connection:
                reply = json.loads(text)
                with self.changed:
                    self.acked[reply["envelope_id"]] = reply.get("payload") or {}
                    self.changed.notify_all()
        except ConnectionClosed:
            pass
        finally:
            with self.changed:
                self.connections.remove(connection)
                self.changed.notify_all()

    def attached(self, name: str, data: bytes, media_type: str = "text/plain") -> Json:
        """A file, as messages have it."""
        self.files[name] = data
        address = f"http://127.0.0.1:{self._http.server_port}/files/{name}"
        return {"name": name, "mimetype": media_type, "size": len(data), "url_private_download": address}

    def file(self, name: str, token: str) -> tuple[int, bytes]:
        """Status and bytes of a file, for the bot only; status 0: the connection is dropped."""
        with self.changed:
            if self.down or self.faults.get("files"):
                return (503 if self.down else self.faults["files"].popleft().status), b""
        data = self.files.get(name) if token == BOT_TOKEN else None
        return (404, b"") if data is None else (200, data)

    def reply(self, method: str, sent: Json, token: str) -> tuple[int, Mapping[str, str], Json]:
        """What to do with a request, which is kept."""
        with self.changed:
            self.calls.append(Call(method, sent))
            try:
                if self.down and method not in ("auth.test", "apps.connections.open"):
                    return 503, {}, {"ok": False, "error": "service_unavailable"}
                if self.faults.get(method):
                    fault = self.faults[method].popleft()
                    if fault.done:
                        self._do(method, sent)
                    return fault.status, fault.headers, fault.body
                wanted = {"apps.connections.open": APP_TOKEN, "respond": ""}.get(method, BOT_TOKEN)
                if token != wanted:
                    return 200, {}, {"ok": False, "error": "invalid_auth"}
                return self._do(method, sent)
            finally:
                self.changed.notify_all()

    def _do(self, method: str, sent: Json) -> tuple[int, Mapping[str, str], Json]:
        if method in ("chat.postMessage", "chat.update", "chat.postEphemeral", "respond"):
            wrong = problems(sent)
        elif method in ("views.publish", "views.open"):
            wrong = problems(sent["view"], "home" if method == "views.publish" else "modal")
        else:
            wrong = []
        if wrong:
            self.problems += [f"{method}: {each}" for each in wrong]
            return 200, {}, {"ok": False, "error": "invalid_blocks"}
        headers = {"x-oauth-scopes": ",".join(self.scopes)} if method == "auth.test" else {}
        if method == "apps.connections.open":
            return 200, headers, {"ok": True, **self.open(sent)}
        return 200, headers, {"ok": True, **self.method(method, sent)}

    def open(self, sent: Json) -> Json:
        """Where the socket is."""
        host, port = self._socket.socket.getsockname()[:2]
        return {"url": f"ws://{host}:{port}/link"}
