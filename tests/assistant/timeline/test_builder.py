"""Feature histories: from made-up notes, and from the shipped digests."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from assistant.factory import shipped_documents
from assistant.timeline.builder import STEPS, histories
from assistant.timeline.lookup import find, holding, nearest
from assistant.timeline.model import FeatureHistory, Histories
from corpus.glossary import load_glossary
from ingest.document import Document
from ingest.splitter import ReleaseNoteSplitter
from tests.assistant.lives import FLEX_BETA, FLEX_PROTOTYPE, PART, ZH_FLEX, document
from tests.ingest.splitting import count_thirds, segmenter
from tests.rows import each_row

GLOSSARY = load_glossary()


def told(*documents: Document) -> Histories:
    """The histories of documents, cut without a model."""
    splitter = ReleaseNoteSplitter(count_thirds, segmenter())
    chunks = [chunk for d in documents for chunk in splitter.split_document(d)]
    return histories({d.id: d for d in documents}, chunks, GLOSSARY)


def line(feature: FeatureHistory) -> list[str]:
    return [f"{s.release} {s.status}{'' if s.whole else ' part'}" for s in feature.steps]


def test_steps_are_ordered_by_release_and_tell_what_changed() -> None:
    flex = told(
        document("2.10", FLEX_BETA.replace("Beta", "Stable")),
        document("2.9", FLEX_BETA),
        document("2.5", FLEX_PROTOTYPE),
    )["flex-attention"]
    assert line(flex) == ["2.5 prototype", "2.9 beta", "2.10 stable"]
    assert [step.before for step in flex.steps] == ["", "prototype", "beta"]
    assert str(flex.steps[0].date) == "2025-01-15"


def test_a_status_is_told_once_a_release_and_in_the_language_asked() -> None:
    flex = told(document("2.5", FLEX_PROTOTYPE + FLEX_PROTOTYPE), document("2.5", ZH_FLEX, "zh"))[
        "flex-attention"
    ]
    (step,) = flex.steps
    assert [s.document.language for s in step.told("zh")] == ["zh"]
    assert {s.document.language for s in step.told("en")} == {"en"}
    assert step.told("zh")[0].text(step.told("zh")[0].sentence).startswith("FlexAttention 用几行代码")


def test_the_digest_tells_a_step_before_the_blog_and_a_quarrel_stays_visible() -> None:
    blog = document("2.5", FLEX_PROTOTYPE, kind="blog")
    digest = document("2.5", FLEX_PROTOTYPE, kind="digest")
    (step,) = told(blog, digest)["flex-attention"].steps
    assert [s.document.kind for s in step.sources] == ["digest"]
    other = document("2.5", FLEX_BETA, kind="blog")
    assert line(told(other, digest)["flex-attention"]) == ["2.5 prototype", "2.5 beta"]


def test_a_part_changes_no_status() -> None:
    flex = told(document("2.5", FLEX_PROTOTYPE), document("2.6", PART))["flex-attention"]
    assert line(flex) == ["2.5 prototype", "2.6 beta part"]
    assert [str(step.release) for step in flex.life] == ["2.5"]


def test_a_feature_is_new_once() -> None:
    flex = told(
        document("2.5", FLEX_PROTOTYPE),
        document("2.6", "## [New feature] FlexAttention and FSDP2\n\nFlexAttention takes a new mask.\n"),
    )["flex-attention"]
    assert line(flex) == ["2.5 prototype", "2.6 new part"]
    assert [str(step.release) for step in flex.life] == ["2.5"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "## Improvements\n\n### FlexAttention\n\n- Faster masks in FlexAttention.\n", id="improvements"
        ),
        pytest.param(
            "## New features\n\n### FlexAttention\n\n- Masks of FlexAttention.\n", id="list-by-component"
        ),
        pytest.param("## FlexAttention\n\nFlexAttention is used by many.\n", id="no-status"),
        pytest.param("## Beta features\n\nFlexAttention is one of them.\n", id="group"),
        pytest.param(
            "## [Beta] Loops\n\nText.\n\n### FlexAttention\n\nAn example of loops.\n", id="below-an-item"
        ),
    ],
)
def test_lists_and_groups_are_no_steps(text: str) -> None:
    assert "flex-attention" not in told(document("2.6", text))


def test_support_of_python_is_a_life_of_its_own() -> None:
    text = "## [Beta] torch.compile on Python 3.{0}\n\n`torch.compile` works on Python 3.{0} now.\n"
    known = told(document("2.4", text.format(12)), document("2.6", text.format(13)))
    assert line(known["torch-compile+python"]) == ["2.4 beta", "2.6 beta"]
    assert line(known["python 3.13"]) == ["2.6 beta part"]
    (found,) = find("since when does torch.compile run on Python 3.13?", known, GLOSSARY)
    assert found.id == "torch-compile+python"


def test_a_feature_without_a_term_is_found_by_its_title() -> None:
    known = told(document("2.6", "## [Beta] Sparse quuxifier (SQ)\n\nThe quuxifier is here to stay.\n"))
    assert [f.id for f in find("when did the sparse quuxifier come?", known, GLOSSARY)] == [
        "sparse quuxifier"
    ]
    assert [f.id for f in holding("quuxif", known)] == ["sparse quuxifier"]
    assert nearest("sparse quuxfier", known) == ["Sparse quuxifier"]
    assert find("dense quuxifier", known, GLOSSARY) == []


@cache
def digests() -> Histories:
    return told(*shipped_documents())


@pytest.mark.long
def test_every_step_of_the_digests_is_proved_word_for_word() -> None:
    assert len(digests()) > 150
    for feature in digests().values():
        assert feature.steps
        for before, after in pairwise(feature.steps):
            assert (before.release, STEPS.index(before.status)) < (after.release, STEPS.index(after.status))
        for step in feature.steps:
            for source in step.sources:
                document = source.document
                assert document.release == step.release and source.chunk.status == step.status
                heading = source.text(source.heading)
                assert source.title in heading and heading in document.text, feature.id
                assert source.text(source.sentence) in document.text
                assert source.url.startswith("http")


def test_both_languages_tell_the_same_steps() -> None:
    one_sided = [
        (feature.id, str(step.release))
        for feature in digests().values()
        for step in feature.steps
        if {s.document.language for s in step.sources} != {"zh", "en"}
    ]
    assert one_sided == []


@each_row(
    ("name", "life"),
    [
        ("FSDP2", ["2.4 prototype"]),
        ("FlexAttention", ["2.5 prototype"]),
        ("AOTInductor", ["2.2 beta"]),
        ("torch.compile Python", ["2.1 beta", "2.4 beta", "2.6 beta"]),
        ("ZeroRedundancyOptimizer", ["1.8 prototype", "1.9 beta", "1.10 stable"]),
        ("张量并行", ["2.0 prototype", "2.3 beta"]),
        ("TCPStore", ["2.4 beta"]),
        ("CUDA 11.6", ["1.13 platform", "2.0 deprecated"]),
        ("torch.onnx.dynamo_export", ["2.1 new", "2.7 deprecated"]),
    ],
)
def test_the_digests_tell_lives_as_they_were(name: str, life: list[str]) -> None:
    (feature,) = find(name, digests(), GLOSSARY)
    assert [f"{step.release} {step.status}" for step in feature.life] == life
