"""Words of a question that describe its topic."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ingest.segment import Segmenter

_STATUS_OR_RELEASE = re.compile(
    r"^v?\d+(?:\.[\dx]+)*$|beta|prototyp|stabl|deprec|break|incompat|remov|perform"
    r"|测试|公测|原型|稳定|弃用|废弃|兼容|破坏|性能"
)


#: Words used to ask for a list, as the segmenter returns them.
_ASKING = frozenset(
    "pytorch py torch releas version list item featur thing go move upgrad migrat chang status stage label get got all "
    "still tell give show new backward 版本 功能 特性 东西 内容 列出 列举 全部 所有 都有 有哪些 哪些 阶段 "
    "列出来 出来 一下 处在 处于 还处 属于 状态 标为 标签 升级 升到 迁移 变更 变化 更新 注意 影响 改动 需要 时候 目前 现在 分别".split()
)


def specific_words(text: str, segmenter: Segmenter, names: Iterable[str]) -> list[str]:
    """Return the words of a question that describe its topic.

    Left out are statuses, releases, the given names, and words that only ask for a list.

    Args:
        text: question.
        segmenter: splits the text into stemmed terms.
        names: names to leave out.
    """
    named = {term for name in names for term in segmenter.terms(name)}
    return [
        word
        for word in dict.fromkeys(segmenter.terms(text))
        if word not in _ASKING and word not in named and not _STATUS_OR_RELEASE.search(word) and len(word) > 1
    ]
