"""Message templates of answers on what a release runs on: Python, CUDA, graphics cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ingest.document import Language

PlatformKind = Literal["python", "cuda", "device"]
ClaimKind = Literal["has", "lacks", "first", "last"]

#: `{name}` is the thing asked about, `{has}` what the release has of its kind, or its builds that fit a card.
CLAIMS: Mapping[Language, Mapping[tuple[ClaimKind, PlatformKind], str]] = {
    "en": {
        ("has", "python"): "PyTorch {release} runs on Python {has}.",
        ("lacks", "python"): "PyTorch {release} runs on Python {has}.",
        ("first", "python"): "The first release for {name} is PyTorch {release}.",
        ("last", "python"): "The last release for {name} is PyTorch {release}.",
        ("has", "cuda"): "PyTorch {release} has builds for CUDA {has}.",
        ("lacks", "cuda"): "PyTorch {release} has builds for CUDA {has}.",
        ("first", "cuda"): "The first release with a build for {name} is PyTorch {release}.",
        ("last", "cuda"): "The last release with a build for {name} is PyTorch {release}.",
        ("has", "device"): "PyTorch {release} supports {name} with {has}.",
        ("lacks", "device"): "No CUDA build of PyTorch {release} has code for {name}.",
        ("first", "device"): "The first release that supports {name} is PyTorch {release}, with {has}.",
        ("last", "device"): "The last release that supports {name} is PyTorch {release}, with {has}.",
    },
    "zh": {
        ("has", "python"): "PyTorch {release} 支持 Python {has}。",
        ("lacks", "python"): "PyTorch {release} 支持 Python {has}。",
        ("first", "python"): "最早支持 {name} 的是 PyTorch {release}。",
        ("last", "python"): "最后支持 {name} 的是 PyTorch {release}。",
        ("has", "cuda"): "PyTorch {release} 提供 CUDA {has} 构建。",
        ("lacks", "cuda"): "PyTorch {release} 提供 CUDA {has} 构建。",
        ("first", "cuda"): "最早提供 {name} 构建的是 PyTorch {release}。",
        ("last", "cuda"): "最后提供 {name} 构建的是 PyTorch {release}。",
        ("has", "device"): "PyTorch {release} 支持 {name}：{has}。",
        ("lacks", "device"): "PyTorch {release} 的 CUDA 构建都不支持 {name}。",
        ("first", "device"): "最早支持 {name} 的是 PyTorch {release}（{has}）。",
        ("last", "device"): "最后支持 {name} 的是 PyTorch {release}（{has}）。",
    },
}
#: What a card is called after it was named.
IT: Mapping[Language, str] = {"en": "it", "zh": "它"}
NEWEST: Mapping[Language, str] = {"en": "{release}, the newest release,", "zh": "{release}（最新版）"}
#: CUDA builds that fit a card: several or all of them, the only one of several.
BUILDS: Mapping[Language, str] = {"en": "the CUDA {has} builds", "zh": "CUDA {has} 构建"}
ONLY_BUILD: Mapping[Language, str] = {"en": "the CUDA {has} build only", "zh": "仅 CUDA {has} 构建"}
RANGE: Mapping[Language, str] = {"en": "{first} to {last}", "zh": "{first} 至 {last}"}
EXPERIMENTAL: Mapping[Language, str] = {
    "en": "{range}, {name} as an experiment",
    "zh": "{range}，{name} 为实验性支持",
}
VERDICT: Mapping[Language, str] = {"en": "{verdict}. {told}", "zh": "{verdict}：{told}"}
