"""What the programs of the checks share: they compare, time and tell; one JSON object a line.

    {"fact": name, "value": ...}                                  something seen
    {"equal": name, "difference": d, "limit": l}                  two results that have to agree
    {"ratio": name, "values": [...], "threads": n, ...}           seconds of the baseline over the candidate's
    {"missing": what, "why": ...}                                 not applicable on this machine
    {"failed": "TypeError: ..."}                                  the program itself broke off

One thread computes: two threads beside a busy neighbour wait for each other, and give tidy but wrong ratios.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

import torch

BATCH = 0.002  # seconds that calls are timed together: far above the clock's own cost, within one time slice
SAMPLE = 0.1  # seconds that a sample lasts; its fastest batch counts, as whatever disturbs one only slows it

torch.set_num_threads(1)
torch.manual_seed(0)


def say(**record: Any) -> None:
    """Write one line, from the first rank only."""
    if os.environ.get("RANK", "0") == "0":
        sys.stdout.write(json.dumps(record) + "\n")
        sys.stdout.flush()


def fact(name: str, value: bool | int | float | str) -> None:
    """Tell something seen."""
    say(fact=name, value=value)


def same(name: str, first: Any, second: Any, limit: float = 0.0) -> None:
    """Compare two tensors, or lists of them: the largest absolute difference may be `limit`."""
    pairs = [(first, second)] if torch.is_tensor(first) else zip(first, second, strict=True)
    differences = [
        (torch.as_tensor(a).detach().double().cpu() - torch.as_tensor(b).detach().double().cpu()).abs().max()
        if torch.as_tensor(a).shape == torch.as_tensor(b).shape
        else torch.tensor(torch.inf)
        for a, b in pairs
    ]
    say(equal=name, difference=float(torch.stack(differences).max()), limit=limit)


def graphs() -> int:
    """Count the graphs that torch.compile has made: none where it hands back what it was given."""
    from torch._dynamo.utils import counters

    return int(counters["stats"]["unique_graphs"])


def operators(call: Callable[[], object]) -> set[str]:
    """Return the names of the operators that a call runs, as the profiler sees them."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as seen:
        call()
    return {event.key for event in seen.key_averages()}


def attention_kernel(call: Callable[[], object]) -> str:
    """Return which attention kernel a call runs: "math", "flash", "efficient", "cudnn", "" if unknown."""
    seen = " ".join(name for name in operators(call) if "scaled_dot_product" in name)
    return next((kind for kind in ("math", "flash", "efficient", "cudnn") if f"_{kind}" in seen), "")


def refuses(call: Callable[[], object], *kinds: type[BaseException]) -> bool:
    """Whether a call raises one of these errors (any, where none is named)."""
    expected = kinds or (Exception,)
    try:
        call()
    except expected:
        return True
    return False


def missing(what: str, why: str = "") -> NoReturn:
    """End the program: this machine lacks something."""
    say(missing=what, why=why)
    raise SystemExit(0)


def need(condition: object, what: str, why: str = "") -> None:
    """End the program unless the condition holds."""
    if not condition:
        missing(what, why)


def api(path: str) -> Any:
    """A function or class by its full name, such as "torch.nn.attention.sdpa_kernel"; ends if it is gone."""
    parts = path.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: Any = __import__(".".join(parts[:end]), fromlist=["_"])
            for part in parts[end:]:
                found = getattr(found, part)
        except (ImportError, AttributeError):
            continue
        return found
    return missing(path, f"torch {torch.__version__} has no {path}")


def compiler() -> str:
    """The C++ compiler that Inductor calls, with Python's headers beside it."""
    named = [os.environ.get("CXX", ""), "g++", "c++", "clang++"]
    found = next((path for name in named if name and (path := shutil.which(name))), "")
    need(found, "g++", "compiled code needs a C++ compiler")
    headers = Path(sysconfig.get_path("include"), "Python.h")
    need(headers.is_file(), "Python.h", f"compiled code needs the headers of Python, {headers}")
    return found


def cuda(major: int = 7, minor: int = 0) -> torch.device:
    """The GPU, of at least this compute capability."""
    need(torch.cuda.is_available(), "CUDA", "this needs an NVIDIA GPU and a CUDA build of torch")
    has = torch.cuda.get_device_capability()
    need(has >= (major, minor), f"compute capability {major}.{minor}", f"this GPU has {has[0]}.{has[1]}")
    return torch.device("cuda")


def _wait() -> None:
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()


def _seconds(call: Callable[[], object], calls: int) -> float:
    """Seconds a call, over so many calls."""
    _wait()
    start = time.perf_counter()
    for _ in range(calls):
        call()
    _wait()
    return (time.perf_counter() - start) / calls


def _fastest(plans: list[tuple[Callable[[], object], int]], batches: int) -> list[float]:
    """Seconds of each call in its fastest batch; batches take turns, so both meet what disturbs them."""
    turns = [[_seconds(call, calls) for call, calls in plans] for _ in range(batches)]
    return [min(times) for times in zip(*turns, strict=True)]


def interleaved(
    name: str, baseline: Callable[[], object], candidate: Callable[[], object], repeats: int = 7
) -> None:
    """Time two calls in turn (A B A B ...), after a warm-up of each; above 1 the candidate is faster."""
    plans, longest = [], BATCH
    for call in (baseline, candidate):
        call()
        once = max(min(_seconds(call, 1) for _ in range(3)), 1e-7)
        plans.append((call, max(1, round(BATCH / once))))
        longest = max(longest, once)
    batches = max(3, round(SAMPLE / longest))
    samples = [_fastest(plans, batches) for _ in range(repeats)]
    ratio(name, [first for first, _ in samples], [second for _, second in samples])


def ratio(name: str, baseline: list[float], candidate: list[float]) -> None:
    """Tell times that a program took itself, in seconds, pair by pair."""
    values = [a / b for a, b in zip(baseline, candidate, strict=True)]
    threads = torch.get_num_threads()
    say(ratio=name, values=values, baseline_seconds=baseline, candidate_seconds=candidate, threads=threads)


def child(program: str, *arguments: str, **environment: str) -> str:
    """What a Python process of its own writes; an empty variable is taken out of its environment.

    Raises:
        RuntimeError: it ended with an error; told is its last line.
    """
    variables = {name: value for name, value in {**os.environ, **environment}.items() if value}
    apart = "import sys; sys.path[:] = filter(None, sys.path)\n"  # no module comes from the working folder
    command = [sys.executable, "-c", apart + program, *arguments]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().rpartition("\n")[2] or f"exit code {done.returncode}")
    return done.stdout


def _rank(rank: int, world: int, store: str, worker: Callable[[], None]) -> None:
    import torch.distributed as dist

    os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(world)}
    torch.set_num_threads(1)
    torch.manual_seed(0)  # the same data on every rank
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world)
    worker()
    dist.barrier()
    dist.destroy_process_group()


def on_ranks(worker: Callable[[], None], world: int = 2) -> None:
    """Run a function in so many processes of one gloo group, which meet on the loopback interface."""
    need(torch.distributed.is_available(), "torch.distributed", "this build of torch has none")
    from torch.distributed import is_gloo_available

    need(is_gloo_available(), "gloo", "this build of torch has no gloo backend")
    names: Iterable[str] = (name for name in ("lo", "lo0") if Path("/sys/class/net", name).exists())
    os.environ.setdefault("GLOO_SOCKET_IFNAME", next(iter(names), "lo"))
    from torch.multiprocessing.spawn import spawn

    with tempfile.TemporaryDirectory() as folder:
        spawn(_rank, (world, str(Path(folder, "store")), worker), nprocs=world)


def _broke_off(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    told = [line for line in str(error).splitlines() if line.strip()] or [""]
    first = " ".join(told[:2]) if told[0].endswith(":") else told[0]  # "backend='inductor' raised:"
    line = told[-1] if kind.__name__ == "ProcessRaisedException" else f"{kind.__name__}: {first}"
    say(failed=line)
    sys.__excepthook__(kind, error, trace)


sys.excepthook = _broke_off
