"""Imported by the fork server of the tests: every command was run once, and none imports anything anew."""

import contextlib
import io
import tempfile
from pathlib import Path

import pytest

from tests.ingest.github_server import serve
from tests.trust.acting import Place, perform, use_small_parts, write_sources

with (
    tempfile.TemporaryDirectory() as folder,
    serve() as site,
    pytest.MonkeyPatch.context() as patch,
    contextlib.redirect_stdout(io.StringIO()),
    contextlib.redirect_stderr(io.StringIO()),
):
    place = Place(Path(folder), site.root)
    write_sources(place, site)
    use_small_parts(patch, place, place.base / "home")
    for action in ("add", "sync"):
        assert perform(place, action) == 0
