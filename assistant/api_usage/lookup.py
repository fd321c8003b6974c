"""Names of torch looked up in the torch of this machine, in a process of its own."""

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

_NEAR = 3  # names that a hint has at most
_RESEMBLANCE = 0.75  # of names, 0 to 1
_LIMITS = Limits(seconds=120, cpu_seconds=120)
_WANTED = "wanted.json"


@dataclass(frozen=True, slots=True)
class Deprecation:
    """Why a name counts as deprecated here.

    Attributes:
        source: a warning when the program ran ("run") or when the name was reached ("lookup"), the mark that
            torch puts on it ("mark"), an error that is all it does ("raises"), a warning in its code
            ("warns"), its documentation ("doc"), or that of a module that it is in ("module").
        words: torch's own.
        line: of the program, 0 where it is of none.
    """

    source: Source
    words: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class FoundName:
    """What the torch of this machine has of a name.

    Attributes:
        name: where the text has it.
        exists: None where that depends on the program: operators are registered while it runs.
        kind: "module", "class", "function" or "value"; "" where it does not exist.
        reached: the part of the name that is there.
        imports: a module that has to be imported for it, as `import torch` does not bring it; "".
        deprecated: all that tells that it is deprecated; empty where nothing does.
        unknown: keywords of its calls that its signature does not have.
        near: names that resemble a missing one: a hint, no more.
    """

    name: ApiName
    exists: bool | None
    kind: str
    reached: str
    imports: str
    deprecated: tuple[Deprecation, ...]
    unknown: tuple[str, ...]
    near: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Lookup:
    """Names looked up in one torch.

    Attributes:
        torch: its version with the local part, "" where nothing was looked up.
        names: in the order given.
    """

    torch: str
    names: tuple[FoundName, ...]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return asdict(self)


def look_up(names: Sequence[ApiName], *, isolation: Isolation | None = None) -> Lookup:
    """Look names up. Only a program of ours runs, and none where there are no names.

    Modules of torch are imported there, nothing of the user's.

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
    """Make a `FoundName` of what the program told of a name."""
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
    """What a warning in the code of a thing says of it, or of a module that it is in; "" of other things."""
    parents = [name.rsplit(".", count)[0] for count in range(1, name.count("."))]
    others = (deprecation_told(words, parent, this=False) for parent in parents)
    return deprecation_told(words, name) or next(filter(None, others), "")


def near(name: str, reached: str, beside: Sequence[str], elsewhere: Sequence[str]) -> tuple[str, ...]:
    """Names that may have been meant by one that is missing, at most three: a hint, no more.

    Args:
        name: in full.
        reached: the part of it that is there.
        beside: the names in that part.
        elsewhere: names in full with the same last part in other modules.
    """
    part = name.removeprefix(f"{reached}.").partition(".")[0]
    public = [each for each in beside if part.startswith("_") or not each.startswith("_")]
    alike = get_close_matches(part, public, _NEAR, _RESEMBLANCE)
    same = sorted(elsewhere, key=lambda each: (each.count("."), each))
    return tuple(dict.fromkeys([*(f"{reached}.{each}" for each in alike), *same]))[:_NEAR]
