"""The real release documents: facts right, junk gone, nothing else lost."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from ingest.cleaning import clean
from ingest.document import Document
from ingest.errors import SourceError
from ingest.front_matter import split_front_matter
from ingest.loaders import load
from ingest.restore import restore_structure

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
CORPUS = SHARED / "corpus"
QUESTIONS = SHARED / "eval" / "dev.jsonl"
pytestmark = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the release documents are not beside the checkout"
)

SEEDS = {
    "000": ("2.4", "pytorch2-4"),
    "001": ("2.1", "pytorch-2-1"),
    "002": ("2.3", "pytorch2-3"),
    "003": ("2.2", "pytorch2-2"),
}
JUNK = re.compile(
    r">.*|\*\*来自 PyTorch团队\*\*|- \[[^\]]*\]\(#[^)]*\)|Skip to content"
    r"|(?:发布|译者|原文|翻译):.*|来自 PyTorch团队|我们一直在努力|apachecn/AiLearning|【布客】中文翻译组"
)


@cache
def corpus() -> dict[str, Document]:
    def fail(error: SourceError) -> None:
        raise error

    documents = load(CORPUS, on_skip=fail)
    return {Path(document.origin).relative_to(CORPUS).as_posix(): document for document in documents}


def seed(number: str) -> Document:
    (document,) = (document for name, document in corpus().items() if name.startswith(f"seeds/{number}"))
    return document


def test_every_document_has_its_facts() -> None:
    assert len(corpus()) == 36
    for name, document in corpus().items():
        folder, _, file = name.partition("/")
        named = re.search(r"pytorch-(\d+\.\d+)", file)
        release, post = SEEDS.get(file[:3], (named[1] if named else "", ""))
        assert document.version == release, name
        assert document.language == ("en" if folder == "en" else "zh"), name
        assert document.kind == ("release-notes" if "release-notes" in file else "blog"), name
        translated = folder != "en" and "china" not in file
        if translated:
            assert document.url.startswith(f"https://pytorch.org/blog/{post}"), name
        else:
            posted = document.language == "en" and document.kind == "blog"  # the catalogue knows the post
            place = (
                "https://pytorch.org/blog/" if posted else "https://github.com/pytorch/pytorch/releases/tag/"
            )
            assert document.url.startswith(place), name
        undated = file.startswith("003") or file == "pytorch-2.6-blog.md"
        dated = (folder == "en" and document.kind == "blog") or (translated and not undated)
        assert (document.date is not None) == dated, name


def test_ids_are_unique_and_two_documents_are_there_twice() -> None:
    documents = corpus().values()
    assert len({document.id for document in documents}) == len(documents) == 36
    assert len({document.content_hash for document in documents}) == 34


def test_the_wrong_title_and_date_of_the_translated_2_6_post_are_not_believed() -> None:
    (document,) = (d for d in corpus().values() if d.language == "zh" and d.url.endswith("/pytorch2-6"))
    assert document.date is None and document.title == "PyTorch 2.6 发布博客"
    assert "PyTorch 2.5 发布博客" not in document.text


def test_every_line_but_the_junk_survives_cleaning_byte_for_byte() -> None:
    for name, document in corpus().items():
        if name.startswith("seeds/003"):
            continue
        body = split_front_matter(Path(document.origin).read_text(encoding="utf-8"))[1]
        lines = [line for line in body.split("\n") if line.strip()]
        text, removed = clean(body)
        kept = [line for line in text.split("\n") if line.strip()]
        assert [line for line in lines if line in set(kept)] == kept, name
        assert all(JUNK.fullmatch(line) for line in Counter(lines) - Counter(kept)), name
        assert bool(removed) == (len(kept) < len(lines)), name


@pytest.mark.parametrize("number", ["001", "003"])
def test_flattened_articles_keep_their_words_in_order(number: str) -> None:
    source = Path(seed(number).origin).read_text(encoding="utf-8")
    restored = restore_structure(clean(source)[0])
    expected = "\n".join(
        line for line in source.partition("相关文章:")[0].split("\n") if not JUNK.fullmatch(line)
    )
    assert re.findall(r"\w+", restored.replace("```python", "")) == re.findall(r"\w+", expected)


def test_the_scraped_article_keeps_its_facts_and_loses_the_other_posts() -> None:
    document = seed("003")
    for fact in (
        "GCC 9.4",
        "C++ 17",
        "sdp_kernel",
        "macOS x64",
        "50%-73%",
        "40秒",
        "TIMM +8% E2E",
        "aarch64",
    ):
        assert fact in document.text
    for junk in ("RabbitMQ", "CSS", "K8S", "k8s", "Kubernetes", "Flink", "4070", "MySQL", "Docker", "刘谦"):
        assert junk not in document.text
    assert [removal.reason for removal in document.removed] == ["unrelated tail"]
    headings = re.findall(r"^#+ (.*)", document.text, re.M)
    assert {
        "FlashAttention-2",
        "AOTInductor",
        "TORCH_LOGS",
        "torch.distributed.device_mesh",
        "性能改进",
    } <= set(headings)


def test_the_flattened_translation_gets_its_headings_back() -> None:
    document = seed("001")
    headings = re.findall(r"^(#+) (.*)", document.text, re.M)
    assert ("##", "测试版功能") in headings and ("###", "[Beta] torch.distributed.checkpoint") in headings
    assert len(headings) == 17
    assert document.text.count("```python\n") == 3 and "•" not in document.text


@pytest.mark.skipif(not QUESTIONS.is_file(), reason="the questions are not beside the checkout")
def test_the_evidence_of_every_question_survives() -> None:
    texts: dict[str, str] = {}
    for document in corpus().values():
        texts[document.version] = texts.get(document.version, "") + document.text.lower()
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        for evidence in question["evidence"]:
            for forms in evidence["keys"]:
                assert any(form.lower() in texts[evidence["version"]] for form in forms), question["id"]
