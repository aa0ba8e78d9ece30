"""The walls: a mount namespace in which the held paths are read-only, made by bubblewrap and then entered.

bubblewrap makes the namespace around a helper that waits; this very process then enters it (nsenter), gives up what
could undo it (setpriv) and becomes the command. So the command keeps the process id, the parent, the group, the
session, the terminal, the streams and the environment that it would have had, ends as it would have ended, and leaves
nothing behind but the namespace. The helper leaves once it has seen this process arrive.

Every folder above a held path is bound onto itself: a mount point can neither be moved nor removed nor replaced.
A user namespace of its own keeps the command away from the processes outside (/proc/*/root, ptrace) and from
undoing mounts; for root it holds every user, so that files keep their owners. Anything that fails: `Refused`.
"""

import posix

from guards.engine.world import encode, is_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

TOOLS = ("bwrap", "nsenter", "setpriv", "env", "sh")
FOLDERS = ("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/run/current-system/sw/bin")
# what root gives up for good; in a user namespace of its own the rest reaches only files
DROPPED = "-sys_admin,-sys_ptrace,-sys_module,-sys_rawio,-mknod,-dac_read_search,-sys_boot,-sys_time,-syslog"
# kernel settings through which root starts programs outside any namespace (core_pattern, modprobe, uevent_helper)
KERNEL = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/sys")
_BLOCK, _CHAR, _FMT = 0o060000, 0o020000, 0o170000
_SCSI, _MEM = 21, 1  # majors of character devices that reach disks (sg) or memory
_MEMORY = ("mem", "kmem", "port")
# waits for this process to leave the old world, then until it has arrived in the new one; at most ten seconds
_WAIT = (
    "echo; read x; n=0; while ! [ /proc/$0/ns/mnt -ef /proc/self/ns/mnt ] && kill -0 $0 2>/dev/null"
    " && [ $n -lt 1000 ]; do n=$((n+1)); sleep 0.01; done"
)


class Refused(Exception):
    """The fence cannot be put up; the text says why."""


def tools() -> "dict[str, str]":
    """Where the programs are that put the fence up; never looked for on the command's own search path."""
    found: dict[str, str] = {}
    for name in TOOLS:
        for folder in FOLDERS:
            if posix.access(f"{folder}/{name}", posix.X_OK):
                found[name] = f"{folder}/{name}"
                break
        else:
            package = {"bwrap": "bubblewrap", "nsenter": "util-linux", "setpriv": "util-linux"}.get(name, name)
            raise Refused(f"{name} is not installed (on Debian: apt-get install {package})")
    return found


def arguments(mounts: "list[tuple[str, bytes]]", root: bool) -> "list[bytes]":
    """Arguments of bubblewrap for a list of (ro | rw | null, path), a folder before what lies in it."""
    out = [b"--bind", b"/", b"/", b"--dev-bind", b"/dev", b"/dev"]
    if root:
        for kernel in KERNEL:
            if _exists(kernel):
                out += [b"--ro-bind", encode(kernel), encode(kernel)]
        for device in _devices("/dev"):
            out += [b"--dev-bind", b"/dev/null", device]
    for kind, path in mounts:
        if kind == "null":
            out += [b"--dev-bind", b"/dev/null", path]
        else:
            out += [b"--ro-bind" if kind == "ro" else b"--bind", path, path]
    return out


def _devices(folder: str, depth: int = 0) -> "list[bytes]":
    """Device files below a folder through which a disk or the memory could be written."""
    out: list[bytes] = []
    try:
        with posix.scandir(encode(folder)) as entries:
            for entry in entries:
                info = entry.stat(follow_symlinks=False)
                kind, major = info.st_mode & _FMT, info.st_rdev >> 8 & 0xFFF
                name = entry.name.decode("utf-8", "surrogateescape")
                raw = kind == _CHAR and (major == _SCSI or (major == _MEM and name in _MEMORY))
                if kind == _BLOCK or raw:
                    out.append(entry.path)
                elif is_dir(info) and depth < 2 and name not in ("pts", "shm", "mqueue", "hugepages"):
                    out += _devices(f"{folder}/{name}", depth + 1)
    except OSError:
        pass
    return out


def _exists(path: str) -> bool:
    try:
        posix.stat(path)
    except OSError:
        return False
    return True


class Helper:
    """bubblewrap, started while the paths are still looked for: it waits for its arguments."""

    def __init__(self) -> None:
        self.found = tools()
        self.root = posix.geteuid() == 0
        _close_folders()
        info, told = posix.pipe()
        block, go = posix.pipe()
        ready, arrived = posix.pipe()
        waits, hold = posix.pipe()
        errors, said = posix.pipe()
        args, write = posix.pipe()
        self.info, self.go, self.ready, self.hold, self.errors, self.write = info, go, ready, hold, errors, write
        me = posix.getpid()
        self.middle = posix.fork()
        if self.middle == 0:
            if posix.fork():
                posix._exit(0)
            self._become({"info": told, "block": block, "args": args}, (waits, arrived, said), me)
        for fd in (told, block, arrived, waits, said, args):
            posix.close(fd)

    def _become(self, fds: "dict[str, int]", streams: "tuple[int, ...]", me: int) -> "NoReturn":
        """The grandchild: it is bubblewrap from here on."""
        try:
            for number, fd in enumerate(streams):
                posix.dup2(fd, number)
            for fd in fds.values():
                posix.set_inheritable(fd, True)
            line = [self.found["bwrap"], "--unshare-user"]
            line += ["--userns-block-fd", str(fds["block"])] if self.root else []
            line += ["--info-fd", str(fds["info"]), "--args", str(fds["args"])]
            line += ["--", self.found["sh"], "-c", _WAIT, str(me)]
            posix.execve(self.found["bwrap"], [encode(word) for word in line], {b"PATH": b"/usr/bin:/bin"})
        finally:
            posix._exit(127)

    def leave(self) -> None:
        """The process in between has ended: the command begins without a child that it did not make."""
        if self.middle:
            try:
                posix.waitpid(self.middle, 0)
            except ChildProcessError:
                pass  # whoever started this ignores the ends of children, so the kernel has forgotten it already
            self.middle = 0

    def enter(
        self, mounts: "list[tuple[str, bytes]]", argv: "list[bytes]", environ: "dict[bytes, bytes]"
    ) -> "NoReturn":
        """Puts the fence up and becomes the command. Comes back only as `Refused`."""
        cwd = posix.getcwdb()
        child = self._ready(arguments(mounts, self.root))
        program = [self.found["nsenter"], "-t", str(child), "--user", "--preserve-credentials", "--mount", "--"]
        program += [self.found["setpriv"], "--no-new-privs", "--inh-caps=-all"]
        program += ["--bounding-set=" + DROPPED, "--"] if self.root else ["--"]
        # the programs on the way need no locale, and loading one takes each of them as long as all the rest
        own = environ.get(b"LC_ALL")
        back = [b"-u", b"LC_ALL", b"--"] if own is None else [b"--", b"LC_ALL=" + own]
        if b"=" in argv[0]:  # env would take it for a variable
            argv = [encode(self.found["sh"]), b"-c", b'exec "$0" "$@"', *argv]
        line = [encode(word) for word in [*program, self.found["env"], "-C"]] + [cwd, *back, *argv]
        try:
            # `hold` is closed by this: the helper waits until this process is another program
            posix.execve(self.found["nsenter"], line, {**environ, b"LC_ALL": b"C"})
        except OSError as fault:
            raise Refused(f"{self.found['nsenter']}: {(fault.strerror or '').lower()}") from fault

    def _ready(self, arguments: "list[bytes]") -> int:
        """The process id of the helper in its new namespaces, once all is mounted."""
        self.leave()
        try:
            _send(self.write, b"\0".join(arguments) + b"\0")
            child = _child(_until(self.info, b"}"))
            if child and self.root:
                _map(child)
                _send(self.go, b"x")
            if not child or not posix.read(self.ready, 1):
                raise Refused(_why(self.errors))
        finally:
            for fd in (self.info, self.ready, self.errors):
                posix.close(fd)
        return child


def _close_folders() -> None:
    """An open folder of the old world would be a way back into it. (The standard streams are the harness's own.)"""
    for name in posix.listdir("/proc/self/fd"):
        fd = int(name)
        try:
            if fd > 2 and is_dir(posix.fstat(fd)):
                posix.close(fd)
        except OSError:
            continue


def _map(child: int) -> None:
    """Every user and group that is known here is the same in there."""
    for name in ("uid_map", "gid_map"):
        rows = [line.split() for line in _slurp(f"/proc/self/{name}").split(b"\n") if line]
        text = b"".join([b"%s %s %s\n" % (row[0], row[0], row[2]) for row in rows])
        try:
            fd = posix.open(f"/proc/{child}/{name}", posix.O_WRONLY | posix.O_CLOEXEC)
            try:
                posix.write(fd, text)
            finally:
                posix.close(fd)
        except OSError as fault:
            raise Refused(f"the kernel refuses a user namespace with all users ({fault.strerror})") from fault


def _child(data: bytes) -> int:
    """The process id in bubblewrap's `{ "child-pid": 123 … }`."""
    _, mark, rest = data.partition(b'"child-pid":')
    digits = rest.split(b",")[0].split(b"}")[0].strip()
    return int(digits) if mark and digits.isdigit() else 0


def _why(errors: int) -> str:
    said = _until(errors, b"\n\n\n").decode("utf-8", "replace").strip().replace("\n", "; ")
    return said[:300] or "bubblewrap ended without a word"


def _until(fd: int, end: bytes) -> bytes:
    data = b""
    while end not in data and len(data) < 1 << 16:
        piece = posix.read(fd, 1 << 12)
        if not piece:
            break
        data += piece
    return data


def _send(fd: int, data: bytes) -> None:
    view = memoryview(data)
    try:
        while view:
            view = view[posix.write(fd, view) :]
    except OSError as fault:
        raise Refused(f"bubblewrap ended early ({(fault.strerror or '').lower()})") from fault
    finally:
        posix.close(fd)


def _slurp(path: str) -> bytes:
    fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        return _until(fd, b"\0\0")
    finally:
        posix.close(fd)
