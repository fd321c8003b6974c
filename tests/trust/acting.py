"""A small home with shipped digests, notes of the user's and synced posts, and the commands that change it.

The embedder is made of hashes (tests/index/light.py); all else is what users run.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

import corpus.catalog
import ingest.polite
from assistant import factory as assemble
from assistant.settings import load_settings
from index.storage.store import Store
from tests.index.light import LightEmbedder, kill_at_touch, segmenter
from tests.index.processes import end, start
from tests.ingest.github_server import Site, post, post_entry
from ui.cli.main import main

ACTIONS = ("add", "remove", "sync", "rebuild", "ship")


@dataclass(frozen=True)
class Place:
    """Where it all is.

    Attributes:
        base: holds `home`, which is copied, the `notes`, two states of the digests, and `remove`, an id.
        site: address of the server that is synced from.
    """

    base: Path
    site: str


def write_sources(place: Place, site: Site) -> None:
    """Write what the home is made of."""
    notes = place.base / "notes"
    for number in (1, 2):
        digests = place.base / f"digests{number}" / "en"
        digests.mkdir(parents=True)
        for release in ("2.3", "2.4"):
            digests.joinpath(f"{release}.md").write_text(_digest(release, number), encoding="utf-8")
    notes.mkdir()
    for name in ("one", "two"):
        (notes / f"{name}.md").write_text(_note(name, 1), encoding="utf-8")
    _write_posts(site, 1)


def prepare(base: Path, site: Site) -> Place:
    """Make a home of two generations; notes, digests and posts are then other than what it holds."""
    place = Place(base, site.root)
    notes = base / "notes"
    write_sources(place, site)
    for action in ("add", "sync", "rebuild"):  # both generations hold everything
        assert end(start(act, place, base / "home", action)) == 0, (base / "home.out").read_text()
    (base / "remove").write_text(next(name for name in texts(base / "home") if name.startswith("user-")))
    (notes / "one.md").write_text(_note("one", 2), encoding="utf-8")
    (notes / "three.md").write_text(_note("three", 1), encoding="utf-8")
    _write_posts(site, 2)
    return place


def use_small_parts(patch: pytest.MonkeyPatch, place: Place, home: Path, *, digests: int = 1) -> None:
    """Take the embedder of hashes, a few digests, and a catalogue of two posts; no home but this one."""
    entries = [post_entry("2.4", f"{place.site}/{name}", language=name) for name in ("en", "zh")]
    folder = place.base / f"digests{digests}"
    patch.setattr(assemble, "load_embedder", lambda name: LightEmbedder())
    patch.setattr(assemble, "Segmenter", lambda *_, **__: segmenter())
    patch.setattr(assemble, "description_texts", lambda glossary: [])
    patch.setattr(assemble, "digest_paths", lambda: sorted(folder.glob("*/*.md")))
    patch.setattr(assemble, "fingerprint", lambda: folder.name)
    patch.setattr(assemble, "vector_paths", list)
    patch.setattr(corpus.catalog, "load_catalog", lambda: tuple(entries))
    patch.setattr(ingest.polite, "PAUSE", 0.0)
    for name in [name for name in os.environ if name.startswith("TORCHNOTES_")]:
        patch.delenv(name)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        patch.delenv(name, raising=False)
    patch.setenv("TORCHNOTES_HOME", str(home))
    patch.setenv("TORCHNOTES_GITHUB_API", f"{place.site}/api")


def perform(place: Place, action: str) -> int:
    """Run one of the ACTIONS, or another command; returns its exit code."""
    if action == "ship":
        assemble.AssistantFactory(load_settings()).ship()
        return 0
    if action == "add":
        return main(["add", str(place.base / "notes")])
    if action == "remove":
        return main(["remove", (place.base / "remove").read_text()])
    return main([action])


def act(place: Place, home: Path, action: str, begun: Event | None = None, stop_at: int = -1) -> None:
    """Run an action in a process of its own; its output goes to a file beside the home.

    Args:
        place: where what it takes in is.
        home: the home that it changes.
        action: one of the ACTIONS.
        begun: set right before it begins.
        stop_at: the process is killed before its n-th touch of a file of the home; -1: never.
    """
    # Left open: the process flushes it at its end.
    sys.stdout = sys.stderr = home.with_name(f"{home.name}.out").open("w", encoding="utf-8", buffering=1)
    use_small_parts(pytest.MonkeyPatch(), place, home, digests=2 if action == "ship" else 1)
    touches = kill_at_touch(home, stop_at)
    if begun:
        begun.set()
    code = perform(place, action)
    if stop_at < 0 and not begun:
        (place.base / f"{action}.touches").write_text(str(touches()))
    sys.exit(code)


def texts(home: Path) -> dict[str, str]:
    """What the index of a home holds."""
    return {name: document.text for name, document in Store(home).open().documents.items()}


def _digest(release: str, edition: int) -> str:
    head = f'---\ntitle: "PyTorch {release} digest"\nrelease: "{release}"\ndate: 2024-07-24\nlanguage: en\n'
    body = f"# PyTorch {release}\n\n## Overview\n\nEdition {edition} of the digest of {release} says this.\n"
    return f"{head}kind: digest\nurl: https://example.org/{release}\n---\n\n{body}"


def _note(name: str, edition: int) -> str:
    lines = "".join(f"\n## Part {part}\n\nNote {name} says {part} of {edition}.\n" for part in range(4))
    return f"# PyTorch 2.4 note {name}\n{lines}"


def _write_posts(site: Site, edition: int) -> None:
    site.pages["/en"] = post("PyTorch 2.4 Release Blog", "PyTorch 2.4 brings libuv.", f"It is {edition}.")
    site.pages["/zh"] = post("PyTorch 2.4 发布博客", "PyTorch 2.4 带来了 libuv。", f"它是 {edition}。")
