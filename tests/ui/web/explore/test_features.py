"""Which features the history shows."""

from __future__ import annotations

import pytest

from assistant.timeline.model import Histories
from corpus.glossary import load_glossary
from ingest.status import Status
from tests.ui.web.lives import lives
from ui.web.explore.features import Choice, alone, choose, said, told

GLOSSARY = load_glossary()


@pytest.fixture(scope="module")
def features(tmp_path_factory: pytest.TempPathFactory) -> Histories:
    return lives(tmp_path_factory.mktemp("lives"))[1]


@pytest.mark.parametrize(
    ("query", "status", "changed", "names"),
    [
        pytest.param("", "", True, ["FSDP2", "Context Parallel", "FlexAttention"], id="changed"),
        pytest.param(
            "", "", False, ["FSDP2", "Context Parallel", "FlexAttention", "tensor parallelism"], id="all"
        ),
        pytest.param("", "deprecated", True, ["FSDP2"], id="status"),
        pytest.param("", "stable", False, [], id="status-none-had"),
        pytest.param("flexattention", "", True, ["FlexAttention"], id="named"),
        pytest.param("parallel", "", True, ["Context Parallel", "tensor parallelism"], id="held-by-names"),
        pytest.param("张量并行", "", True, ["tensor parallelism"], id="other-language"),
        pytest.param("  FlexAttention ", "deprecated", True, [], id="named-without-the-status"),
    ],
)
def test_what_is_looked_for_is_found_oldest_first(
    features: Histories, query: str, status: Status, changed: bool, names: list[str]
) -> None:
    chosen = choose(features, GLOSSARY, Choice(query, status, changed))
    assert [feature.names["en"] for feature in chosen.features] == names


def test_what_is_not_found_is_told_with_what_is_near(features: Histories) -> None:
    chosen = choose(features, GLOSSARY, Choice("FlexAtention"))
    assert (chosen.features, chosen.named) == ((), ())
    assert [feature.names["en"] for feature in chosen.near] == ["FlexAttention"]
    assert choose(features, GLOSSARY, Choice("q" * 5000)).near == ()


def test_a_status_that_is_lacking_leaves_what_was_named(features: Histories) -> None:
    chosen = choose(features, GLOSSARY, Choice("FlexAttention", "stable"))
    assert [feature.id for feature in chosen.named] == ["flex-attention"]


def test_a_step_is_told_in_the_language_there_is(features: Histories) -> None:
    steps = next(f for f in alone(features) if f.id == "flex-attention").life
    assert said(told(steps[1], "zh")) == "FlexAttention 用几行代码写出各种注意力机制。"
    assert said(told(steps[0], "zh")) == "FlexAttention is an API for attention variants."
