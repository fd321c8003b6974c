"""A script that looks up names in this machine's torch, started by `run`.

Reads `wanted.json` next to it, a list of [name, keywords], and writes one JSON object: `torch` (version, ""
if it cannot be imported, then with `error`) and `found`, an object for each name:

    exists       true, false, or null: depends on the program (operators that it registers)
    kind         "module", "class", "function" or "value"
    reached      the longest part of the name that exists
    imports      module that `import torch` alone does not import
    mark         message of `@deprecated`
    doc          beginning of its docstring, and later blocks about deprecation
    around       the same of the modules that contain it, by their names
    namespaces   what docstrings of modules inside these modules say about them
    raises       message of the error, if a function only raises one
    warns        deprecation warnings in its own code
    warned       warnings raised when it was accessed
    unknown      keywords that its signature certainly does not have
    beside       if it is missing: names that exist in `reached`
    elsewhere    if it is missing: names in other modules with the same last part
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

_LONGEST = 400  # characters of a message
_DOC = 3000  # characters of a docstring
_BLOCK = re.compile(r"^(?:\.\. \w+|warnings?|notes?)::?.*(?:\n(?:[ \t].*)?)*", re.M | re.I)
_AT_RUN_TIME = ("torch.ops.", "torch.classes.")


def main() -> None:
    """Look up all names and write the result."""
    wanted = json.loads(Path(__file__).with_name("wanted.json").read_text(encoding="utf-8"))
    told: dict[str, Any] = {"torch": "", "found": {}}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            told["torch"] = str(importlib.import_module("torch").__version__)
    except Exception as error:  # noqa: BLE001  # a broken torch can raise anything
        told["error"] = f"{type(error).__name__}: {error}"[:_LONGEST]
    else:
        with contextlib.redirect_stdout(io.StringIO()):
            # Before any lookup, because its imports could add what `import torch` alone does not provide.
            bare = {name: reach(name) for name, _ in wanted}
            told["found"] = {name: look_up(name, keywords, bare[name]) for name, keywords in wanted}
    sys.stdout.write(json.dumps(told) + "\n")


def look_up(name: str, keywords: list[str], bare: int) -> dict[str, Any]:
    """Look up a name.

    Args:
        name: full name.
        keywords: keyword arguments of its calls.
        bare: number of its parts, after the first, that exist without another import.

    Returns:
        An object as described above.
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
                if _is_plain(found):  # attributes of numbers and strings are not names of torch
                    break
                there = None if f"{told['reached']}.".startswith(_AT_RUN_TIME) else False
                return told | {"exists": there, "beside": _beside(found), "elsewhere": _elsewhere(part)}
            except Exception:  # noqa: BLE001  # some attributes need a GPU
                return told
            told["reached"] += f".{part}"
            if number >= bare and isinstance(found, types.ModuleType):
                told["imports"] = told["reached"]
    if isinstance(found, types.ModuleType):
        modules[told["reached"]] = found
    said = [str(each.message)[:_LONGEST] for each in caught if "deprecat" in str(each.message)]
    told["warned"] = list(dict.fromkeys(said))
    with contextlib.suppress(Exception):  # inspecting an object can raise anything
        told["kind"] = _kind(found)
        told |= {"unknown": _unknown(found, keywords), "mark": _mark(found), "doc": _doc(found)}
        told |= {"raises": _raises(found), "warns": _warns(found)}
    return told | _told_around(modules)


def _told_around(modules: dict[str, types.ModuleType]) -> dict[str, dict[str, str]]:
    """Return what modules, and the modules inside them, say about their deprecation."""
    docs = {name: _doc(module) for name, module in modules.items()}
    return {
        "around": {name: doc for name, doc in docs.items() if "deprecat" in doc},
        "namespaces": {name: doc for name in modules if (doc := _docs_inside(name))},
    }


def reach(name: str) -> int:
    """Return how many parts of a name, after the first, exist without another import.

    Args:
        name: full name.
    """
    root, *parts = name.split(".")
    found: object = sys.modules.get(root)
    for number, part in enumerate(parts):
        try:
            found = getattr(found, part)
        except Exception:  # noqa: BLE001  # some attributes need a GPU
            return number
    return len(parts)


def _step(found: object, part: str, reached: str) -> object:
    """Return the object for the next part of a name."""
    try:
        return getattr(found, part)
    except AttributeError:
        if not isinstance(found, types.ModuleType):
            raise
    try:
        return importlib.import_module(f"{reached}.{part}")
    except ImportError:
        raise
    except Exception as error:  # a module that fails to import cannot be used here
        raise ImportError(str(error)) from error


def _is_plain(found: object) -> bool:
    """Return whether an object is a value of a built-in type, such as torch.version.cuda."""
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
    """Return the keywords that are not in the signature."""
    if not keywords or not callable(found):
        return []
    try:
        parameters = inspect.signature(found, follow_wrapped=hasattr(found, "__deprecated__")).parameters
    except (TypeError, ValueError):  # implemented in C++, without a signature
        return []
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return []
    by_name = {name for name, each in parameters.items() if each.kind is not each.POSITIONAL_ONLY}
    return [keyword for keyword in keywords if keyword not in by_name]


def _mark(found: object) -> str:
    """Return the message of `@deprecated` on a function, property, class or constructor."""
    if isinstance(found, property):
        found = found.fget
    own = vars(found) if inspect.isclass(found) else {}
    marks = [own.get("__deprecated__") if own else getattr(found, "__deprecated__", None)]
    marks += [getattr(own.get(name), "__deprecated__", None) for name in ("__init__", "__new__")]
    mark = next((mark[:_LONGEST] for mark in marks if isinstance(mark, str)), "")
    # An alias of a new function under its old name marks the new one too: "use ..." then names it.
    if inspect.isfunction(found) and not hasattr(found, "__wrapped__"):
        return "" if re.search(rf"\buse\W+{found.__name__}\b", mark, re.I) else mark
    return mark


def _doc(found: object) -> str:
    """Return the docstring of an object itself, not that of a value's type."""
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
    """Return what the modules inside a module say about it in connection with deprecation."""
    docs = [
        _doc(module) for other, module in list(sys.modules.items()) if other.startswith(f"{name}.") and module
    ]
    return "\n\n".join(doc for doc in docs if f"`{name}`" in doc and "deprecat" in doc)[:_DOC]


def _raises(found: object) -> str:
    """Return the message of the error if that is all a function does, as in stubs of removed functions."""
    function = _definition(found)
    body = _statements(function) if function else []
    raised = body[0].exc if body and isinstance(body[0], ast.Raise) else None
    if not isinstance(raised, ast.Call) or not raised.args or not isinstance(raised.args[0], ast.Constant):
        return ""
    return str(raised.args[0].value)[:_LONGEST]


def _warns(found: object) -> list[str]:
    """Return the messages of deprecation warnings in a function, or in the constructor of a class.

    Those that depend on how it is called are about an argument.
    """
    function = _definition(vars(found).get("__init__") if inspect.isclass(found) else found)
    if function is None:
        return []
    arguments = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)} - {"self", "cls"}
    texts: list[str] = []
    nodes: list[ast.AST] = [*_statements(function)]
    for node in nodes:  # grows
        tested = ast.walk(node.test) if isinstance(node, ast.If) else ()
        if not any(isinstance(each, ast.Name) and each.id in arguments for each in tested):
            nodes += ast.iter_child_nodes(node)
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).endswith("warn"):
            text = node.args[0]
            parts = text.values if isinstance(text, ast.JoinedStr) else [text]
            said = "".join(str(part.value) if isinstance(part, ast.Constant) else "_" for part in parts)
            texts += [said[:_LONGEST]] if "deprecat" in said else []
    return texts


def _definition(found: object) -> ast.FunctionDef | None:
    """Return the syntax tree of a function, None if there is no source."""
    if not inspect.isfunction(found):
        return None
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    return tree if isinstance(tree, ast.FunctionDef) else None


def _statements(function: ast.FunctionDef) -> list[ast.stmt]:
    """Return the statements of a function without its docstring."""
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[1:] if documented else function.body


def _beside(found: object) -> list[str]:
    try:
        return [name for name in dir(found) if not name.startswith("__")]
    except Exception:  # noqa: BLE001  # a module can define `__dir__`
        return []


def _elsewhere(part: str) -> list[str]:
    """Return public names with this last part in loaded modules, and modules of this name on disk."""
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
