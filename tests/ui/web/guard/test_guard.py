"""Who may use the page, from where, what browsers may do with it, and how much they may send."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rows import each_row
from tests.ui.web.guard.guarded import JSON, Guarded, answer, given, yes
from ui.web.guard import LOOPBACK, MAX_BODY, PageFunctions, ReceivedFiles, Uploads
from ui.web.guard.asgi import Message, Receive, Send
from ui.web.guard.bodies import Bodies
from ui.web.guard.headers import SecurityHeaders
from ui.web.guard.uploads import UploadLimits

PASSWORD = "开门 sesame"
RUN = "/gradio_api/run/ask"
JOIN = "/gradio_api/queue/join"


@each_row("host", LOOPBACK)
@each_row(
    ("named", "status"),
    [
        ("127.0.0.1:7860", 200),
        ("localhost:7860", 200),
        ("[::1]:7860", 200),
        ("[::1]", 200),
        ("elsewhere.example", 400),
        ("elsewhere.example:7860", 400),
        ("[::2]:7860", 400),
        ("10.0.0.1", 400),
        ("localhost.elsewhere.example", 400),
        ("localhost@elsewhere.example", 400),
        ("localhost, elsewhere.example", 400),
        ("", 400),
    ],
)
def test_a_server_of_this_machine_answers_its_names_only(host: str, named: str, status: int) -> None:
    assert Guarded(host)(named=named).status == status


@pytest.mark.parametrize(
    ("named", "status"),
    [("192.0.2.7:7860", 200), ("localhost:7860", 200), ("notes.example", 200), ("rebound.example", 400)],
)
def test_without_a_password_only_names_that_lead_here_are_answered(named: str, status: int) -> None:
    answered = Guarded("0.0.0.0", names=["notes.example"])(named=named)
    assert answered.status == status and (status == 200 or "--name NAME" in answered.body)


def test_behind_a_password_every_name_is_answered() -> None:
    answered = Guarded("0.0.0.0", password=PASSWORD)(named="any.example", headers=given(PASSWORD))
    assert answered.status == 200 and b"content-security-policy" in answered.headers


@each_row(
    ("sent", "status"),
    [
        pytest.param({}, 200, id="program"),
        pytest.param({"origin": "http://localhost"}, 200, id="own"),
        pytest.param({"origin": "http://localhost:80"}, 200, id="own-port"),
        pytest.param({"origin": "https://localhost", "x-forwarded-host": "x"}, 200, id="tls-proxy"),
        pytest.param({"origin": "https://a.example", "x-forwarded-host": "a.example"}, 403, id="no-proxy"),
        pytest.param({"origin": "http://localhost:8000"}, 403, id="other-port"),
        pytest.param({"origin": "http://127.0.0.1"}, 403, id="other-name"),
        pytest.param({"origin": "null"}, 403, id="null"),
        pytest.param({"origin": "http://localhost.evil.example"}, 403, id="suffix"),
        pytest.param({"origin": "http://localhost@evil.example"}, 403, id="user"),
        pytest.param({"origin": "http://evil.example/localhost"}, 403, id="path"),
        pytest.param({"sec-fetch-site": "same-origin"}, 200, id="fetch-own"),
        pytest.param({"sec-fetch-site": "none"}, 200, id="typed"),
        pytest.param({"sec-fetch-site": "same-site"}, 403, id="fetch-same-site"),
        pytest.param({"sec-fetch-site": "cross-site"}, 403, id="fetch-cross-site"),
        pytest.param({"sec-fetch-site": "same-origin", "origin": "http://evil.example"}, 403, id="both"),
    ],
)
@each_row("method", ["GET", "POST", "OPTIONS", "DELETE"])
def test_pages_of_other_origins_are_refused(sent: dict[str, str], status: int, method: str) -> None:
    headers = [(name.encode(), value.encode()) for name, value in sent.items()]
    answered = Guarded()("/config", headers=headers, method=method)
    assert (answered.status == 403) == (status == 403)
    assert not any(name.startswith(b"access-control") for name in answered.headers)


@pytest.mark.parametrize("behind_proxy", [False, True])
def test_the_name_of_the_server_is_told_by_a_proxy_alone(behind_proxy: bool) -> None:
    """gradio writes it into the page, and takes the page of that name for its own."""
    told = {"x-forwarded-host": "a.example", "x-forwarded-proto": "https", "x-forwarded-port": "1"}
    headers = [(name.encode(), value.encode()) for name, value in told.items()]
    seen: list[bytes] = []

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        seen.extend(name for name, _ in scope["headers"])
        await yes(scope, receive, send)

    answer(SecurityHeaders(app, behind_proxy=behind_proxy), headers=headers)
    assert any(name.startswith(b"x-") for name in seen) == behind_proxy
    answered = Guarded(behind_proxy=behind_proxy)(
        "/config", headers=[*headers, (b"origin", b"https://a.example")]
    )
    assert answered.status == (200 if behind_proxy else 403)


@pytest.mark.parametrize(("path", "status"), [("/", 200), ("/config", 403), ("/checks/tcpstore", 403)])
def test_a_link_leads_to_the_page_alone(path: str, status: int) -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    headers = [(name.encode(), value.encode()) for name, value in link.items()]
    assert Guarded()(path, headers=headers).status == status
    assert Guarded()(path, headers=headers, method="POST").status == 403
    framed = [
        (b"sec-fetch-dest", b"iframe") if name == b"sec-fetch-dest" else (name, v) for name, v in headers
    ]
    assert Guarded()(path, headers=framed).status == 403


@pytest.mark.parametrize("path", ["/gradio_api/upload", "/gradio_api/upload/"])
def test_files_are_refused_where_none_are_allowed(path: str) -> None:
    answered = Guarded()(path, [b"file"])
    assert answered.status == 403 and "torchnotes web --allow-documents" in answered.body


def test_an_upload_tells_its_length(tmp_path: Path) -> None:
    app = Guarded(uploads=Uploads(tmp_path, UploadLimits(request=10)))
    for length, status in ((b"11", 413), (b"-1", 411), (b"x", 411), (b"\xb2", 411)):
        answered = app("/gradio_api/upload", [b"x" * 11], headers=[(b"content-length", length)])
        assert answered.status == status
    assert app("/gradio_api/upload", [b"x"]).status == 411
    headers = [(b"content-type", b"multipart/form-data; boundary=B"), (b"content-length", b"4")]
    assert app("/gradio_api/upload", [b"12", b"34"], headers=headers).body == '"1234"'


def test_a_request_as_long_as_any_of_ours_is_read_whole() -> None:
    text = '{"data":["' + "x" * (MAX_BODY - 13) + '"]}'
    answered = Guarded()(RUN, [text[:100].encode(), text[100:].encode()], headers=JSON)
    assert answered.status == 200 and len(answered.body) > MAX_BODY - 20


def test_a_longer_one_is_refused() -> None:
    answered = Guarded()(RUN, [b"x" * MAX_BODY, b"y", b"never read"], headers=JSON)
    assert answered.status == 413 and f"more than {MAX_BODY} bytes" in answered.body


@each_row(
    ("body", "status"),
    [
        pytest.param(b'{"data": ["\\ud800"]}', 400, id="half-a-character"),
        pytest.param(b'{"data": [NaN]}', 400, id="nan"),
        pytest.param(b'{"data": [1' + b"0" * 5000 + b"]}", 400, id="huge-number"),
        pytest.param(b'{"data": ' + b"[" * 50_000, 400, id="deep"),
        pytest.param(b'{"data": ' + b"[" * 100_000, 413, id="deeper"),
        pytest.param(b'{"data": [1e999]}', 400, id="beyond-all-numbers"),
        pytest.param(b'{"data": [' + b"[]," * 30_000 + b"[]]}", 413, id="many-values"),
        pytest.param(b'{"data": [' + b'"a",' * 30_000 + b'"a"]}', 413, id="many-texts"),
        pytest.param(b'{"data": {"0": 1}}', 400, id="no-list"),
        pytest.param(b'{"data": [], "other": 1}', 400, id="other-field"),
        pytest.param(b'["x"]', 400, id="list"),
        pytest.param(b'{"data": "\xff"}', 400, id="no-utf8"),
        pytest.param(b"data=1", 400, id="form"),
        pytest.param('{"data": ["好的", "\\ud83d\\ude00"]}'.encode(), 200, id="good"),
    ],
)
def test_only_json_is_read(body: bytes, status: int) -> None:
    answered = Guarded()(RUN, [body], headers=JSON)
    assert answered.status == status
    assert status == 200 or "data" not in answered.body


def test_what_is_of_another_form_is_not_given_back() -> None:
    async def echoing(scope: Message, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 422, "headers": []})
        await send({"type": "http.response.body", "body": b"all that was sent"})

    functions = PageFunctions(frozenset({"ask"}), frozenset(), {})
    app = Bodies(echoing, uploads=False, functions=functions, received=ReceivedFiles())
    answered = answer(app, RUN, [b'{"data": ["x"]}'], headers=JSON)
    assert answered.status == 422 and "all that was sent" not in answered.body and "/info" in answered.body


def test_a_file_is_named_by_text() -> None:
    app = Guarded()
    for path in (["x"], {"x": 1}, 1, None):
        assert app.post(JOIN, {"data": ["x", [{"path": path}]], "fn_index": 1}).status == 400


def test_a_header_that_gradio_would_tell_in_the_page_is_dropped() -> None:
    seen: list[bytes] = []

    async def noting(scope: Message, receive: Receive, send: Send) -> None:
        seen.extend(name for name, _ in scope["headers"])
        await yes(scope, receive, send)

    answer(SecurityHeaders(noting), headers=[(b"x-gradio-server", b"http://evil.example")])
    assert seen == [b"host"]


def test_other_kinds_of_content_are_refused() -> None:
    for kind in (b"text/plain", b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=x"):
        assert Guarded()(RUN, [b"{}"], headers=[(b"content-type", kind)]).status == 415
    assert Guarded()(RUN, [b"{}"]).status == 415


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/gradio_api/proxy=http://127.0.0.1:1/",
            "/gradio_api/file=/etc/passwd",
            "/gradio_api/file/etc/passwd",
        ),
        *(
            "/monitoring",
            "/monitoring/summary",
            "/gradio_api/deep_link",
            "/gradio_api/stream/x/y/z/playlist.m3u8",
        ),
        *("/gradio_api/custom_component/a/b/c/d", "/gradio_api/vibe-code", "/gradio_api/mcp/", "/login"),
        *("/gradio_api//upload", "//gradio_api/upload", "/gradio_api/runs", "/gradio_api/dev/reload"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "TRACE"])
def test_what_the_page_does_not_need_is_closed(path: str, method: str, tmp_path: Path) -> None:
    assert Guarded(uploads=Uploads(tmp_path))(path, method=method).status == 404


def test_functions_of_the_page_are_not_called_by_name() -> None:
    app = Guarded()
    assert app.post(RUN, {"data": ["x"]}).status == 200
    for path in (RUN, "/gradio_api/call/ask", "/gradio_api/call/v2/ask"):
        assert app.post(path, {"data": ["x"], "fn_index": 0}).status == 404
    assert app.post("/gradio_api/run/predict", {"data": ["x"], "fn_index": 0}).status == 200
    assert app.post("/gradio_api/run/predict", {"data": ["x", []], "fn_index": 1}).status == 404
    assert app.post("/gradio_api/run/predict", {"data": ["x"]}).status == 404
    assert app.post("/gradio_api/run/nothing", {"data": ["x"]}).status == 404


FILE = {"path": "/etc/hostname", "meta": {"_type": "gradio.FileData"}}


@pytest.mark.parametrize(
    "sent",
    [
        {"data": ["x", [FILE]], "fn_index": 1},
        {"data": ["x", FILE], "fn_index": 1},
        {"data": [FILE, None], "fn_index": 1},
        {"data": [[[{"deep": [FILE]}]], None], "fn_index": 1},
        {"data": ["x", None], "event_data": {"value": FILE}, "fn_index": 1},
        {"data": ["x", None], "path": "/etc/hostname", "fn_index": 1},
        {"data": ["x", [{**FILE, "path": "http://127.0.0.1/"}]], "fn_index": 1},
        {"data": ["x", [{"meta": {"_type": "gradio.FileData"}}]], "fn_index": 1},
        {"data": ["x", ["/etc/hostname"]], "fn_index": 1},
        {"data": FILE, "fn_index": 1},
        [FILE],
    ],
)
def test_files_of_the_server_are_not_named(sent: object, tmp_path: Path) -> None:
    answered = Guarded(uploads=Uploads(tmp_path)).post(JOIN, sent)
    assert answered.status == 400 and "hostname" not in answered.body


def test_a_file_that_was_received_is_named_plainly(tmp_path: Path) -> None:
    app = Guarded(uploads=Uploads(tmp_path))
    path = "/tmp/gradio/0/a.md"
    app("/gradio_api/upload", [f'["{path}"]'.encode()], headers=[(b"content-length", b"9")])
    app.received.note(f'["{path}"]'.encode())
    sent = {"path": path, "orig_name": "a.md", "url": "http://127.0.0.1/", "is_stream": True, "meta": {}}
    answered = app.post(JOIN, {"data": ["x", [sent]], "fn_index": 1})
    assert answered.status == 200
    assert '"url' not in answered.body and "is_stream" not in answered.body and "a.md" in answered.body
    # Nowhere else, not even that file.
    assert app.post(JOIN, {"data": [[sent], None], "fn_index": 1}).status == 400
    assert app.post(RUN, {"data": [[sent]]}).status == 400
    assert app.post("/gradio_api/run/predict", {"data": [sent], "fn_index": 0}).status == 400


def test_scripts_of_the_page_have_a_nonce_of_each_page_load() -> None:
    async def html(scope: Message, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", b"43")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"<script>a()</script>", "more_body": True})
        await send({"type": "http.response.body", "body": b"<script type=module></script>"})

    first, second = answer(SecurityHeaders(html)), answer(SecurityHeaders(html))
    policy = first.headers[b"content-security-policy"].decode()
    nonce = policy.partition("'nonce-")[2].partition("'")[0]
    assert len(nonce) > 20 and "'unsafe-inline'" not in policy.partition("style-src")[0]
    assert nonce not in second.headers[b"content-security-policy"].decode()
    assert first.body == f'<script nonce="{nonce}">a()</script><script nonce="{nonce}" type=module></script>'
    assert int(first.headers[b"content-length"]) == len(first.body)
