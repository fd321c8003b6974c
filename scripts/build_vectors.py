"""Embed what ships, so that a first answer needs no embedding run (`make vectors`).

Writes one corpus/vectors/<release>.npz for the digests of each release, one for the glossary, and one for the
phrases of conversation. What the files hold already is kept, and a run that was cut short goes on where it
stopped. `--check` embeds nothing: it tells which files lack a text or hold one that is gone, and exits with 1
if any does.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from assistant.factory import AssistantFactory, shipped_documents
from assistant.query.acts import load_phrases
from assistant.query.expansion import description_texts
from assistant.settings import Settings
from corpus.shipped import VECTORS
from index.embedding.base import DEFAULT_EMBEDDER, Embedder
from index.embedding.vector_cache import vector_key, write_seed
from ingest.chunk import embedded_text, sentence_texts

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY, PHRASES = "glossary", "phrases"

Groups = Mapping[str, Sequence[str]]
"""Texts to embed, by the name of the file that is to hold their vectors."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or check them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "names", nargs="*", help="files to write or check, such as 2.4 or glossary; none: all"
    )
    parser.add_argument("--check", action="store_true", help="embed nothing, tell what is missing or stale")
    parser.add_argument("--folder", type=Path, default=VECTORS, help="where the files are")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "vectors", help="what a run keeps")
    given = parser.parse_args(arguments)
    factory = AssistantFactory(Settings(home=given.cache, embedder=DEFAULT_EMBEDDER))
    groups = shipped_texts(factory)
    if unknown := sorted(set(given.names) - set(groups)):
        parser.error(f"nothing ships under {', '.join(unknown)}; there is {', '.join(groups)}")
    if given.check:
        findings = check(groups, factory.embedder.name, given.folder, only=given.names)
        for finding in findings:
            sys.stdout.write(f"{finding}; type `make vectors`\n")
        return 1 if findings else 0
    for name in given.names or groups:
        write(groups[name], factory.embedder, given.folder / f"{name}.npz")
    if not given.names:
        for path in strays(groups, given.folder):
            path.unlink()
    return 0


def shipped_texts(factory: AssistantFactory) -> dict[str, list[str]]:
    """Every text to embed: of an index of the shipped digests, of the glossary and of phrases, each once."""
    groups: dict[str, list[str]] = {}
    splitter = factory.builder.splitter
    for document in shipped_documents():
        texts = groups.setdefault(Path(document.origin).stem, [])
        for chunk in splitter.split_document(document):
            texts += [embedded_text(chunk, document), *sentence_texts(chunk, document)]
    groups[GLOSSARY] = description_texts(factory.glossary)
    groups[PHRASES] = list(load_phrases().texts)
    return {name: list(dict.fromkeys(texts)) for name, texts in groups.items()}


def write(texts: Sequence[str], embedder: Embedder, path: Path) -> None:
    """Embed texts and write their file, telling how far it is."""
    show = sys.stderr.isatty()

    def progress(done: int) -> None:
        if show:
            sys.stderr.write(f"\r{path.name}: {done} of {len(texts)}")

    vectors = embedder.encode_documents(texts, progress=progress)
    write_seed(path, embedder.name, texts, vectors)
    start = "\r" if show else ""
    sys.stderr.write(f"{start}{path.name}: {len(texts)} texts, {os.path.getsize(path) / 1e6:.1f} MB\n")


def check(groups: Groups, embedder_name: str, folder: Path, *, only: Iterable[str] = ()) -> list[str]:
    """What is wrong with the files of a folder, a line each; nothing when they are as `write` makes them."""
    findings = []
    for name in only or groups:
        path = folder / f"{name}.npz"
        wanted = {vector_key(embedder_name, text) for text in groups[name]}
        if not path.exists():
            findings.append(f"{path.name} is missing ({len(wanted)} texts)")
            continue
        with np.load(path) as seed:
            held = {row.tobytes() for row in seed["keys"]}
        if held != wanted:
            findings.append(
                f"{path.name} lacks {len(wanted - held)} texts and holds {len(held - wanted)} stale ones"
            )
    if not only:
        findings += [f"{path.name} belongs to no digest" for path in strays(groups, folder)]
    return findings


def strays(groups: Groups, folder: Path) -> list[Path]:
    """Files of vectors that no digest asks for."""
    return sorted(path for path in folder.glob("*.npz") if path.stem not in groups)


if __name__ == "__main__":
    raise SystemExit(main())
