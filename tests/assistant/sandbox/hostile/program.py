from __future__ import annotations

from dataclasses import dataclass, field, replace

from assistant.sandbox.isolation import Hold
from assistant.sandbox.outcome import Ended
from assistant.sandbox.run_limits import MB, Limits

SMALL = Limits(
    seconds=20,
    cpu_seconds=10,
    memory=300 * MB,
    file_bytes=1 * MB,
    folder_bytes=20 * MB,
    folder_files=1500,
    open_files=64,
    processes=40,
    threads=200,
    output_bytes=MB // 4,
)
IMPATIENT = replace(SMALL, seconds=0.7)  # for those that would never end

BEGIN = """
import ctypes, json, mmap, os, resource, signal, socket, subprocess, sys, threading, time
given = json.loads(sys.argv[1])
def say(*words):
    print(*words, flush=True)
def tried(what, call):
    try:
        call()
    except (OSError, ValueError) as error:
        say("held", what, error)
    else:
        say("REACHED", what)
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    number = given["calls"][name] if isinstance(name, str) else name
    values = (ctypes.c_long(a) if isinstance(a, int) else a for a in arguments)
    returned = libc.syscall(ctypes.c_long(number), *values)
    if returned < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return returned
def refused(name, *arguments):
    tried(name, lambda: call(name, *arguments))
"""
# The kernel shows a process whose main thread has ended as a zombie, whatever its other threads do.
WITHOUT_MAIN_THREAD = """
def without_main_thread(work):
    threading.Thread(target=work).start()
    call("exit", 0)
"""


@dataclass(frozen=True)
class Hostile:
    """A program that means harm.

    `hold` is what an isolation has to hold for it to be run at all; `ended`, or one of `others`, how it has
    to end; it prints a line with REACHED where it got what it wanted. Its first argument is JSON: see
    `test_hostile.given`.
    """

    name: str
    source: str
    ended: Ended = "finished"
    hold: Hold | None = None
    limits: Limits = SMALL
    stdout: str = ""
    stderr: str = ""
    others: tuple[Ended, ...] = field(default=())

    @property
    def text(self) -> str:
        return BEGIN + self.source
