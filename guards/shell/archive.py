"""The names of an archive's members, from its bytes: tar (ustar, GNU, pax), zip, cpio; gzip, bzip2, xz unpacked.

Headers are read here, within bounds: opening an archive with tarfile would cost more than the call. None for what is
no such archive, is packed with something that is not built in, or grows too large.
"""

UNPACKED = 64 << 20  # bytes an archive may unpack to
READ = 24 << 20  # bytes of an archive that are read
MEMBERS = 4000
BLOCK = 512


def unpacked(data: bytes) -> "bytes | None":
    """gzip, bzip2, xz; anything else is taken as it stands. None for what is not built in or grows too large."""
    try:
        if data[:2] == b"\x1f\x8b":
            import zlib

            return zlib.decompressobj(31).decompress(data, UNPACKED)
        if data[:3] == b"BZh":
            from _bz2 import BZ2Decompressor

            return BZ2Decompressor().decompress(data, UNPACKED)
        if data[:6] == b"\xfd7zXZ\0":
            from _lzma import LZMADecompressor

            return LZMADecompressor().decompress(data, UNPACKED)
    except (OSError, ValueError, EOFError, ImportError):
        return None
    except Exception as fault:  # zlib.error and LZMAError are no OSError
        if type(fault).__name__ in ("error", "LZMAError"):
            return None
        raise
    return None if data[:4] == b"\x28\xb5\x2f\xfd" else data


def headers(data: bytes) -> "list[str] | None":
    """The names in a tar archive: ustar, GNU long names, pax paths. None when it is no tar archive."""
    found: list[str] = []
    at, longer = 0, ""
    while at + BLOCK <= len(data) and len(found) < MEMBERS:
        block = data[at : at + BLOCK]
        if not block.strip(b"\0"):
            break
        size = _number(block[124:136])
        if size is None or _number(block[148:156]) != sum(block[:148]) + sum(block[156:]) + 256:
            return found or None
        kind = block[156:157]
        body = data[at + BLOCK : at + BLOCK + size]
        if kind == b"L":
            longer = _text(body)
        elif kind == b"x":
            longer = _pax(body) or longer
        elif kind != b"g" and kind != b"K":
            prefix = _text(block[345:500]) if block[257:262] == b"ustar" and block[263:265] == b"00" else ""
            name = longer or (prefix + "/" if prefix else "") + _text(block[:100])
            found.append(name)
            longer = ""
        at += BLOCK + (size + BLOCK - 1) // BLOCK * BLOCK
    return found


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode("utf-8", "replace")


def _number(field: bytes) -> "int | None":
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:], "big")
    text = field.strip(b"\0 ")
    return int(text, 8) if text and not text.strip(b"01234567") else 0 if not text else None


def _pax(body: bytes) -> str:
    for line in body.split(b"\n"):
        _, _, pair = line.partition(b" ")
        if pair.startswith(b"path="):
            return pair[5:].decode("utf-8", "replace")
    return ""


def zip_names(data: bytes) -> "list[str] | None":
    """The names in a zip archive, from its central directory."""
    end = data.rfind(b"PK\5\6")
    if end < 0 or end + 22 > len(data):
        return None
    count = int.from_bytes(data[end + 10 : end + 12], "little")
    at = int.from_bytes(data[end + 16 : end + 20], "little")
    found: list[str] = []
    while len(found) < min(count, MEMBERS) and data[at : at + 4] == b"PK\1\2":
        sizes = [int.from_bytes(data[at + n : at + n + 2], "little") for n in (28, 30, 32)]
        found.append(data[at + 46 : at + 46 + sizes[0]].decode("utf-8", "replace"))
        at += 46 + sum(sizes)
    return found


def cpio_names(data: bytes) -> "list[str] | None":
    """Newc and the old binary form."""
    found: list[str] = []
    at = 0
    while len(found) < MEMBERS and at + 26 < len(data):
        if data[at : at + 5] == b"07070" and data[at + 5 : at + 6] in b"12":
            try:
                size, length = int(data[at + 54 : at + 62], 16), int(data[at + 94 : at + 102], 16)
            except ValueError:
                return None
            start, align = at + 110, 4
        elif data[at : at + 6] == b"070707":
            try:
                size, length = int(data[at + 65 : at + 76], 8), int(data[at + 59 : at + 65], 8)
            except ValueError:
                return None
            start, align = at + 76, 1
        elif data[at : at + 2] == b"\xc7\x71":
            length = int.from_bytes(data[at + 20 : at + 22], "little")
            size = int.from_bytes(data[at + 22 : at + 24], "little") << 16 | int.from_bytes(
                data[at + 24 : at + 26], "little"
            )
            start, align = at + 26, 2
        else:
            return found or None
        name = data[start : start + length - 1].decode("utf-8", "replace")
        if name == "TRAILER!!!":
            return found
        found.append(name)
        body = start + length
        body += -(body - at) % align if align != 4 else -body % 4
        at = body + size
        at += -size % align if align != 4 else -at % 4
    return found
