"""What the tests of deploy/ share with those of the interface: a home folder with an index."""

from __future__ import annotations

from tests.ui.conftest import built

__all__ = ["built"]
