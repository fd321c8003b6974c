"""Pages of other origins in a real browser: they command nothing and read nothing, whatever they send."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.ui.web.serving import serving
from ui.cli.commands.web import listen
from ui.shared.app_state import AppState
from ui.web.guard import LOOPBACK
from ui.web.guard.asgi import Message, Receive, Send
from ui.web.guard.routes import KnownRoutes
from ui.web.server import Access

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: What a page of another origin tries against `server`; each entry tells what it could read.
ATTACK = """async (server) => {
    const read = [];
    const json = { "Content-Type": "application/json" };
    const ask = JSON.stringify({ data: ["What is TCPStore?"], fn_index: null, session_hash: "evil" });
    const form = new FormData();
    form.append("files", new Blob(["# PyTorch 2.6\\n\\nPlanted."]), "planted.md");
    const tries = [
        ["gradio_api/run/ask", { method: "POST", headers: json, body: ask }],
        ["gradio_api/call/ask", { method: "POST", headers: json, body: ask }],
        ["gradio_api/queue/join", { method: "POST", body: ask }],
        ["gradio_api/upload", { method: "POST", body: form }],
        ["checks/tcpstore-libuv", { method: "POST", headers: { "X-Torchnotes-Program": "x" } }],
        ["checks", { method: "POST", body: "{}" }],
        ["gradio_api/cancel", { method: "POST", body: "{}" }],
        ["gradio_api/component_server", { method: "POST", body: "{}" }],
        ["gradio_api/reset", { method: "PUT" }],
        ["gradio_api/info", { method: "DELETE" }],
        ["gradio_api/info", {}],
        ["config", {}],
        ["healthz", {}],
        ["readyz", {}],
        ["metrics", {}],
        ["", {}],
    ];
    for (const [path, options] of tries) {
        for (const mode of ["cors", "no-cors"]) {
            for (const credentials of ["include", "omit"]) {
                try {
                    const answer = await fetch(`${server}/${path}`, { ...options, mode, credentials });
                    if (answer.type !== "opaque") read.push([path, mode, answer.status]);
                } catch { /* refused */ }
            }
        }
    }
    const loaded = (node, source) => new Promise((done) => {
        node.onload = () => { read.push([source, node.tagName]); done(); };
        node.onerror = () => done();
        node.src = `${server}/${source}`;
        document.body.append(node);
    });
    await loaded(document.createElement("script"), "page/chat.js");
    await loaded(document.createElement("script"), "config");
    await loaded(document.createElement("img"), "favicon.ico");
    await new Promise((done) => {
        const events = new EventSource(`${server}/gradio_api/queue/data?session_hash=evil`);
        events.onmessage = () => { read.push(["events"]); done(); };
        events.onerror = () => { events.close(); done(); };
    });
    for (const type of ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"]) {
        const frame = Object.assign(document.createElement("iframe"), { name: `f-${type}` });
        const sent = Object.assign(document.createElement("form"), {
            method: "POST", enctype: type, target: frame.name, action: `${server}/gradio_api/run/ask` });
        const field = Object.assign(document.createElement("input"), { name: ask.slice(0, -1), value: "}" });
        sent.append(field);
        document.body.append(frame, sent);
        await new Promise((done) => { frame.onload = done; sent.submit(); });
    }
    return read;
}"""


class _Blank(BaseHTTPRequestHandler):
    """An empty page, and nothing in the log."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><body></body>")

    def log_message(self, format: str, *args: object) -> None:
        """Be quiet."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[int]:
    """The port of a server with a page of somebody else."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Blank)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.fixture
def passed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Method and path of the requests that get past the checks of where they come from."""
    paths: list[tuple[str, str]] = []
    answer = KnownRoutes.__call__

    async def noted(self: KnownRoutes, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            paths.append((scope["method"], scope["path"]))
        await answer(self, scope, receive, send)

    monkeypatch.setattr(KnownRoutes, "__call__", noted)
    return paths


@pytest.mark.parametrize(
    ("host", "password", "name", "attacker"),
    [
        pytest.param("127.0.0.1", "", "127.0.0.1", "127.0.0.1", id="same-name-other-port"),
        pytest.param("127.0.0.1", "", "localhost", "evil.example", id="other-name"),
        pytest.param("0.0.0.0", "", "notes.example", "evil.example", id="named-server"),
        pytest.param("0.0.0.0", "word", "team.example", "evil.team.example", id="password"),
    ],
)
def test_a_page_of_another_origin_commands_and_reads_nothing(
    browser: Browser,
    app_state: AppState,
    elsewhere: int,
    passed: list[tuple[str, str]],
    host: str,
    password: str,
    name: str,
    attacker: str,
) -> None:
    access = Access(host, password, names=("notes.example",))
    with serving(app_state, access, listen("127.0.0.1", 0)) as address:
        server = f"http://{name}:{urlsplit(address).port}"
        credentials = {"username": "x", "password": password} if password else None
        context = browser.new_context(http_credentials=credentials)  # type: ignore[arg-type]
        own, page = context.new_page(), context.new_page()
        own.goto(server)  # the reader has the server's own page open, and its password given
        own.wait_for_selector("#tn-question textarea")
        own.wait_for_selector(".tn-empty")
        assert {method for method, _ in passed} >= {"GET", "POST"}
        passed.clear()
        page.goto(f"http://{attacker}:{elsewhere}/")
        assert page.evaluate(ATTACK, server) == []
        # Browsers say where a request comes from to addresses of this machine and over TLS alone. Elsewhere
        # a GET may pass, which no page can read, as the empty list above says; nothing that commands does.
        # What the server's own page still loads goes to an address that the attack does not try.
        others = [each for each in passed if each != ("POST", "/gradio_api/run/predict")]
        assert [each for each in others if name in LOOPBACK or each[0] != "GET"] == []
        context.close()


def test_a_name_that_is_made_to_lead_here_is_not_answered(browser: Browser, app_state: AppState) -> None:
    with serving(app_state, Access("0.0.0.0"), listen("127.0.0.1", 0)) as address:
        context = browser.new_context()
        answer = context.new_page().goto(f"http://rebound.example:{urlsplit(address).port}/")
        assert answer is not None and answer.status == 400
        context.close()


def test_a_page_that_opened_ours_asks_nothing_there(
    browser: Browser, app_state: AppState, elsewhere: int
) -> None:
    access = Access("0.0.0.0", names=("notes.example",))
    with serving(app_state, access, listen("127.0.0.1", 0)) as address:
        server = (
            f"http://notes.example:{urlsplit(address).port}/"  # without TLS, where no policy parts windows
        )
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://evil.example:{elsewhere}/")
        with context.expect_page() as opening:
            page.evaluate("(to) => { window.theirs = window.open(to); }", server)
        ours = opening.value
        ours.wait_for_selector(".tn-empty")
        page.evaluate("(to) => { window.theirs.location = to; }", f"{server}#ask=What%20is%20TCPStore%3F")
        ours.wait_for_function(
            "document.querySelector('#tn-question textarea').value === 'What is TCPStore?'"
        )
        assert ours.locator(".tn-turn").count() == 0
        context.close()


def test_a_link_from_another_page_leads_to_the_chat(
    browser: Browser, app_state: AppState, elsewhere: int
) -> None:
    with serving(app_state) as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://evil.example:{elsewhere}/")
        page.evaluate("(to) => { document.body.innerHTML = `<a href='${to}'>go</a>`; }", address)
        page.click("a")
        page.wait_for_selector("#tn-question textarea")
        context.close()
