"""Uploads of one sender leave room for those of others; what is no upload is one line."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

import pytest
from fastapi import FastAPI, HTTPException, Request

from tests.ui.web.guard.guarded import Replied, answer
from ui.shared.received import ReceivedFiles
from ui.web.guard.asgi import App, Message, Receive, Send
from ui.web.guard.upload_quota import UploadQuota
from ui.web.guard.uploads import UploadLimits, Uploads

PATH = "/gradio_api/upload"
ONE, OTHER = "192.0.2.1", "192.0.2.2"


def form(*names: str, end: bytes = b"--B--\r\n") -> bytes:
    """The body of a form with a file of one byte in each of its fields."""
    head = b'--B\r\nContent-Disposition: form-data; name="%s"; filename="a.md"\r\n\r\nx\r\n'
    return b"".join(head % name.encode() for name in names) + end


def gradio(folder: Path, received: ReceivedFiles, limits: UploadLimits) -> App:
    """The quota before gradio's own reader of uploads."""
    from gradio.route_utils import upload_fn
    from starlette.formparsers import MultiPartException

    app = FastAPI(openapi_url=None)

    @app.post(PATH)
    async def take(request: Request) -> list[str]:
        # gradio names the folder of a file by its content: here each has one of its own.
        place = folder / secrets.token_hex(4)
        try:
            paths, _, _ = await upload_fn(request, place, 1000, None, force_move=False)
        except MultiPartException as error:
            raise HTTPException(413 if "maximum allowed size" in error.message else 400) from None
        return [str(path) for path in paths]

    return UploadQuota(app, Uploads(folder, limits), received)


class Server:
    """Sends forms to a quota.

    Args:
        folder: where files lie.
        limits: of the quota.
    """

    def __init__(self, folder: Path, limits: UploadLimits) -> None:
        self.received = ReceivedFiles()
        self._app = gradio(folder, self.received, limits)

    def __call__(self, body: bytes, client: str = ONE, kinds: Sequence[str] = ("B",)) -> Replied:
        types = [(b"content-type", f"multipart/form-data; boundary={kind}".encode()) for kind in kinds]
        headers = [*types, (b"content-length", str(len(body)).encode())]
        half = len(body) // 2
        return answer(self._app, PATH, [body[:half], body[half:]], headers=headers, client=client)


def test_one_sender_does_not_take_the_room_of_all(tmp_path: Path) -> None:
    server = Server(tmp_path, UploadLimits(files=20, share=5, parts=3))
    statuses = [server(form("files", "files")).status for _ in range(5)]
    assert statuses == [200, 200, 200, 507, 507]
    assert "one sender" in server(form("files")).body
    first = server(form("files"), OTHER)
    assert first.status == 200 and len(json.loads(first.body)) == 1
    assert [server(form("files"), "127.0.0.1").status for _ in range(9)] == [200] * 9  # this machine


@pytest.mark.parametrize(
    "body",
    [form("other"), form("files", end=b""), form("files", "files", end=b"--B X\r\n"), form("files", "")],
    ids=["other-field", "unended", "broken", "no-name"],
)
def test_files_that_nobody_can_name_count_as_well(tmp_path: Path, body: bytes) -> None:
    server = Server(tmp_path, UploadLimits(files=20, share=5, parts=3))
    for _ in range(20):
        server(body)
    assert sum(1 for path in tmp_path.rglob("*") if path.is_file()) < 8
    assert server(form("files"), OTHER).status == 200


def test_what_was_added_or_is_old_leaves_the_share(tmp_path: Path) -> None:
    server = Server(tmp_path, UploadLimits(files=20, share=2, parts=3))
    sent = json.loads(server(form("files", "files")).body)
    assert server(form("files")).status == 507
    os.unlink(sent[0])  # as when it was added
    assert server(form("files")).status == 200


def test_bytes_of_one_sender_have_a_bound_too(tmp_path: Path) -> None:
    length = len(form("files"))
    server = Server(tmp_path, UploadLimits(request=length + 1, total=10 * length))
    assert [server(form("files")).status for _ in range(3)] == [200, 200, 507]
    assert server(form("files"), OTHER).status == 200


def test_a_request_has_so_many_parts(tmp_path: Path) -> None:
    server = Server(tmp_path, UploadLimits(parts=3))
    assert server(form(*["files"] * 3)).status == 200
    replied = server(form(*["files"] * 4))
    assert replied.status == 413 and "more than 3 files" in replied.body
    # A second header would tell another boundary than the one that is read.
    assert server(form(*["files"] * 4), kinds=["B", "C"]).status == 400
    for kind in ("C; boundary=B", "B; boundary=C", "C; boundary*=utf-8''B; boundary=\"B\""):
        replied = server(form(*["files"] * 4), kinds=[kind])
        assert replied.status in (400, 413)


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        (b'--B\r\nContent-Disposition: form-data; name="files"\r\n\r\nx\r\n--B--\r\n', ["B"]),
        (form("files").replace(b'"a.md"', b'".."'), ["B"]),
        (form("files").replace(b"form-data", b"form-data; filename=%00"), ["B"]),
        (form("files").replace(b"Content-Disposition", b"Content Disposition"), ["B"]),
        (b"x", ["B"]),
        (form("files"), ["B" * 5000]),
        (form("files"), [""]),
        (form("files"), []),
    ],
    ids=["text", "dots", "nul", "head", "no-form", "boundary", "no-boundary", "no-type"],
)
def test_what_is_no_upload_is_one_line(tmp_path: Path, body: bytes, kinds: list[str]) -> None:
    replied = Server(tmp_path, UploadLimits())(body, kinds=kinds)
    assert replied.status in (200, 400, 413) and replied.body.count("\n") <= 1
    assert replied.status == 200 or "detail" in json.loads(replied.body)


def test_a_file_that_is_too_long_is_one_line(tmp_path: Path) -> None:
    replied = Server(tmp_path, UploadLimits())(form("files").replace(b"x\r\n", b"x" * 2000 + b"\r\n"))
    assert replied.status == 413 and "20 MB" in replied.body


@pytest.mark.parametrize(
    ("error", "status"), [(TypeError("x"), 400), (OSError("full"), 507), (TimeoutError(), 408)]
)
def test_what_stops_the_reader_is_one_line(tmp_path: Path, error: Exception, status: int) -> None:
    async def app(scope: Message, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 500, "headers": []})
        raise error

    headers = [(b"content-type", b"multipart/form-data; boundary=B"), (b"content-length", b"1")]
    replied = answer(UploadQuota(app, Uploads(tmp_path)), PATH, [b"x"], headers=headers)
    assert replied.status == status and replied.body.count("\n") == 1 and "full" not in replied.body
