"""Writes raw captures with struct alone, from the description of the records (core/import/raw_records/FORMAT.md): what tests know of such a capture
does not come from the code under test. Times are ns since the session's begin."""

import json
import os
import struct
import zlib
from fractions import Fraction

MAGIC, STARS = 0x5A5A, 0x6BD3
ACL, MODEL, NODE, HCCL, RUNTIME = 20000, 15000, 10000, 5500, 5000
NONE = 0xFFFFFFFF
WALL = 1_767_225_600_000_000_000
MONOTONIC = 1_000_000_000_000


def tlv(kind, value):
    return struct.pack("<HI", kind, len(value)) + value


class Device:
    def __init__(self, capture, number, megahertz, count):
        self.capture, self.number, self.megahertz, self.start = capture, number, Fraction(str(megahertz)), count
        self.files, self.sample = {}, {}

    def count(self, ns):
        return self.start + int(Fraction(ns) * self.megahertz / 1000)

    def add(self, name, data):
        self.files.setdefault(name, []).append(data)

    def stars(self, function, stream, task, ns, kind=0, tail=b""):
        self.add("stars_soc.data", struct.pack("<HHHHQ", function | kind << 10, STARS, stream, task, self.count(ns)) + tail.ljust(48, b"\0"))

    def run(self, stream, task, begin, end, kind=0):
        self.stars(0, stream, task, begin, kind)
        self.stars(1, stream, task, end, kind)

    def sub_task(self, stream, task, context, begin, end, subtype, thread=0):
        tail = struct.pack("<BBHHH", subtype, 0, context, 4 << 13, thread)
        self.stars(0x22, stream, task, begin, 0, tail)
        self.stars(0x23, stream, task, end, 0, tail)

    def flip(self, ns, stream, number, task):
        self.add("ts_track.data", struct.pack("<BBHIQHHHH", 0, 0x0E, 0, 0, self.count(ns), stream, number, 0, task).ljust(40, b"\0"))

    def step(self, ns, index, model, stream, task, tag):
        self.add("ts_track.data", struct.pack("<BBHIQQQHHH", 0, 0x0A, 0, 0, self.count(ns), index, model, stream, task, tag).ljust(40, b"\0"))

    def counters(self, stream, task, begin, end, cycles, events, context=0, ffts=0, subtype=0, block_core=None):
        if block_core is None:
            head = struct.pack("<HHHHQBBHHH", 0x28, 0, stream, task, 0, subtype, 0, context, ffts << 13, 0)
        else:
            head = struct.pack("<HHHHQBBHBBH", 0x29, 0, stream, task, 0, subtype, 0, context, block_core, ffts << 5, 0)
        events = (list(events) + [0] * 8)[:8]
        self.add("ffts_profile.data", head.ljust(32, b"\0") + struct.pack("<QQ8QQQ", cycles, 0, *events, self.count(begin), self.count(end)))

    def frequency(self, changes):
        data = struct.pack("<II", len(changes), 0)
        for ns, mhz in changes:
            data += struct.pack("<QII", self.count(ns), mhz, 0)
        self.add("lpmFreqConv.data", data.ljust(888, b"\0"))

    def hbm(self, us, count, is_write, memory):
        self.add("hbm.data", struct.pack("<QQII", us, count, int(is_write), memory))

    # Sampled counters
    def llc(self, us, count, event, cache):
        self.add("llc.data", struct.pack("<QQII", us, count, event, cache))

    # The same in version 2.0 of the collection
    def late_hbm(self, ns, count, is_write, memory):
        self.add("hbm.data", struct.pack("<IIIIQQ", 0, 0, int(is_write), memory, count, self.capture.wall + ns))

    def late_llc(self, ns, count, event, cache):
        self.add("llc.data", struct.pack("<IIIIQ", 0, count, event, cache, self.capture.wall + ns))

    def late_memory(self, us, is_device, ddr, hbm):
        self.add("npu_mem.app", struct.pack("<IIQQQ", 0, int(is_device), us, ddr, hbm))

    def ddr(self, us, count, is_write, controller=0, master=NONE):
        self.add("ddr.data", struct.pack("<IIIII", us, count, int(is_write), controller, master))

    def pcie(self, ns, values):
        """At a time of the device's clock. Values: (minimum, maximum, mean) of what is sent (posted, non-posted, completions, latency), then received (the first three)."""
        self.add("pcie.data", struct.pack("<QI21I", self.capture.monotonic + ns, self.number, *(value for three in values for value in three)).ljust(96, b"\0"))

    def hccs(self, ns, sent, received):
        head = [] if "hccs.data" in self.files else [b"time txAmount rxAmount\n"]
        self.files.setdefault("hccs.data", []).extend(head + [f"{self.capture.monotonic + ns}: {sent} {received}\n".encode()])

    def port(self, name, ns, values, port=0):
        """Name: nic or roce. Values: Mb/s, then of received and of sent ones: packets/s, bytes/s, packets, bytes, errors, dropped."""
        self.add(f"{name}.data", f"{self.capture.monotonic + ns}: {' '.join(str(value) for value in values)} {port}\n".encode())

    def qos(self, ns, values):
        self.add("qos.data", struct.pack("<IIQQ10I", 0, 0, 0, self.count(ns), *(list(values) + [0] * 10)[:10]))

    # What STARS samples beside its tasks
    def profile(self, function, ns, tail, kind=0, file="stars_soc_profile.data"):
        self.add(file, struct.pack("<HHHHQ", function | kind << 10, STARS, 0, 0, self.count(ns)) + tail.ljust(48, b"\0"))

    def accelerator(self, ns, number, rates, requests, file="stars_soc.data"):
        """Rates and requests: the two of each in the order of the record."""
        self.profile(0x1A, ns, struct.pack("<HH3I4Q", 0, number, 0, 0, 0, *rates, *requests), file=file)

    def die_link(self, ns, die, sizes):
        """Sizes: received requests, responses, snoops, data, then sent ones."""
        self.profile(0x19, ns, struct.pack("<HH3I8I", 0, die, 0, 0, 0, *sizes))

    def chip_link(self, ns, is_pcie, link, first, second):
        self.profile(0x1B, ns, struct.pack("<HH3IQQ", 0, link, 0, 0, 0, first, second), 0x22 if is_pcie else 0x3F)

    def chip_level(self, ns, low, high):
        self.profile(0x1C, ns, struct.pack("<4IHH", 0, 0, 0, 0, low | high << 3, 0))

    def stars_qos(self, ns, values):
        self.profile(0x18, ns, struct.pack("<Q10I", 0, *(list(values) + [0] * 10)[:10]))

    def memory(self, us, is_device, ddr, hbm, name="npu_mem.app"):
        self.add(name, struct.pack("<IIQQQ", us, int(is_device), 0, ddr, hbm))

    # What it counts for single tasks
    def cache(self, stream, task, counts):
        self.add("l2_cache.data", struct.pack("<HHHH8Q", 0, stream, task, 0, *(list(counts) + [0] * 8)[:8]))

    def soc(self, kind, stream, task, counts):
        """Kind: 1 L2 cache, 2 translation of addresses, 4 page faults."""
        self.add("socpmu.data", struct.pack("<8x4H8Q", 0, stream, task, kind, *(list(counts) + [0] * 8)[:8]))

    # What its AI CPU says
    def aicpu(self, kind, ns, payload):
        self.add("aicpu.data", struct.pack("<HHIIIQ", MAGIC, 6000, kind, 5, len(payload), self.count(ns)) + payload.ljust(232, b"\0"))

    def aicpu_kernel(self, ns, stream, task, run, compute, copy, copied, submitted, finished, dispatch):
        """Run: begin and end, None if unknown. Compute, copy, copied, dispatch: us of a clock of its own."""
        begin, end = (0 if one is None else self.count(one) for one in run)
        self.aicpu(0, ns, struct.pack("<HHI7QII4QII", stream, task, 0, 0, begin, compute, copy, copied, 0, end, 5, self.number,
                                      self.count(submitted), 0, 0, self.count(finished), 0, dispatch))

    # The same in files of older versions
    def old_aicpu_kernel(self, stream, task, run, compute, copy, copied, submitted, finished, dispatch):
        begin, end = (self.count(one) for one in run)
        self.add("DATA_PREPROCESS.AICPU", struct.pack("<4H7QII4QIIIHBBQ", MAGIC, 60, stream, task, 0, begin, compute, copy, copied, 0, end, 5,
                                                      self.number, self.count(submitted), 0, 0, self.count(finished), 0, dispatch, 0, 0, 0, 0, 0))

    def old_queue_action(self, ns, action, source, size):
        self.add("DATA_PREPROCESS.DP", struct.pack("<HHIQ16s64sQQ16x", MAGIC, 100, 0, self.count(ns), action.encode(), source.encode(), 0, size))

    def queue_action(self, ns, action, source, size):
        self.aicpu(1, ns, struct.pack("<16s64sQQ", action.encode(), source.encode(), 0, size))

    def queue_wait(self, ns, node, begin, end, size):
        self.aicpu(3, ns, struct.pack("<IIQQQ", node, 0, size, begin, end))

    def model_step(self, ns, index, model, tag):
        self.aicpu(2, ns, struct.pack("<QIHHQ", index, model, tag, 0, 0))

    def module_memory(self, ns, module, size):
        self.add("npu_module_mem.data", struct.pack("<IIQQ", module, 0, self.capture.count(ns), size))


class Capture:
    """One PROF folder."""

    def __init__(self, host_mhz="100.000000", device_mhz="50", core_mhz="1800", chip="5", level="l1", process=4242, devices=(0,),
                 difference=0, host_count=5_000_000, device_count=900_000, rank=0, monotonic=MONOTONIC, wall=WALL, sample=None, info=None):
        self.host_mhz, self.device_mhz, self.core_mhz, self.chip, self.level = host_mhz, str(device_mhz), str(core_mhz), chip, level
        self.process, self.rank, self.difference, self.host_start = process, rank, difference, host_count
        self.monotonic, self.wall = monotonic, wall
        self.sample, self.info = dict(sample or {}), dict(info or {})
        self.mhz = Fraction(host_mhz) if host_mhz else Fraction(1000)
        self.is_ns = self.mhz == 1000
        self.devices = {number: Device(self, number, device_mhz, device_count + 1000 * number) for number in devices}
        self.files, self.hashes, self.types = {}, {}, {}
        self.end = 0

    # Words
    def hash(self, text):
        if isinstance(text, int):
            return text
        number = (zlib.crc32(text.encode()) << 8 | 0x100000000) + len(text)
        self.hashes[number] = text
        return number

    def type(self, level, name, number=None):
        for (known_level, known), text in self.types.items():
            if known_level == level and text == name and (number is None or number == known):
                return known
        if number is None:
            number = 1000 + len(self.types)
        self.types[level, number] = name
        return number

    def count(self, ns):
        self.end = max(self.end, ns)
        if self.is_ns:
            return self.monotonic + int(ns)
        return self.host_start + int(Fraction(ns) * self.mhz / 1000)

    def add(self, name, data):
        self.files.setdefault(name, []).append(data)

    # Records of the host
    def call(self, level, name, thread, begin, end, item=0, request=0, number=None):
        self.add("unaging.api_event.data", struct.pack("<HHIIIQQQ", MAGIC, level, self.type(level, name, number), thread, request,
                                                       self.count(begin), self.count(end), self.hash(item)))

    def event(self, level, name, thread, begin, end, item=0, request=NONE, number=None):
        for ns in (begin, end):
            self.add("unaging.api_event.data", struct.pack("<HHIIIQQQ", MAGIC, level, self.type(level, name, number), thread, request,
                                                           self.count(ns), 0xFFFFFFFFFFFFFFFF, self.hash(item)))

    def head(self, level, kind, thread, length, ns):
        return struct.pack("<HHIIIQ", MAGIC, level, kind, thread, length, self.count(ns))

    def compact(self, name, level, thread, ns, payload, length=None, kind=0, aging=False):
        prefix = "aging" if aging else "unaging"
        length = len(payload) if length is None else length
        self.add(f"{prefix}.compact.{name}", self.head(level, kind, thread, length, ns) + payload.ljust(40, b"\0"))

    def additional(self, name, level, thread, ns, payload, kind=0, aging=False):
        prefix = "aging" if aging else "unaging"
        self.add(f"{prefix}.additional.{name}", self.head(level, kind, thread, len(payload), ns) + payload.ljust(232, b"\0"))

    def track(self, ns, thread, device, stream, task, kind, kernel=0, blocks=None, mix=0, batch=0, length=None, number=None):
        payload = struct.pack("<HHHHQQ", device, stream, task, batch, kind if isinstance(kind, int) else self.type(RUNTIME, kind, number),
                              self.hash(kernel))
        payload += struct.pack("<HHB", blocks or 0, 0, mix)
        self.compact("task_track", RUNTIME, thread, ns, payload, length or (24 if blocks is None else 40), 803)

    def host_flip(self, ns, thread, device, stream, task, number):
        self.type(RUNTIME, "FLIP", 98)
        self.track(ns, thread, device, stream, task, 98, batch=number)

    def basic(self, ns, thread, op, core, kind, blocks, mix=0, hf32=0, aging=True):
        self.compact("node_basic_info", NODE, thread, ns,
                     struct.pack("<QIQII", self.hash(op), core, self.hash(kind), blocks | mix << 16, hf32), aging=aging)

    def attribute(self, ns, thread, op, text):
        self.compact("node_attr_info", NODE, thread, ns, struct.pack("<QIQ", self.hash(op), 0, self.hash(text)))

    def tensors(self, ns, thread, op, tensors):
        """Tensors: (0 input or 1 output, format, type, dimensions)."""
        for first in range(0, len(tensors), 5):
            part = tensors[first:first + 5]
            payload = struct.pack("<QI", self.hash(op), len(part))
            for side, form, kind, dims in part:
                payload += struct.pack("<III8I", side, form, kind, *(list(dims) + [0] * 8)[:8])
            self.additional("tensor_info", NODE, thread, ns, payload)

    def contexts(self, ns, thread, op, ids, level=NODE):
        self.additional("context_id_info", level, thread, ns, struct.pack("<QI55I", self.hash(op), len(ids), *(list(ids) + [0] * 55)[:55]))

    def copy(self, ns, thread, size, direction, most=None):
        self.compact("memcpy_info", RUNTIME, thread, ns, struct.pack("<QQH", size, size if most is None else most, direction), kind=804)

    def hccl_op(self, ns, thread, group, algorithm="RING-MESH", count=1024, data_type=4, relay=0, retry=0):
        self.compact("hccl_op_info", NODE, thread, ns,
                     struct.pack("<BBQQQ", relay | retry << 1, data_type, self.hash(algorithm), count, self.hash(group)))

    def hccl_task(self, ns, thread, item, group, local=0, remote=1, ranks=2, plane=0, context=NONE, notify=NONE, estimate=0.0, size=0,
                  data_type=4, link=1, transport=0, rdma=NONE, role=1, stage=0):
        self.additional("hccl_info", HCCL, thread, ns, struct.pack(
            "<QQQIIIIIIQIIdQQQIIIIII", self.hash(item), 0, self.hash(group), local, remote, ranks, 0, plane, context, notify, stage, role,
            estimate, 0x1000, 0x2000, size, 0, data_type, link, transport, rdma, 0))

    def graph_memory(self, thread, ns, address, size, op, allocated, reserved, device=0):
        """Size: negative where it is released."""
        self.additional("task_memory_info", NODE, thread, ns, struct.pack("<QqQQQII", address, size, self.hash(op), allocated, reserved, device, 20))

    def static_memory(self, thread, ns, op, size, graph, root=0, begin=0, end=0, total=0):
        self.additional("static_op_mem", NODE, thread, ns, struct.pack("<qQQQQQI", size, self.hash(op), begin, end, total, self.hash(root), graph))

    def fusion(self, thread, ns, name, ops, sizes):
        """Sizes: of inputs, outputs, weights, workspace, and in all."""
        hashes = [self.hash(op) for op in ops]
        self.additional("fusion_op_info", MODEL, thread, ns, struct.pack("<QI5Q8Q", self.hash(name), len(ops), *sizes, *(hashes + [0] * 8)[:8]))

    def graph(self, thread, ns, name, graph, model):
        self.additional("graph_id_map", MODEL, thread, ns, struct.pack("<QII", self.hash(name), graph, model))

    def mark(self, thread, begin, end, message, kind=0, number=None, domain="default", segment=0, category=0, payload=(0, 0), form=0):
        """Kind: 0 marker, 1 push/pop, 2 start/end, 3 marker of a stream. With a number: one that a stream may have, too."""
        text = message.encode()
        assert len(text) < 156
        self.add("unaging.additional.msproftx", struct.pack(
            "<HHIIIQHHIHHIIIIiQQQQQi156s", MAGIC, 20500, 0, thread, 0, self.count(begin), 0 if number is None else 1, segment, 0, 0, 0,
            self.process, thread, category, kind, payload[0], payload[1], self.count(begin), self.count(end), number or 0,
            0 if number is None else self.hash(domain), form, text))

    # Writing
    def log(self, count, difference=None):
        text = f"clock_realtime: {self.wall}\nclock_monotonic_raw: {self.monotonic}\ncntvct: {count}\n"
        return text if difference is None else "[Host]\n" + text + f"cntvct_diff: {difference}\n\n"

    def samples(self, devices):
        events = "0x8,0xa,0x9,0xb,0xc,0xd,0x54,0x55"
        return dict({"ai_core_metrics": "PipeUtilization", "ai_core_profiling": "on", "ai_core_profiling_events": events,
                     "ai_core_profiling_mode": "task-based", "aicore_sampling_interval": 10, "aiv_metrics": "PipeUtilization",
                     "aiv_profiling": "on", "aiv_profiling_events": events, "aiv_profiling_mode": "task-based", "aiv_sampling_interval": 10,
                     "llc_profiling": "read", "hwts_log": "on", "ts_keypoint": "on", "profLevel": self.level, "prof_level": self.level,
                     "qosEvents": "", "ddr_interval": 20, "instrProfilingFreq": 1000, "hbm_profiling_events": "read,write",
                     "hbmProfiling": "on", "msprofBinPid": self.process}, devices=devices, **self.sample)

    def infos(self, device):
        info = {"jobInfo": "NA", "version": "1.0", "mac": "00", "OS": "Linux", "cpuCores": 8, "hostname": "h", "hostUid": "1",
                "hwtype": "aarch64", "platform": "", "CPU": [{"Id": 0, "Name": "HiSilicon", "Frequency": self.host_mhz, "Logical_CPU_Count": 1,
                                                              "Type": "Taishan"}],
                "platform_version": self.chip, "pid": str(self.process), "pid_name": "python3", "memoryTotal": 100, "cpuNums": 8,
                "sysClockFreq": 100, "upTime": "1 1", "netCardNums": 1, "netCard": [{"netCardName": "eth0", "speed": 1000}],
                "rank_id": self.rank, "drvVersion": 470000, "cannVersion": "8.3", "devices": "", "DeviceInfo": []}
        if device is not None:
            info["devices"] = str(device)
            info["DeviceInfo"] = [{"id": device, "env_type": 3, "ctrl_cpu_id": "ARMv8_Cortex_A55", "ctrl_cpu_core_num": 1,
                                   "ctrl_cpu_endian_little": 1, "ts_cpu_core_num": 0, "ai_cpu_core_num": 6, "ai_core_num": 24,
                                   "ai_cpu_core_id": 2, "ai_core_id": 0, "aicpu_occupy_bitmap": 252, "ctrl_cpu": "0",
                                   "ai_cpu": "2,3,4,5,6,7", "aiv_num": 48, "hwts_frequency": self.device_mhz,
                                   "aic_frequency": self.core_mhz, "aiv_frequency": self.core_mhz}]
        return dict(info, **self.info)

    def write(self, parent, name="PROF_000001_20260101000000000_ABCDEFGHIJKLMNOP", slices=1):
        """@param slices  Into how many parts each file of records is cut, at whole records."""
        prof = os.path.join(parent, name)
        last = self.end + 1_000_000
        begin = {"collectionDateBegin": "2026-01-01 00:00:00.000000", "collectionTimeBegin": str(self.wall // 1000),
                 "clockMonotonicRaw": str(self.monotonic)}
        end = {"collectionDateEnd": "2026-01-01 00:00:01.000000", "collectionTimeEnd": str((self.wall + last) // 1000),
               "clockMonotonicRaw": str(self.monotonic + last)}

        def put(folder, file, data):
            path = os.path.join(prof, folder, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(data.encode() if isinstance(data, str) else data)

        def put_slices(folder, file, records):
            for number in range(slices):
                part = records[len(records) * number // slices:len(records) * (number + 1) // slices]
                if not part and number:
                    continue
                data = b"".join(part)
                put(folder, f"data/{file}.slice_{number}", data)
                put(folder, f"data/{file}.slice_{number}.done", f"filesize:{len(data)}")

        files = dict(self.files)
        files["unaging.additional.hash_dic"] = [f"{number}:{text}\n".encode() for number, text in self.hashes.items()]
        files["unaging.additional.type_info_dic"] = [f"{level}_{number}:{text}\n".encode() for (level, number), text in self.types.items()]
        for file, records in files.items():
            put_slices("host", file, records)
        put("host", "info.json", json.dumps(self.infos(None)))
        put("host", "sample.json", json.dumps(self.samples("64")))
        put("host", "start_info", json.dumps(begin))
        put("host", "end_info", json.dumps(end))
        put("host", "host_start.log", self.log(self.host_start, self.difference))
        for number, device in self.devices.items():
            folder = f"device_{number}"
            for file, records in device.files.items():
                put_slices(folder, f"{file}.{number}", records)
            put(folder, f"info.json.{number}", json.dumps(self.infos(number)))
            put(folder, "sample.json", json.dumps(dict(self.samples(str(number)), **device.sample)))
            put(folder, f"start_info.{number}", json.dumps(begin))
            put(folder, f"end_info.{number}", json.dumps(end))
            put(folder, f"host_start.log.{number}", self.log(self.host_start, self.difference))
            put(folder, f"dev_start.log.{number}", self.log(device.start))
        return prof


class Framework:
    """FRAMEWORK of a rank of PyTorch; stamps are counts of the capture's host, as torch_npu writes them."""

    def __init__(self, capture):
        self.capture, self.files = capture, {}

    def add(self, name, data):
        self.files[name] = self.files.get(name, b"") + data

    def op(self, name, begin, end, thread, sequence=-1, forward=0, types=None, shapes=None, stack=None, modules=None, flops=None):
        texts = [(2, name), (3, types), (4, shapes), (8, stack), (9, modules), (10, flops)]
        value = struct.pack("<qqqQQQQBB", self.capture.count(begin), self.capture.count(end), sequence, self.capture.process, thread, thread,
                            forward, 0, 0)
        value += b"".join(tlv(kind, text.encode()) for kind, text in texts if text is not None)
        self.add("torch.op_range", tlv(1, value))

    def mark(self, ns, kind, correlation, thread, name):
        self.add("torch.op_mark", tlv(2, struct.pack("<qQQQQ", self.capture.count(ns), kind, correlation, thread, self.capture.process) +
                                      tlv(1, name.encode())))

    def memory(self, ns, pointer, size, allocated, reserved, active, kind, thread, device=0, component=0, allocator=0, stream=0x55AA):
        self.add("torch.memory_usage", tlv(3, struct.pack("<qqqqqqqbbBBBQQ", pointer, self.capture.count(ns), size, allocated, reserved, active,
                                                          stream, 20, device, component, kind, allocator, thread, self.capture.process)))

    def python(self, ns, thread, key, tag):
        self.add("torch.python_tracer_func", struct.pack("<QQQQB", self.capture.count(ns), thread, self.capture.process, key, tag))

    def text(self, key, text):
        self.add("torch.python_tracer_hash", tlv(4, struct.pack("<Q", key) + tlv(1, text.encode())))

    def collection(self, begin, end):
        self.add("torch.gc_record", struct.pack("<QQQ", self.capture.process, self.capture.count(begin), self.capture.count(end)))

    def write(self, parent, name="host_1_20260101000000000_ascend_pt", level="Level1", options=None, **slices):
        """@param options  More of the experimental configuration. @return The folder of the rank."""
        capture = self.capture
        rank = os.path.join(parent, name)
        os.makedirs(os.path.join(rank, "FRAMEWORK"))
        for file, data in self.files.items():
            with open(os.path.join(rank, "FRAMEWORK", file), "wb") as out:
                out.write(data)
        info = {"config": {"common_config": {"activities": ["ProfilerActivity.CPU", "ProfilerActivity.NPU"]},
                           "experimental_config": dict({"_profiler_level": level, "_export_type": ["text"], "_data_simplification": True},
                                                       **(options or {}))},
                "start_info": {"syscnt_enable": not capture.is_ns, "freq": float(capture.mhz), "start_cnt": capture.host_start,
                               "start_monotonic": capture.monotonic},
                "end_info": {"collectionTimeEnd": capture.wall + capture.end + 1_000_000,
                             "MonotonicTimeEnd": capture.monotonic + capture.end + 1_000_000},
                "rank_id": capture.rank, "cann_version": "8.3", "torch_npu_version": "2.5.1"}
        with open(os.path.join(rank, f"profiler_info_{capture.rank}.json"), "w", encoding="utf-8") as out:
            json.dump(info, out)
        capture.write(rank, **slices)
        return rank
