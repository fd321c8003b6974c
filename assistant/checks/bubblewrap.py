"""The command line of bubblewrap, which puts a program into namespaces of its own."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.checks.folder import Folder
from assistant.checks.namespaces import KERNEL_SETTINGS
from assistant.checks.view import View

PROGRAM = "bwrap"


def arguments(folder: Folder, seen: View) -> Iterator[str]:
    """What goes between `bwrap` and the command. The environment is the caller's to clear.

    --as-pid-1 makes the guard the first process of the namespace: when it ends, the kernel ends all others.
    """
    yield from ("--unshare-all", "--die-with-parent", "--new-session", "--as-pid-1")
    yield from ("--cap-drop", "ALL", "--hostname", "sandbox", "--proc", "/proc", "--dev", "/dev")
    for name in KERNEL_SETTINGS:  # bubblewrap leaves them as they are for root
        yield from ("--ro-bind-try", f"/proc/{name}", f"/proc/{name}")
    for path in seen.read_only:
        yield from ("--ro-bind", str(path), str(path))
    for target, path in seen.links:
        yield from ("--symlink", target, str(path))
    for path, text in seen.files:
        written = folder.base / path.name
        written.write_text(text, encoding="utf-8")
        yield from ("--ro-bind", str(written), str(path))
    for outside, inside in seen.writable:
        yield from ("--bind", str(outside), str(inside))
    for path in seen.devices:
        yield from ("--dev-bind", str(path), str(path))
    yield from ("--remount-ro", "/dev", "--remount-ro", "/", "--")
