"""Programs that take memory where no limit of a process counts it."""

from __future__ import annotations

from dataclasses import replace

from assistant.sandbox.outcome import Ended
from tests.assistant.sandbox.hostile.program import SMALL, WITHOUT_MAIN_THREAD, Hostile

_FULL: tuple[Ended, ...] = ("output", "finished")  # refused, or ended before that was said
_FILL = (
    WITHOUT_MAIN_THREAD
    + """
kept = []
def fill(seconds=4):
    kept.append(mmap.mmap(-1, 150 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    for page in range(0, 150 << 20, 4096): kept[-1][page] = 1
    time.sleep(seconds)
"""
)

PROGRAMS = (
    Hostile(
        "memory_in_a_file_without_name",
        """
def fill():
    file = os.memfd_create("hidden")
    for _ in range(600): os.write(file, bytes(1 << 20))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.getrlimit(resource.RLIMIT_FSIZE)[0],) * 2)
tried("memfd", fill)
refused("memfd_secret", 0)
""",
        hold="calls",
        stdout="held memfd_secret",
    ),
    Hostile(
        "memory_in_many_files_without_name",
        """
kept = []
def fill():
    for _ in range(50):
        kept.append(os.memfd_create("hidden"))
        os.ftruncate(kept[-1], 1 << 20)
        mmap.mmap(kept[-1], 1 << 20).write(b"x" * (1 << 20))
tried("memfd", fill)
""",
        hold="calls",
        stdout="held memfd",
    ),
    Hostile(
        "memory_in_shared_pages",
        """
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)
def fill():  # one page of 64 MB stays mapped, and with it all of them in memory
    for _ in range(10):
        place = libc.mmap(None, 1 << 26, 3, 0x21, -1, 0)
        if place == ctypes.c_void_p(-1).value: raise OSError(ctypes.get_errno(), "refused")
        ctypes.memset(place, 1, 1 << 26)
        libc.munmap(ctypes.c_void_p(place + 4096), ctypes.c_size_t((1 << 26) - 4096))
tried("shared pages", fill)
""",
        hold="calls",
        stdout="held shared pages",
    ),
    Hostile(
        "memory_in_pages_of_dev_zero",
        """
zero = os.open("/dev/zero", os.O_RDWR)
say(os.read(zero, 4))
tried("shared pages", lambda: mmap.mmap(zero, 1 << 20, mmap.MAP_SHARED))
""",
        hold="writing",
        stdout="held shared pages",
    ),
    Hostile(
        "memory_in_segments",
        """
def segment():
    for _ in range(10):
        call("shmget", 0, 1 << 26, 0o1600)
tried("segments", segment)
refused("semget", 0, 1, 0o1600)
refused("msgget", 0, 0o1600)
refused("mq_open", b"queue", os.O_RDWR | os.O_CREAT, 0o600, None)
""",
        hold="calls",
        stdout="held mq_open",
    ),
    Hostile(
        "memory_in_pipes",
        """
page = ctypes.create_string_buffer(4096)
part = (ctypes.c_void_p * 2)(ctypes.addressof(page), 4096)
refused("vmsplice", os.pipe()[1], ctypes.byref(part), 1, 0)
""",
        hold="calls",
        stdout="held vmsplice",
    ),
    Hostile(
        "memory_in_sockets",
        """
kept, sent = [], 0
def fill():
    global sent
    while True:
        kept.append(socket.socketpair())
        kept[-1][0].setblocking(False)
        try:
            while True: sent += kept[-1][0].send(bytes(1 << 16))
        except BlockingIOError: pass
tried("sockets without end", fill)
say("REACHED" if sent > 64 << 20 else "held", sent)
""",
        stdout="held sockets without end",
    ),
    Hostile(
        "memory_in_sockets_of_many_processes",
        """
for _ in range(36):
    if not os.fork():
        kept = []
        try:
            while True:
                kept.append(socket.socketpair())
                kept[-1][0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
                kept[-1][0].setblocking(False)
                try:
                    while True: kept[-1][0].send(bytes(1 << 16))
                except BlockingIOError: pass
        except OSError: pass
        time.sleep(1000)
time.sleep(8)
say("REACHED gigabytes of the kernel's memory")
""",
        "memory",
        limits=replace(SMALL, open_files=512),
    ),
    Hostile(
        "memory_in_tables_of_pages",
        """
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)
for number in range(45_000):  # a page each that takes no memory, and two tables that do
    place = libc.mmap((1 << 40) + (number << 30), 4096, 1, 0x22, -1, 0)
    if place == ctypes.c_void_p(-1).value: break
    ctypes.string_at(place, 1)
time.sleep(2)
say("REACHED", number, "mappings")
""",
        "memory",
    ),
    Hostile(
        "memory_without_main_thread",
        _FILL
        + """
for _ in range(4):
    if not os.fork(): without_main_thread(fill)
time.sleep(4)
say("REACHED 600 MB")
""",
        "memory",
    ),
    Hostile(
        "memory_of_changing_threads",
        _FILL
        + """
until = time.monotonic() + 5
def go_on():
    if time.monotonic() < until:
        try: threading.Thread(target=go_on).start()
        except RuntimeError: go_on()
def start():
    fill(0)
    go_on()
for _ in range(4):
    if not os.fork(): without_main_thread(start)
time.sleep(5)
say("REACHED 600 MB")
""",
        "memory",
    ),
    Hostile(
        "unlinked_files",
        """
kept = []
for number in range(50):
    kept.append(open(f"file{number}", "wb", buffering=0))
    os.unlink(f"file{number}")
    kept[-1].write(bytes(1 << 20))
time.sleep(1)
say("REACHED 50 MB")
""",
        "output",
        others=_FULL,
        hold="writing",
        stderr="",
    ),
    Hostile(
        "unlinked_files_in_shared_memory",
        """
kept = []
for number in range(50):
    kept.append(open(f"/dev/shm/file{number}", "wb", buffering=0))
    os.unlink(f"/dev/shm/file{number}")
    kept[-1].write(bytes(1 << 20))
time.sleep(1)
say("REACHED 50 MB")
""",
        "output",
        others=_FULL,
        hold="writing",
    ),
    Hostile(
        "files_and_shared_memory_together",
        """
for number in range(14):
    open(f"file{number}", "wb").write(bytes(1 << 20))
    open(f"/dev/shm/file{number}", "wb").write(bytes(1 << 20))
time.sleep(2)
say("REACHED 28 MB")
""",
        "output",
        others=_FULL,
        hold="writing",
    ),
    Hostile(
        "mapped_files_without_room",
        """
for number in range(30):
    with open(f"file{number}", "w+b") as file:
        file.truncate(1 << 20)
        mmap.mmap(file.fileno(), 1 << 20).write(b"x" * (1 << 20))
say("REACHED 30 MB")
""",
        "output",
        hold="writing",
        others=_FULL,
    ),
    Hostile(
        "no_end_of_folders",
        """
for number in range(10_000): os.mkdir(f"folder{number}")
time.sleep(2)
say("REACHED 10,000 folders")
""",
        "output",
        others=_FULL,
    ),
)
