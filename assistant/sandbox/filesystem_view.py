"""The files visible to an isolated program: the interpreter, system libraries, and its own folder.

Nothing in the user's home is visible, no system configuration except what programs need to start, and only
its own folder is writable.
"""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.sandbox.folder import Folder

USER = "user"
SHARED = Path("/dev/shm")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_CONFIGURATION = (
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",  # c++ is a link into it on Debian
    "/etc/localtime",
)
_HARDWARE = ("/sys/devices/system/cpu", "/sys/devices/system/node")
_GPU_SYSTEM = ("/sys/bus/pci", "/sys/devices", "/sys/module/nvidia", "/sys/class", "/opt/nvidia")


@dataclass(frozen=True)
class FilesystemView:
    """Content of the root file system of an isolated program.

    Attributes:
        read_only: files and folders, at their own paths.
        links: symbolic links, as (target, path).
        files: generated files, as (path, text).
        writable: folders, each an in-memory file system.
        devices: device files in addition to null, zero, full, random, urandom and tty.
    """

    read_only: tuple[Path, ...]
    links: tuple[tuple[str, Path], ...]
    files: tuple[tuple[Path, str], ...]
    writable: tuple[Path, ...]
    devices: tuple[Path, ...]


def view(folder: Folder, *, devices: bool = False, also: Iterable[Path] = ()) -> FilesystemView:
    """Return the minimum that Python, torch and a compiler need.

    Args:
        folder: folders of the run.
        devices: include what CUDA needs.
        also: further folders that it may read.
    """
    system = [Path(name) for name in _SYSTEM if os.path.exists(name)]
    links = [(os.readlink(path), path) for path in system if path.is_symlink()]
    wanted = [path for path in system if not path.is_symlink()]
    wanted += map(Path, (*_CONFIGURATION, *_HARDWARE, *(_GPU_SYSTEM if devices else ())))
    wanted += [*_interpreter(), *also, folder.program, folder.guard]
    read_only = _outermost(path for path in wanted if path.exists())
    within = {*read_only, *(path for _, path in links)}
    links += [(os.readlink(path), path) for path in _executable() if not within & set(path.parents)]
    return FilesystemView(
        read_only=tuple(read_only),
        links=tuple(links),
        files=tuple((Path(name), text) for name, text in _names().items()),
        writable=(folder.work, SHARED),
        devices=tuple(_gpus()) if devices else (),
    )


def user_base() -> str | None:
    """Return the folder of `pip install --user` if this interpreter uses it, else None."""
    used = site.ENABLE_USER_SITE and site.getusersitepackages() in sys.path
    return site.getuserbase() if used else None


def _interpreter() -> Iterator[Path]:
    """Yield the folders of this interpreter and its environment, under all their names."""
    for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix):
        yield Path(prefix)
        yield Path(os.path.realpath(prefix))
    if user := user_base():
        yield Path(site.getusersitepackages())
        yield Path(user, "lib")


def _executable() -> Iterator[Path]:
    """Yield the links from the name of this interpreter to its file."""
    path = Path(sys.executable)
    while path.is_symlink():
        yield path
        path = Path(os.path.normpath(path.parent / os.readlink(path)))


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Remove paths inside others, the root, and whole home folders."""
    home = Path.home()
    found = sorted(set(paths) - {Path("/"), Path("/home"), home, home.resolve()})
    return [path for path in found if not any(other in path.parents for other in found)]


def _names() -> dict[str, str]:
    """Return files that define an anonymous user and host."""
    user, group = os.getuid(), os.getgid()
    return {
        "/etc/passwd": f"{USER}:x:{user}:{group}::/:/bin/sh\n",
        "/etc/group": f"{USER}:x:{group}:\n",
        "/etc/hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
        "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }


def _gpus() -> Iterator[Path]:
    """Yield the device files of NVIDIA's driver."""
    yield from sorted(Path("/dev").glob("nvidia*"))
    if (render := Path("/dev/dri")).exists():
        yield render
