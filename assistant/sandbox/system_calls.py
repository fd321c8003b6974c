"""System calls that programs are refused, and their numbers.

Python, torch, compilers and processes that communicate over the loopback interface need none of them. They
affect other processes or the machine (tracing, keys, mounts, modules), expose large parts of the kernel
(io_uring, bpf), or take memory that no limit of a process covers (memfd_create, System V segments, shared
anonymous pages).
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

#: Number of each call on x86_64 and on aarch64; -1 if it does not exist.
NUMBERS: Mapping[str, tuple[int, int]] = {
    # keys, which belong to the session of the user
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # large parts of the kernel that no check needs
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_setup": (206, 0),
    "lookup_dcookie": (212, 18),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "inotify_init": (253, -1),  # tells which of the files that others use are opened, and when
    "inotify_init1": (294, 26),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "clone": (56, 220),
    "clone3": (435, 435),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "open_tree_attr": (467, 467),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    # the machine as a whole
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "create_module": (174, -1),
    "get_kernel_syms": (177, -1),
    "query_module": (178, -1),
    "nfsservctl": (180, 42),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "acct": (163, 89),
    "_sysctl": (156, -1),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "modify_ldt": (154, -1),
    "sync": (162, 81),  # of the disks of others as well
    "syncfs": (306, 267),
    "uselib": (134, -1),
    "ustat": (136, -1),
    "sysfs": (139, -1),
    "personality": (135, 92),
    # memory that belongs to no process
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "vmsplice": (278, 75),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    # refused with some arguments
    "mmap": (9, 222),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "ioctl": (16, 29),
    "fcntl": (72, 25),
    "prlimit64": (302, 261),
    "setrlimit": (160, 164),
    "setpriority": (141, 140),
    "sched_setaffinity": (203, 122),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "ioprio_set": (251, 30),
}

#: The last call that was reviewed, of Linux 6.17; newer ones fail as if they did not exist.
NEWEST = 469

_NOT_THERE = frozenset({"clone3", "memfd_create", "memfd_secret"})  # with ENOSYS, libraries use a fallback
_NEW_NAMESPACES = 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000
_SHARED_ANONYMOUS = 0x21
_HUGE = 0x40000  # MAP_HUGETLB: from pages that the machine keeps for others, and no limit of ours counts
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_TCP, _UDP = 6, 17  # others (SCTP, MPTCP, SMC, ...) have the kernel load modules that no check needs
_ROUTE = 0  # the protocol of netlink that getaddrinfo and gloo ask for interfaces
_WATCHES = (1024, 1026)  # F_SETLEASE makes others wait for a file that can only be read here; F_NOTIFY
_TYPES_AS = {"pretend to type": 0x5412, "paste into a console": 0x541C}  # TIOCSTI, TIOCLINUX
# Scheduling calls: position of the argument that names the process.
_PLACES = {
    "sched_setaffinity": 0,
    "sched_setparam": 0,
    "sched_setscheduler": 0,
    "sched_setattr": 0,
    "setpriority": 1,
    "ioprio_set": 1,
}
_TESTED = frozenset(
    {"mmap", "ioctl", "fcntl", "clone", "socket", "socketpair", "personality"}
    | {"prlimit64", "setrlimit", *_PLACES}
)
_SELF, _FIRST = 0, 1  # process ids; the first process of a namespace is the guard
_ALL_OF_USER = 2  # PRIO_USER
_CORE = 4  # RLIMIT_CORE, of which the program could make a 0, see `start.guarded`
_PLAIN, _ASKS = 0, 0xFFFFFFFF  # personality: the default, and a query


@dataclass(frozen=True, slots=True)
class Test:
    """A test of a system call's argument.

    Attributes:
        argument: position of the argument.
        values: values to compare with.
        mask: bits of the argument to compare.
        within: whether the masked argument must be one of the values, or none of them.
    """

    argument: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF
    within: bool = True


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """A system call that fails if all tests of its arguments hold.

    Attributes:
        call: name of the call.
        error: errno that it fails with.
        tests: tests of its arguments.
    """

    call: str
    error: int = errno.EPERM
    tests: tuple[Test, ...] = ()


def refusals(*, devices: bool = False) -> Iterator[RefusedCall]:
    """Yield the refused calls, those with tests first, because they are the most frequent.

    Args:
        devices: allow what GPU drivers need: shared anonymous memory, and files in memory.
    """
    if not devices:
        for flags in (_SHARED_ANONYMOUS, _HUGE):
            yield RefusedCall("mmap", errno.ENOMEM, (Test(3, (flags,), mask=flags),))
    for value in _TYPES_AS.values():
        yield RefusedCall("ioctl", tests=(Test(1, (value,)),))
    yield RefusedCall("fcntl", tests=(Test(1, _WATCHES),))
    yield RefusedCall("clone", tests=(Test(0, (0,), mask=_NEW_NAMESPACES, within=False),))
    others = Test(0, (_UNIX, _INET, _INET6, _NETLINK), within=False)
    netlink = (Test(0, (_NETLINK,)), Test(2, (_ROUTE,), within=False))
    internet = (Test(0, (_INET, _INET6)), Test(2, (0, _TCP, _UDP), within=False))
    for call in ("socket", "socketpair"):
        yield RefusedCall(call, errno.EAFNOSUPPORT, (others,))
        yield RefusedCall(call, errno.EPROTONOSUPPORT, netlink)
        yield RefusedCall(call, errno.EPROTONOSUPPORT, internet)
    yield RefusedCall("personality", tests=(Test(0, (_PLAIN, _ASKS), within=False),))
    yield RefusedCall("prlimit64", tests=(Test(0, (_SELF,), within=False),))
    yield RefusedCall("prlimit64", tests=(Test(1, (_CORE,)),))
    yield RefusedCall("setrlimit", tests=(Test(0, (_CORE,)),))
    # Only process 1 is protected here: libraries set the affinity of their own threads by number.
    for call, who in _PLACES.items():
        yield RefusedCall(call, tests=(Test(who, (_FIRST,)),))
    yield RefusedCall("setpriority", tests=(Test(0, (_ALL_OF_USER,)),))
    for call in NUMBERS:
        if call not in _TESTED and not (devices and call == "memfd_create"):
            yield RefusedCall(call, errno.ENOSYS if call in _NOT_THERE else errno.EPERM)
