#!/usr/bin/env python3
"""Makes the font of the golden pictures: make_font.py FILE.ttf

Letters are squares on a grid of 3 x 5, each two twelfths of an em wide, and carry no hints: at 9 points on 96 dots an inch their edges
lie on device pixels at the scales 1, 1.5 and 2, so that every rasteriser draws the same. Small letters look like capitals.
"""

import struct
import sys

EM, ASCENT, DESCENT, SQUARE, ADVANCE = 1200, 1100, 300, 200, 800
# Rows from top to bottom as octal digits: 4 is the left square, 1 the right one.
GLYPHS = {
    " ": "00000", "\u00a0": "00000", "\u202f": "00000", ".": "00002", ",": "00024", ":": "02020", "-": "00700", "\u2013": "00700", "\u2212": "00700",
    "_": "00007", "/": "11244", "(": "12221", ")": "42224", "+": "02720", "%": "51245", "=": "07070", "#": "57575", "\u2026": "00005",
    "\u00d7": "05250", "\u00b5": "05564", "\u03bc": "05564", "~": "03600", "'": "22000", "!": "22202", "?": "61202", "[": "32223", "]": "62226",
    "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711", "5": "74717", "6": "74757", "7": "71122", "8": "75757", "9": "75717",
    "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644", "G": "34553", "H": "55755", "I": "72227", "J": "11153",
    "K": "55655", "L": "44447", "M": "57755", "N": "65555", "O": "25552", "P": "65644", "Q": "25573", "R": "65655", "S": "34216", "T": "72222",
    "U": "55557", "V": "55552", "W": "55775", "X": "55255", "Y": "55222", "Z": "71247",
}


def outline(rows):
    """A TrueType glyph: each run of squares in a row is one rectangle."""
    boxes = []
    for place, digit in enumerate(rows):
        bits, top = f"{int(digit):03b}", (5 - place) * SQUARE
        left = 0
        while left < 3:
            right = left
            while right < 3 and bits[right] == "1":
                right += 1
            if right > left:
                boxes.append((left * SQUARE, top - SQUARE, right * SQUARE, top))
            left = max(right, left + 1)
    if not boxes:
        return b""
    edges = [min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)]
    points = [p for x0, y0, x1, y1 in boxes for p in ((x0, y0), (x0, y1), (x1, y1), (x1, y0))]
    data = struct.pack(">h4h", len(boxes), *edges)
    data += b"".join(struct.pack(">H", 4 * i + 3) for i in range(len(boxes))) + struct.pack(">H", 0) + b"\x01" * len(points)
    for axis in (0, 1):
        last = 0
        for point in points:
            data += struct.pack(">h", point[axis] - last)
            last = point[axis]
    return data + b"\0" * (-len(data) % 4)


def character_map(glyph_of):
    """Format 12: one group for each character."""
    groups = b"".join(struct.pack(">III", code, code, glyph) for code, glyph in sorted(glyph_of.items()))
    table = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(glyph_of)) + groups
    return struct.pack(">HHHHI", 0, 1, 3, 10, 12) + table


def names(family):
    texts = [(1, family), (2, "Regular"), (4, family), (6, family.replace(" ", ""))]
    data, records = b"", b""
    for number, text in texts:
        encoded = text.encode("utf-16-be")
        records += struct.pack(">6H", 3, 1, 0x409, number, len(encoded), len(data))
        data += encoded
    return struct.pack(">HHH", 0, len(texts), 6 + len(records)) + records + data


def make(family):
    glyph_of, outlines = {}, [outline("75557")]
    for character, rows in GLYPHS.items():
        glyph_of[ord(character)] = len(outlines)
        if character.isalpha() and character.isascii():
            glyph_of[ord(character.lower())] = len(outlines)
        outlines.append(outline(rows))
    count = len(outlines)
    offsets = [sum(map(len, outlines[:i])) for i in range(count + 1)]
    box = (0, 0, 3 * SQUARE, 5 * SQUARE)
    tables = {
        b"OS/2": struct.pack(">HhHHH11h10s4I4sHHHhhhHH2I2h3H", 4, ADVANCE, 400, 5, 0, 6, 6, 0, 1, 6, 6, 0, 4, 1, 4, 0, bytes(10), 1, 0, 0, 0, b"TEST", 0x40,
                             32, 0x2212, ASCENT, -DESCENT, 0, ASCENT, DESCENT, 1, 0, 5 * SQUARE, 5 * SQUARE, 0, 32, 1),
        b"cmap": character_map(glyph_of),
        b"glyf": b"".join(outlines),
        b"head": struct.pack(">IIIIHHqq4hHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, EM, 0, 0, *box, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">IhhhH11hH", 0x10000, ASCENT, -DESCENT, 0, ADVANCE, 0, 0, box[2], 1, 0, 0, 0, 0, 0, 0, 0, count),
        b"hmtx": struct.pack(">Hh", ADVANCE, 0) * count,
        b"loca": struct.pack(f">{count + 1}I", *offsets),
        b"maxp": struct.pack(">IH13H", 0x10000, count, 64, 16, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": names(family),
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, -2, 1, 1, 0, 0, 0, 0),
    }
    font = struct.pack(">IHHHH", 0x10000, len(tables), 128, 3, len(tables) * 16 - 128)
    place, body = len(font) + 16 * len(tables), b""
    for tag, data in sorted(tables.items()):
        padded = data + b"\0" * (-len(data) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        font += struct.pack(">4sIII", tag, total, place + len(body), len(data))
        body += padded
    return font + body


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as file:
        file.write(make("Altiscope Test"))
