"""Rights that files bind, for root too."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NOBODY = 65534


@contextmanager
def unprivileged() -> Iterator[Path]:
    """A folder, while this process may no more than its owner may.

    Root becomes another user meanwhile, who cannot read what is imported late from root's own folders: what
    is tested is called once before.
    """
    with tempfile.TemporaryDirectory() as name:
        if os.geteuid():
            yield Path(name)
            return
        os.chown(name, _NOBODY, -1)
        os.seteuid(_NOBODY)
        try:
            yield Path(name)
        finally:
            os.seteuid(0)
