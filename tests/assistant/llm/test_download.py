"""Downloading a model from a hub: resumed, verified, and one line for what goes wrong."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from huggingface_hub import constants

from assistant.llm import download as downloading
from assistant.llm.catalogue import CatalogueModel, catalogue, downloaded
from assistant.llm.download import download
from ingest.errors import TorchnotesError
from tests.assistant.llm.hub import FILE, REPOSITORY, REVISION, Hub

BODY = b"GGUF" + bytes(range(256)) * 1000
SMALL = CatalogueModel(
    "small", "Small", "", "MIT", REPOSITORY, REVISION, FILE, len(BODY), hashlib.sha256(BODY).hexdigest()
)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 16384)
    monkeypatch.setattr(downloading, "_MEGABYTE", 1)
    monkeypatch.setenv("HF_TOKEN", "hf_secret")


def silent(stage: str, done: int, total: int) -> None:
    return


def test_a_model_is_downloaded_verified_and_there_for_good(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    with Hub(BODY) as hub:
        path = download(SMALL, tmp_path, lambda *step: told.append(step), endpoint=hub.url)
        assert path == SMALL.path(tmp_path) and path.read_bytes() == BODY
        count = len(hub.requests)
        assert download(SMALL, tmp_path, silent, endpoint=hub.url) == path and len(hub.requests) == count
    assert told[-1] == ("check", len(BODY), len(BODY)) and ("get", len(BODY), len(BODY)) in told
    assert {each.suffix for each in path.parent.iterdir()} <= {".gguf", ".lock"}
    assert all(authorization is None for *_, authorization in hub.requests)


def test_what_sends_more_than_it_told_does_not_fill_the_disk(tmp_path: Path) -> None:
    most = 0

    def watch(stage: str, done: int, total: int) -> None:
        nonlocal most
        partial = SMALL.path(tmp_path).with_suffix(".partial")
        most = max(most, partial.stat().st_size if partial.exists() else 0)

    with (
        Hub(BODY * 40, told_size=len(BODY), told_sha256=SMALL.sha256) as hub,
        pytest.raises(TorchnotesError, match="more than the"),
    ):
        download(SMALL, tmp_path, watch, endpoint=hub.url)
    assert most <= 2 * len(BODY) and not SMALL.path(tmp_path).exists()


def test_an_interrupted_download_goes_on_where_it_ended(tmp_path: Path) -> None:
    def interrupt(stage: str, done: int, total: int) -> None:
        if done > 50000:
            raise KeyboardInterrupt

    with Hub(BODY) as hub:
        with pytest.raises(KeyboardInterrupt):
            download(SMALL, tmp_path, interrupt, endpoint=hub.url)
        assert not SMALL.path(tmp_path).exists() and downloaded(tmp_path) == []
        assert download(SMALL, tmp_path, silent, endpoint=hub.url).read_bytes() == BODY
    gets = [asked for method, asked, _ in hub.requests if method == "GET"]
    assert gets[0] is None and gets[1] is not None and int(gets[1][6:-1]) >= 49152


def test_a_file_with_another_checksum_is_deleted(tmp_path: Path) -> None:
    hub = Hub(BODY[::-1], told_sha256=SMALL.sha256)
    with hub, pytest.raises(TorchnotesError, match="damaged or another file") as refused:
        download(SMALL, tmp_path, silent, endpoint=hub.url)
    assert "has been deleted; type the same command again" in str(refused.value)
    assert not [*tmp_path.rglob("*.gguf"), *tmp_path.rglob("*.partial")]


def test_another_file_is_refused_before_it_is_downloaded(tmp_path: Path) -> None:
    with Hub(BODY[::-1]) as hub, pytest.raises(TorchnotesError, match=r"the hub has another file \(sha256 "):
        download(SMALL, tmp_path, silent, endpoint=hub.url)
    assert not [*tmp_path.rglob("*.partial")] and "HEAD" in [method for method, *_ in hub.requests]


@pytest.mark.parametrize(
    ("changes", "told_size", "told"),
    [
        pytest.param({}, 5, "the hub has a file of 5 bytes, expected 256,004", id="size"),
        pytest.param(
            {"file": "other.gguf"},
            None,
            "someone/Small-GGUF cannot be downloaded (Client error '404",
            id="file",
        ),
        pytest.param({"size": 10**16}, None, "small needs 10000000.0 GB, and ", id="room"),
    ],
)
def test_what_goes_wrong_is_one_line(
    changes: dict[str, object], told_size: int | None, told: str, tmp_path: Path
) -> None:
    model = replace(SMALL, **changes)  # type: ignore[arg-type]
    with Hub(BODY, told_size=told_size) as hub, pytest.raises(TorchnotesError) as refused:
        download(model, tmp_path, silent, endpoint=hub.url)
    assert told in str(refused.value) and "\n" not in str(refused.value)


def test_two_downloads_do_not_write_one_file(tmp_path: Path) -> None:
    def again(stage: str, done: int, total: int) -> None:
        download(SMALL, tmp_path, silent, endpoint=hub.url)

    with Hub(BODY) as hub, pytest.raises(TorchnotesError, match="is being downloaded by another process"):
        download(SMALL, tmp_path, again, endpoint=hub.url)


def test_a_hub_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(TorchnotesError, match=r"cannot be downloaded .*set HF_ENDPOINT to a mirror"):
        download(SMALL, tmp_path, silent, endpoint="http://127.0.0.1:9")


def test_the_catalogue_can_be_trusted(tmp_path: Path) -> None:
    models = catalogue().values()
    assert [model.size for model in models] == sorted(model.size for model in models) and len(models) >= 3
    for model in models:
        assert len(model.sha256) == 64 and len(model.revision) == 40 and model.file.endswith(".gguf")
        assert model.licence in {"Apache-2.0", "MIT"}
    assert downloaded(tmp_path) == []
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "qwen3-4b.gguf").write_bytes(b"GGUF")
    assert [model.name for model in downloaded(tmp_path)] == ["qwen3-4b"]
