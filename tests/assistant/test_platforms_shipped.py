"""Answers on what a release runs on, by the shipped digests: what the table says, with proof."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from assistant.answering.broad_answer import BroadAnswer, BroadSources
from assistant.answering.compose import compose
from assistant.answering.platform_proof import Claim, is_platform, proofs
from assistant.answering.platform_subject import PlatformSubject, platform_subject
from assistant.answering.platform_support import platform_support
from assistant.answering.release_sections import ReleaseSection
from assistant.factory import shipped_documents
from assistant.query.question import Question, understand
from assistant.timeline.model import Histories
from corpus.compatibility import Compatibility, load_compatibility, releases_with_python
from corpus.hardware import load_devices
from index.search.passage import Passage
from index.search.retriever import Retriever
from ingest.document import LANGUAGES, Document, Language
from ingest.release import Release
from tests.assistant.rules import check_text
from tests.assistant.upgrades import GLOSSARY, built
from tests.ingest.splitting import segmenter

pytestmark = pytest.mark.long  # all digests are indexed


@cache
def digests() -> tuple[Document, ...]:
    return tuple(shipped_documents())


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> BroadSources:
    generation, _ = built(tmp_path_factory.mktemp("shipped"), list(digests()))

    def unneeded() -> Histories:
        raise AssertionError("no history is needed")

    return BroadSources(Retriever(generation, segmenter()), unneeded)


def understood(text: str) -> Question:
    known = sorted({document.release for document in digests() if document.release})
    return understand(text, (), known=known, glossary=GLOSSARY)


def passages(sources: BroadSources, language: Language = "en", *, platform: bool = True) -> list[Passage]:
    """A section of the notes of 2.12 on platforms, or one on something else."""
    (notes,) = sources.notes([Release(2, 12)], language)
    return [next(section.passage for section in notes.sections if is_platform(section) is platform)]


def answered(sources: BroadSources, text: str) -> BroadAnswer:
    answer = platform_support(understood(text), passages(sources), sources)
    assert answer is not None, text
    return answer


def text_of(sources: BroadSources, question: str) -> str:
    asked, answer = understood(question), answered(sources, question)
    text, citations = compose(asked, answer.picks, GLOSSARY, opening=answer.opening)
    check_text(text, citations, asked.language)
    return text


def runs(row: Compatibility, subject: PlatformSubject) -> bool:
    return {
        "python": row.release in releases_with_python(subject.version),
        "cuda": subject.version in row.cuda,
        "device": subject.kind == "device" and bool(row.cuda_for(subject.version)),
    }[subject.kind]


def subjects() -> Iterator[PlatformSubject]:
    rows = load_compatibility()
    for version in (f"3.{minor}" for minor in range(7, 16)):
        yield PlatformSubject("python", version, f"Python {version}")
    for version in sorted({cuda for row in rows for cuda in row.cuda}):
        yield PlatformSubject("cuda", version, f"CUDA {version}")
    for device in load_devices():
        if device.capability:
            subject = platform_subject(understood(f"does {device.names[0]} work?"))
            assert subject is not None and subject.kind == "device", device
            yield subject


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_table_says_is_proved_by_the_notes(sources: BroadSources, language: Language) -> None:
    claims = [
        Claim("has" if runs(row, subject) else "lacks", subject, row)
        for subject in subjects()
        for row in load_compatibility()
    ]
    unproved = [c for c in claims if not proofs(c, [c.row.release], sources, language)]
    assert all(c.subject.kind == "device" for c in unproved), "versions of Python and CUDA are always told"
    assert not [c for c in unproved if c.kind == "has" and c.row.release not in ("1.12", "1.13", "2.8")]
    assert len([c for c in unproved if c.kind == "has"]) <= 4, "of cards that these notes do not name"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_release_is_told_to_run_on_each_python_version_or_not(
    sources: BroadSources, language: Language
) -> None:
    words: dict[Language, tuple[str, str, str]] = {
        "en": ("does {} run on Python {}?", "Yes. ", "No. "),
        "zh": ("{} 支持 Python {} 吗？", "支持：", "不支持："),
    }
    ask, yes, no = words[language]
    for row in load_compatibility():
        for version in (f"3.{minor}" for minor in range(8, 16)):
            opening = answered(sources, ask.format(row.release, version)).opening
            has = row.release in releases_with_python(version)
            assert opening.startswith(yes if has else no), (row.release, version, opening)
            assert f"PyTorch {row.release}" in opening and row.python[1] in opening


def test_a_card_is_told_the_first_release_and_the_builds_of_the_newest(sources: BroadSources) -> None:
    text = text_of(sources, "just got an rtx 5090, minimum torch version?")
    assert text.startswith(
        "**The first release that supports RTX 5090 (Blackwell, sm_120) is PyTorch 2.7, with"
    )
    assert "the CUDA 12.8 build only" in text and "CUDA 13.0, 13.2 builds" in text


def test_a_card_that_is_to_be_dropped_is_told_so(sources: BroadSources) -> None:
    text = text_of(sources, "GTX 1080 还能用最新的 torch 吗")
    assert text.startswith("**能：PyTorch 2.14（最新版）支持 GTX 1080 (Pascal, sm_61)：仅 CUDA 12.6 构建。")
    assert "2.15" in text.split("\n")[-1] or "PyTorch 2.15" in text


def test_a_card_that_was_dropped_is_told_the_last_release(sources: BroadSources) -> None:
    assert answered(sources, "K80 on torch 2.14?").opening.startswith(
        "The last release that supports K80 (Kepler, sm_37) is PyTorch 2.7"
    )


def test_a_pasted_message_is_about_the_card_that_it_names(sources: BroadSources) -> None:
    message = (
        "NVIDIA GeForce RTX 5070 with CUDA capability sm_120 is not compatible with the current PyTorch"
        " installation. It supports sm_50 sm_60 sm_70 sm_80 sm_90"
    )
    assert "supports RTX 5070 (Blackwell, sm_120) with the CUDA 13.0" in answered(sources, message).opening


@pytest.mark.parametrize(
    "question",
    [
        "which cuDNN goes with the CUDA 12.6 build of 2.6?",  # another thing is asked for
        "V100 or A100 for 2.11?",  # two cards
        "is Blackwell support stable?",  # a status
        "how do I install the CUDA 12.6 build of 2.14?",
        "does torch.compile work on Python 3.14?",
        "compare 2.10 and 2.12 on Python 3.10",
        "does 2.12 run?",
        "does 2.97 run on Python 3.9?",
    ],
)
def test_other_questions_are_not_answered_from_the_table(sources: BroadSources, question: str) -> None:
    assert platform_support(understood(question), passages(sources), sources) is None


def test_the_first_passage_decides_whether_a_question_is_on_platforms(sources: BroadSources) -> None:
    asked, elsewhere = understood("does 2.12 run on Python 3.9?"), passages(sources, platform=False)
    assert not is_platform(ReleaseSection(elsewhere[0], introduces=False))
    assert platform_support(asked, elsewhere, sources) is None
    assert platform_support(asked, [], sources) is None
