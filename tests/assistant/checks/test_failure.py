from __future__ import annotations

import pytest

from assistant.checks.failure import contradicts
from tests.rows import each_row


@each_row(
    ("failed", "expected"),
    [
        pytest.param("RuntimeError: Dynamo is not supported on Python 3.15+", True, id="python"),
        pytest.param("Unsupported: Attempted to call function marked as skipped", True, id="dynamo"),
        pytest.param("torch._dynamo.exc.Unsupported: Data-dependent branching", True, id="in-full"),
        pytest.param("NotImplementedError: no kernel for this device", True, id="no-kernel"),
        pytest.param("RuntimeError: No available kernel. Aborting execution.", True, id="attention"),
        pytest.param("InductorError: NotImplementedError: not for this type", True, id="of-two-kinds"),
        pytest.param("RuntimeError: The size of tensor a (3) must match", True, id="words-are-no-kind"),
        pytest.param("RuntimeError: Note: this is a colon", True, id="a-word-with-a-colon-is-no-kind"),
        pytest.param("TypeError: unexpected keyword argument 'x'", False, id="bug-of-the-program"),
        pytest.param("AttributeError: no such name", False, id="private-name-moved"),
        pytest.param("ModuleNotFoundError: No module named 'x'", False, id="module"),
        pytest.param("OSError: [Errno 28] No space left on device", False, id="disk"),
        pytest.param("RuntimeError: FileNotFoundError: [Errno 2] x", False, id="file-in-a-child"),
        pytest.param("RuntimeError: exit code -9", False, id="child-was-killed"),
        pytest.param(
            "RuntimeError: [enforce fail] DefaultCPUAllocator: can't allocate memory", False, id="memory"
        ),
        pytest.param("OutOfMemoryError: CUDA out of memory.", False, id="gpu-memory"),
        pytest.param(
            "RuntimeError: Gloo connectFullMesh failed: Connection closed by peer", False, id="gloo"
        ),
        pytest.param("InductorError: CppCompileError: C++ compile error", False, id="compiler"),
        pytest.param("the program told a difference below 0", False, id="no-error"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_what_torch_refuses_is_told_from_what_this_machine_lacks(failed: str, expected: bool) -> None:
    assert contradicts(failed) is expected
