"""Files that were sent and never added: they do not fill the disk."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import NoReturn

import pytest
from fastapi import FastAPI

from tests.ui.web.guard.guarded import answer
from ui.web.guard.upload_quota import UploadQuota
from ui.web.guard.uploads import FullError, UploadLimits, Uploads

PATH = "/gradio_api/upload"
FORM = (b"content-type", b"multipart/form-data; boundary=B")


def lay(folder: Path, name: str, size: int, age: float = 0.0) -> Path:
    """A file as gradio lays it, sent so many seconds ago."""
    path = folder / name / "notes.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x" * size)
    for each in (path, path.parent):
        os.utime(each, (time.time() - age,) * 2)
    return path


def post(uploads: Uploads, length: bytes | None, path: str = PATH) -> tuple[int, str]:
    """Status and words of the answer to a file that is sent."""
    app = FastAPI(openapi_url=None)

    @app.post(PATH)
    @app.post("/")
    def take() -> str:
        return "taken"

    headers = [FORM] if length is None else [FORM, (b"content-length", length)]
    replied = answer(UploadQuota(app, uploads), path, [b""], headers=headers)
    return replied.status, replied.body


def test_what_nobody_added_is_deleted_when_it_is_old_and_nothing_else(tmp_path: Path) -> None:
    old, young = lay(tmp_path, "a", 5, age=61), lay(tmp_path, "b", 7, age=30)
    broken = tmp_path / "tmp1"  # as an upload leaves it that was cut off
    broken.write_bytes(b"x")
    os.utime(broken, (0, 0))
    kept = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    lay(kept, "c", 1, age=1000)
    (tmp_path / "link").symlink_to(kept, target_is_directory=True)
    uploads = Uploads(tmp_path, UploadLimits(age=60))
    assert uploads.tidy() == (1, 7)
    assert young.is_file() and not old.exists() and not broken.exists()
    os.utime(old.parent, (0, 0))  # it changed when the file in it went
    assert uploads.tidy() == (1, 7) and not old.parent.exists()
    assert (kept / "c" / "notes.md").is_file()


def test_a_folder_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert Uploads(tmp_path / "none").tidy() == (0, 0)


@pytest.mark.parametrize("limits", [UploadLimits(total=100), UploadLimits(files=2)])
def test_no_more_is_taken_than_there_is_room_for(tmp_path: Path, limits: UploadLimits) -> None:
    uploads = Uploads(tmp_path, limits)
    lay(tmp_path, "a", 60)
    assert post(uploads, b"40") == (200, '"taken"')
    first = lay(tmp_path, "b", 40)
    status, words = post(uploads, b"1")
    assert status == 507 and "try later" in words and words.count("\n") == 1
    assert post(uploads, b"1", "/")[0] == 200  # what is no upload
    os.utime(first, (0, 0))
    assert post(uploads, b"1")[0] == 200


def test_what_is_being_sent_counts_until_it_lies_there(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path, UploadLimits(total=100))
    uploads.reserve(60)
    with pytest.raises(FullError, match="50 bytes do not fit now"):
        uploads.reserve(50)
    uploads.release(60)
    uploads.reserve(50)


@pytest.mark.parametrize(("length", "status"), [(None, 411), (b"-1", 411), (b"10", 200), (b"11", 413)])
def test_the_length_is_told_and_bounded(tmp_path: Path, length: bytes | None, status: int) -> None:
    assert post(Uploads(tmp_path, UploadLimits(request=10)), length)[0] == status


def test_a_running_server_deletes_by_itself(tmp_path: Path) -> None:
    old = lay(tmp_path, "a", 5, age=61)

    async def live() -> None:
        gone = asyncio.Event()

        async def app(scope: object, receive: object, send: object) -> None:
            await asyncio.wait_for(gone.wait(), 30)

        async def watch() -> None:
            while old.exists():
                await asyncio.sleep(0.01)
            gone.set()

        async def nothing(*_: object) -> NoReturn:
            raise AssertionError

        roomy = UploadQuota(app, Uploads(tmp_path, UploadLimits(age=60, every=0.05)))
        await asyncio.gather(roomy({"type": "lifespan"}, nothing, nothing), watch())

    asyncio.run(live())
    assert not old.exists()
