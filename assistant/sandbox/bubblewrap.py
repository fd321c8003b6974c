"""Command line of bubblewrap, which runs a program in separate namespaces."""

from __future__ import annotations

import os
from collections.abc import Iterator

from assistant.sandbox.filesystem_view import FilesystemView
from assistant.sandbox.folder import Folder
from assistant.sandbox.namespaces import HIDDEN, KERNEL_SETTINGS
from assistant.sandbox.run_limits import Limits

PROGRAM = "bwrap"


def arguments(folder: Folder, seen: FilesystemView, limits: Limits) -> Iterator[str]:
    """Yield the arguments between `bwrap` and the command; the caller clears the environment.

    With --as-pid-1 the guard is the first process of the namespace: when it ends, the kernel kills all
    others.

    Args:
        folder: folders of the run.
        seen: files visible to the program.
        limits: resource limits.
    """
    yield from ("--unshare-all", "--die-with-parent", "--new-session", "--as-pid-1")
    yield from ("--cap-drop", "ALL", "--hostname", "sandbox", "--proc", "/proc", "--dev", "/dev")
    for name in KERNEL_SETTINGS:  # bubblewrap leaves them writable for root
        yield from ("--ro-bind-try", f"/proc/{name}", f"/proc/{name}")
    for name in HIDDEN:
        if os.path.exists(f"/proc/{name}"):
            yield from ("--ro-bind", "/dev/null", f"/proc/{name}")
    for path in seen.read_only:
        yield from ("--ro-bind", str(path), str(path))
    for target, path in seen.links:
        yield from ("--symlink", target, str(path))
    for path, text in seen.files:
        written = folder.base / path.name
        written.write_text(text, encoding="utf-8")
        yield from ("--ro-bind", str(written), str(path))
    for path in seen.writable:
        yield from ("--size", str(limits.folder_bytes), "--tmpfs", str(path))
    if not seen.devices:  # reads like /dev/zero, but cannot be mapped as memory that escapes the limits
        yield from ("--dev-bind", "/dev/full", "/dev/zero")
    for path in seen.devices:
        yield from ("--dev-bind", str(path), str(path))
    yield from ("--remount-ro", "/dev", "--remount-ro", "/", "--")
