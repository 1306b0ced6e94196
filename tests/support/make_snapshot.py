#!/usr/bin/env python3
"""Writes memory snapshots of an allocator that is played here, with nothing but Python's pickle module.

make_snapshot.py FOLDER [--steps N]              one of each form (FORMS), in protocols 2 to 5 by turns, with at least N entries
make_snapshot.py FOLDER --times N --sample FILE  FOLDER/large.pkl: the history of FILE N times over, protocol 4"""

import argparse
import io
import os
import pickle
import pickletools
import random
import struct
import zipfile

FORMS = ["plain", "late", "streams", "expandable", "old", "bare", "devices", "workspace", "zip", "script", "annotated", "timed", "nohistory", "segments", "tuples", "pending", "ranges"]


def frames(rng):
    depth = rng.randrange(5)
    return [{"filename": rng.choice(["/src/a.py", "/src/b.py", "??", ""]), "line": rng.randrange(3), "name": rng.choice(["forward", "算子", "?? <x>"])}
            for _ in range(depth)]


class Allocator:
    """Blocks of 512 bytes in segments of one stream; events as torch writes them."""

    def __init__(self, rng, device=0, delayed=False, expandable=False, stream=0, events=None):
        self.rng, self.device, self.delayed, self.expandable = rng, device, delayed, expandable
        self.segments, self.events, self.live, self.pending = {}, [] if events is None else events, {}, []
        self.stream = stream
        self.top = 0x7F0000000000 + (device << 40) + (stream << 36)
        self.stacks = [frames(rng) for _ in range(6)]

    def event(self, action, addr, size, stack=None):
        event = {"action": action, "addr": addr, "size": size, "stream": self.stream, "frames": stack if stack is not None else self.rng.choice(self.stacks)}
        self.events.append(event)
        return event

    def reserve(self, size):
        size = max(size, 1 << 16)
        if self.expandable and self.segments:
            base = max(self.segments)
            self.event("segment_map", base + self.segments[base], size)
            self.segments[base] += size
            return
        base = self.top
        self.top += size + (1 << 20)
        self.segments[base] = size
        self.event("segment_map" if self.expandable else "segment_alloc", base, size)

    def holes(self):
        taken = {a: s for a, (s, _, _) in self.live.items()}
        taken.update({a: s for a, s, _ in self.pending})
        for base, size in self.segments.items():
            at = base
            for addr in sorted(a for a in taken if base <= a < base + size):
                if addr > at:
                    yield at, addr - at
                at = addr + taken[addr]
            if at < base + size:
                yield at, base + size - at

    def alloc(self, requested):
        size = -(-requested // 512) * 512
        fitting = [hole for hole in self.holes() if hole[1] >= size]
        if not fitting:
            self.reserve(size)
            fitting = [hole for hole in self.holes() if hole[1] >= size]
        addr = min(fitting, key=lambda hole: (hole[1], hole[0]))[0]
        event = self.event("alloc", addr, requested)
        self.live[addr] = (size, requested, event["frames"])

    def free(self, addr):
        size, requested, _ = self.live.pop(addr)
        self.event("free_requested", addr, requested)
        if self.delayed and self.rng.random() < 0.5:
            self.pending.append((addr, size, requested))
        else:
            self.event("free_completed", addr, requested)

    def complete(self):
        addr, _, requested = self.pending.pop(0)
        self.event("free_completed", addr, requested)

    def release(self):
        for base in [b for b in self.segments if not any(b <= a < b + self.segments[b] for a in [*self.live, *(p[0] for p in self.pending)])]:
            self.event("segment_unmap" if self.expandable else "segment_free", base, self.segments.pop(base))

    def play(self, steps):
        for _ in range(steps):
            roll = self.rng.random()
            if self.pending and roll < 0.2:
                self.complete()
            elif self.live and roll < 0.5:
                self.free(self.rng.choice(list(self.live)))
            elif roll < 0.52:
                self.release()
            elif roll < 0.53:
                self.events.append({"action": "oom", "device_free": 5, "size": 1 << 30, "stream": 0, "frames": []})
            else:
                self.alloc(self.rng.randrange(1, 5000))
        return self

    def dumped(self, addresses=True):
        pending = {a: (s, r) for a, s, r in self.pending}
        segments = []
        for base, total in self.segments.items():
            blocks, at = [], base
            inside = {a: (*self.live[a], "active_allocated") for a in self.live if base <= a < base + total}
            inside.update({a: (*pending[a], [], "active_pending_free") for a in pending if base <= a < base + total})
            for addr in sorted([*inside, base + total]):
                if addr > at:
                    blocks.append({"address": at, "size": addr - at, "requested_size": 77, "state": "inactive", "frames": []})
                if addr in inside:
                    size, requested, stack, state = inside[addr]
                    blocks.append({"address": addr, "size": size, "requested_size": requested, "state": state, "frames": stack})
                    at = addr + size
            if not addresses:
                for block in blocks:
                    # As PyTorch 2.0 wrote them.
                    block["history"] = [{"addr": block.pop("address"), "real_size": block.pop("requested_size"), "frames": block.pop("frames")},
                                        {"addr": 1, "real_size": 2, "frames": []}]
            segments.append({"device": self.device, "address": base, "total_size": total, "stream": self.stream, "segment_pool_id": (0, 0),
                             "segment_type": "small", "is_expandable": self.expandable, "frames": [], "blocks": blocks,
                             "allocated_size": 0, "active_size": 0, "requested_size": 0})
        return segments


def as_tuples(frames, number):
    """As Python's traceback has them, with and without the line's text, and in the order of PyTorch's keys; what is no frame, or no list of them."""
    if number % 11 == 0:
        return ["text", 7, {"frames": frames}, 0.5][number // 11 % 4]
    if number % 7 == 0:
        return tuple(frames)
    kind = number % 3
    items = [(f["filename"], f["line"], f["name"]) if kind == 0 else (f["filename"], f["line"], f["name"], "x = 1") if kind == 1 else (f["name"], f["filename"], f["line"])
             for f in frames]
    return (tuple if number % 5 == 0 else list)(items + (["none", 5] if number % 13 == 0 else []))


def annotations(rng, events):
    """As record_function leaves them, of threads that know nothing of each other; some are cut, and some are no annotations."""
    first, open_, out = 1_736_428_567_000_000, [], []
    for number, event in enumerate(events):
        event["time_us"] = first + number * 10
        roll = rng.random()
        if roll < 0.1:
            open_.append(rng.choice(["forward", "Optimizer.step#Adam.step", "向前"]))
            out.append({"name": open_[-1], "stage": "START", "device": 0, "time_us": first + number * 10 - 1})
        elif roll < 0.2 and open_:
            out.append({"name": open_.pop(rng.randrange(len(open_))), "stage": "END", "device": 1, "time_us": first + number * 10 + 1})
    out.insert(0, {"name": "before", "stage": "END", "device": 0, "time_us": first - 5})
    out.insert(3, {"name": "moment", "device": -1, "time_us": float(first)})
    out[7:7] = [{"stage": "START", "time_us": first}, {"name": "x", "stage": "START"}, {"name": "x", "stage": "END", "time_us": -1}, None, "text"]
    return out


def snapshot(form, rng, steps):
    if form == "pending":
        # Two streams with segments that grow; released blocks wait for the other one.
        one = Allocator(rng, delayed=True, expandable=True)
        two = Allocator(rng, delayed=True, expandable=True, stream=7, events=one.events)
        for _ in range(steps // 10):
            one.play(5)
            two.play(5)
        return {"segments": one.dumped() + two.dumped(), "device_traces": [one.events]}
    plain = Allocator(rng, delayed=form == "streams", expandable=form == "expandable").play(steps)
    whole = {"segments": plain.dumped(form != "old"), "device_traces": [plain.events]}
    if form == "late":
        whole["device_traces"][0] = plain.events[len(plain.events) // 2:]
    if form == "bare":
        for event in plain.events:
            event.pop("frames")
    if form == "devices":
        other = Allocator(rng, 3).play(steps)
        whole["segments"] += other.dumped()
        whole["device_traces"] += [[], [], other.events]
    if form == "nohistory":
        del whole["device_traces"]
    if form == "segments":
        whole = plain.dumped()  # as torch.cuda.memory_snapshot() gives them
    if form == "workspace":
        base = plain.top
        whole["segments"].append({"device": 0, "address": base, "total_size": 1 << 20, "stream": 0, "frames": [],
                                  "blocks": [{"address": base, "size": 1 << 20, "requested_size": 0, "state": "inactive", "frames": []}]})
        whole["device_traces"][0] = [{"action": action, "addr": base, "size": 1 << 20, "stream": 0, "frames": []}
                                     for action in ("workspace_snapshot", "segment_alloc", "alloc")] + plain.events
    if form == "annotated":
        whole = {"allocator_settings": {"expandable": False, "ratio": 0.5, "none": None, "large": 1 << 80, "raw": b"xy"}, **whole}
        for number, event in enumerate(plain.events):
            event.update(time_us=number * 0.25, pool_id=(0, number), user_metadata="step", device=0, compile_context="0/0")
        plain.events.append({"action": "something_new", "addr": 1, "size": 2, "stream": 0, "frames": []})
    if form == "tuples":
        for number, event in enumerate(plain.events):
            event["frames"] = as_tuples(event["frames"], number)
        for segment in whole["segments"]:
            for number, block in enumerate(segment["blocks"]):
                block["frames"] = as_tuples(block["frames"], number)
    if form == "ranges":
        whole["external_annotations"] = annotations(rng, plain.events)
    if form == "timed":
        # As PyTorch writes them, and as other writers might: not in each entry, and what is no time or no text.
        odd = [-1, -0.5, float("nan"), float("inf"), 1 << 62, 1e300, 1 << 80, "1", None, b"1", (1, 2)]
        texts = ["forward", "向前 <b>", "", None, 7, 0.5, {"phase": "forward"}, ["forward"], '{"phase": "backward"}', "segments"]
        for number, event in enumerate(plain.events):
            event["time_us"] = 1_736_428_567_000_000 + number * 7 + number % 4 * 0.25 if number % 3 else 1_736_428_567_000_000 + number * 7
            event["user_metadata"] = texts[number % len(texts)]
            if number % 10 == 0:
                event["time_us"] = odd[number // 10 % len(odd)]
            if number % 17 == 0:
                event["time_us"] = number
            if number % 7 == 0:
                del event["user_metadata"]
            if number % 13 == 0:
                del event["time_us"]
    return whole


def script_pickled(value):
    """As TorchScript's pickler writes it: protocol 2, lists and dictionaries in calls of restore_type_tag."""
    memo, out = {}, bytearray(b"\x80\x02")

    def put(key, write):
        if key in memo:
            out.extend(b"h" + bytes([memo[key]]) if memo[key] < 256 else b"j" + struct.pack("<I", memo[key]))
            return
        write()
        memo[key] = len(memo)
        out.extend(b"q" + bytes([memo[key]]) if memo[key] < 256 else b"r" + struct.pack("<I", memo[key]))

    def text(value):
        raw = value.encode()
        put(("text", value), lambda: out.extend(b"X" + struct.pack("<I", len(raw)) + raw))

    def write(value):
        if isinstance(value, (dict, list)):
            put("tag", lambda: out.extend(b"ctorch.jit._pickle\nrestore_type_tag\n"))
            out.extend(b"}(" if isinstance(value, dict) else b"](")
            for item in value.items() if isinstance(value, dict) else value:
                for part in item if isinstance(value, dict) else (item,):
                    write(part)
            out.extend(b"u" if isinstance(value, dict) else b"e")
            text("Dict[str, Any]" if isinstance(value, dict) else "List[Any]")
            out.extend(b"\x86R")
        elif isinstance(value, str):
            text(value)
        elif isinstance(value, bool):
            out.extend(b"\x88" if value else b"\x89")
        elif isinstance(value, int):
            out.extend(b"J" + struct.pack("<i", value) if -2**31 <= value < 2**31 else b"\x8a\x08" + struct.pack("<q", value))
        elif isinstance(value, tuple):
            out.extend(b"(")
            for item in value:
                write(item)
            out.extend(b"t")

    write(value)
    return bytes(out) + b"."


def write_forms(folder, steps):
    for seed, form in enumerate(FORMS):
        rng = random.Random(seed)
        value = snapshot(form, rng, steps)
        path = os.path.join(folder, f"{form}_at1234567{seed}.pkl")
        if form == "zip":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("archive/data.pkl", pickle.dumps(value, 2))
                archive.writestr("archive/version", "3\n")
            continue
        with open(path, "wb") as out:
            out.write(script_pickled(value) if form == "script" else pickle.dumps(value, 2 + seed % 4))


def without_memo(value):
    out = io.BytesIO()
    pickler = pickle.Pickler(out, 4)
    pickler.fast = True
    pickler.dump(value)
    return instructions(out.getvalue())


def instructions(pickled):
    """Of a pickle, without its begin, its end and the hints of lengths between them."""
    places = [(opcode.name, at) for opcode, _, at in pickletools.genops(pickled)] + [("STOP", len(pickled))]
    return b"".join(pickled[at:end] for (name, at), (_, end) in zip(places, places[1:]) if name not in ("PROTO", "FRAME", "STOP"))


def write_large(folder, times, sample):
    """A history many times over, as large as wanted: its bytes are repeated, so that Python never has it as objects."""
    with open(sample, "rb") as file:
        whole = pickle.load(file)
    trace = max(whole["device_traces"], key=len)
    again = [event for event in trace if not event["action"].startswith("segment")]
    # Behind the list that it appends to; numbers of the memo are those of the first time, whose values are the same.
    part = instructions(pickle.dumps(again, 4))[len(b"]\x94"):]
    with open(os.path.join(folder, "large.pkl"), "wb") as out:
        out.write(b"\x80\x04}(\x8c\x0ddevice_traces](" + b"]" * whole["device_traces"].index(trace))
        out.write(without_memo(trace) + b"\x94")
        for _ in range(1, times):
            out.write(part)
        out.write(b"e\x8c\x08segments" + without_memo(whole["segments"]) + b"u.")
    print(len(trace) + (times - 1) * len(again), "entries")


parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--times", type=int)
parser.add_argument("--sample")
parser.add_argument("--steps", type=int, default=300)
arguments = parser.parse_args()
if arguments.times:
    write_large(arguments.folder, arguments.times, arguments.sample)
else:
    write_forms(arguments.folder, arguments.steps)
