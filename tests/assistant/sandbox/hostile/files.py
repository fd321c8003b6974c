"""Programs that read, write or call what is none of theirs."""

from __future__ import annotations

from tests.assistant.sandbox.hostile.program import Hostile

PROGRAMS = (
    Hostile(
        "reads_a_secret",
        """
tried("file", lambda: open(given["file"]).read())
tried("its folder", lambda: os.listdir(os.path.dirname(given["file"])))
for number in range(64):
    tried("by descriptor", lambda: open(f"/proc/self/fd/{number}/../" + given["file"]).read())
""",
        hold="reading",
        stdout="held file",
    ),
    Hostile(
        "reads_the_home",
        """
import glob
for name in glob.glob(given["home"] + "/.*") + glob.glob(given["home"] + "/*"):
    if os.path.isfile(name) or name.endswith((".ssh", ".aws", ".config", ".gnupg", ".netrc", ".npmrc")):
        say("REACHED", name)
for name in ("/etc/shadow", "/etc/sudoers", "/etc/ssh", "/var/log", "/proc/1/root/etc/shadow", "/proc/kcore"):
    if os.path.isdir(name) and os.listdir(name): say("REACHED", name)
    elif not os.path.isdir(name): tried(name, lambda: open(name, "rb").read(1))
""",
        hold="reading",
        stdout="held /etc/shadow",
    ),
    Hostile(
        "writes_outside",
        """
import site
ours = (sys.prefix, sys.base_prefix, *site.getsitepackages(), os.path.dirname(__file__))
system = ("/", "/tmp", "/var/tmp", "/dev", "/etc", "/usr", "/usr/local/bin", "/run")
for folder in (given["outside"], given["home"], *ours, *system):
    tried(folder, lambda: open(os.path.join(folder, "hostile-" + given["mark"]), "w").close())
tried("the program", lambda: open(__file__, "a").close())
tried("the interpreter", lambda: open(os.path.realpath(sys.executable), "ab").close())
tried("torch", lambda: os.rename(site.getsitepackages()[0], site.getsitepackages()[0] + "-gone"))
""",
        hold="writing",
        stdout="held the program",
    ),
    Hostile(
        "reads_the_kernels_figures",
        """
pages = ("kpageflags", "kpagecount", "kpagecgroup", "pagetypeinfo")
for name in (*pages, "slabinfo", "vmallocinfo", "kallsyms"):
    def read():
        if not open(f"/proc/{name}", "rb").read(64): raise OSError("empty")
    tried(name, read)
""",
        hold="reading",
        stdout="held kpageflags",
    ),
    Hostile(
        "reads_its_place_among_groups",
        """
paths = [line.rstrip().split(":", 2)[2] for line in open("/proc/self/cgroup")]
say("held" if {*paths} <= {"/"} else "REACHED", paths)
""",
        hold="reading",
        stdout="held",
    ),
    Hostile(
        "writes_what_the_kernel_offers",
        """
for top in ("/proc", "/sys"):
    for folder, inside, files in os.walk(top):
        if folder == "/proc": inside[:] = {*inside} - {"self", "thread-self"} - {*filter(str.isdigit, inside)}
        for name in files:
            try: os.close(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_NONBLOCK))
            except OSError: continue
            if name not in ("kcore", "kmsg", "timer_list"): say("REACHED", folder, name)
say("looked at all")
""",
        hold="writing",
        stdout="looked at all",
    ),
    Hostile(
        "keeps_others_from_files",
        """
import fcntl
def kept(what, value):
    with open(os.path.realpath(sys.executable), "rb") as file: fcntl.fcntl(file, what, value)
for what in (fcntl.F_SETLEASE, fcntl.F_NOTIFY):
    tried(what, lambda: kept(what, fcntl.F_RDLCK if what == fcntl.F_SETLEASE else fcntl.DN_MODIFY))
""",
        hold="calls",
        stdout="held 1026",
    ),
    Hostile(
        "writes_kernel_settings",
        """
for name in ("cpu", "io", "memory"):
    tried(name, lambda: os.close(os.open(f"/proc/pressure/{name}", os.O_WRONLY)))
for name in ("/proc/sys/kernel/core_pattern", "/proc/sys/vm/overcommit_memory", "/proc/sysrq-trigger"):
    tried(name, lambda: os.close(os.open(name, os.O_WRONLY)))
for name in ("/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kmsg"):
    tried(name, lambda: open(name, "rb").close())
""",
        hold="writing",
        stdout="held /dev/sda",
    ),
    Hostile(
        "mounts_it_writable",
        """
libc = ctypes.CDLL(None, use_errno=True)
def remount():
    for folder in ("/", sys.prefix, "/usr"):
        if not libc.mount(None, folder.encode(), None, ctypes.c_ulong(0x1020), None): say("REACHED", folder)
        tried(folder, lambda: open(os.path.join(folder, "hostile-" + given["mark"]), "w").close())
remount()
user, group = os.getuid(), os.getgid()
if not libc.unshare(0x10020000):  # a user namespace of its own gives it all capabilities, there
    open("/proc/self/setgroups", "w").write("deny")
    open("/proc/self/uid_map", "w").write(f"0 {user} 1")
    remount()
say("end")
""",
        hold="writing",
        stdout="end",
    ),
    Hostile("writes_over_itself", "open(__file__, 'w').write('gone')", hold=None),
    Hostile(
        "links_that_lead_outside",
        """
import shutil
os.symlink(given["outside"], "link")
os.symlink(given["file"], "file")
os.symlink("/", "root")
os.symlink("loop", "loop")
os.makedirs("in/side")
os.symlink(given["outside"], "in/side/link")
shutil.rmtree("tmp")
os.symlink(given["outside"], "tmp")
os.symlink(given["outside"], ".removed-0")
os.chmod("in", 0)
say("linked")
""",
        stdout="linked",
    ),
    Hostile(
        "deep_and_closed",
        """
for depth in range(400):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
    if depth % 50 == 0: open("file", "w").close()
for depth in range(400):
    os.chdir("..")
    os.chmod("d" * 200, 0)
os.mkfifo("pipe", 0)
socket.socket(socket.AF_UNIX).bind("socket")
os.mkdir("\\udcff\\n")
os.chmod(".", 0)
say("deep")
""",
        stdout="deep",
    ),
    Hostile(
        "calls_the_loopback",
        """
for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"), (socket.AF_INET, "0.0.0.0")):
    def call():
        with socket.socket(family) as any_socket:
            any_socket.settimeout(2)
            any_socket.connect((host, given["port"]))
    tried(host, call)
tried("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\\0" + given["abstract"]))
""",
        hold="network",
        stdout="held abstract",
    ),
    Hostile(
        "calls_the_world",
        """
v4, v6 = socket.AF_INET, socket.AF_INET6
for family, host in ((v4, "198.51.100.1"), (v4, "10.0.0.1"), (v6, "2001:db8::1")):
    tried(host, lambda: socket.socket(family, socket.SOCK_DGRAM).connect((host, 53)))
tried("names", lambda: socket.getaddrinfo("example.com", 80))
""",
        hold="network",
        stdout="held names",
    ),
    Hostile(
        "speaks_to_itself",
        """
with socket.create_server(("127.0.0.1", 0)) as server:
    socket.create_connection(server.getsockname(), timeout=5).close()
say("loopback is up")
""",
        hold="network",
        stdout="loopback is up",
    ),
)
