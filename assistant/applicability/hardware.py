"""Names of GPUs and instruction sets.

Names and compute capabilities of cards are those of corpus/hardware.toml, with their sources.
"""

from __future__ import annotations

import re

from assistant.applicability.condition import Version
from corpus.hardware import load_devices

#: Generations of NVIDIA GPUs: minimum and maximum compute capability.
ARCHITECTURES: dict[str, tuple[Version, Version]] = {
    "Kepler": ((3, 0), (3, 7)),
    "Maxwell": ((5, 0), (5, 3)),
    "Pascal": ((6, 0), (6, 2)),
    "Volta": ((7, 0), (7, 2)),
    "Turing": ((7, 5), (7, 5)),
    "Ampere": ((8, 0), (8, 8)),
    "Ada Lovelace": ((8, 9), (8, 9)),
    "Hopper": ((9, 0), (9, 0)),
    "Blackwell": ((10, 0), (12, 9)),
}
#: Name pattern and compute capability of NVIDIA cards.
CARDS: tuple[tuple[str, Version], ...] = tuple(
    (re.escape(name) + ("(?: ?Ti)?" if name.startswith(("GTX", "RTX")) else ""), device.capability)
    for device in load_devices()
    if device.capability
    for name in sorted(device.names, key=len, reverse=True)
)
ARCHITECTURE = re.compile(
    r"(?<![A-Za-z])(?P<name>Kepler|Maxwell|Pascal|Volta|Turing|Ampere|Ada(?: Lovelace)?|Hopper|Blackwell)"
    r"(?![A-Za-z])"
)
CARD = re.compile(
    rf"(?<![A-Za-z\d.-])(?:{'|'.join(f'(?P<c{n}>{p})' for n, (p, _) in enumerate(CARDS))})(?![A-Za-z\d])"
)
AMD_CARD = re.compile(r"(?<![A-Za-z\d])(?P<name>MI ?\d{3}[AX]?|Navi ?\d\d|gfx\d+\w?)(?![A-Za-z\d])")
#: Instruction sets: pattern in the notes, name, and Linux CPU flags, any of which is sufficient.
INSTRUCTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (r"AVX[-_ ]?512[-_ ]?BF16", "AVX512_BF16", ("avx512_bf16",)),
    (r"AVX[-_ ]?512[-_ ]?FP16", "AVX512_FP16", ("avx512_fp16",)),
    (r"AVX[-_ ]?512[-_ ]?VNNI", "AVX512_VNNI", ("avx512_vnni",)),
    (r"AVX[-_ ]?512", "AVX512", ("avx512f",)),
    (r"AVX[-_ ]?2", "AVX2", ("avx2",)),
    (r"VNNI", "VNNI", ("avx512_vnni", "avx_vnni")),
    (r"AMX[-_ ]?FP16|FP16 AMX", "AMX FP16", ("amx_fp16",)),
    (r"AMX[-_ ]?BF16|BF16 AMX", "AMX BF16", ("amx_bf16",)),
    (r"AMX[-_ ]?INT8|INT8 AMX", "AMX INT8", ("amx_int8",)),
    (r"AMX", "AMX", ("amx_tile",)),
    (r"SVE ?2", "SVE2", ("sve2",)),
    (r"SVE", "SVE", ("sve",)),
    (r"I8MM", "I8MM", ("i8mm",)),
)
INSTRUCTION = re.compile(
    rf"(?<![A-Za-z\d])(?:{'|'.join(f'(?P<i{n}>{p})' for n, (p, *_) in enumerate(INSTRUCTIONS))})"
    r"(?![A-Za-z\d])",
    re.I,
)


def architecture(capability: Version) -> str:
    """Return the generation of an NVIDIA GPU, "" if unknown.

    Args:
        capability: compute capability, (major, minor).

    >>> architecture((8, 6))
    'Ampere'
    """
    return next((name for name, (low, high) in ARCHITECTURES.items() if low <= capability <= high), "")
