"""Programs that ask the kernel for what none of them needs."""

from __future__ import annotations

from tests.assistant.sandbox.hostile.program import Hostile

PROGRAMS = (
    Hostile(
        "reads_a_key",
        """
room = ctypes.create_string_buffer(100)
for key in (given["key"], -3, -4, -5):
    if key: refused("keyctl", 11, key, room, 100)
tried("search", lambda: call("keyctl", 10, -3, b"user", given["mark"].encode(), 0))
refused("request_key", b"user", given["mark"].encode(), None, 0)
say("REACHED" if given["terces"][::-1].encode() in room.raw else "held the secret")
""",
        hold="calls",
        stdout="held the secret",
    ),
    Hostile(
        "leaves_a_key",
        'for ring in (-3, -4, -5): refused("add_key", b"user", b"hostile", b"x", 1, ring)',
        hold="calls",
        stdout="held add_key",
    ),
    Hostile(
        "lists_keys",
        """
for name in ("keys", "key-users"):
    try: text = open(f"/proc/{name}").read()
    except OSError: text = ""
    say("REACHED" if text else "held", name)
""",
        hold="reading",
        stdout="held key-users",
    ),
    Hostile(
        "opens_a_ring",
        """
refused("io_uring_setup", 8, ctypes.create_string_buffer(120))
refused("io_uring_register", -1, 8, None, 0)
refused("io_setup", 8, ctypes.byref(ctypes.c_ulong()))
""",
        hold="calls",
        stdout="held io_setup",
    ),
    Hostile(
        "handles_page_faults",
        'refused("userfaultfd", os.O_CLOEXEC | 1)',
        hold="calls",
        stdout="held userfaultfd",
    ),
    Hostile(
        "handles_page_faults_by_a_device",
        'tried("its device", lambda: open("/dev/userfaultfd"))',
        hold="reading",
        stdout="held its device",
    ),
    Hostile(
        "nests_namespaces",
        """
def cloned(flags):
    pid = call("clone", flags | signal.SIGCHLD, 0, 0, 0, 0)
    if not pid: os._exit(0)
for flag in (0x10000000, 0x10020000, 0x10000000 | 0x40000000, 0x10000000 | 0x20000000):
    tried(f"clone {flag:x}", lambda: cloned(flag))
    if not os.fork():
        refused("unshare", flag)
        os._exit(0)
    os.wait()
arguments = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, signal.SIGCHLD)
def newest():
    if not call("clone3", arguments, 88): os._exit(0)
tried("clone3", newest)
tried("setns", lambda: call("setns", os.open("/proc/self/ns/user", os.O_RDONLY), 0))
""",
        hold="calls",
        stdout="held clone3",
    ),
    Hostile(
        "opens_other_sockets",
        """
for family in range(64):
    if family not in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_RAW):
            refused("socket", family, kind, 0)
for protocol in range(1, 23):
    refused("socket", socket.AF_NETLINK, socket.SOCK_RAW, protocol)
say("allowed", socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).family)
""",
        hold="calls",
        stdout="allowed",
    ),
    Hostile(
        "traces_a_child",
        """
child = os.fork()
if not child:
    time.sleep(1000)
refused("ptrace", 0x4206, child, 0, 0)
text = ctypes.create_string_buffer(b"of the child")
part = (ctypes.c_void_p * 2)(ctypes.addressof(text), 5)
for name in ("process_vm_readv", "process_vm_writev"):
    refused(name, child, ctypes.byref(part), 1, ctypes.byref(part), 1, 0)
refused("kcmp", os.getpid(), child, 1, 0, 0)
refused("pidfd_getfd", os.pidfd_open(child), 1, 0)
os.kill(child, signal.SIGKILL)
""",
        hold="calls",
        stdout="held pidfd_getfd",
    ),
    Hostile(
        "watches_the_machine",
        """
attribute = ctypes.create_string_buffer(128)
attribute[0], attribute[4], attribute[40] = 1, 128, 0x60  # software, its size, without the kernel
refused("perf_event_open", attribute, 0, -1, -1, 0)
filters = (ctypes.c_uint32 * 32)(1, 4)  # an array
refused("bpf", 0, filters, 128)
refused("fanotify_init", 0x200, os.O_RDONLY)
refused("inotify_init1", 0)
refused("syslog", 3, ctypes.create_string_buffer(10), 10)
""",
        hold="calls",
        stdout="held syslog",
    ),
    Hostile(
        "rearranges_mounts",
        """
refused("mount", b"none", b"/", None, 0x44000, None)
refused("umount2", b"/proc", 2)
refused("pivot_root", b".", b".")
refused("chroot", b".")
refused("fsopen", b"tmpfs", 0)
refused("open_tree", -100, b"/", 1)
refused("mount_setattr", -100, b"/", 0, ctypes.create_string_buffer(32), 32)
handle = ctypes.create_string_buffer(b"\\x80", 200)
refused("name_to_handle_at", -100, b"/usr", handle, ctypes.byref(ctypes.c_int()), 0)
say("asked")
""",
        hold="calls",
        stdout="asked",
    ),
    Hostile(
        "changes_the_machine",
        """
import platform
refused("init_module", b"", 0, b"")
refused("finit_module", 0, b"", 0)
refused("delete_module", b"none", 0)
refused("kexec_load", 0, 0, None, 0)
refused("swapon", b"file", 0)
refused("acct", None)
refused("sethostname", b"other", 5)
refused("personality", 0x0040000)
name = platform.node()
say("REACHED" if name == "other" else "held the name")
""",
        hold="calls",
        stdout="held the name",
    ),
    Hostile(
        "has_its_crashes_read_outside",
        """
which = resource.RLIMIT_CORE
limit = open("/proc/self/limits").read().split("Max core file size")[1].split()[:2]
say("held" if limit == ["1", "1"] else "REACHED", limit)  # 0 counts for files alone, not for programs
tried("prlimit", lambda: resource.setrlimit(which, (0, 0)))
refused("setrlimit", which, (ctypes.c_uint64 * 2)(0, 0))
refused("sync")
""",
        hold="calls",
        stdout="held sync",
    ),
    Hostile(
        "has_the_disks_of_others_written",
        """
for folder in ("/usr", os.path.dirname(sys.executable)):
    refused("syncfs", os.open(folder, os.O_RDONLY))
""",
        hold="calls",
        stdout="held syncfs",
    ),
    Hostile(
        "has_protocols_loaded",
        """
for family in (socket.AF_INET, socket.AF_INET6):
    for protocol in (33, 58, 115, 132, 136, 256, 262):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
            refused("socket", family, kind, protocol)
say("allowed", socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP).family)
""",
        hold="calls",
        stdout="allowed",
    ),
    Hostile(
        "calls_in_32_bits",
        """
if os.uname().machine == "x86_64":
    tried("x32", lambda: call(0x40000000 | 39))
    code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
    code.write(b"\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3")  # mov eax, getpid; int 0x80; ret
    pid = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
    say("REACHED" if pid == os.getpid() else "not there", pid)
""",
        hold="calls",
    ),
    Hostile(
        "takes_the_filter_off",
        """
libc.prctl(22, 0, 0, 0, 0)
libc.prctl(38, 0, 0, 0, 0)
child = [sys.executable, "-c", "import os; os.memfd_create('hidden'); print('REACHED')"]
for start in (child, ["/bin/sh", "-c", 'exec "$@"', "sh", *child]):
    say(subprocess.run(start, capture_output=True, text=True).stdout)
def thread(): refused("memfd_create", b"hidden", 0)
other = threading.Thread(target=thread)
other.start()
other.join()
""",
        hold="calls",
        stdout="held memfd_create",
    ),
    Hostile(
        "calls_what_is_newer_than_we_know",
        "for number in (470, 480, 500, 512, 547, 1000, 1 << 20): refused(number)",
        hold="calls",
        stdout="held 1048576",
    ),
    Hostile(
        "types_into_a_terminal",
        """
import fcntl, pty
ours, theirs = pty.openpty() if os.path.exists("/dev/ptmx") else (None, None)
if ours is not None and not os.fork():
    os.setsid()
    fcntl.ioctl(theirs, 0x540E, 0)
    tried("typing", lambda: fcntl.ioctl(theirs, 0x5412, b"x"))
    os._exit(0)
elif ours is None:
    tried("typing", lambda: fcntl.ioctl(1, 0x5412, b"x"))
else: os.wait()
""",
        hold="calls",
        stdout="held typing",
    ),
)
