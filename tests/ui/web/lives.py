"""Features whose lives are told in made-up notes, one of which means harm."""

from __future__ import annotations

from pathlib import Path

from assistant.timeline.model import Histories
from index.storage.generation import Generation
from tests.assistant.lives import FLEX_BETA, FLEX_PROTOTYPE, ZH_FLEX, document
from tests.assistant.upgrades import built

FSDP = "## [Prototype] FSDP2\n\nFSDP2 shards each parameter by itself.\n\n"
FSDP_GONE = "## [Deprecated] FSDP2\n\nFSDP2 makes room for something else.\n\n"
BOTH = (
    "## [Prototype] Context Parallel\n\nSequences are split.\n\n"
    "## [Beta] Context Parallel\n\nThey are still split.\n"
)
HARM = (
    "## [Beta] Tensor parallelism <img src=http://198.51.100.7/pixel.png onerror=alert(1)>\n\n"
    '`<script>alert(2)</script>` and "quotes" [here](javascript:alert(3)) shard the layers.\n'
)


def lives(folder: Path) -> tuple[Generation, Histories]:
    """Notes of four releases; 2.10 tells of FlexAttention in both languages."""
    return built(
        folder,
        [
            document("2.4", FSDP),
            document("2.5", FLEX_PROTOTYPE + BOTH),
            document("2.9", HARM + FSDP_GONE),
            document("2.10", FLEX_BETA),
            document("2.10", ZH_FLEX.replace("原型", "测试版"), "zh"),
        ],
    )
