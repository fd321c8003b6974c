"""Programs that take all that they can get."""

from __future__ import annotations

from dataclasses import replace

from tests.assistant.sandbox.hostile.program import IMPATIENT, SMALL, Hostile

PROGRAMS = (
    Hostile(
        "memory_bomb",
        "kept = []\nwhile True: kept.append(bytearray(1 << 22))",
        stderr="MemoryError",
    ),
    Hostile("memory_at_once", "kept = bytearray(1 << 40)", stderr="MemoryError"),
    Hostile(
        "memory_shared", "kept = [mmap.mmap(-1, 1 << 26) for _ in range(20)]", stderr="Cannot allocate memory"
    ),
    Hostile("memory_that_is_only_said", "sys.exit('MemoryError: std::bad_alloc')", stderr="MemoryError"),
    Hostile("room_that_is_only_said", "sys.exit('No space left on device')", stderr="No space"),
    Hostile("processor_time_that_is_only_said", "os.kill(os.getpid(), signal.SIGXCPU)"),
    Hostile(
        "memory_of_many_children",
        """
for _ in range(8):
    if not os.fork():
        kept = b"x" * (100 << 20)
        time.sleep(1000)
time.sleep(1000)
""",
        "memory",
    ),
    Hostile("endless_output", "while True: print('line', 'x' * 100)", "output", stdout="line xxx"),
    Hostile("endless_line", "while True: os.write(1, b'x' * 4096)", "output", stdout="xxxx"),
    Hostile("endless_errors", "while True: os.write(2, b'x\\n' * 4096)", "output", stderr="x\nx"),
    Hostile(
        "bytes_that_are_no_text", "os.write(1, b'\\xff\\x00\\xe4\\xb8' * 99 + b'\\nend')", stdout="\nend"
    ),
    Hostile(
        "file_of_10_gb",
        """
tried("sparse", lambda: open("sparse", "wb").truncate(10 << 30))
with open("big", "wb") as big:
    while True: big.write(bytes(1 << 16))
""",
        stdout="held sparse",
        stderr="File too large",
    ),
    Hostile(
        "no_end_of_files",
        """
number = 0
while True:
    number += 1
    open(f"file{number}", "w").close()
""",
        "output",
        others=("finished",),
    ),
    Hostile(
        "no_end_of_megabytes",
        """
number = 0
while True:
    number += 1
    open(f"file{number % 300}", "wb").write(bytes(1 << 20))
""",
        "output",
        others=("finished",),
    ),
    Hostile(
        "shared_memory_filled",
        """
number = 0
while True:
    number += 1
    open(f"/dev/shm/file{number % 300}", "wb").write(bytes(1 << 20))
""",
        "output",
        others=("finished",),
        hold="writing",
    ),
    Hostile(
        "no_end_of_open_files",
        "kept = []\nwhile True: kept.append(open(os.devnull))",
        stderr="Too many open files",
    ),
    Hostile(
        "burns_in_threads",
        """
def burn():
    while True: sum(range(1000))
for _ in range(4): threading.Thread(target=burn).start()
""",
        "cpu-limit",
        limits=replace(SMALL, cpu_seconds=1),
    ),
    Hostile(
        "burns_deaf_to_the_warning",
        "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
        "cpu-limit",
        limits=replace(SMALL, cpu_seconds=1),
    ),
    Hostile(
        "raises_its_limits",
        """
def raised(which):
    soft, hard = resource.getrlimit(which)
    resource.setrlimit(which, (hard + 1, hard + 1))
for name in ("RLIMIT_CPU", "RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_NOFILE"):
    tried(name, lambda: raised(getattr(resource, name)))
tried("no limit", lambda: resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY,) * 2))
""",
        hold="limits",
        stdout="held RLIMIT_AS",
    ),
    Hostile(
        "endless_recursion",
        "sys.setrecursionlimit(10 ** 9)\ndef deeper(_): return [*map(deeper, [1])]\ndeeper(1)",
        others=("memory",),
    ),
    Hostile("crash", "ctypes.string_at(0)"),
    Hostile(
        "sleeps_for_ever", "say('here')\ntime.sleep(10 ** 6)", "timed-out", limits=IMPATIENT, stdout="here"
    ),
    Hostile("reads_what_never_comes", "say(repr(sys.stdin.read()))", stdout="''"),
)
