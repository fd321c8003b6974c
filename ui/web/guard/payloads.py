"""Validation of JSON in requests: allowed calls, and no references to files of the server.

gradio copies a file named in a request to where the sender can download it, in any input and at any depth.
Therefore requests that name files are rejected, except for files received by this server in the one input
that takes files.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from ingest.errors import TorchnotesError
from ui.shared.received import ReceivedFiles
from ui.web.guard.asgi import API
from ui.web.guard.files import PageFunctions

_QUEUE, _DIRECT = f"{API}/queue/join", f"{API}/run/predict"
_NAMED = (f"{API}/run/", f"{API}/call/")
_BY_PARAMETER, _OF_COMPONENT = f"{API}/call/v2/", f"{API}/component_server"
_CALL = frozenset(
    ("data", "event_data", "fn_index", "trigger_id", "session_hash", "event_id", "simple_format", "batched")
)
#: Allowed fields of the JSON, by route.
_FIELDS = {
    f"{API}/queue/join": _CALL,
    f"{API}/run/": _CALL,
    f"{API}/cancel": frozenset(("session_hash", "fn_index", "event_id")),
    f"{API}/reset": frozenset(("event_id", "session_hash", "fn_index")),
    f"{API}/component_server": frozenset(("data", "component_id", "fn_name", "session_hash")),
    "/checks": frozenset(("question", "releases")),
}
_MOST_MARKS = 100_000  # commas and brackets, including those in strings
_MOST_VALUES = 20_000
_TOO_MANY = f"the request has more than {_MOST_VALUES} values; send less"
_OTHER_FORM = "the request is not of the form that is read here; /gradio_api/info tells of it"
_NO_FILE = "the request names a file where none is taken; send text"


class BodyError(TorchnotesError):
    """The body of a request is rejected.

    Args:
        status: HTTP status.
        line: message; must not contain anything from the request.

    Attributes:
        status: as given.
    """

    def __init__(self, status: int, line: str) -> None:
        super().__init__(line)
        self.status = status


def read_json(body: bytes) -> object:
    """Parse the JSON of a body.

    Args:
        body: body of a request.

    Raises:
        BodyError: it is not JSON, or contains invalid text or numbers, or too many values.
    """
    if sum(map(body.count, (b",", b"[", b"{"))) > _MOST_MARKS:  # before objects are created
        raise BodyError(413, _TOO_MANY)
    try:
        sent: object = json.loads(body.decode(), parse_constant=_no_number, parse_float=_number)
        json.dumps(sent, ensure_ascii=False).encode()  # rejects lone surrogates such as \\ud800
    except RecursionError:
        raise BodyError(400, "the request is nested too deeply; send a plain list of values") from None
    except ValueError:
        line = "the request is no JSON in UTF-8 with finite numbers and whole characters; mend it"
        raise BodyError(400, line) from None
    return sent


def check_form(path: str, sent: object) -> None:
    """Check that the JSON has the form that gradio expects.

    Args:
        path: path of the request.
        sent: its JSON.

    Raises:
        BodyError: it has other fields, or too many values.
    """
    fields = next((fields for route, fields in _FIELDS.items() if path.startswith(route)), None)
    if fields is not None and (not isinstance(sent, Mapping) or not sent.keys() <= fields):
        raise BodyError(400, _OTHER_FORM)
    if fields is _CALL and not (isinstance(sent, Mapping) and isinstance(sent.get("data"), list)):
        raise BodyError(400, _OTHER_FORM)
    waiting, count = [sent], 0
    while waiting:
        value = waiting.pop()
        count += 1
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        if count + len(waiting) > _MOST_VALUES:
            raise BodyError(413, _TOO_MANY)


def check_call(path: str, sent: object, functions: PageFunctions) -> None:
    """Check that a call by name does not call another function by its id, and has the values it needs.

    gradio answers the others with an error of the server, and a traceback in its log.

    Args:
        path: path of the request.
        sent: its JSON.
        functions: functions of the page.

    Raises:
        BodyError: it does, the name does not exist, or values are missing or too many.
    """
    if path == _OF_COMPONENT and not functions.is_served(sent):
        raise BodyError(404, "there is no function of that name")
    number = sent.get("fn_index") if isinstance(sent, Mapping) else None
    if path == _QUEUE or (path == _DIRECT and functions.is_direct(number)):  # how the page calls functions
        if isinstance(number, int) and number in functions.inputs:
            _check_count(sent, functions.inputs[number])
        return
    if not path.startswith(_NAMED):
        return
    name = path.rpartition("/")[2]
    if name not in functions.named or number is not None:
        raise BodyError(404, "there is no endpoint of that name; /gradio_api/info lists them")
    parameters = functions.parameters.get(name)
    if parameters is None:
        return
    if not path.startswith(_BY_PARAMETER):
        _check_count(sent, len(parameters), ", ".join(parameters))
    elif not isinstance(sent, Mapping) or not _required(parameters) <= sent.keys() <= parameters.keys():
        raise BodyError(400, f"send a JSON object with values of these: {', '.join(parameters)}")


def _check_count(sent: object, count: int, names: str = "") -> None:
    data = sent.get("data") if isinstance(sent, Mapping) else None
    if isinstance(data, list) and len(data) != count:
        which = f" ({names})" if names else ""
        raise BodyError(400, f"it takes {count} values{which}, and got {len(data)}; send all, null for none")


def _required(parameters: Mapping[str, bool]) -> set[str]:
    return {name for name, required in parameters.items() if required}


def check_files(path: str, sent: object, functions: PageFunctions, received: ReceivedFiles) -> None:
    """Check that files are named only where allowed, and reduce received files to known fields, in place.

    Args:
        path: path of the request.
        sent: its JSON; modified in place.
        functions: functions of the page.
        received: files that may be named.

    Raises:
        BodyError: a file is named that this server did not receive, or in an input that takes none.
    """
    kept: dict[int, object] = {}
    given = sent.get("data") if isinstance(sent, dict) else None
    data = given if isinstance(given, list) else []
    if path == _QUEUE:
        for place in functions.file_places(sent):
            if place < len(data) and data[place] is not None:
                kept[place], data[place] = _plain_files(data[place], received), None
    waiting = [sent]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            # gradio treats a mapping with a path as a file, in some places whatever its other keys are.
            if "path" in value or "meta" in value:
                raise BodyError(400, _NO_FILE)
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    for place, files in kept.items():
        data[place] = files


def _plain_files(given: object, received: ReceivedFiles) -> list[dict[str, object]]:
    files = [received.plain(file) for file in (given if isinstance(given, list) else [given])]
    plain = [file for file in files if file is not None]
    if len(plain) < len(files):
        raise BodyError(400, "a file is named that this server does not have; send it again")
    return plain


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number beyond all")
    return number


def _no_number(_: str) -> float:
    raise ValueError("no JSON number")
