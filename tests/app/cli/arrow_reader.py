"""A reader of Arrow IPC streams for tests, written from the public specification (Columnar.html, Schema.fbs, Message.fbs) and that
of FlatBuffers; it shares nothing with the program. It reads what the program may write: Int of 64 bits, DOUBLE, Utf8 with and
without a dictionary, Binary. Whatever breaks a rule of the format is an AssertionError."""

import struct

MESSAGE_SCHEMA, MESSAGE_DICTIONARY, MESSAGE_BATCH = 1, 2, 3
TYPE_INT, TYPE_FLOAT, TYPE_BINARY, TYPE_UTF8 = 2, 3, 4, 5


class FlatTable:
    """A table of FlatBuffers at a place in its bytes."""

    def __init__(self, data, at):
        self.data, self.at = data, at
        self.slots = at - struct.unpack_from("<i", data, at)[0]
        self.slots_size = struct.unpack_from("<H", data, self.slots)[0]

    def place(self, slot):
        entry = 4 + 2 * slot
        offset = struct.unpack_from("<H", self.data, self.slots + entry)[0] if entry < self.slots_size else 0
        return self.at + offset if offset else None

    def number(self, slot, form, absent=0):
        place = self.place(slot)
        if place is None:
            return absent
        assert place % struct.calcsize(form) == 0, "a number is not aligned"
        return struct.unpack_from("<" + form, self.data, place)[0]

    def target(self, slot):
        place = self.place(slot)
        return None if place is None else place + struct.unpack_from("<I", self.data, place)[0]

    def table(self, slot):
        target = self.target(slot)
        return None if target is None else FlatTable(self.data, target)

    def text(self, slot):
        target = self.target(slot)
        size = struct.unpack_from("<I", self.data, target)[0]
        assert self.data[target + 4 + size] == 0, "a text does not end with 0"
        return self.data[target + 4:target + 4 + size].decode("utf-8")

    def tables(self, slot):
        target = self.target(slot)
        if target is None:
            return []
        count = struct.unpack_from("<I", self.data, target)[0]
        places = [target + 4 + 4 * i for i in range(count)]
        return [FlatTable(self.data, place + struct.unpack_from("<I", self.data, place)[0]) for place in places]

    def pairs(self, slot):
        target = self.target(slot)
        count = struct.unpack_from("<I", self.data, target)[0]
        assert (target + 4) % 8 == 0, "structs are not aligned"
        return [struct.unpack_from("<qq", self.data, target + 4 + 16 * i) for i in range(count)]


class Field:
    def __init__(self, table):
        self.name = table.text(0)
        self.nullable = table.number(1, "B") == 1
        self.type = table.number(2, "B")
        kind = table.table(3)
        if self.type == TYPE_INT:
            assert (kind.number(0, "i"), kind.number(1, "B")) == (64, 1)
        if self.type == TYPE_FLOAT:
            assert kind.number(0, "h") == 2
        coded = table.table(4)
        self.dictionary = None
        if coded is not None:
            self.dictionary = coded.number(0, "q")
            index = coded.table(1)
            assert (index.number(0, "i"), index.number(1, "B"), coded.number(2, "B")) == (32, 1, 0)
        assert table.target(5) is not None and not table.tables(5), "children"
        self.metadata = {pair.text(0): pair.text(1) for pair in table.tables(6)}


class Buffers:
    """The columns of a batch, one after the other."""

    def __init__(self, header, body):
        self.rows = header.number(0, "q")
        self.nodes, self.buffers, self.body = iter(header.pairs(1)), iter(header.pairs(2)), body
        assert header.place(3) is None, "compressed"
        end = 0
        for offset, length in header.pairs(2):
            assert offset % 8 == 0 and offset >= end and offset + length <= len(body), "a buffer lies elsewhere"
            end = offset + length

    def buffer(self):
        offset, length = next(self.buffers)
        return self.body[offset:offset + length]

    def valid(self):
        length, nulls = next(self.nodes)
        assert length == self.rows
        bits = self.buffer()
        if not bits:
            assert nulls == 0
            return [True] * length
        found = [bool(bits[i // 8] >> i % 8 & 1) for i in range(length)]
        assert found.count(False) == nulls
        return found

    def numbers(self, form):
        valid, size = self.valid(), struct.calcsize(form)
        data = self.buffer()
        assert len(data) == size * self.rows
        return [value if there else None for value, there in zip(struct.unpack(f"<{self.rows}{form}", data), valid)]

    def texts(self, decode):
        valid, offsets, data = self.valid(), self.buffer(), self.buffer()
        places = struct.unpack(f"<{self.rows + 1}i", offsets)
        assert places[0] == 0 and places[-1] == len(data) and list(places) == sorted(places)
        cells = [data[a:b] for a, b in zip(places, places[1:])]
        return [(cell.decode("utf-8") if decode else cell) if there else None for cell, there in zip(cells, valid)]

    def column(self, field, dictionaries):
        if field.dictionary is not None:
            texts = dictionaries[field.dictionary]
            return [None if index is None else texts[index] for index in self.numbers("i")]
        return {TYPE_INT: lambda: self.numbers("q"), TYPE_FLOAT: lambda: self.numbers("d"), TYPE_UTF8: lambda: self.texts(True),
                TYPE_BINARY: lambda: self.texts(False)}[field.type]()


def messages(data):
    at = 0
    while True:
        mark, size = struct.unpack_from("<Ii", data, at)
        assert mark == 0xFFFFFFFF and size % 8 == 0 and at % 8 == 0, "framing"
        at += 8
        if size == 0:
            assert at == len(data), "bytes follow the end"
            return
        metadata = data[at:at + size]
        message = FlatTable(metadata, struct.unpack_from("<I", metadata)[0])
        assert message.number(0, "h") == 4, "version"
        at += size
        length = message.number(3, "q")
        assert length % 8 == 0 and at + length <= len(data)
        yield message.number(1, "B"), message.table(2), data[at:at + length]
        at += length


def read_stream(data):
    """The fields, the rows as tuples, and how many batches they came in."""
    fields, rows, batches, dictionaries = None, [], 0, {}
    for kind, header, body in messages(data):
        if kind == MESSAGE_SCHEMA:
            assert fields is None and header.number(0, "h") == 0
            fields = [Field(table) for table in header.tables(1)]
        elif kind == MESSAGE_DICTIONARY:
            assert header.number(2, "B") == 0, "a delta"
            buffers = Buffers(header.table(1), body)
            dictionaries[header.number(0, "q")] = buffers.texts(True)
        else:
            assert kind == MESSAGE_BATCH
            buffers = Buffers(header, body)
            columns = [buffers.column(field, dictionaries) for field in fields]
            assert next(buffers.buffers, None) is None and next(buffers.nodes, None) is None
            rows += zip(*columns)
            batches += 1
    return fields, rows, batches
