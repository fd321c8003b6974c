"""`torchnotes sync` from a server of this machine into a real index, with an embedder that counts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest

import corpus.catalog
import ingest.polite
from assistant import factory as assemble
from corpus.catalog import CatalogEntry
from index.storage.store import Store
from ingest.downloads import Downloads, last_sync
from tests.index.light import LightEmbedder, segmenter
from tests.ingest.github_server import LIST, Said, Site, notes_entry, post, post_entry, release, serve
from ui.cli.main import main


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> LightEmbedder:
    """Stands for every embedder that the settings name."""
    made = LightEmbedder()
    monkeypatch.setattr(assemble, "load_embedder", lambda name: made)
    monkeypatch.setattr(assemble, "Segmenter", lambda *_, **__: segmenter())
    monkeypatch.setattr(assemble, "description_texts", lambda glossary: [])
    return made


@pytest.fixture
def site(empty_home: Path, embedder: LightEmbedder, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server with two releases and two posts, which is all that the catalogue lists."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setattr(ingest.polite, "PAUSE", 0.0)
    with serve() as made:
        made.releases = [release("v2.5.0"), release("v2.4.0")]
        made.pages["/en"] = post("PyTorch 2.4 Release Blog", "PyTorch 2.4 brings libuv.", "It is fast.")
        made.pages["/zh"] = post("PyTorch 2.4 发布博客", "PyTorch 2.4 带来了 libuv。", "它很快。")
        entries = listed(made)
        monkeypatch.setattr(corpus.catalog, "load_catalog", lambda: entries)
        monkeypatch.setenv("TORCHNOTES_GITHUB_API", made.api)
        yield made


def listed(site: Site) -> tuple[CatalogEntry, ...]:
    posts = (post_entry("2.4", f"{site.root}/en"), post_entry("2.4", f"{site.root}/zh", language="zh"))
    return (notes_entry("2.4"), notes_entry("2.5"), *posts)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a sync."""
    code = main(["sync", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_all_is_new_and_then_nothing_is_embedded_again(
    site: Site, empty_home: Path, embedder: LightEmbedder, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys)
    assert code == 0
    lines = out.splitlines()
    assert len(lines) == 6 and all(line.startswith("new  ") for line in lines[:4])
    assert lines[0].endswith("PyTorch 2.4 · en · release-notes · 2024-07-24 · PyTorch 2.4.0 Release Notes")
    assert lines[4] == "4 official documents: 4 new."
    assert re.fullmatch(r"The index holds 4 documents in \d+ chunks; [1-9]\d* texts embedded\.", lines[5])
    assert re.search(r"^downloading +4 of 4 documents$", err, re.M) and "splitting" in err
    assert last_sync(empty_home) is not None
    assert len(embedder.embedded) > 0

    embedder.embedded.clear()
    site.asked.clear()
    code, out, _ = said(capsys)
    assert code == 0
    assert out.startswith("4 official documents: 4 unchanged.\n") and "; 0 texts embedded." in out
    assert embedder.embedded == []
    assert all("if-none-match" in headers for _, headers in site.asked) and len(site.asked) == 3


def test_only_what_changed_is_embedded_again(
    site: Site, embedder: LightEmbedder, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys)
    embedder.embedded.clear()
    site.pages["/en"] = post("PyTorch 2.4 Release Blog", "PyTorch 2.4 brings libuv.", "It is slow.")
    code, out, _ = said(capsys)
    assert code == 0
    assert re.match(r"changed +blog-2\.4-en-\S+  PyTorch 2\.4 · en · blog", out)
    assert "4 official documents: 1 changed, 3 unchanged." in out
    assert 0 < len(embedder.embedded) <= 2 and all("slow" in text for text in embedder.embedded)


def test_what_fails_is_one_line_and_the_rest_is_in_the_index(
    site: Site, empty_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del site.pages["/en"]
    reset = int(datetime.now(timezone.utc).timestamp()) + 7200
    limit = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset)}
    with serve() as api:
        api.script(LIST, Said(403, limit))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TORCHNOTES_GITHUB_API", api.api)
            code, out, _ = said(capsys)
    assert code == 1
    first, blog, notes, counted, holds = out.splitlines()
    assert first.startswith("new        blog-2.4-zh-")
    assert re.fullmatch(
        r"failed +release-notes-2\.4-en, release-notes-2\.5-en: http.*/releases\?per_page=100: 127\.0\.0\.1:"
        r"\d+ takes no more requests until \d{4}-\d\d-\d\d \d\d:\d\d \(in \d+ min\); try again then, or set "
        r"GITHUB_TOKEN: a token raises the limit",
        notes if notes.startswith("failed     release") else blog,
    )
    assert f"failed     blog-2.4-en ({site.root}/en): the server answered 404 Not Found" in (blog, notes)
    assert counted == "4 official documents: 1 new, 3 failed."
    assert holds.startswith("The index holds 1 document in ")
    assert last_sync(empty_home) is None  # the server ended it

    site.pages["/en"] = post("PyTorch 2.4 Release Blog", "PyTorch 2.4 brings libuv.")
    site.asked.clear()
    code, out, _ = said(capsys)
    assert code == 0 and "4 official documents: 3 new, 1 unchanged." in out
    assert "/zh" not in site.paths()  # the next sync went on where that one ended


def test_when_all_fails_the_index_is_left_alone(
    site: Site, empty_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys)
    before = Store(empty_home).current()
    site.pages.clear()
    code, out, _ = said(capsys, "--kind", "blog")
    assert code == 1
    assert out.splitlines()[-1] == "2 official documents: 2 failed."
    assert Store(empty_home).current() == before and len(Store(empty_home).documents()) == 4


def test_what_moved_is_told(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.script("/en", Said(308, {"Location": "/new"}))
    site.pages["/new"] = site.pages["/en"]
    _, out, _ = said(capsys, "--language", "en", "--kind", "blog")
    assert f"moved      {site.root}/en is now at {site.root}/new" in out


def test_a_short_limit_is_waited_and_told(
    site: Site, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest.polite, "asked_to_wait", lambda *_: 0.001)
    site.script(LIST, Said(429))
    code, _, err = said(capsys, "--kind", "release-notes")
    assert code == 0
    assert re.search(r"^waiting 0 s, as 127\.0\.0\.1:\d+ asks for$", err, re.M)


@pytest.mark.parametrize(
    ("arguments", "environment", "sent"),
    [((), "", None), ((), "from-env", "from-env"), (("--token", "given"), "from-env", "given")],
    ids=["none", "environment", "argument"],
)
def test_the_token_goes_to_the_api(
    site: Site,
    arguments: tuple[str, ...],
    environment: str,
    sent: str | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", environment)
    code, out, err = said(capsys, *arguments)
    assert code == 0 and (sent is None or sent not in out + err)
    expected = {LIST: f"Bearer {sent}" if sent else None, "/en": None, "/zh": None}
    assert {path.partition("?")[0]: headers.get("authorization") for path, headers in site.asked} == expected


def test_a_dry_run_fetches_nothing(site: Site, empty_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "--dry-run", "--releases", "2.4")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[:-1]] == [
        "release-notes-2.4-en",
        "blog-2.4-en",
        "blog-2.4-zh",
    ]
    assert f"{site.root}/zh" in out and out.endswith("3 documents would be asked for.\n")
    assert site.asked == [] and not empty_home.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--releases", "new"], "'new' names no releases; write 2.4, 2.0-2.8 or", id="word"),
        pytest.param(
            ["--releases", "2.9"], "nothing is known of release 2.9; known are 2.4 to 2.5", id="far"
        ),
        pytest.param(["--releases", "2.5-2.4"], "runs backwards; write 2.4-2.5", id="backwards"),
        pytest.param(
            ["--releases", "2.5", "--kind", "blog"], "no official document is listed for", id="none"
        ),
        pytest.param(["--language", "fr"], "'fr' is not one of 'zh', 'en'", id="language"),
        pytest.param(["--token", "a b"], "the token holds characters that no token has", id="token"),
        pytest.param(["extra"], "unexpected extra argument (extra)", id="extra"),
    ],
)
def test_bad_input_is_one_line(
    site: Site, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1 and err.startswith("torchnotes: ") and message in err
    assert site.asked == []


def test_two_at_once_are_refused(site: Site, empty_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Downloads(empty_home).held():
        code, _, err = said(capsys)
    assert code == 2 and "another sync is running; try again when it is done" in err


def test_what_is_synced_is_listed(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys)
    assert main(["sources", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {(row["release"], row["kind"], row["language"]) for row in rows} == {
        ("2.4", "release-notes", "en"),
        ("2.5", "release-notes", "en"),
        ("2.4", "blog", "en"),
        ("2.4", "blog", "zh"),
    }
    assert {row["url"] for row in rows} == {entry.url for entry in listed(site)}
