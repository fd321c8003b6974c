"""The devices: names that lead to what notes call them."""

from __future__ import annotations

from collections import Counter

from assistant.applicability.hardware import ARCHITECTURES, CARD, CARDS
from corpus.glossary import load_glossary
from corpus.hardware import explained, load_devices
from tests.rows import each_row


def test_every_device_is_of_a_glossary_term_and_has_a_source() -> None:
    terms = {term.id for term in load_glossary().terms}
    for device in load_devices():
        assert device.term in terms, device
        assert device.source.startswith("https://"), device
        assert device.names or device.short, device


def test_no_name_is_of_two_devices() -> None:
    names = Counter(name.casefold() for device in load_devices() for name in (*device.names, *device.short))
    assert [name for name, count in names.items() if count > 1] == []


def test_a_compute_capability_is_within_its_architecture() -> None:
    for device in load_devices():
        if device.capability:
            low, high = ARCHITECTURES[device.architecture]
            assert low <= device.capability <= high, device


@each_row(
    ("question", "read"),
    [
        ("does my RTX 5090 work with 2.6?", "does my RTX 5090 (Blackwell, sm_120) work with 2.6?"),
        ("5090 显卡装哪个 torch", "5090 (Blackwell, sm_120) 显卡装哪个 torch"),
        ("rtx 4070 Ti Super 能用 fp8 吗", "rtx 4070 Ti Super (Ada Lovelace, sm_89) 能用 fp8 吗"),
        ("GTX 1080 Ti and a GTX 1060", "GTX 1080 Ti (Pascal, sm_61) and a GTX 1060"),
        ("RTX 5090 with CUDA capability sm_120", "RTX 5090 (Blackwell) with CUDA capability sm_120"),
        ("Does FSDP2 need 8 GPUs?", "Does FSDP2 need 8 GPUs?"),
        ("port 15090, v1.5090, T45", "port 15090, v1.5090, T45"),
    ],
)
def test_a_question_is_read_with_what_notes_call_a_device(question: str, read: str) -> None:
    assert explained(question) == read


@each_row("name", ["RTX 5090", "RTX 4070 Ti", "A10G", "A100", "H200", "GTX 1080", "K80"])
def test_a_card_is_found_whole_with_its_capability(name: str) -> None:
    match = CARD.search(f"on an {name} it is")
    assert match and match[0] == name and match.lastgroup
    capability = CARDS[int(match.lastgroup[1:])][1]
    shop = name.removesuffix(" Ti")
    assert [d.capability for d in load_devices() if shop in d.names] == [capability]


def test_the_term_is_found_by_the_device() -> None:
    assert [term.id for term in load_glossary().find("my RTX 4070 is slow")] == ["ada-lovelace"]
