"""Lookup of names in this machine's torch, in a separate process."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from assistant.api_usage import attributes
from assistant.api_usage.deprecation import deprecation_in, deprecation_told, may_mean, removal_in
from assistant.api_usage.names import ApiName
from assistant.sandbox.isolation import Isolation
from assistant.sandbox.run_limits import Limits
from assistant.sandbox.runner import run
from ingest.errors import TorchnotesError

Source = Literal["run", "lookup", "mark", "raises", "warns", "doc", "module"]

_NEAR = 3  # maximum number of suggestions
_RESEMBLANCE = 0.75  # minimum similarity of suggestions, 0 to 1
#: A name that is missing brings all that stand beside it, 25 kB for one of the module torch.
_LIMITS = Limits(seconds=120, cpu_seconds=120, output_bytes=64 * 2**20)
_WANTED = "wanted.json"


@dataclass(frozen=True, slots=True)
class Deprecation:
    """Evidence that a name is deprecated.

    Attributes:
        source: a warning when the program ran ("run") or when the name was accessed ("lookup"), the
            `@deprecated` decorator ("mark"), an error that is all it does ("raises"), a warning in its code
            ("warns"), its docstring ("doc"), or that of a module that contains it ("module").
        words: torch's own message.
        line: line of the program, 0 if there is none.
    """

    source: Source
    words: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class FoundName:
    """What this machine's torch has of a name.

    Attributes:
        name: the name and its uses.
        exists: whether it exists; None if that depends on the program, as for operators registered at run
            time.
        kind: "module", "class", "function" or "value"; "" if it does not exist.
        reached: the longest part of the name that exists.
        imports: module to import in addition to torch, "" if none.
        deprecated: evidence of deprecation.
        unknown: keywords of its calls that are not in its signature.
        near: suggestions for a missing name.
    """

    name: ApiName
    exists: bool | None
    kind: str
    reached: str
    imports: str
    deprecated: tuple[Deprecation, ...]
    unknown: tuple[str, ...]
    near: tuple[str, ...]

    @property
    def removed(self) -> bool:
        """Whether it was removed and only its name is left: a function that does nothing but raise."""
        return any(each.source == "raises" for each in self.deprecated)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return {**asdict(self), "removed": self.removed}


@dataclass(frozen=True, slots=True)
class Lookup:
    """Result of looking up names.

    Attributes:
        torch: version of torch with its local part, "" if there were no names.
        names: results in the order given.
    """

    torch: str
    names: tuple[FoundName, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return asdict(self)


def look_up(names: Sequence[ApiName], *, isolation: Isolation | None = None) -> Lookup:
    """Look up names in torch.

    Runs a program of torchnotes that imports modules of torch but none of the user's; none if there are no
    names.

    Args:
        names: names to look up.
        isolation: sandbox backend; None: the best one available.

    Raises:
        TorchnotesError: torch cannot be imported here, or the program cannot be run.
    """
    if not names:
        return Lookup("", ())
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder, _WANTED)
        wanted.write_text(json.dumps([(each.name, each.keywords) for each in names]), encoding="utf-8")
        done = run(Path(attributes.__file__), files=[wanted], limits=_LIMITS, isolation=isolation)
    try:
        told: dict[str, Any] = json.loads(done.stdout.strip().rpartition("\n")[2])
    except json.JSONDecodeError:
        raise TorchnotesError(
            f"names cannot be looked up here ({done.reason}); `torchnotes doctor` tells what works"
        ) from None
    if not told["torch"]:
        raise TorchnotesError(
            f"torch cannot be imported here ({told['error']}); install it: pip install torch"
        )
    return Lookup(told["torch"], tuple(_found(each, told["found"][each.name]) for each in names))


def _found(name: ApiName, told: dict[str, Any]) -> FoundName:
    """Convert the program's result for a name."""
    warned = [words for words in told.get("warned", ()) if may_mean(name.name, words)]
    said: list[tuple[Source, str]] = [("lookup", words) for words in warned]
    said += [("mark", told.get("mark", "")), ("raises", removal_in(told.get("raises", "")))]
    if not any(words for _, words in said):
        said.append(("doc", deprecation_in(told.get("doc", ""), name.name)))
    if not any(words for _, words in said):
        said += [("warns", _warned_of(name.name, words)) for words in told.get("warns", ())]
    if not any(words for _, words in said):
        said += [("module", deprecation_in(doc, module)) for module, doc in told.get("around", {}).items()]
        inside = told.get("namespaces", {}).items()
        said += [("module", deprecation_told(doc, module, this=False)) for module, doc in inside]
    missing = not told["exists"]
    return FoundName(
        name=name,
        exists=told["exists"],
        kind="" if missing else told["kind"],
        reached=told["reached"],
        imports=told["imports"],
        deprecated=tuple(Deprecation(source, " ".join(words.split())) for source, words in said if words),
        unknown=tuple(told.get("unknown", ())),
        near=near(name.name, told["reached"], told["beside"], told["elsewhere"]) if missing else (),
    )


def _warned_of(name: str, words: str) -> str:
    """Return what a warning in the code of an object says about it, or about a module that contains it."""
    parents = [name.rsplit(".", count)[0] for count in range(1, name.count("."))]
    others = (deprecation_told(words, parent, this=False) for parent in parents)
    return deprecation_told(words, name) or next(filter(None, others), "")


def near(name: str, reached: str, beside: Sequence[str], elsewhere: Sequence[str]) -> tuple[str, ...]:
    """Return up to three suggestions for a missing name.

    Args:
        name: full name.
        reached: the part of it that exists.
        beside: names in that part.
        elsewhere: full names in other modules with the same last part.
    """
    part = name.removeprefix(f"{reached}.").partition(".")[0]
    public = [each for each in beside if part.startswith("_") or not each.startswith("_")]
    alike = get_close_matches(part, public, _NEAR, _RESEMBLANCE)
    same = sorted(elsewhere, key=lambda each: (each.count("."), each))
    return tuple(dict.fromkeys([*(f"{reached}.{each}" for each in alike), *same]))[:_NEAR]
