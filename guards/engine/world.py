"""The one window of a judge onto the machine: real paths, bounded reads, session state, bounded commands.

Paths are text; they go to the kernel as UTF-8 bytes whatever the locale of the harness is. Nothing here raises
for a path that does not exist, is a device, or cannot be read: it answers None.
"""

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.state import Session
    from guards.engine.tables import Tables

MAX_LINKS = 40  # as many as the kernel follows before ELOOP
_FMT, _DIR, _REG, _LNK = 0o170000, 0o040000, 0o100000, 0o120000


def encode(path: str) -> bytes:
    """The bytes a harness's own runtime would hand to the kernel: lone surrogates become U+FFFD there."""
    try:
        return path.encode("utf-8")
    except UnicodeEncodeError:
        return path.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def is_dir(info: "posix.stat_result | None") -> bool:
    return info is not None and info.st_mode & _FMT == _DIR


def is_file(info: "posix.stat_result | None") -> bool:
    return info is not None and info.st_mode & _FMT == _REG


def is_link(info: "posix.stat_result | None") -> bool:
    return info is not None and info.st_mode & _FMT == _LNK


def join(base: str, path: str) -> str:
    """`path` seen from `base`; not normalised."""
    if path.startswith("/"):
        return path
    return base + path if base.endswith("/") else base + "/" + path


def normal(path: str) -> str:
    """Lexically normalised absolute path: no `.`, no `..`, no doubled or trailing slash."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/" + "/".join(parts)


class World:
    """What a judge may look at. One per event.

    home        the owner's home as recorded at install (a harness's HOME can differ)
    places      the record written at install: names → absolute paths
    """

    def __init__(
        self, places: "dict[str, str]", session: "Session", environ: "dict[bytes, bytes] | None" = None
    ) -> None:
        self.places = places
        self.home = places.get("home", "")
        self.session = session
        self._environ = posix.environ if environ is None else environ
        self._trusted: dict[str, str | None] = {}
        self.project = ""  # set by dispatch: whose settings may not name a freeing variable
        self.tables: Tables | None = None  # set by dispatch
        self.ignored: list[str] = []  # variables that were set and did not count, for the doctor's row
        self._off: frozenset[str] | None = None

    # ---- policy
    def rules(self, name: str, root: str | None = None) -> "Any":
        """A compiled section; with `root`, merged with that repository's layer where it has one. None: switched off."""
        if self.tables is None:
            return None
        return self.tables.get(name) if root is None else self.tables.of_repository(name, root)

    def unpack(self, part: bytes) -> "Any":
        """A part of a section that its table packed apart, because a silent call never needs it."""
        import marshal

        return marshal.loads(part)

    def off(self, guard: str) -> bool:
        """Whether the owner paused everything or GUARDS_OFF names this guard. Sealed and exact paths never ask."""
        if self._off is None:
            from guards.engine import switch

            self._off = switch.switched_off(self)
        return "all" in self._off or guard in self._off

    def excluded(self, path: str) -> bool:
        """Whether the owner's AGENT_EXCLUDE_PREFIX takes this path out of what path-aware guards look at."""
        prefixes = self.env("AGENT_EXCLUDE_PREFIX")
        here = self.real(path) if prefixes and path.startswith("/") else None
        if here is None:
            return False
        for prefix in (prefixes or "").split(":"):
            root = (self.real(prefix) or "").rstrip("/") if prefix.startswith("/") else ""
            if root and (here + "/").startswith(root + "/"):
                return True
        return False

    # ---- paths
    def lstat(self, path: str) -> "posix.stat_result | None":
        try:
            return posix.lstat(encode(path))
        except (OSError, ValueError):
            return None

    def stat(self, path: str) -> "posix.stat_result | None":
        try:
            return posix.stat(encode(path))
        except (OSError, ValueError):
            return None

    def readlink(self, path: str) -> str | None:
        try:
            return posix.readlink(encode(path)).decode("utf-8", "surrogateescape")
        except (OSError, ValueError):
            return None

    def real(self, path: str, follow: bool = True) -> str | None:
        """The path with every link on the way resolved as the kernel does it; parts that do not exist are kept.

        `..` after a link leads to the parent of the link's target. With follow=False a last part that is a link
        stays. None when links go round in circles.
        """
        todo = [p for p in path.split("/") if p and p != "."]
        todo.reverse()
        done: list[str] = []
        links = 0
        missing = False
        while todo:
            part = todo.pop()
            if part == "..":
                if done:
                    done.pop()
                missing = False
                continue
            here = "/" + "/".join([*done, part])
            if missing or (not todo and not follow):
                done.append(part)
                continue
            info = self.lstat(here)
            if info is None:
                missing = True
                done.append(part)
            elif info.st_mode & _FMT == _LNK:
                links += 1
                target = self.readlink(here)
                if links > MAX_LINKS or target is None:
                    return None
                if target.startswith("/"):
                    done = []
                todo.extend(reversed([p for p in target.split("/") if p and p != "."]))
            else:
                done.append(part)
        return "/" + "/".join(done)

    def listdir(self, path: str, limit: int = 10000) -> "list[str] | None":
        """Names in a directory, at most `limit`; None when it is none or cannot be read."""
        names: list[str] = []
        try:
            with posix.scandir(encode(path)) as entries:
                for entry in entries:
                    names.append(entry.name.decode("utf-8", "surrogateescape"))
                    if len(names) >= limit:
                        break
        except (OSError, ValueError):
            return None
        return names

    def read(self, path: str, limit: int = 1 << 20) -> bytes | None:
        """A regular file's first `limit` + 1 bytes, opened without blocking; None for anything else."""
        try:
            fd = posix.open(encode(path), posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC | posix.O_NOCTTY)
        except (OSError, ValueError):
            return None
        try:
            return read_fd(fd, limit) if is_file(posix.fstat(fd)) else None
        except OSError:
            return None
        finally:
            posix.close(fd)

    # ---- the environment
    def env(self, name: str) -> str | None:
        """A variable that frees or runs something: counts only if the harness itself was launched with it and no
        settings file of the project names it."""
        if name not in self._trusted:
            self._trusted[name] = self._look(name)
        return self._trusted[name]

    def _look(self, name: str) -> str | None:
        value = self._environ.get(name.encode())
        if value is None:
            return None
        from guards.engine import launch

        if launch.vouches(name, value, self.project, self.read):
            return value.decode("utf-8", "surrogateescape")
        self.ignored.append(name)
        return None

    def plain_env(self, name: str) -> str | None:
        """A variable that only moves a threshold: taken as it stands."""
        value = self._environ.get(name.encode())
        return None if value is None else value.decode("utf-8", "surrogateescape")

    def set_by_harness(self, name: str) -> str | None:
        """A variable that the harness itself puts there, unless a settings file of the project names it."""
        from guards.engine import launch

        return None if launch.named_by_project(name, self.project, self.read) else self.plain_env(name)

    def started_with(self, names: "tuple[str, ...]") -> str:
        """The first of these variables that the harness itself was started with, as far as that can be seen; ""."""
        from guards.engine import launch

        started = launch.start_environment() or {}
        return next((name for name in names if started.get(name.encode())), "")

    # ---- what others know
    def parse(self, data: bytes) -> "Any":
        """A JSON document; None when the text is none."""
        from guards.engine.input import Unreadable, load

        try:
            return load(data)
        except Unreadable:
            return None

    def health(self, harness: str) -> "list[tuple[str, str, str, str]]":
        """What is wrong with Guards itself, as far as that can be seen without starting anything: (id, mark, text,
        cure) rows."""
        from guards.engine.health import rows

        return rows(self, harness)

    # ---- commands
    def search(self) -> str:
        """The search path, unless a settings file of the project names PATH: then the one the harness was launched
        with."""
        from guards.engine import launch

        found = self._environ.get(b"PATH")
        if launch.named_by_project("PATH", self.project, self.read):
            found = (launch.start_environment() or {}).get(b"PATH")
        return (found or b"/usr/local/bin:/usr/bin:/bin").decode("utf-8", "surrogateescape")

    def which(self, name: str, path: str) -> str:
        """The file a command's name stands for on a search path; "" when there is none."""
        from guards.engine.child import find

        return find(name, path)

    def run(
        self, argv: "list[str]", cwd: str, seconds: float, limit: int = 1 << 16, env: "dict[str, str] | None" = None
    ) -> "tuple[int | None, bytes]":
        """A bounded command with no input: (exit code, or None when it could not be started or ran out of time;
        its standard output and error together, cut at `limit` bytes)."""
        from guards.engine import child

        return child.run(argv, cwd, seconds, limit, env)


def read_ours(path: str, limit: int) -> bytes | None:
    """At most `limit` + 1 bytes of a regular file, no link, that only we or root can write, by its open handle."""
    try:
        fd = posix.open(encode(path), posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except (OSError, ValueError):
        return None
    try:
        info = posix.fstat(fd)
        ours = is_file(info) and info.st_uid in (posix.geteuid(), 0) and not info.st_mode & 0o022
        return read_fd(fd, limit) if ours else None
    except OSError:
        return None
    finally:
        posix.close(fd)


def read_fd(fd: int, limit: int) -> bytes:
    """At most `limit` + 1 bytes from the start of an open file."""
    chunks: list[bytes] = []
    got = 0
    while got <= limit:
        piece = posix.read(fd, min(1 << 16, limit + 1 - got))
        if not piece:
            break
        chunks.append(piece)
        got += len(piece)
    return b"".join(chunks)
