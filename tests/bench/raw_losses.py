#!/usr/bin/env python3
"""Makes raw data worse than it was recorded, as full buffers and threads that race make it: one record in a hundred is lost, or
written up to a thousand places too early or too late. Layouts: core/import/raw_records/FORMAT.md.

usage: raw_losses.py SOURCE TARGET lost|moved"""
import pathlib
import random
import struct
import sys

SIZES = {"api_event": 40, "compact": 64, "additional": 256, "stars_soc": 64, "ffts_profile": 128, "ts_track": 40}
TEXTS = ("hash_dic", "type_info_dic")
SHARE, FARTHEST = 0.01, 1000


def records_of(path):
    """Its records; None for files of another kind."""
    data = path.read_bytes()
    if path.name in ("torch.op_range", "torch.op_mark", "torch.memory_usage"):
        records, at = [], 0
        while at + 6 <= len(data):
            end = at + 6 + struct.unpack_from("<I", data, at + 2)[0]
            records.append(data[at:end])
            at = end
        return records
    size = next((size for stem, size in SIZES.items() if stem in path.name), None)
    if size is None or path.suffix == ".done" or any(text in path.name for text in TEXTS):
        return None
    return [data[at:at + size] for at in range(0, len(data), size)]


def spoil(source, target, keeps_all):
    """Copies a capture. keeps_all: records are at another place; else they are gone."""
    chance = random.Random(1)
    for path in sorted(source.rglob("*")):
        copy = target / path.relative_to(source)
        if path.is_dir():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        records = records_of(path)
        if records is None:
            copy.write_bytes(path.read_bytes())
        elif keeps_all:
            places = [i + (chance.randint(-FARTHEST, FARTHEST) if chance.random() < SHARE else 0) for i in range(len(records))]
            copy.write_bytes(b"".join(records[i] for i in sorted(range(len(records)), key=places.__getitem__)))
        else:
            copy.write_bytes(b"".join(record for record in records if chance.random() >= SHARE))


if __name__ == "__main__":
    spoil(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3] == "moved")
