from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from corpus.glossary import Glossary, Term, load_glossary
from corpus.shipped import digest_paths
from ingest.release import Release
from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
needs_sources = pytest.mark.skipif(
    not (SHARED / "corpus").is_dir(), reason="the release documents are not beside the checkout"
)


def term(name: str, *, zh: tuple[str, ...] = (), aliases: tuple[str, ...] = ()) -> Term:
    return Term(name.lower(), name, zh, aliases, (), (), (), "", "")


@cache
def sources(*patterns: str) -> str:
    """All source documents of some globs, white space folded, without Markdown's escapes."""
    paths = sorted({path for pattern in patterns for path in SHARED.glob(pattern) if path.is_file()})
    texts = [path.read_text(encoding="utf-8") for path in paths]
    return re.sub(r"\s+", " ", "\n".join(texts)).replace("\\_", "_")


def test_there_are_enough_terms_each_complete() -> None:
    terms = load_glossary().terms
    assert len(terms) >= 650
    for entry in terms:
        assert entry.en and entry.what_en and entry.what_zh, entry.id
        assert re.fullmatch(r"[a-z0-9][a-z0-9.+:-]*", entry.id), entry.id
        assert entry.releases == tuple(map(str, sorted(map(Release.parse, entry.releases)))), entry.id
        assert all(name == name.strip() and name for name in entry.names), entry.id


def test_ids_are_unique_and_sorted() -> None:
    ids = [entry.id for entry in load_glossary().terms]
    assert [name for name, count in Counter(ids).items() if count > 1] == []
    assert ids == sorted(ids)


def test_no_name_stands_twice_in_an_entry() -> None:
    for entry in load_glossary().terms:
        for names in (entry.zh, entry.aliases, entry.identifiers, entry.mistranslations):
            assert len(set(names)) == len(names), entry.id
        assert not set(entry.zh) & set(entry.mistranslations), entry.id


def test_no_name_stands_in_two_entries() -> None:
    entries: dict[str, set[str]] = {}
    for entry in load_glossary().terms:
        for name in entry.names:
            entries.setdefault(unicodedata.normalize("NFKC", name).casefold(), set()).add(entry.id)
    assert {name: sorted(ids) for name, ids in entries.items() if len(ids) > 1} == {}


def test_no_alias_repeats_the_name() -> None:
    repeated = {
        (entry.id, name)
        for entry in load_glossary().terms
        for name in (*entry.zh, *entry.aliases)
        if name.casefold() == entry.en.casefold()
    }
    assert repeated == set()


@needs_sources
def test_every_identifier_stands_in_a_digest_or_a_source() -> None:
    digests = "\n".join(path.read_text(encoding="utf-8") for path in digest_paths())
    text = sources("corpus/**/*", "sources/**/*") + re.sub(r"\s+", " ", digests)
    unknown = {
        (entry.id, name) for entry in load_glossary().terms for name in entry.identifiers if name not in text
    }
    assert unknown == set()


@needs_sources
def test_every_mistranslation_stands_in_a_chinese_source() -> None:
    text = sources("corpus/zh/*", "corpus/seeds/*", "sources/*/zh-*")
    squeezed = text.replace(" ", "").casefold()
    unknown = {
        (entry.id, name)
        for entry in load_glossary().terms
        for name in entry.mistranslations
        if name not in text and name.replace(" ", "").casefold() not in squeezed
    }
    assert unknown == set()


GLOSSARY = Glossary(
    [
        term("Tensor"),
        term("Tensor Parallel", zh=("张量并行",), aliases=("TP",)),
        term("Parallel", zh=("并行",)),
        term("op", aliases=("C++ op",)),
        term("--device"),
    ]
)


@each_row(
    ("text", "found"),
    [
        ("tensor parallel", ["tensor parallel"]),
        ("a tensor and tensor parallel", ["tensor", "tensor parallel"]),
        ("张量并行 或 并行", ["tensor parallel", "parallel"]),
        ("把张量并行用起来", ["tensor parallel"]),
        ("ＴＰ很快", ["tensor parallel"]),
        ("HTTP, TPU, tp_size, 3TP", []),
        ("TPs and ops", ["tensor parallel", "op"]),
        ("opset stop", []),
        ("用op写", ["op"]),
        ("run --device cuda", ["--device"]),
        ("C++ op", ["op"]),
        ("", []),
    ],
)
def test_find_prefers_long_names_and_keeps_to_word_boundaries(text: str, found: list[str]) -> None:
    assert [entry.id for entry in GLOSSARY.find(text)] == found


@each_row(
    "text",
    ["张量并行", "x 张量并行", "……张量并行", "①②㍿½张量并行", "Straße 张量并行", "cafe\u0301……张量并行"],
)
def test_locate_gives_the_place_in_the_text_itself(text: str) -> None:
    assert GLOSSARY.locate(text) == [(text.index("张"), GLOSSARY.terms[1])]


def test_a_name_of_two_terms_finds_both() -> None:
    both = Glossary([term("AC", aliases=("重计算",)), term("Checkpointing", zh=("重计算",))])
    assert [entry.id for entry in both.find("重计算")] == ["ac", "checkpointing"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("FSDP2 和张量并行", ["fsdp2", "tensor-parallel"]),
        ("scaled_dot_product_attention 更快", ["sdpa"]),
    ],
)
def test_the_shipped_glossary_finds(text: str, ids: list[str]) -> None:
    assert [entry.id for entry in load_glossary().find(text)] == ids


def test_chinese_names_come_once_each() -> None:
    assert GLOSSARY.chinese_names == ("张量并行", "并行")
