"""What the owner has let through: one extended regular expression a line, for a whole canonical path.

Read only after a lane was hit, opened without blocking and judged by `fstat` on the open handle. Stricter than grep
on purpose: the whole path must match, case counts, every line has a time limit. Blank lines and `#` lines free nothing;
a line that does not parse frees nothing and is named by its number. A file that cannot be used frees nothing, and
`trouble` says why. Lines that are plain text (`^` literal `$`) are compared as text, so `regex` is loaded only for the
others; only such lines free an exact path.
"""

import posix

from guards.engine.world import encode, is_file, read_fd
from guards.lanes import ere

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIMIT = 1 << 18  # bytes of the file
SECONDS = 0.05  # for one line against one path
BUDGET = 0.5  # seconds for all lines of one call


class Line:
    """One line that is no comment. literal: the one path it names, or None; fault: why it frees nothing."""

    __slots__ = ("fault", "literal", "number", "pattern", "text")

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.text = text
        self.literal = ere.literal(text)
        self.fault = "" if self.literal is not None else ere.unfit(text)
        self.pattern: Any = None

    def compiled(self) -> "Any":
        """The pattern, or None when the line has a fault."""
        if self.pattern is None and not self.fault:
            self.pattern, self.fault = ere.built(self.text)
        return self.pattern


class Approvals:
    """The file, read once. trouble: "" or one sentence why it could not be used."""

    __slots__ = ("lines", "path", "spent", "trouble")

    def __init__(self, path: str, data: bytes | None, trouble: str = "") -> None:
        self.path = path
        self.trouble = trouble
        self.spent = 0.0
        self.lines: list[Line] = []
        if data is None:
            return
        try:
            text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
        except UnicodeDecodeError:
            self.trouble = f"{path} is not UTF-8, so nothing in it counts"
            return
        for number, line in enumerate(text.split("\n"), 1):
            line = line.removesuffix("\r")
            if line.strip() and not line.lstrip().startswith("#"):
                self.lines.append(Line(number, line))

    def frees(self, path: str, exact: bool = False) -> Line | None:
        """The first line that frees this canonical path; for an exact path only a line that is that path."""
        path = ere.composed(path)
        for line in self.lines:
            if line.literal is not None and ere.composed(line.literal) == path:
                return line
        if exact:
            return None
        for line in self.lines:
            if line.literal is None and self._tries(line, path):
                return line
        return None

    def matches(self, line: Line, path: str) -> bool:
        """Whether this one line matches the path, for a report."""
        path = ere.composed(path)
        return ere.composed(line.literal) == path if line.literal is not None else self._tries(line, path)

    def broken(self) -> "list[Line]":
        """Lines that free nothing because of a fault in them, as far as it is known yet."""
        return [line for line in self.lines if line.fault]

    def compile(self) -> None:
        """Finds every fault, for a refusal or a report."""
        for line in self.lines:
            if line.literal is None and not line.fault:
                line.compiled()

    def _tries(self, line: Line, path: str) -> bool:
        if line.fault or line.compiled() is None:
            return False
        if self.spent > BUDGET:
            line.fault = "was not tried: the lines before it took too long"
            return False
        from time import monotonic

        start = monotonic()
        try:
            return line.pattern.fullmatch(path, timeout=SECONDS) is not None
        except TimeoutError:
            line.fault = "took too long on this path"
            return False
        finally:
            self.spent += monotonic() - start


def read(path: str) -> Approvals:
    """The approval file at `path`; one that is not there is an empty one."""
    if not path:
        return Approvals("", None)
    try:
        fd = posix.open(encode(path), posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC | posix.O_NOCTTY)
    except FileNotFoundError:
        return Approvals(path, None)
    except (OSError, ValueError) as fault:
        return Approvals(path, None, f"{path} cannot be opened ({_words(fault)}), so nothing in it counts")
    try:
        info = posix.fstat(fd)
        trouble = untrusted(path, info)
        data = b"" if trouble else read_fd(fd, LIMIT)
    except OSError as fault:
        return Approvals(path, None, f"{path} cannot be read ({_words(fault)}), so nothing in it counts")
    finally:
        posix.close(fd)
    if len(data) > LIMIT:
        trouble = f"{path} is larger than {LIMIT >> 10} KiB, so nothing in it counts"
    return Approvals(path, None if trouble else data, trouble)


def untrusted(path: str, info: posix.stat_result) -> str:
    """Why an open file may not give permission, with the command that cures it; "" when it may."""
    if not is_file(info):
        return f"{path} is not a regular file, so nothing in it counts"
    me = posix.geteuid()
    if info.st_uid not in (me, 0):
        return f"{path} belongs to another user, so nothing in it counts; run: sudo chown {me} {quoted(path)}"
    if info.st_mode & 0o002:
        return f"{path} can be written by everybody, so nothing in it counts; run: chmod go-w {quoted(path)}"
    if info.st_mode & 0o020 and not own_group(info.st_gid, me):
        return f"{path} can be written by its group, so nothing in it counts; run: chmod g-w {quoted(path)}"
    return ""


def own_group(gid: int, uid: int) -> bool:
    """Whether a group is the user's private one (git under umask 002 writes 0664): its own primary group, of the
    user's name or of no other account, with nobody else in it."""
    import grp
    import pwd

    try:
        user = pwd.getpwuid(uid)
        group = grp.getgrgid(gid)
    except (KeyError, OSError):
        return False
    if gid != user.pw_gid or any([member != user.pw_name for member in group.gr_mem]):
        return False
    return group.gr_name == user.pw_name or not any(
        [other.pw_gid == gid and other.pw_uid != uid for other in pwd.getpwall()]
    )


def quoted(path: str) -> str:
    """The path as one word of a shell command."""
    plain = all([char.isalnum() or char in "/._-+@%:,=" for char in path])
    return path if plain else "'" + path.replace("'", "'\\''") + "'"


def _words(fault: OSError | ValueError) -> str:
    return (fault.strerror or "").lower() if isinstance(fault, OSError) else str(fault)
