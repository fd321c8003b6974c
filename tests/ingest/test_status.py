from __future__ import annotations

from ingest.status import STATUSES, status_of
from tests.rows import each_row

# A title a line.
CASES = {
    "stable": """
        Stable
        [Stable] x
        稳定
        稳定版
        稳定特性
        C++前端API(稳定)
        分布式RPC框架API(现在稳定)
        X (now stable)
    """,
    "beta": """
        Beta
        **Beta**
        [Beta] TCPStore
        Beta Features
        测试版功能
        【测试版】 张量
        beta版
        [测试] x
        FlexAttention (Beta)
    """,
    "prototype": """
        Prototype
        Prototype Features
        [Prototype] x
        PROTOTYPE:
        原型
        原型特征
        原型功能
        [原型] x
        NAMED TENSORS(实验)
        分布式模型并行训练(实验性)
        New API (experimental)
    """,
    "unstable": """
        Unstable
        [API-UNSTABLE] x
        Unstable Features
        API-Unstable
        [API Unstable]
        接口不稳定
        不稳定功能
    """,
    "deprecated": """
        Deprecations
        Deprecated
        弃用
        已弃用
        弃用功能
        废弃的接口
    """,
    "breaking": """
        Backwards Incompatible Changes
        Backward incompatible changes
        BC-breaking changes
        Breaking changes
        向后不兼容的更改
        不兼容变更
        不兼容的变更
        破坏性变更
    """,
    "performance": """
        Performance
        Performance Improvements
        [Performance] x
        性能
        性能改进
        性能优化
        性能提升
    """,
    "bug-fix": """
        Bug fixes
        Bug Fix
        错误修复
        缺陷修复
    """,
    "regression": """
        Tracked Regressions
        Known issues
        已知问题
    """,
    "new": """
        New features
        新功能
        新特性
    """,
    "improvement": """
        Improvements
        改进
    """,
    "documentation": """
        Documentation
        Docs
        文档
    """,
    "developers": """
        Developers
        开发者
    """,
    "": """
        TCPStore
        New TCPStore backend
        Stable Diffusion runs faster
        Highlights
        测试套件
        (#127957)
        torch.compile (#12345)
        Python (CUDA)
        The Beta of Things
        PyTorch 2.2新特性 一览
    """,
}


PAIRS = [(status, title.strip()) for status, titles in CASES.items() for title in titles.strip().split("\n")]


@each_row(("status", "title"), [*PAIRS, ("", ""), ("", " ")])
def test_status_of_a_title(status: str, title: str) -> None:
    assert status_of(title) == status


def test_of_two_the_one_in_brackets_counts() -> None:
    assert status_of("[Prototype] Performance improvements") == "prototype"


def test_statuses_are_those_that_titles_give() -> None:
    assert {status_of(title) for _, title in PAIRS} <= set(STATUSES)
