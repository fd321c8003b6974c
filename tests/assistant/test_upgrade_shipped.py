"""Upgrades by the shipped digests: proved word for word, whole, and as they were."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from assistant.factory import shipped_documents
from assistant.release_diff.markdown import to_markdown
from assistant.release_diff.sections import saying
from assistant.release_diff.upgrade import GROUPS, Upgrade, upgrade
from assistant.timeline.model import Histories
from index.storage.generation import Generation
from ingest.document import LANGUAGES, Language
from ingest.release import Release
from tests.assistant.upgrades import built, lines

pytestmark = pytest.mark.long  # all digests are indexed


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Generation, Histories]:
    return built(tmp_path_factory.mktemp("shipped"), shipped_documents())


def of(shipped: tuple[Generation, Histories], older: str, newer: str) -> Upgrade:
    return upgrade(*shipped, Release.parse(older), Release.parse(newer))


def test_every_item_of_the_digests_is_proved_word_for_word(shipped: tuple[Generation, Histories]) -> None:
    known = sorted({d.release for d in shipped[0].documents.values() if d.release})
    pairs = [*pairwise(known), (known[0], known[-1]), (Release(2, 4), Release(2, 6))]
    for older, newer in pairs:
        found = upgrade(*shipped, older, newer)
        assert found.between == tuple(r for r in known if older < r <= newer)
        everything = [item for items in found.groups.values() for item in items]
        for item in everything:
            assert older < item.release <= newer and item.release in found.between
            assert {s.document.language for s in item.sources} == set(LANGUAGES)
            for language in LANGUAGES:
                source = item.told(language)
                assert source.document.language == language and source.document.release == item.release
                assert (
                    source.chunk.status == item.status and item.names[language] in source.chunk.headings[-1]
                )
                assert len(saying(source)) > 10 and item.quote(language) in source.document.text
                assert "```" not in item.quote(language) and source.url.startswith("https://")
        places = [(s.document.id, s.chunk.section) for item in everything for s in item.sources]
        assert len(places) == len(set(places)), f"a section is told twice from {older} to {newer}"


def test_nothing_that_is_announced_is_left_out(shipped: tuple[Generation, Histories]) -> None:
    """Each section with a status in brackets is told of: as an item, or as a step on the way of one."""
    found = of(shipped, "2.4", "2.6")
    told = {s.chunk.headings[-1] for items in found.groups.values() for i in items for s in i.sources}
    statuses = ("[Breaking]", "[Deprecated]", "[Stable]", "[Beta]", "[Prototype]", "[Platform]")
    there = {
        chunk.headings[-1]
        for chunk in shipped[0].chunks
        if shipped[0].documents[chunk.document_id].release in found.between
        if chunk.headings and chunk.headings[-1].startswith(statuses)
    }
    left = {title for title in there - told if title.isascii()}
    # It is a Beta in 2.6, which is told.
    assert left == {"[Prototype] FP16 on CPU for eager mode and the TorchInductor CPP backend"}


def test_the_digests_tell_upgrades_as_they_were(shipped: tuple[Generation, Histories]) -> None:
    found = of(shipped, "2.4", "2.6")
    assert "2.5 FlexAttention: - > prototype" in lines(found.new)
    assert "2.6 FP16 for X86 CPUs in eager and Inductor modes: - > beta" in lines(found.new)
    assert "2.6 torch.compile on Python 3.13: - > beta" in lines(found.additions)
    assert "2.6 New default of weights_only in torch.load: - > breaking" in lines(found.breaking)
    assert "2.5 Python 3.8 is no longer supported: - > breaking" in lines(found.breaking)
    assert "2.6 PyTorch 不再发布 Conda 包: - > deprecated" in lines(found.deprecated, "zh")
    assert [len(found.breaking), len(found.deprecated)] == [20, 16]
    assert "2.6 FP16 for X86 CPUs in eager and Inductor modes: prototype > beta" in lines(
        of(shipped, "2.5", "2.6").changed
    )
    assert "2.3 Tensor Parallelism for training LLMs: prototype > beta" in lines(
        of(shipped, "2.0", "2.3").changed
    )
    assert "2.0 CUDA 11.6 and Python 3.7: - > deprecated" in lines(of(shipped, "1.13", "2.0").deprecated)
    assert [
        len(items) for items in (of(shipped, "2.6", "2.8").breaking, of(shipped, "2.6", "2.7").breaking)
    ] == [
        25,
        9,
    ]


def test_json_has_every_group(shipped: tuple[Generation, Histories]) -> None:
    row = of(shipped, "2.3", "2.4").to_dict("zh")
    assert (row["older"], row["newer"], row["between"], row["language"]) == ("2.3", "2.4", ["2.4"], "zh")
    assert set(GROUPS) <= row.keys()
    item = next(item for item in row["new"] if item["names"]["en"].startswith("FSDP2"))
    assert item["name"] == "FSDP2：以 DTensor 实现的逐参数分片" and item["before"] is None
    (source,) = item["sources"]
    assert source["kind"] == "digest" and source["language"] == "zh"
    assert source["quote"].startswith("FSDP2 是 PyTorch 全分片数据并行")


@pytest.mark.parametrize(("older", "newer"), list(combinations(("1.6", "1.13", "2.3", "2.6", "2.8"), 2)))
@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown_is_one_line_an_item(
    shipped: tuple[Generation, Histories], older: str, newer: str, language: Language
) -> None:
    found = of(shipped, older, newer)
    rows = to_markdown(found, language).splitlines()
    items = [row for row in rows if row.startswith("- **")]
    assert len(items) == sum(map(len, found.groups.values()))
    assert all(row.endswith(")") and row.count("`") % 2 == 0 for row in items)
    assert len([row for row in rows if row.startswith("## ")]) == len(GROUPS)
