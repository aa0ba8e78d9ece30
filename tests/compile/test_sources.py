"""One file from its bytes to a TOML table: what is no file, too large, not UTF-8, not TOML."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from guards.compile import sources
from guards.engine import tables


def read(path: Path, kind: Any = "repository") -> sources.Source:
    return sources.read(kind, str(path), "x.toml")


def fault(text: bytes) -> str:
    data, why = sources.parse(text)
    assert data is None
    return why


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"a = 1\nb = \n", "line 2, column 5: invalid value"),
        (b"a = 1\n[x\n", "line 2, column 3: expected ']' at the end of a table declaration"),
        (b"a = 1\n\nb\n", "line 3, column 2: expected '=' after a key in a key/value pair"),
        (b"a = 1\na = 2\n", "line 2, column 6: cannot overwrite a value"),
        (b'a = """\nx\ny', "line 3 (the end): unterminated string"),
        (b"a = 1\nb = '\xff'\n", "line 2: is not UTF-8"),
        (b"a = " + b"9" * 5000, "exceeds the limit"),
        (b"a = " + b"[" * 20000, "is nested too deeply"),
        (b"a = 1\n" + b"a." * 40 + b"b = 1", "line 2: more than 32 dotted words in a row"),
        (b"a = 1\n[" + b"'a' . " * 40 + b"b]", "line 2: more than 32 dotted words in a row"),
    ],
)
def test_what_is_not_toml_is_told_with_its_line(text: bytes, message: str) -> None:
    assert fault(text).startswith(message)


def test_a_byte_order_mark_and_windows_line_ends_are_fine() -> None:
    assert sources.parse(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n") == ({"a": 1, "b": 2}, "")


def test_a_key_of_very_many_parts_costs_no_time() -> None:
    start = time.process_time()
    assert "dotted words" in fault(b"a." * 32000 + b"b = 1")
    assert "dotted words" in fault(b"[" + b"'a'." * 16000 + b"b]")
    sources.parse(b"x" * 64000)
    sources.parse(b"a = " + b"9" * 64000)
    sources.parse(b"a" + b" " * 64000)
    sources.parse(b"a = '" + b"b . " * 20)
    assert time.process_time() - start < 1.0


def test_a_file_that_is_not_there_is_neither_good_nor_bad(tmp_path: Path) -> None:
    found = read(tmp_path / "x.toml")
    assert (found.identity, found.data, found.fault) == (None, None, "")


@pytest.mark.parametrize("kind", ["bundled", "machine", "repository"])
def test_a_pipe_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.toml"
    os.mkfifo(path)
    start = time.monotonic()
    found = read(path, kind)
    assert time.monotonic() - start < 2
    assert found.fault == "is not a regular file"
    assert found.identity == tables.identity(str(path))


def test_a_folder_a_socket_and_a_device_are_refused(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    assert read(tmp_path / "d").fault == "is not a regular file"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        assert read(tmp_path / "s").fault == "cannot be opened: no such device or address"
    assert read(Path("/dev/zero"), "machine").fault == "is not a regular file"


def test_a_repositorys_policy_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text("a = 1")
    (tmp_path / "x.toml").symlink_to("real.toml")
    found = read(tmp_path / "x.toml")
    assert found.fault == "is a symbolic link, and a repository's policy must be a regular file"
    assert found.identity == tables.identity(str(tmp_path / "x.toml"))
    assert read(tmp_path / "x.toml", "machine").data == {"a": 1}


def test_a_repositorys_file_has_64_kib_and_not_one_byte_more(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"#" * (64 << 10))
    assert read(path).data == {}
    path.write_bytes(b"#" * ((64 << 10) + 1))
    assert read(path).fault == "is larger than 64 KiB"
    assert read(path, "machine").data == {}
    path.write_bytes(b"#" * ((1 << 20) + 1))
    assert read(path, "machine").fault == "is larger than 1024 KiB"


def test_ten_megabytes_are_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"a" * (10 << 20))

    def never(*_: object) -> bytes:
        raise AssertionError("read")

    monkeypatch.setattr(os, "read", never)
    assert read(path).fault == "is larger than 64 KiB"


def test_a_file_that_grows_while_it_is_read_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.toml"
    path.write_text("a = 1")
    monkeypatch.setattr(os, "read", lambda _handle, many: b"#" * many)
    assert read(path).fault == "is larger than 64 KiB"


def test_a_file_without_permission_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("a = 1")
    path.chmod(0)
    me = os.geteuid()
    if me == 0:  # root may read everything, so for a moment it is somebody else
        os.seteuid(65534)
    try:
        found = read(path, "machine")
    finally:
        os.seteuid(me)
    assert found.fault == "cannot be opened: permission denied"


def test_a_path_through_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    assert read(tmp_path / "f/x.toml").fault == "cannot be opened: not a directory"


def test_the_identity_is_that_of_the_hot_reader(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("a = 1")
    assert read(path).identity == tables.identity(str(path))
    assert read(path).identity is not None


def test_a_name_outside_ascii_is_the_same_name_in_every_locale(tmp_path: Path) -> None:
    path = tmp_path / "größe.toml"
    path.write_text("a = 1")
    assert read(path).data == {"a": 1}


def test_a_file_of_this_very_tick_is_read_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two writes of one size within a tick of the clock cannot be told apart by their times."""
    path = tmp_path / "x.toml"
    path.write_text("a = 1")
    monkeypatch.setattr(time, "sleep", lambda _: path.write_text("a = 2"))
    assert read(path).data == {"a": 2}
