#!/usr/bin/env python3
"""Marks of mstx and what samplers record, in raw data: each test writes the records itself (tests/support/raw_encoder.py) and says by
simple sums of its own what the vendor's program makes of them (core/report/deliverables/FORMAT.md section 8)."""

import csv
import glob
import json
import os
import sqlite3
import sys
import unittest
from random import Random

from support import OK, SOURCE, CliTest, rows, run

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from raw_encoder import MODEL, MONOTONIC, NODE, RUNTIME, WALL, Capture, Framework  # noqa: E402

THREAD, STREAM = 4243, 2
MEGA = 1 << 20


def plain(**words):
    """A capture with one kernel."""
    capture = Capture(**words)
    capture.types[RUNTIME, 0] = "KERNEL_AICORE"
    for number, device in capture.devices.items():
        capture.call(NODE, "launch", THREAD, 10_000, 14_000, "MatMul")
        capture.track(12_000, THREAD, number, STREAM, 1, "KERNEL_AICORE")
        capture.basic(13_000, THREAD, "MatMul", 0, "MatMulV2", 20)
        device.run(STREAM, 1, 15_000, 18_000, 0)
    return capture


def stamp(ns):
    return f"{(WALL + ns) // 1000}.{(WALL + ns) % 1000:03}"


def name_of(process):
    return {"NIC": "nic", "RoCE": "roce"}[process]


def sampled(us):
    """Samplers' times are reals of ns in the vendor's tables."""
    ns = int(float(WALL + us * 1000))
    return f"{ns // 1000}.{ns % 1000:03}"


class RawSamples(CliTest):
    def written(self, capture, framework=None, status=OK, **words):
        self.count = getattr(self, "count", 0) + 1
        self.source, out = self.path(f"in{self.count}"), self.path(f"out{self.count}")
        os.makedirs(self.source)
        (framework or capture).write(self.source, **words)
        done = run("analyse", self.source, "--out", out, "--export-type", "text,db")
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.table = done.stdout
        (folder,) = glob.glob(os.path.join(out, "*"))
        return folder

    def events(self, folder, stem="msprof_2"):
        (path,) = glob.glob(os.path.join(folder, "*", f"{stem}*.json"))
        with open(path, encoding="utf-8") as file:
            events = json.load(file)
        self.processes = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
        return events

    def samples(self, folder, process):
        events = self.events(folder)
        return [(e["name"], e["ts"], e["args"]) for e in events if e["ph"] == "C" and self.processes[e["pid"]] == process]

    def lines(self, folder, stem):
        (path,) = glob.glob(os.path.join(folder, "*", f"{stem}*.csv"))
        with open(path, encoding="utf-8", newline="") as file:
            return [{key: value.strip() for key, value in row.items()} for row in csv.DictReader(file)]

    def database(self, folder, sql):
        (path,) = glob.glob(os.path.join(folder, "msprof_*.db"))
        return sqlite3.connect(f"file:{path}?mode=ro", uri=True).execute(sql).fetchall()

    def test_marks_of_the_host_and_of_streams(self):
        capture = plain(info={"pid_name": "trainer"})
        capture.mark(THREAD, 20_000, 24_000, "forward", kind=1, category=3, payload=(2, 7), form=1)
        capture.mark(THREAD, 30_000, 30_000, "step ", kind=3, number=5, domain="train")
        capture.mark(THREAD, 30_000, 30_000, "one", kind=3, number=5, domain="train", segment=1)
        capture.mark(THREAD, 40_000, 41_000, "alone", kind=2, number=6, domain="train")
        capture.devices[0].step(33_000, 5, 0xFFFFFFFF, STREAM, 77, 11)
        capture.devices[0].step(35_000, 5, 0xFFFFFFFF, STREAM, 77, 11)
        folder = self.written(capture)
        events = self.events(folder)
        bars = [(self.processes[e["pid"]], e["name"], e["ts"], e["dur"], e["args"]) for e in events if e["ph"] == "X" and
                (self.processes[e["pid"]] == "trainer" or "Task Type" not in e["args"] and self.processes[e["pid"]] == "Ascend Hardware")]
        self.assertCountEqual(bars, [
            ("trainer", "forward", stamp(20_000), 4.0, {"Category": "3", "Payload_type": 2, "Payload_value": 7, "Message_type": 1,
                                                        "event_type": "push/pop"}),
            ("trainer", "step one", stamp(30_000), 0.0, {"event_type": "marker_ex", "domain": "train"}),
            ("trainer", "alone", stamp(40_000), 1.0, {"event_type": "start/end", "domain": "train"}),
            ("Ascend Hardware", "step one", stamp(33_000), 2.0, {"Physic Stream Id": STREAM, "Task Id": 77})])
        flows = sorted((e["ph"], e["id"], e["ts"]) for e in events if e.get("cat") == "MsTx")
        self.assertEqual(flows, [("f", "4000000006", stamp(33_000)), ("s", "4000000006", stamp(30_000)), ("s", "4000000007", stamp(40_000))])
        marks = [(row["Device_id"], row["message"], row["domain"], row["Device Start_time(us)"]) for row in self.lines(folder, "msprof_tx")]
        self.assertEqual(marks, [("host", "forward", "N/A", "N/A"), ("0", "step one", "train", stamp(33_000)), ("host", "alone", "train", "N/A")])
        self.assertEqual(len([e for e in self.events(folder, "msprof_tx_") if e["ph"] == "X"]), 4)
        self.assertEqual(self.database(folder, "SELECT startNs, endNs, eventType, category, connectionId FROM MSTX_EVENTS ORDER BY startNs"),
                         [(WALL + 20_000, WALL + 24_000, 1, 3, 4_000_000_000), (WALL + 30_000, WALL + 30_000, 3, 0xFFFFFFFF, 4_000_000_006),
                          (WALL + 40_000, WALL + 41_000, 2, 0xFFFFFFFF, 4_000_000_007)])
        self.assertEqual(self.database(folder, "SELECT startNs, streamId, taskId FROM TASK WHERE connectionId = 4000000006"),
                         [(WALL + 33_000, STREAM, 77)])
        # The window shows the same.
        self.assertEqual(rows(self.source, "SELECT slice.name, slice.dur FROM slice JOIN track USING (track_id) WHERE track.kind = 'mstx' ORDER BY ts"),
                         [("forward", 4000), ("step one", 0), ("alone", 1000)])

    def test_marks_of_streams_say_from_cann_9_1_on_whether_they_are_two(self):
        capture = plain(info={"cannVersion": "9.1.0"})
        for ns, number, tag in ((20_000, 1, 11), (21_000, 1, 11), (30_000, 2, 12), (34_000, 2, 12), (40_000, 3, 12)):
            capture.devices[0].step(ns, number, 0xFFFFFFFF, STREAM, number, tag)
            if tag == 11 or ns in (30_000, 40_000):
                capture.mark(THREAD, ns, ns, f"mark {number}", kind=3, number=number)
        folder = self.written(capture)
        bars = [(e["ts"], e["dur"]) for e in self.events(folder) if e["ph"] == "X" and e["args"].get("Task Id") in (1, 2, 3) and
                "Task Type" not in e["args"]]
        self.assertEqual(sorted(bars), [(stamp(20_000), 0.0), (stamp(21_000), 0.0), (stamp(30_000), 4.0)])
        self.assertIn("raw.unpaired (1)", self.table)

    def test_caches(self):
        capture = plain(sample={"llc_profiling": "read"})
        device = capture.devices[0]
        events = (0, 1, 2, 0x13, 0x20, 0x22, 0x34, 0x36)
        counts = {100: (10, 20, 5, 6, 50, 7, 30, 8), 200: (1000, 2000, 3, 3, 7, 3, 0, 3)}
        for us, values in counts.items():
            for event, count in zip(events, values):
                device.llc(us, count, event, 1)
        device.llc(100, 5, 0, 7)  # a cache that this chip has not
        folder = self.written(capture)
        passed = int(float(WALL + 200_000)) - int(float(WALL + 100_000))
        rate = round(3000 * 64 / MEGA / (passed / 64.0 / 1e9), 3)
        hits = [round(26 / 80, 3), round(12 / 7, 3)]
        self.assertEqual(self.samples(folder, "LLC"), [
            ("LLC 1 Read/Hit Rate", sampled(100), {"Hit Rate(%)": hits[0] * 100 / 100}),
            ("LLC 1 Read/Hit Rate", sampled(200), {"Hit Rate(%)": hits[1] * 100 / 100}),
            ("LLC 1 Read/Throughput", sampled(100), {"Throughput(MB/s)": 0.0}),
            ("LLC 1 Read/Throughput", sampled(200), {"Throughput(MB/s)": rate})])
        self.assertEqual([value for (value,) in self.database(folder, "SELECT throughput FROM LLC")], [0, int(rate * MEGA)])
        self.assertIn("raw.not_read (1) llc.data", self.table)

    def test_links(self):
        capture = plain()
        device = capture.devices[0]
        for ns, sent, received in ((100_000, 0, 0), (200_000, 1 << 20, 2 << 20), (400_000, 2 << 20, 2 << 20), (500_000, 9 << 20, 9 << 20)):
            device.hccs(ns, sent, received)
        device.pcie(100_000, [(1, 9, 5), (2, 8, 4), (3, 7, 6), (100, 300, 200), (4, 6, 5), (5, 9, 7), (6, 8, 7)])
        device.pcie(200_000, [(9, 1, 5)] + [(1, 2, 1)] * 6)  # nothing was sent
        folder = self.written(capture)
        # The last sample is left out, as the vendor does it.
        mega = [1e9 / 100_000, 1e9 / 200_000]
        found = [args["Tx(MB/s)"] for name, _, args in self.samples(folder, "HCCS") if name == "Tx"]
        self.assertEqual(found, [round(one, 3) for one in mega])
        self.assertEqual([args for name, _, args in self.samples(folder, "PCIe") if name == "PCIe_post"], [{"Tx": 5e6 / MEGA, "Rx": 5e6 / MEGA}])
        self.assertEqual([args for name, _, args in self.samples(folder, "PCIe") if name == "PCIe_nonpost_latency"], [{"Tx": 0.2, "Rx": 0.0}])
        self.assertEqual(self.database(folder, "SELECT txPostMin, txNonpostLatencyMax FROM PCIE"), [(1_000_000, 300)])
        self.assertEqual([row["Max"] for row in self.lines(folder, "hccs")], ["10000.0", "20000.0"])
        self.assertEqual(self.lines(folder, "pcie")[1]["Avg"], str(round(1e6 / MEGA, 3)))

    def test_ports_of_networks(self):
        capture = plain()
        received, sent = (10, 1000, 8, 4000, 2, 1), (20, 3 << 17, 0, 5000, 2, 1)
        for name in ("nic", "roce"):
            capture.devices[0].port(name, 100_000, (1, *received, *sent), 3)
        folder = self.written(capture)
        for process, table in (("NIC", "NIC"), ("RoCE", "ROCE")):
            self.assertEqual(self.samples(folder, process), [
                ("Port 3/Rx", stamp(100_000), {"Rx Dropped Rate": 0.125, "Rx Error Rate": 0.25, "Rx Packets": 10.0,
                                               "Rx Bandwidth Efficiency": round(1000 * 8 / MEGA, 3)}),
                ("Port 3/Tx", stamp(100_000), {"Tx Dropped Rate": 0.0, "Tx Error Rate": 0.0, "Tx Packets": 20.0, "Tx Bandwidth Efficiency": 3.0})])
            self.assertEqual(self.database(folder, f"SELECT bandwidth, rxErrors, txBytes, funcId FROM {table}"), [(MEGA, 2, 5000, 3)])
            (line,) = self.lines(folder, f"{name_of(process)}_2")
            self.assertEqual(list(line.values()), ["0", stamp(-MONOTONIC), "1.0", "0.0", "10.0", "0.25", "0.125", "0.0", "20.0", "0.0", "0.0", "3"])

    def test_summaries_of_ports_are_those_of_the_vendors_program(self):
        capture = plain()
        random = Random(11)
        samples = {(k, port): [random.randrange(1, 100_000) for _ in range(12)] for k in range(4) for port in (2, 0)}
        for name in ("nic", "roce"):
            for (k, port), values in samples.items():
                capture.devices[0].port(name, 100_000 + 1000 * k, [0 if port == 0 else 100, *values], port)
        folder = self.written(capture)

        def line(port, is_empty):
            own = [values for (_, one), values in samples.items() if one == port]
            def share(part, packets):
                return round(round(part / packets, 3) * 100, 3)
            def ways():
                for first, errors, dropped in ((0, sum(v[4] for v in samples.values()) / 8, 4), (6, sum(v[10] for v in own) / 4, 1)):
                    packets, grown = sum(v[first] for v in own), max(v[first + 3] for v in own) - min(v[first + 3] for v in own)
                    yield 0.0 if port == 0 else round(grown * 8 / (3000.0 * 100 * MEGA), 3)
                    yield round(packets / 3000, 3)
                    yield share(errors, packets)
                    yield share(sum(v[first + 5] for v in own) / dropped, packets)
            found = [0.0] * 8 if is_empty else list(ways())
            return ["0", stamp(3000 - MONOTONIC), "0.0" if port == 0 else "100.0", *map(str, found), str(port)]
        # Ports stand as in the file.
        for name in ("nic", "roce"):
            self.assertEqual([list(row.values()) for row in self.lines(folder, f"{name}_2")], [line(2, False), line(0, name == "roce")])

    def test_quality_of_service_and_memory(self):
        capture = plain(sample={"qosEvents": "L2,DDR"})
        device = capture.devices[0]
        device.qos(50_000, [100, 200, 300])
        device.memory(100, False, 2048, 4096)
        device.memory(100, True, 1024, 1 << 30)
        device.module_memory(60_000, 45, 10_240)
        device.module_memory(61_000, 46, (1 << 64) - 5)  # only releases, of a module without a name
        folder = self.written(capture)
        self.assertEqual(self.samples(folder, "QoS"), [("QoS DDR", stamp(50_000), {"value": 200}), ("QoS L2", stamp(50_000), {"value": 100})])
        self.assertEqual(self.database(folder, "SELECT bandwidth, dieId FROM QOS"), [(100 * MEGA, -1), (200 * MEGA, -1)])
        memory = {name: args["KB"] for name, _, args in self.samples(folder, "NPU MEM")}
        self.assertEqual(memory, {"APP/DDR": 2.0, "APP/HBM": 4.0, "APP/Memory": 6.0, "Device/DDR": 1.0, "Device/HBM": 1048576.0,
                                  "Device/Memory": 1048577.0})
        self.assertEqual([(row["event"], row["memory(KB)"]) for row in self.lines(folder, "npu_mem_2")], [("APP", "6"), ("Device", "1048577")])
        self.assertEqual([(row["Component"], row["Total Reserved(KB)"]) for row in self.lines(folder, "npu_module_mem")],
                         [("GE", "10"), ("UNKNOWN", "0")])
        self.assertEqual(rows(self.source, "SELECT component, reserved FROM module_memory ORDER BY ts"), [("GE", 10_240), ("UNKNOWN", -1)])
        self.assertEqual(rows(self.source, "SELECT reserved FROM memory_sample WHERE component = 'APP'"), [(6144,)])

    def test_version_2_0_of_the_collection(self):
        capture = plain(info={"version": "2.0"}, sample={"llc_profiling": "write"})
        device = capture.devices[0]
        for event in (0, 1, 3, 0x14, 0x21, 0x23, 0x35, 0x37):
            device.late_llc(100_000, 4, event, 0)
        for us in (100, 200):
            for memory in range(4):
                for is_write in (0, 1):
                    device.late_hbm(us * 1000, 1000, is_write, memory)
        device.late_memory(300, False, 1024, 2048)
        folder = self.written(capture)
        self.assertEqual(self.samples(folder, "LLC")[0], ("LLC 0 Write/Hit Rate", sampled(100), {"Hit Rate(%)": 2.0}))
        self.assertEqual(len(self.samples(folder, "HBM")), 16)
        self.assertEqual({when for _, when, _ in self.samples(folder, "NPU MEM")}, {sampled(300)})

    def test_devices_stand_in_the_order_of_their_folders_names(self):
        capture = plain(devices=(0, 3, 11), sample={"llc_profiling": "read"})
        for number, device in capture.devices.items():
            device.module_memory(60_000, 45, 1024 * (1 + number))
            device.hccs(100_000, 0, 0)
            device.hccs(200_000, 1 << 20, 1 << 20)
        folder = self.written(capture)
        self.assertEqual([row["Device_id"] for row in self.lines(folder, "npu_module_mem")], ["0", "11", "3"])
        self.assertEqual([row["Device_id"] for row in self.lines(folder, "hccs")][::2], ["0", "11", "3"])

    def test_durations_have_fractions_where_the_device_counts_in_them(self):
        capture = plain(device_mhz="48")
        folder = self.written(capture)
        (bar,) = [e for e in self.events(folder) if e["ph"] == "X" and self.processes[e["pid"]] == "Ascend Hardware"]
        # Differences of reals of the uptime in ns, so to 1e-5 us. 720 and 864 counts: 144 of them are 3000 ns; one more is 20 5/6.
        self.assertEqual(bar["dur"], 3.0)
        capture = plain(device_mhz="48")
        capture.types[RUNTIME, 0] = "KERNEL_AICORE"
        capture.track(12_500, THREAD, 0, STREAM, 2, "KERNEL_AICORE")
        capture.devices[0].run(STREAM, 2, 20_000, 21_030, 0)
        folder = self.written(capture)
        counts = int(21.030 * 48) - 20 * 48
        durations = [e["dur"] for e in self.events(folder) if e["ph"] == "X"]
        self.assertTrue(any(abs(one - counts / 48) < 1e-5 for one in durations), durations)
        self.assertIn(f"{counts * 1000 // 48 / 1000:.3f}", [row["task_time(us)"] for row in self.lines(folder, "task_time")])

    def test_what_is_no_record_is_counted(self):
        capture = plain()
        device = capture.devices[0]
        device.memory(100, False, 1, 2)
        device.add("npu_mem.app", bytes(32))
        device.add("npu_mem.app", b"\1" * 31)
        device.hccs(100_000, 1, 1)
        device.add("hccs.data", b"no numbers at all\n")
        self.written(capture)
        self.assertIn("raw.bad_record (1)", self.table)
        self.assertIn("raw.cut (1)", self.table)

    def test_attributes_and_copies_are_in_the_database(self):
        capture = plain()
        capture.types[RUNTIME, 5] = "MEMCPY_ASYNC"
        capture.attribute(13_200, THREAD, "MatMul", "transpose=1")
        capture.track(20_000, THREAD, 0, STREAM, 2, "MEMCPY_ASYNC")
        capture.copy(20_000, THREAD, 4096, 2)
        capture.devices[0].run(STREAM, 2, 30_000, 31_000, 11)
        folder = self.written(capture)
        self.assertEqual(self.database(folder, "SELECT size, memcpyOperation, taskId FROM MEMCPY_INFO JOIN TASK USING (globalTaskId)"),
                         [(4096, 2, 2)])
        self.assertEqual(self.database(folder, "SELECT value FROM COMPUTE_TASK_INFO JOIN STRING_IDS ON id = attrInfo"), [("transpose=1",)])

    def test_memory_of_the_process_stands_before_that_of_the_framework(self):
        capture = plain()
        capture.devices[0].memory(100, False, 0, 3 << 20)
        capture.devices[0].module_memory(60_000, 45, 3 << 19)
        capture.devices[0].hccs(100_000, 0, 0)
        capture.devices[0].hccs(200_000, 1, 1)
        framework = Framework(capture)
        framework.op("aten::empty", 20_000, 22_000, THREAD)
        framework.memory(21_000, 0x1000, 512, 512, 1024, 512, 0, THREAD)
        folder = self.written(capture, framework)
        lines = self.lines(folder, "memory_record")
        self.assertEqual([(row["Component"], row["Total Reserved(MB)"], row["Device Type"]) for row in lines][0], ("APP", "3.0", "NPU:0"))
        self.assertEqual([row["Component"] for row in lines[1:]], ["PTA", "PTA+GE"])
        self.assertEqual([row["Total Reserved(MB)"] for row in self.lines(folder, "npu_module_mem")], ["1.5"])
        # No option of the run asks for links.
        self.assertEqual(glob.glob(os.path.join(folder, "*", "hccs*")), [])

    def test_accelerators_show_the_greatest_level_and_tables_each(self):
        capture = plain()
        device = capture.devices[0]
        for number, levels in enumerate(((5, 6, 7, 8), (9, 2, 1, 11))):
            device.accelerator(60_000, number, levels[:2], levels[2:])
        # In the other file the vendor's program takes the write for the first one.
        device.accelerator(80_000, 3, (1, 2), (3, 4), file="stars_soc_profile.data")
        folder = self.written(capture)
        names = ("read_bandwidth", "write_bandwidth", "read_ost", "write_ost")
        found = {(name, when): args for name, when, args in self.samples(folder, "Acc PMU")}
        self.assertEqual(found, {(name, stamp(when)): {"value": value} for when, values in ((60_000, (9, 6, 7, 11)), (80_000, (2, 1, 4, 3)))
                                 for name, value in zip(names, values)})
        self.assertEqual(self.database(folder, "SELECT accId, readBwLevel, writeBwLevel, readOstLevel, writeOstLevel, timestampNs FROM ACC_PMU"),
                         [(0, 5, 6, 7, 8, WALL + 60_000), (1, 9, 2, 1, 11, WALL + 60_000), (3, 2, 1, 4, 3, WALL + 80_000)])
        self.assertEqual(rows(self.source, "SELECT COUNT(*) FROM diagnostic WHERE code = 'raw.other_logs'"), [(0,)])

    def test_what_dies_and_links_of_a_chip_exchange(self):
        capture = plain(sample={"qosEvents": "L2,DDR"})
        device, random = capture.devices[0], Random(7)
        sizes = [[random.randrange(1 << 20) for _ in range(8)] for _ in range(3)]
        for k, of_die in enumerate(sizes):
            device.die_link(60_000 + 20_000 * k, 1, of_die)
        device.die_link(110_000, 0, sizes[0])  # alone: nobody knows since when
        device.chip_link(70_000, False, 2, 123, 456)
        device.chip_link(71_000, True, 65, 1000, 2000)
        device.chip_level(72_000, 5, 200)
        device.stars_qos(73_000, [11, 22, 33])
        device.profile(0x1D, 74_000, b"")  # low power, of which nobody knows what it means
        folder = self.written(capture)
        paths = ("req_rx", "rsp_rx", "snp_rx", "dat_rx", "req_tx", "rsp_tx", "snp_tx", "dat_tx")
        dies = {(name, when): args["die 1"] for name, when, args in self.samples(folder, "SIO")}
        self.assertEqual(set(dies), {(path, stamp(when)) for path in paths for when in (80_000, 100_000)})
        for k, when in ((1, 80_000), (2, 100_000)):
            for path, size in zip(paths, sizes[k]):
                self.assertAlmostEqual(dies[path, stamp(when)], size / 20e-6 / MEGA, delta=1e-6)
        self.assertCountEqual(self.samples(folder, "Stars Chip Trans"), [
            ("PA Link Rx", stamp(70_000), {"PA Link Rx": 123, "PA Link ID": 2}), ("PA Link Tx", stamp(70_000), {"PA Link Tx": 456, "PA Link ID": 2}),
            ("PCIE Write Bandwidth", stamp(71_000), {"PCIE Write Bandwidth": 1000, "PCIE ID": 1}),
            ("PCIE Read Bandwidth", stamp(71_000), {"PCIE Read Bandwidth": 2000, "PCIE ID": 1})])
        self.assertCountEqual(self.samples(folder, "Stars Soc Info"), [("L2 Buffer Bw Level", stamp(72_000), {"L2 Buffer Bw Level": 5}),
                                                                       ("Mata Bw Level", stamp(72_000), {"Mata Bw Level": 200})])
        self.assertCountEqual(self.samples(folder, "QoS"), [("QoS L2", stamp(73_000), {"value": 11}), ("QoS DDR", stamp(73_000), {"value": 22})])
        self.assertEqual(self.database(folder, "SELECT l2BufferBwLevel, mataBwLevel, timestampNs FROM SOC_BANDWIDTH_LEVEL"), [(5, 200, WALL + 72_000)])
        times = self.database(folder, "SELECT timestampNs, rxReq FROM SIO")
        self.assertEqual([time for time, _ in times], [WALL + 80_000, WALL + 100_000])
        self.assertAlmostEqual(times[0][1], sizes[1][0] / 20e-6, delta=1)
        self.assertEqual(rows(self.source, "SELECT severity, count FROM diagnostic WHERE code = 'raw.other_logs'"), [("info", 1)])

    def test_damaged_records_of_a_chip_are_counted(self):
        capture = plain()
        for k in range(4):
            capture.devices[0].die_link(60_000 + 20_000 * k, 1, [1] * 8)
        records = capture.devices[0].files["stars_soc_profile.data"]
        records[1] = records[1][:2] + b"\0\0" + records[1][4:]
        records[2] = records[2][:8] + b"\xff" * 7 + b"\x7f" + records[2][16:]
        records[3] = records[3][:40]
        self.written(capture)
        self.assertIn("partial", self.table)
        found = dict(rows(self.source, "SELECT code, count FROM diagnostic WHERE severity = 'lost'"))
        self.assertEqual((found.get("raw.bad_record"), found.get("raw.cut")), (2, 1), found)

    def test_ports_without_bandwidth_are_said(self):
        capture = plain()
        for k in range(3):
            capture.devices[0].port("nic", 50_000 + 10_000 * k, [0] + [5] * 12, 1)
        self.written(capture)
        self.assertEqual(rows(self.source, "SELECT severity, count FROM diagnostic WHERE code = 'raw.no_bandwidth'"), [("info", 3)])

    def test_memory_of_the_graph_engine(self):
        capture = plain()
        events = [(10_000, 0x10, 512, "A", 512, 2048, 0), (11_000, 0x20, 700, 424242, 1212, 2048, 0), (12_000, 0x10, -512, "A", 700, 2049, 0),
                  (13_000, 0x20, -700, "A", 700, 2049, 0), (14_000, 0x30, 1 << 33, "B", 1 << 34, 1 << 34, 3), (15_000, 0x30, 5, "B", 6, 7, 3)]
        for ns, address, size, op, allocated, reserved, device in events:
            capture.graph_memory(THREAD, ns, address, size, op, allocated, reserved, device)
        capture.static_memory(THREAD, 10_000, 0, 4096, 7, 0, 1, 3)
        capture.static_memory(THREAD, 10_000, "A", 1000, 7, "root", 2, 0xFFFFFFFF)
        folder = self.written(capture)

        def kilobytes(value):
            return repr(round(value / 1024, 3))

        self.assertEqual([(row["Component"], row["Timestamp(us)"], row["Total Allocated(KB)"], row["Total Reserved(KB)"], row["Device"])
                          for row in self.lines(folder, "memory_record")],
                         [("GE", stamp(e[0]), kilobytes(e[4]), kilobytes(e[5]), f"NPU:{e[6]}") for e in events])
        # Released ones first; a release of another operator is none, and what is allocated again counts from then on.
        self.assertEqual([(row["Name"], row["Size(KB)"], row["Allocation Time(us)"], row["Duration(us)"], row["Release Total Allocated(KB)"])
                          for row in self.lines(folder, "operator_memory")],
                         [("A", "0.5", stamp(10_000), "2.0", kilobytes(700)), ("", kilobytes(700), stamp(11_000), "0.0", "0.0"),
                          ("B", "0.005", stamp(15_000), "0.0", "0.0")])
        self.assertEqual([tuple(row.values()) for row in self.lines(folder, "static_op_mem")],
                         [("host", "TOTAL", "0", "7", "1", "3", "4"), ("host", "A", "root", "7", "2", "4294967295", "0.9765625")])
        self.assertEqual(self.database(folder, "SELECT addr, size, timestampNs, totalAllocate, totalReserve, deviceId FROM NPU_OP_MEM ORDER BY timestampNs"),
                         [(e[1], abs(e[2]), WALL + e[0], e[4], e[5], e[6]) for e in events])
        self.assertEqual(rows(self.source, "SELECT ts, allocated, device_id FROM memory_sample WHERE component = 'GE' ORDER BY ts"),
                         [(WALL + e[0], e[4], e[6]) for e in events])
        self.assertEqual(rows(self.source, "SELECT name, size, release_ts FROM allocation ORDER BY alloc_ts"),
                         [("A", 512, WALL + 12_000), (None, 700, None), ("B", 5, None)])
        self.assertEqual(rows(self.source, "SELECT graph, name, node_start, size FROM static_memory ORDER BY node_start"), [("7", "TOTAL", 1, 4096), ("7", "A", 2, 1000)])

    def test_fused_operators_belong_to_the_model_around_them(self):
        capture = plain()
        capture.event(MODEL, "ModelLoad", THREAD, 20_000, 25_000, 7, request=1)
        capture.event(MODEL, "ModelLoad", THREAD, 26_000, 27_000, 9, request=1)
        for ns, name in ((20_000, "at its begin"), (22_000, "inner"), (25_000, "at its end"), (26_500, "nameless model"), (28_000, "outside")):
            capture.fusion(THREAD, ns, name, ["a", 77], [123456789012345, 1, 1023, 7 << 40, (1 << 52) + 1])
        capture.graph(THREAD, 21_000, "net", 3, 7)
        folder = self.written(capture)
        sizes = ("120563270519.868", "0.0009765625", "0.9990234375", "7516192768.0", "4398046511104.0")
        self.assertEqual([tuple(row.values()) for row in self.lines(folder, "fusion_op")],
                         [("host", model, number, name, "a;77", *sizes) for model, number, name in
                          (("net", "7", "inner"), ("net", "7", "at its end"), ("", "9", "nameless model"))])
        self.assertEqual(rows(self.source, "SELECT COUNT(*) FROM diagnostic WHERE code = 'raw.not_read'"), [(0,)])


if __name__ == "__main__":
    unittest.main()
