"""Reads the content of a pack without the program (core/pack/FORMAT.md)."""

import ctypes
import ctypes.util
import struct

SECTION, BLOCK, TRAILER = "<QQIIIIQQQQ", "<QQIIQII", "<QQQQ"
SUMS, RANKS, DIAGNOSTICS, PROVENANCE, GROUPS, STORE, ARGUMENTS, RESULTS = range(1, 9)


def sections_of(data):
    """Kind, rank, place of the header and of the first block's bytes, end of each section."""
    trailer = struct.unpack_from(TRAILER, data, len(data) - struct.calcsize(TRAILER))
    found = []
    for i in range(trailer[2]):
        at = trailer[1] + i * (struct.calcsize(SECTION) + 8)
        section = struct.unpack_from(SECTION, data, at)
        place = struct.unpack_from("<Q", data, at + struct.calcsize(SECTION))[0]
        table = place + struct.calcsize(SECTION)
        first = table + struct.unpack_from(BLOCK, data, table)[1] if section[5] else table
        found.append((section[2], section[4], place, first, table + section[6]))
    return found


def unspread(coded, width, is_difference):
    words = len(coded) // width
    content, before = bytearray(len(coded)), 0
    for i in range(words):
        word = int.from_bytes(bytes(coded[b * words + i] for b in range(width)), "little")
        if is_difference:
            word = (before + ((word >> 1) ^ -(word & 1))) % (1 << 8 * width)
            before = word
        content[i * width:(i + 1) * width] = word.to_bytes(width, "little")
    content[words * width:] = coded[words * width:]
    return bytes(content)


def content_of(data, section):
    """All blocks of a section (as sections_of gives it), one after the other."""
    zstd = ctypes.CDLL(ctypes.util.find_library("zstd"))
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    table, parts = section[2] + struct.calcsize(SECTION), []
    for i in range(struct.unpack_from(SECTION, data, section[2])[5]):
        _, offset, size, raw, _, coding, _ = struct.unpack_from(BLOCK, data, table + i * struct.calcsize(BLOCK))
        part = data[table + offset:table + offset + size]
        if coding:
            out = ctypes.create_string_buffer(raw + 1)
            got = zstd.ZSTD_decompress(out, ctypes.c_size_t(raw), part, ctypes.c_size_t(len(part)))
            assert got == raw, "a block of zstd that is none"
            part = out.raw[:raw]
        if coding >= 2:
            part = unspread(part, 4 if coding in (2, 4) else 8, coding >= 4)
        parts.append(part)
    return b"".join(parts)
