"""Session memory: marks said once (a file each, made with O_EXCL) and append-only records under a lock.

Hooks of one event run at the same time, so nothing here is read, changed and written back. When the folder cannot be
written, calls are judged without memory: `broken` says why, and dispatch puts that into the next refusal.
"""

import posix

from guards.engine.world import encode, is_file, read_fd

_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_PROBE = "guards-fire-"  # session ids of guards' own probes; their memory is thrown away
NAME_MAX = 120  # characters of a state file's name; longer keys end in a hash
RECORDS_MAX = 1 << 20  # bytes read of one record file

_NEW = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC | posix.O_NOFOLLOW
_READ = posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK
_CLAIM = posix.O_RDWR | posix.O_CREAT | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW
_APPEND = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW


def escape(key: str) -> str:
    """A file name for any text: never empty, never a dot name, no separator, at most NAME_MAX characters."""
    out = "".join(c if c in _SAFE else f"%{ord(c):x}." for c in key[: NAME_MAX * 2])
    if len(key) > NAME_MAX or len(out) > NAME_MAX:
        out = out[: NAME_MAX - 18] + f"~{_fnv(key):016x}"
    return out or "%"


def _fnv(text: str) -> int:
    """FNV-1a, 64 bit: only tells long keys apart; hashlib would cost more than the call."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8", "surrogatepass"):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def make_dirs(path: str) -> None:
    """Every missing folder of `path`, mode 0700."""
    try:
        posix.mkdir(encode(path), 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        make_dirs(path.rsplit("/", 1)[0] or "/")
        try:
            posix.mkdir(encode(path), 0o700)
        except FileExistsError:
            return


class Session:
    """The memory of one session: <state>/sessions/<id>/ (or <state>/probe/<id>/ for guards' own probes).

    Judges read (`marked`, `records`); dispatch writes (`mark`, `add`) what delivered verdicts ask for.
    """

    def __init__(self, state: str, session: str, frozen: bool = False) -> None:
        kind = "probe" if session.startswith(_PROBE) else "sessions"
        self.folder = f"{state}/{kind}/{escape(session)}" if session else ""
        self._machine = "" if kind == "probe" or not state else f"{state}/kept"
        self.broken = ""
        self.frozen = frozen  # explain, run and replay judge with the same memory and leave no trace

    def marked(self, key: str) -> bool:
        """Whether `key` was marked in this session."""
        if not self.folder:
            return False
        try:
            posix.lstat(encode(f"{self.folder}/once-{escape(key)}"))
        except OSError:
            return False
        return True

    def records(self, name: str) -> "list[str]":
        """The lines appended under `name`, oldest first; a half-written last line is left out."""
        return _lines(f"{self.folder}/{escape(name)}") if self.folder else []

    def kept(self, name: str) -> "list[str]":
        """The lines kept under `name` for the whole machine, beyond any session."""
        return _lines(f"{self._machine}/{escape(name)}") if self._machine else []

    def keep(self, name: str, record: str) -> None:
        """Keeps a line for the whole machine, once."""
        if self.frozen or not self._machine or record in self.kept(name):
            return
        self._append(self._machine, name, record)

    def mark(self, key: str) -> bool:
        """True when this call made the mark; False when it was there. Without memory: True (better said twice)."""
        if self.frozen or not self.folder:
            return not self.marked(key)
        try:
            fd = self._open(f"{self.folder}/once-{escape(key)}", _NEW)
        except FileExistsError:
            return False
        except OSError as fault:
            self.broken = _why(fault)
            return True
        posix.close(fd)
        return True

    def unmark(self, key: str) -> None:
        """Takes back a mark this call made, for what was not said after all."""
        if self.folder and not self.frozen:
            try:
                posix.unlink(encode(f"{self.folder}/once-{escape(key)}"))
            except OSError:
                return

    def spend(self, name: str, amount: int, limit: int) -> bool:
        """Claims `amount` of what all hooks of this session may spend under `name`; False when it does not fit.

        A claim is appended first; then every hook replays the claims up to its own in the order in which they lie, and
        one that did not fit counts for nothing. So hooks that run at the same time agree without a lock.
        """
        if self.frozen or not self.folder:
            fits = claims([*self.records(name), str(amount)], limit)[1]
            self.add(name, str(amount))
            return fits
        try:
            fd = self._open(f"{self.folder}/{escape(name)}", _CLAIM)
        except OSError as fault:
            self.broken = _why(fault)
            return True
        try:
            posix.write(fd, f"{amount}\n".encode())
            data = posix.pread(fd, min(posix.lseek(fd, 0, 1), RECORDS_MAX), 0)
        except OSError as fault:
            self.broken = _why(fault)
            return True
        finally:
            posix.close(fd)
        return claims(data.decode("ascii", "replace").split("\n")[:-1], limit)[1]

    def add(self, name: str, record: str) -> None:
        """Appends one line in a single write, so that parallel hooks cannot cut each other's."""
        if not self.frozen and self.folder:
            self._append(self.folder, name, record)

    def _append(self, folder: str, name: str, record: str) -> None:
        line = encode(record.replace("\n", " ")) + b"\n"
        try:
            fd = self._open(f"{folder}/{escape(name)}", _APPEND)
        except OSError as fault:
            self.broken = _why(fault)
            return
        try:
            posix.write(fd, line)
        except OSError as fault:
            self.broken = _why(fault)
        finally:
            posix.close(fd)

    def forget(self, name: str) -> None:
        """Drops the records under `name` (after compaction, a reset)."""
        if self.frozen or not self.folder:
            return
        try:
            posix.unlink(encode(f"{self.folder}/{escape(name)}"))
        except FileNotFoundError:
            return
        except OSError as fault:
            self.broken = _why(fault)

    def _open(self, path: str, flags: int) -> int:
        try:
            return posix.open(encode(path), flags, 0o600)
        except FileNotFoundError:
            make_dirs(path.rpartition("/")[0])
            return posix.open(encode(path), flags, 0o600)


def _lines(path: str) -> "list[str]":
    """The whole lines of a file of records."""
    try:
        fd = posix.open(encode(path), _READ)
    except OSError:
        return []
    try:
        data = read_fd(fd, RECORDS_MAX) if is_file(posix.fstat(fd)) else b""
    finally:
        posix.close(fd)
    return [line.decode("utf-8", "surrogateescape") for line in data.split(b"\n")[:-1] if line]


def claims(records: "list[str]", limit: int) -> "tuple[int, bool]":
    """(what is spent, whether the last claim fitted) of claims in the order in which they were made."""
    total, fits = 0, True
    for record in records:
        amount = int(record) if record.isdecimal() and len(record) < 12 else 0
        fits = total + amount <= limit
        total += amount if fits else 0
    return total, fits


def _why(fault: OSError) -> str:
    return (fault.strerror or "not writable").lower()


def beat(state: str, harness: str, event: str) -> bool:
    """The only trace of a silent call: the time of one file per harness and event."""
    path = encode(f"{state}/beats/{harness}-{event}")
    try:
        posix.utime(path)
        return True
    except FileNotFoundError:
        pass
    except OSError:
        return False
    try:
        make_dirs(f"{state}/beats")
        posix.close(posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW, 0o600))
    except OSError:
        return False
    return True
