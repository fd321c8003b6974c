"""Addresses of Dask clusters, such as `tcp://scheduler:8786` and `local:4`."""

from __future__ import annotations

import re
from typing import NamedTuple

from ingest.errors import TorchnotesError

FORMS = "tcp://scheduler:8786, tls://scheduler:8786, or local:4 for four processes of this machine"
MOST_LOCAL = 256
_SCHEDULER = re.compile(r"(?:tcp|tls)://(?:[\w.-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})", re.ASCII)
_LOCAL = re.compile(r"local:(\d{1,3})", re.ASCII)
_LAST_PORT = 65_535


class ClusterAddress(NamedTuple):
    """Where the workers are.

    Attributes:
        text: the address as given.
        local: number of processes to start on this machine; 0 where a scheduler is asked for its workers.
    """

    text: str
    local: int


def parse_cluster(text: str) -> ClusterAddress:
    """Parse an address.

    Args:
        text: the address.

    Raises:
        TorchnotesError: it is none.
    """
    given = text.strip()
    if (scheduler := _SCHEDULER.fullmatch(given)) and 0 < int(scheduler[1]) <= _LAST_PORT:
        return ClusterAddress(given, 0)
    if (local := _LOCAL.fullmatch(given)) and 0 < int(local[1]) <= MOST_LOCAL:
        return ClusterAddress(given, int(local[1]))
    shown = re.sub("//.*@", "//…@", text)  # a password, which is not part of one
    raise TorchnotesError(f"--dask {shown!r} is no Dask cluster; write it like {FORMS}")
