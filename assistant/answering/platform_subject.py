"""What a question on platforms is about: a Python version, a CUDA version, or a graphics card."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.applicability.hardware import architecture
from assistant.query.broad_kind import topic_names
from assistant.query.question import Question
from assistant.text.platform_messages import PlatformKind
from assistant.text.platforms import versions
from corpus.hardware import load_devices, named_devices

_CAPABILITY = re.compile(
    r"(?<![a-z\d])(?:(?:sm|compute)[_ ]?|(?:compute capability|算力|计算能力)\s*)(\d{1,2})\.?(\d)(?![\d.])",
    re.I,
)
_WHEEL = re.compile(r"(?<![a-z\d])cu(\d{2})(\d)(?!\d)", re.I)
#: Names beside the subject that leave the question one on platforms.
_OF_PLATFORMS = re.compile(
    r"(?:python|cuda|nvidia|geforce|gpus?|wheels?|rtx|gtx|compute capability)[\d. ]*", re.I
)


@dataclass(frozen=True, slots=True)
class PlatformSubject:
    """What a release runs on or not.

    Attributes:
        kind: kind of the thing.
        version: of Python or CUDA; of a card its compute capability.
        name: what to call it.
        words: by which notes name a card, such as "Volta" and "sm_70"; empty for others.
    """

    kind: PlatformKind
    version: str
    name: str
    words: tuple[str, ...] = ()


def platform_subject(question: Question) -> PlatformSubject | None:
    """Return the one platform that a question names, or None if it names none, several, or another topic.

    Args:
        question: parsed question.
    """
    text = question.standalone
    found = [*_cards(text), *_versions(text)]
    if len({(subject.kind, subject.version) for subject in found}) != 1:
        return None
    subject = found[0]
    own = {word.casefold() for word in (subject.name, *subject.words)}
    for spellings in topic_names(question):
        if own.isdisjoint(spellings) and not any(map(_is_of_platforms, spellings)):
            return None
    return subject


def _is_of_platforms(name: str) -> bool:
    return bool(_OF_PLATFORMS.fullmatch(name) or _CAPABILITY.fullmatch(name) or named_devices(name))


def _versions(text: str) -> list[PlatformSubject]:
    found = [
        PlatformSubject("python" if family == "Python" else "cuda", number, f"{family} {number}")
        for family, number in versions(text)
        if "." in number
    ]
    wheels = [PlatformSubject("cuda", f"{m[1]}.{m[2]}", f"CUDA {m[1]}.{m[2]}") for m in _WHEEL.finditer(text)]
    return found + wheels


def _cards(text: str) -> Sequence[PlatformSubject]:
    """Return the cards by their shop names; else by their capability, else by their generation.

    A pasted message names a card and lists the capabilities of the build.
    """
    named = [
        _card(
            next((full for full in device.names if full.casefold() == name.casefold()), name),
            device.architecture,
            device.capability,
        )
        for name, device in named_devices(text)
        if device.capability
    ]
    if named:
        return named
    told = [(int(m[1]), int(m[2])) for m in _CAPABILITY.finditer(text)]
    if told:
        return [_card("", architecture(capability), capability) for capability in told]
    lowest: dict[str, tuple[int, int]] = {}
    for device in load_devices():
        if device.capability:
            before = lowest.get(device.architecture, device.capability)
            lowest[device.architecture] = min(before, device.capability)
    spelled = ((name, re.search(rf"(?<![A-Za-z]){name}(?![A-Za-z])", text, re.I)) for name in lowest)
    return [_card("", name, lowest[name]) for name, match in spelled if match]


def _card(name: str, generation: str, capability: tuple[int, int]) -> PlatformSubject:
    major, minor = capability
    code = f"sm_{major}{minor}"
    shown = f"{name} ({', '.join(filter(None, (generation, code)))})" if name else f"{generation} ({code})"
    return PlatformSubject(
        "device", f"{major}.{minor}", shown if generation or name else code, (generation.split(" ")[0], code)
    )
