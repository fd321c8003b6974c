"""Programs that will not go, or go for other processes. What has to be gone is named by `given["mark"]`."""

from __future__ import annotations

import os
from dataclasses import replace

from assistant.sandbox.outcome import Ended
from assistant.sandbox.run_limits import GB
from tests.assistant.sandbox.hostile.program import IMPATIENT, SMALL, WITHOUT_MAIN_THREAD, Hostile

_DAEMON = """
def daemon():
    if os.fork(): return
    os.setsid()
    if os.fork(): os._exit(0)
    for number in range(1, 65):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
"""
_HIDDEN = 'os.chdir("/"); os.closerange(0, 64); os.execve("/bin/sleep", ["sleep", given["sleep"]], {})'

# With small stacks, and room for them, nothing but the number of threads ends it: none is refused to root,
# and RLIMIT_NPROC refuses them to others.
_THREADS = """
import _thread
threading.stack_size(1 << 15)
lock = _thread.allocate_lock()
lock.acquire()
def start(number):
    try:
        for _ in range(number): _thread.start_new_thread(lock.acquire, ())
    except RuntimeError as error:
        say("held", error)
        os._exit(0)
"""
_ROOMY = replace(SMALL, memory=4 * GB)
_REFUSED: tuple[Ended, ...] = ("finished",) if os.name == "posix" and os.geteuid() else ()

# Root may have as many as the watch lets it; others are refused more by RLIMIT_NPROC, and may fail at that.
_FEW: tuple[Ended, ...] = ("memory", "finished", "timed-out")

PROGRAMS = (
    Hostile("fork_bomb", "while True: os.fork()", "processes", "forks", others=_FEW),
    Hostile(
        "fork_bomb_of_sessions",
        "while True:\n    if not os.fork(): os.setsid()",
        "processes",
        "forks",
        others=_FEW,
    ),
    Hostile(
        "fork_bomb_of_threads",
        """
def thread():
    time.sleep(1000)
while True:
    os.fork()
    try: threading.Thread(target=thread, daemon=True).start()
    except RuntimeError: pass
""",
        "processes",
        "forks",
        others=_FEW,
    ),
    Hostile(
        "fork_bomb_of_shells",
        'os.execv("/bin/sh", ["sh", "-c", "bomb() { bomb | bomb & }; bomb; sleep 1000"])',
        "processes",
        "forks",
        others=_FEW,
    ),
    Hostile(
        "threads_of_one_process",
        _THREADS + "start(3000)\ntime.sleep(3)\nsay('REACHED', len(os.listdir('/proc/self/task')))",
        "processes",
        limits=_ROOMY,
        others=_REFUSED,
    ),
    Hostile(
        "threads_of_many_processes",
        _THREADS
        + """
for _ in range(20):
    if not os.fork():
        start(30)
        time.sleep(1000)
time.sleep(3)
if not os.waitpid(-1, os.WNOHANG)[0]: say("REACHED 600 threads")
""",
        "processes",
        limits=_ROOMY,
        others=_REFUSED,
    ),
    Hostile(
        "threads_without_main_thread",
        _THREADS + WITHOUT_MAIN_THREAD + "start(600)\nwithout_main_thread(lambda: time.sleep(1000))",
        "processes",
        limits=_ROOMY,
        others=_REFUSED,
    ),
    Hostile(
        "deaf_to_signals",
        """
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: time.sleep(1)
""",
        "timed-out",
        limits=IMPATIENT,
    ),
    Hostile("daemon", _DAEMON + "daemon()\nif os.getsid(0) == os.getpid(): sys.exit()\ntime.sleep(1000)"),
    Hostile(
        "daemon_in_disguise", f"{_DAEMON}first = os.getpid()\ndaemon()\nif os.getpid() != first: {_HIDDEN}"
    ),
    Hostile(
        "child_keeps_the_streams", "if not os.fork(): time.sleep(1000)\nsay('parent ends')", stdout="ends"
    ),
    Hostile("zombies", "for _ in range(30):\n    if not os.fork(): os._exit(0)\nsay('left')", stdout="left"),
    Hostile(
        "zombies_for_ever",
        "for _ in range(30):\n    if not os.fork(): os._exit(0)\ntime.sleep(1000)",
        "timed-out",
        limits=IMPATIENT,
    ),
    Hostile(
        "zombies_without_end",
        """
for number in range(3000):
    if not os.fork(): os._exit(0)
time.sleep(2)
say("REACHED", number)
""",
        "processes",
        "forks",
        others=_REFUSED,
    ),
    Hostile(
        "forks_without_main_thread",
        WITHOUT_MAIN_THREAD
        + """
for _ in range(100):
    if not os.fork(): without_main_thread(lambda: time.sleep(5))
time.sleep(3)
say("REACHED 100 processes")
""",
        "processes",
        others=_FEW,
    ),
    Hostile(
        "stays_without_main_thread",
        WITHOUT_MAIN_THREAD + "if not os.fork(): without_main_thread(lambda: time.sleep(1000))",
    ),
    Hostile(
        "ends_its_parent_without_main_thread",
        WITHOUT_MAIN_THREAD
        + """
guard = os.getppid()
def work():
    time.sleep(0.1)
    os.kill(guard, signal.SIGKILL)
    time.sleep(1000)
if not os.fork():
    os.setsid()
    without_main_thread(work)
time.sleep(1000)
""",
        "timed-out",
        limits=IMPATIENT,
        others=("finished",),
    ),
    Hostile(
        "becomes_a_shell",
        'os.execv("/bin/sh", ["sh", "-c", f"sleep {given[\'sleep\']} & exec sleep {given[\'sleep\']}"])',
        "timed-out",
        limits=IMPATIENT,
    ),
    Hostile(
        "ends_its_parent",
        "os.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(1000)",
        "timed-out",
        limits=IMPATIENT,
        others=("finished",),
    ),
    Hostile(
        "ends_its_parent_and_leaves",
        f"{_DAEMON}daemon()\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(0.2)\ntime.sleep(1000)",
        "timed-out",
        limits=IMPATIENT,
        others=("finished",),
    ),
    Hostile(
        "ends_its_parent_and_hides",
        f"os.kill(os.getppid(), signal.SIGKILL)\nos.setsid() if os.fork() == 0 else None\n{_HIDDEN}",
        "timed-out",
        hold="clean-up",
        limits=IMPATIENT,
    ),
    Hostile(
        "interrupts_its_parent",
        """
parent = os.getppid()
for number in range(1, 65):
    if number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM) and parent != 1: continue
    try: os.kill(parent, number)
    except OSError: pass
time.sleep(0.3)
say("goes on" if os.getppid() == parent else "REACHED its parent")
""",
        hold="processes",
        stdout="goes on",
    ),
    Hostile("stops_itself", "os.kill(os.getpid(), signal.SIGSTOP)", "timed-out", limits=IMPATIENT),
    Hostile(
        "stops_its_parent",
        "os.kill(os.getppid(), signal.SIGSTOP)",
        limits=IMPATIENT,
        others=("timed-out",),
    ),
    Hostile("closes_its_streams", "os.closerange(0, 3)\ntime.sleep(1000)", "timed-out", limits=IMPATIENT),
    Hostile(
        "closes_its_streams_and_ends", "say('before')\nos.closerange(0, 64)\nos._exit(0)", stdout="before"
    ),
    Hostile(
        "lies_about_its_end",
        """
for number in range(3, 64):
    try: os.write(number, b'{"status": 0, "cpu": 0, "peak": 0}\\n')
    except OSError: pass
for number in range(1, 64):
    tried("descriptors of the parent", lambda: open(f"/proc/{os.getppid()}/fd/{number}", "wb"))
sys.exit(3)
""",
        stderr="",
        stdout="held descriptors",
    ),
    Hostile(
        "reads_its_parent",
        """
parent = os.getppid()
tried("memory", lambda: open(f"/proc/{parent}/mem", "rb").read(1))
tried("environment", lambda: open(f"/proc/{parent}/environ", "rb").read())
libc = ctypes.CDLL(None, use_errno=True)
say("held trace" if libc.ptrace(16, parent, None, None) else "REACHED trace")
""",
        stdout="held trace",
    ),
    Hostile(
        "holds_back_its_parent",
        """
parent = os.getppid()
tried("limits", lambda: resource.prlimit(parent, resource.RLIMIT_NOFILE))
tried("limits", lambda: resource.prlimit(parent, resource.RLIMIT_NOFILE, (0, 0)))
if parent == 1:
    tried("processors", lambda: os.sched_setaffinity(parent, os.sched_getaffinity(0)))
    tried("priority", lambda: os.setpriority(os.PRIO_PROCESS, parent, 19))
tried("priority", lambda: os.setpriority(os.PRIO_USER, 0, 19))
os.setpriority(os.PRIO_PROCESS, 0, 1)
os.sched_setaffinity(threading.get_native_id(), os.sched_getaffinity(0))
resource.prlimit(0, resource.RLIMIT_NOFILE)
""",
        hold="calls",
        stdout="held priority",
    ),
    Hostile(
        "ends_another_process",
        """
for pid in (given["victim"], given["parent"]):
    tried(f"process {pid}", lambda: os.kill(pid, 0))
try: os.kill(given["victim"], signal.SIGKILL)
except OSError: pass
""",
        hold="processes",
    ),
    Hostile(
        "reads_other_processes",
        """
for pid in filter(str.isdigit, os.listdir("/proc")):
    for name in ("environ", "cmdline"):
        try: text = open(f"/proc/{pid}/{name}", "rb").read()
        except OSError: continue
        if given["terces"][::-1].encode() in text: say("REACHED", name)
say("looked at", len([name for name in os.listdir("/proc") if name.isdigit()]))
""",
        hold="processes",
        stdout="looked at 2\n",
    ),
    Hostile(
        "reads_its_environment",
        """
secrets = ("KEY", "TOKEN", "SECRET", "PROXY")
words = [name for name in os.environ if any(word in name.upper() for word in secrets)]
say("REACHED" if words or given["terces"][::-1] in os.environ.values() else "held", words)
""",
        stdout="held",
    ),
)
