"""The program that looks up names of torch in the torch of this machine, as `run` starts it.

A script of its own: beside it lies `wanted.json`, a list of [name, keywords]. It writes one JSON object:
`torch` (version, "" where it cannot be imported, then with `error`) and `found`, an object a name:

    exists       true, false, or null: what is there depends on the program (operators that it registers)
    kind         "module", "class", "function" or "value"
    reached      how far the walk came: the whole name, or the last part that is there
    imports      the module that `import torch` alone does not bring
    mark         what `@deprecated` says on it
    doc          the beginning of its documentation, and what stands out below
    around       the same of the modules that it is in, by their names
    namespaces   of these, what the documentation of a module in them says
    raises       the error that is all that a function of it does
    warns        the warnings of deprecation in its own code
    warned       warnings when it was reached
    unknown      keywords that its signature does not know; only where that is certain
    beside       where it is missing: the names that are there
    elsewhere    where it is missing: names in other modules with the same last part
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import inspect
import io
import json
import re
import sys
import textwrap
import types
import warnings
from pathlib import Path
from typing import Any

_LONGEST = 400  # characters of a message that is told
_DOC = 3000  # characters of a documentation
_BLOCK = re.compile(r"^(?:\.\. \w+|warnings?|notes?)::?.*(?:\n(?:[ \t].*)?)*", re.M | re.I)
_AT_RUN_TIME = ("torch.ops.", "torch.classes.")


def main() -> None:
    """Look all of them up, and tell."""
    wanted = json.loads(Path(__file__).with_name("wanted.json").read_text(encoding="utf-8"))
    told: dict[str, Any] = {"torch": "", "found": {}}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            told["torch"] = str(importlib.import_module("torch").__version__)
    except Exception as error:  # noqa: BLE001  # whatever a broken torch raises
        told["error"] = f"{type(error).__name__}: {error}"[:_LONGEST]
    else:
        with contextlib.redirect_stdout(io.StringIO()):
            # All of them are tried before any import of ours could bring what a program would lack.
            bare = {name: reach(name) for name, _ in wanted}
            told["found"] = {name: look_up(name, keywords, bare[name]) for name, keywords in wanted}
    sys.stdout.write(json.dumps(told) + "\n")


def look_up(name: str, keywords: list[str], bare: int) -> dict[str, Any]:
    """Look a name up.

    Args:
        name: in full.
        keywords: arguments that it is given by name.
        bare: how many of its parts are there without another import.

    Returns:
        What is told of it; see above.
    """
    root, *parts = name.split(".")
    told: dict[str, Any] = {"exists": True, "kind": "value", "reached": root, "imports": ""}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found: object = importlib.import_module(root)
        except ImportError:
            return told | {"exists": False, "reached": "", "beside": [], "elsewhere": []}
        modules: dict[str, types.ModuleType] = {}
        for number, part in enumerate(parts):
            if isinstance(found, types.ModuleType):
                modules[told["reached"]] = found
            try:
                found = _step(found, part, told["reached"])
            except (AttributeError, ImportError):
                if _is_plain(found):  # an attribute of a number or a text is no name of torch
                    break
                there = None if f"{told['reached']}.".startswith(_AT_RUN_TIME) else False
                return told | {"exists": there, "beside": _beside(found), "elsewhere": _elsewhere(part)}
            except Exception:  # noqa: BLE001  # what is read from a GPU cannot be without one
                return told
            told["reached"] += f".{part}"
            if number >= bare and isinstance(found, types.ModuleType):
                told["imports"] = told["reached"]
    if isinstance(found, types.ModuleType):
        modules[told["reached"]] = found
    said = [str(each.message)[:_LONGEST] for each in caught if "deprecat" in str(each.message)]
    told["warned"] = list(dict.fromkeys(said))
    with contextlib.suppress(Exception):  # an object may raise whatever it is asked for
        told["kind"] = _kind(found)
        told |= {"unknown": _unknown(found, keywords), "mark": _mark(found), "doc": _doc(found)}
        told |= {"raises": _raises(found), "warns": _warns(found)}
    return told | _told_around(modules)


def _told_around(modules: dict[str, types.ModuleType]) -> dict[str, dict[str, str]]:
    """What modules say of their deprecation, and what the modules in them say of it."""
    docs = {name: _doc(module) for name, module in modules.items()}
    return {
        "around": {name: doc for name, doc in docs.items() if "deprecat" in doc},
        "namespaces": {name: doc for name in modules if (doc := _docs_inside(name))},
    }


def reach(name: str) -> int:
    """How many parts of a name, after the first, are there without an import of their own."""
    root, *parts = name.split(".")
    found: object = sys.modules.get(root)
    for number, part in enumerate(parts):
        try:
            found = getattr(found, part)
        except Exception:  # noqa: BLE001  # what is read from a GPU cannot be without one
            return number
    return len(parts)


def _step(found: object, part: str, reached: str) -> object:
    """What the next part of a name stands for."""
    try:
        return getattr(found, part)
    except AttributeError:
        if not isinstance(found, types.ModuleType):
            raise
    try:
        return importlib.import_module(f"{reached}.{part}")
    except ImportError:
        raise
    except Exception as error:  # a module that breaks while it is imported cannot be used here
        raise ImportError(str(error)) from error


def _is_plain(found: object) -> bool:
    """Whether it is a value of Python's own, such as torch.version.cuda."""
    return (
        not isinstance(found, (types.ModuleType, type))
        and type(found).__module__ == "builtins"
        and not callable(found)
    )


def _kind(found: object) -> str:
    if isinstance(found, types.ModuleType):
        return "module"
    if inspect.isclass(found):
        return "class"
    return "function" if callable(found) else "value"


def _unknown(found: object, keywords: list[str]) -> list[str]:
    """The keywords that a call cannot be given."""
    if not keywords or not callable(found):
        return []
    try:
        parameters = inspect.signature(found, follow_wrapped=hasattr(found, "__deprecated__")).parameters
    except (TypeError, ValueError):  # written in C++: its signature is not told
        return []
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return []
    by_name = {name for name, each in parameters.items() if each.kind is not each.POSITIONAL_ONLY}
    return [keyword for keyword in keywords if keyword not in by_name]


def _mark(found: object) -> str:
    """What `@deprecated` says on a function, a property or a class, or on the making of its objects."""
    if isinstance(found, property):
        found = found.fget
    own = vars(found) if inspect.isclass(found) else {}
    marks = [own.get("__deprecated__") if own else getattr(found, "__deprecated__", None)]
    marks += [getattr(own.get(name), "__deprecated__", None) for name in ("__init__", "__new__")]
    mark = next((mark[:_LONGEST] for mark in marks if isinstance(mark, str)), "")
    # What gives an old name to a new function marks that too: "use ..." names it then.
    if inspect.isfunction(found) and not hasattr(found, "__wrapped__"):
        return "" if re.search(rf"\buse\W+{found.__name__}\b", mark, re.I) else mark
    return mark


def _doc(found: object) -> str:
    """The documentation of the thing itself; that of a value is its type's."""
    if inspect.isclass(found):
        doc = vars(found).get("__doc__")
    else:
        own = isinstance(found, (types.ModuleType, property)) or callable(found)
        doc = found.__doc__ if own else ""
    if not isinstance(doc, str):
        return ""
    doc = inspect.cleandoc(doc)
    below = [block[0] for block in _BLOCK.finditer(doc, min(_DOC, len(doc))) if "deprecat" in block[0]]
    return "\n\n".join([doc[:_DOC], *below])[: 2 * _DOC]


@functools.cache
def _docs_inside(name: str) -> str:
    """What the modules in a module say of it by its name, where they speak of deprecation."""
    docs = [
        _doc(module) for other, module in list(sys.modules.items()) if other.startswith(f"{name}.") and module
    ]
    return "\n\n".join(doc for doc in docs if f"`{name}`" in doc and "deprecat" in doc)[:_DOC]


def _raises(found: object) -> str:
    """The words of the error that a function consists of: what is left of one that was removed."""
    body = _body(found) if inspect.isfunction(found) else []
    raised = body[0].exc if body and isinstance(body[0], ast.Raise) else None
    if not isinstance(raised, ast.Call) or not raised.args or not isinstance(raised.args[0], ast.Constant):
        return ""
    return str(raised.args[0].value)[:_LONGEST]


def _warns(found: object) -> list[str]:
    """The texts of the warnings of deprecation that a function gives, or a class when an object is made."""
    function = vars(found).get("__init__") if inspect.isclass(found) else found
    texts: list[str] = []
    for node in (node for line in _body(function) for node in ast.walk(line)):
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).endswith("warn"):
            text = node.args[0]
            parts = text.values if isinstance(text, ast.JoinedStr) else [text]
            said = "".join(str(part.value) if isinstance(part, ast.Constant) else "_" for part in parts)
            texts += [said[:_LONGEST]] if "deprecat" in said else []
    return texts


def _body(found: object) -> list[ast.stmt]:
    """The statements of a function without its documentation; none where its source is not to be had."""
    if not inspect.isfunction(found):
        return []
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return []
    body: list[ast.stmt] = getattr(tree, "body", [])
    documented = body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return body[1:] if documented else body


def _beside(found: object) -> list[str]:
    try:
        return [name for name in dir(found) if not name.startswith("__")]
    except Exception:  # noqa: BLE001  # a module's own `__dir__` may break
        return []


def _elsewhere(part: str) -> list[str]:
    """Public names with this last part in modules that are loaded, and modules of this name on disk."""
    loaded = [
        f"{name}.{part}"
        for name, module in list(sys.modules.items())
        if name.startswith("torch") and part in getattr(module, "__dict__", {})
    ]
    root = Path(str(sys.modules["torch"].__file__)).parent
    lie = [path.relative_to(root.parent).with_suffix("").as_posix() for path in root.rglob(f"{part}.py")]
    names = [*loaded, *(name.replace("/", ".") for name in lie)]
    return [name for name in names if not any(p.startswith("_") or p == "testing" for p in name.split("."))]


if __name__ == "__main__":
    main()
