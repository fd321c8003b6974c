"""Modules that take seconds to import, imported by the first test that uses them.

Each process of a run collects every file and runs a part of the tests: what stands at the top of a file is
imported by all of them.
"""

from __future__ import annotations

from importlib import import_module


class Later:
    """Stands for a module, which is imported when an attribute is first used."""

    def __init__(self, module: str) -> None:
        self.__dict__["module"] = module

    def __getattr__(self, name: str) -> object:
        if (
            name.startswith("__") or name == "_mock_name"
        ):  # pytest asks whether it is a class, a test or a mock
            raise AttributeError(name)
        return getattr(import_module(self.__dict__["module"]), name)

    def __setattr__(self, name: str, value: object) -> None:
        module = self.__dict__["module"]
        raise AttributeError(f'patch the module itself: monkeypatch.setattr("{module}.{name}", ...)')
