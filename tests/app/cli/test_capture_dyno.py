#!/usr/bin/env python3
"""`capture ... dyno-nputrace|dyno-npumonitor`: the daemon of msMonitor is sent requests in its framing; what it accepts, refuses and gets
wrong is told, and its results are found."""

import contextlib
import json
import os
import shutil
import sqlite3
import ssl
import subprocess
import sys
import time
import unittest

from capture_support import STANDIN, CaptureTest, names_below, read, samples, until
from support import CANCELLED, FAILED, info, run

sys.path.insert(0, STANDIN)
from daemon import RUNNING, Daemon  # noqa: E402

# Keys and standard values of the two requests, from the daemon's own client (capture methods of msMonitor), in its order.
TRACE = """ACTIVITIES_LOG_FILE=/p
PROFILE_START_ITERATION=0
PROFILE_START_STEP=-1
ACTIVITIES_ITERATIONS=2
WARMUP_ITERATIONS=0
PROFILE_RECORD_SHAPES=false
PROFILE_PROFILE_MEMORY=false
PROFILE_WITH_STACK=false
PROFILE_WITH_FLOPS=false
PROFILE_WITH_MODULES=false
PROFILE_ACTIVITIES=CPU,NPU
PROFILE_ANALYSE=false
PROFILE_ASYNC_MODE=false
PROFILE_PROFILER_LEVEL=Level1
PROFILE_AIC_METRICS=AiCoreNone
PROFILE_L2_CACHE=false
PROFILE_OP_ATTR=false
PROFILE_MSPROF_TX=false
PROFILE_GC_DETECT_THRESHOLD=None
PROFILE_DATA_SIMPLIFICATION=true
PROFILE_EXPORT_TYPE=Db
PROFILE_HOST_SYS=None
PROFILE_SYS_IO=false
PROFILE_SYS_INTERCONNECTION=false
PROFILE_MSTX_DOMAIN_INCLUDE=None
PROFILE_MSTX_DOMAIN_EXCLUDE=None
PROFILE_IS_RANK=true
PROFILE_RANK_LIST=0,3"""
MONITOR = """NPU_MONITOR_START=true
NPU_MONITOR_STOP=false
NPU_MONITOR_LOG_FILE=/m
REPORT_INTERVAL_S=20
DURATION=5
MSPTI_ACTIVITY_KIND=Kernel,Communication
NPU_MONITOR_EXPORT_TYPE=DB
JSONL_ROTATE_LOG_LINES=
JSONL_ROTATE_LOG_FILES=
NPU_MONITOR_FILTER="""


class DynoTest(CaptureTest):
    def daemon(self, *faults, registered=True):
        daemon = Daemon(faults=faults, registered=registered)
        self.addCleanup(daemon.close)
        return daemon

    def refused(self, *faults, method="dyno-nputrace", registered=True, monitor=None):
        daemon = self.daemon(*faults, registered=registered)
        if monitor:
            daemon.states["npumonitor"] = monitor
        return self.start(method, port=daemon.port, log_file=self.path("out"), status=FAILED), daemon


class Requests(DynoTest):
    def test_golden_requests(self):
        for method, config, sets in (("dyno-nputrace", TRACE, {"log_file": "/p", "iterations": 2, "profiler_level": "Level1", "export_type": "Db",
                                                               "rank_list": "0,3"}),
                                     ("dyno-npumonitor", MONITOR, {"log_file": "/m", "report_interval_s": 20, "duration": 5,
                                                                   "mspti_activity_kind": "Kernel,Communication"})):
            with self.subTest(method=method):
                words = [word for name, value in sets.items() for word in ("--set", f"{name}={value}")]
                request = json.loads(json.loads(self.capture("validate", method, "--json", *words))["request"])
                self.assertEqual(request, {"fn": "setKinetOnDemandRequest", "config": config, "job_id": 0, "pids": [0], "process_limit": 1000})

    def test_what_the_job_would_drop(self):
        for method, sets, field in (("dyno-nputrace", [], "log_file"), ("dyno-nputrace", ["log_file=/a=b"], "log_file"),
                                    ("dyno-nputrace", ["log_file=/a", "start_step=0"], "start_step"),
                                    ("dyno-nputrace", ["log_file=/a", "iterations=0"], "iterations"),
                                    ("dyno-nputrace", ["log_file=/a", "async_mode=true"], "async_mode"),
                                    ("dyno-nputrace", ["log_file=/a", "activities="], "activities"),
                                    ("dyno-nputrace", ["log_file=/a", "aic_metrics=Memory"], "aic_metrics"),
                                    ("dyno-nputrace", ["log_file=/a", "profiler_level=Level_none"], "msprof_tx"),
                                    ("dyno-npumonitor", ["log_file=/a", "json_rotate_log_lines=200"], "json_rotate_log_lines"),
                                    ("dyno-npumonitor", ["log_file=/a", "mspti_activity_kind=Frobs"], "mspti_activity_kind"),
                                    ("dyno-npumonitor", ["log_file=/a", "filter=MatMul"], "filter"),
                                    ("dyno-npumonitor", ["log_file=/a", "filter=Frobs:a"], "filter"),
                                    ("dyno-npumonitor", ["log_file=/a", "filter=Kernel:a,;Marker:b"], "filter"),
                                    ("dyno-npumonitor", ["log_file=/a", "filter=Marker:step:1"], "filter"),
                                    ("dyno-npumonitor", ["log_file=/a", "export_type=Jsonl", "json_rotate_log_files=1"],
                                     "json_rotate_log_files")):
            with self.subTest(sets=sets):
                words = [word for one in sets for word in ("--set", one)]
                validation = json.loads(self.capture("validate", method, "--json", *words, status=FAILED))
                self.assertIn(field, [problem["field"] for problem in validation["problems"] if problem["severity"] == "error"])


    def test_seconds_as_the_monitor_reads_them(self):
        """Digits, a point and a minus: one with an exponent it refuses, and says so in the job's log only."""
        for text, written in (("1e6", "1000000"), ("0.00001", "0.00001"), ("2.50", "2.5"), ("4294967295", "4294967295")):
            request = json.loads(json.loads(self.capture("validate", "dyno-npumonitor", "--json", "--set", "log_file=/a", "--set",
                                                         "duration=" + text))["request"])
            self.assertIn(f"\nDURATION={written}\n", request["config"])

    def test_a_filter_as_the_monitor_reads_it(self):
        for text in ("Kernel:MatMul", "Kernel:a,b;Marker:c d", ""):
            self.capture("validate", "dyno-npumonitor", "--set", "log_file=/a", "--set", "filter=" + text)


class Refusals(DynoTest):
    def test_each_answer_is_told(self):
        for faults, words in ((["no-reply"], "without a reply"), (["half-reply"], "not that of the daemon"), (["wrong-length"], "not that of the daemon"),
                              (["not-json"], "not that of the daemon"), (["refuse"], "must be number"), (["unknown"], "too old"),
                              (["no-match"], "match no job")):
            with self.subTest(faults=faults):
                self.assertIn(words, self.refused(*faults)[0])
        self.assertIn("No job has registered", self.refused(registered=False)[0])
        self.assertIn("npu-monitor is running", self.refused(monitor=RUNNING)[0])
        # One that somebody else has started must not end with ours.
        errors, daemon = self.refused(monitor=RUNNING, method="dyno-npumonitor")
        self.assertIn("npu-monitor is running", errors)
        self.assertEqual({request["fn"] for request in daemon.requests}, {"getStatus"})

    def test_nobody_listens(self):
        daemon = self.daemon()
        daemon.close()
        self.assertIn("No daemon of msMonitor listens", self.start("dyno-nputrace", port=daemon.port, log_file=self.path("out"), status=FAILED))

    def test_certificates(self):
        """A daemon that takes TLS only is reported as such, not as one that does not answer."""
        words = ["-subj", "/CN=localhost", "-days", "2", "-keyout", self.path("key"), "-out", self.path("crt")]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:3072", "-nodes", *words], check=True, stdin=subprocess.DEVNULL,
                       capture_output=True)
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            with self.subTest(version=version):
                tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                tls.minimum_version = version
                tls.load_cert_chain(self.path("crt"), self.path("key"))
                tls.verify_mode = ssl.CERT_REQUIRED
                tls.load_verify_locations(self.path("crt"))
                daemon = Daemon(tls=tls)
                self.addCleanup(daemon.close)
                errors = self.start("dyno-nputrace", port=daemon.port, log_file=self.path("out"), status=FAILED)
                self.assertIn("TLS with a client's certificate", errors)
                self.assertEqual(daemon.requests, [])

    def test_reply_whose_length_looks_like_tls(self):
        """Of 789 bytes: the length begins with the bytes of an alert of TLS."""
        for length in (0x0315, 0x0316):
            daemon = self.daemon()
            daemon.more = {"padding": ""}
            daemon.more["padding"] = "x" * (length - len(json.dumps({**daemon.states, **daemon.steps, **daemon.more})))
            self.start("dyno-nputrace", port=daemon.port, log_file=self.path("out"))

    def test_slow_and_busy_and_old(self):
        for faults in (["slow"], ["busy"], ["old"]):
            with self.subTest(faults=faults):
                daemon = self.daemon(*faults)
                out, errors = self.end(self.begin("start", "dyno-nputrace", "--target", "local", "--set", f"port={daemon.port}", "--set",
                                                  "log_file=" + self.path("out")), 0)
                self.assertEqual("has not been picked up" in errors, faults == ["busy"])
                self.assertIn("cannot be withdrawn", self.end(self.begin("cancel", out.strip()), 0)[1])


class Ended(DynoTest):
    """The job, a process that has registered with a daemon, ends."""

    def armed(self, method="dyno-nputrace", **settings):
        self.training = subprocess.Popen(["sleep", "1000"], env={**os.environ, "MSMONITOR_USE_DAEMON": "1"})
        self.processes.append(self.training)
        self.msmonitor = Daemon(process=self.training.pid)
        self.addCleanup(self.msmonitor.close)
        wait = self.begin("start", method, "--target", "local", "--wait", "--set", f"port={self.msmonitor.port}", "--set",
                          "log_file=" + self.path("out"))
        return wait, wait.stdout.readline().strip()

    def kill(self, wait):
        """The process stays as one that nobody has waited for, as under a launcher that is busy."""
        self.training.kill()
        begin = time.monotonic()
        errors = self.end(wait, FAILED)[1]
        return errors, time.monotonic() - begin

    def test_before_anything_is_recorded(self):
        wait, capture = self.armed()
        errors, seconds = self.kill(wait)
        self.assertIn("The job ended before anything was recorded", errors)
        self.assertLess(seconds, 10)
        self.assertEqual(self.changes(capture, FAILED)[-1]["state"], "failed")

    def test_while_nobody_looks(self):
        wait, capture = self.armed()
        wait.kill()
        wait.wait()
        self.training.kill()
        self.assertIn("ended before", self.changes(capture, FAILED)[-1]["message"])

    def test_another_process_of_that_number(self):
        """The job is in a container: what has its number here has nothing to do with it."""
        other = subprocess.Popen(["sleep", "1000"])
        self.processes.append(other)
        daemon = Daemon(process=other.pid)
        self.addCleanup(daemon.close)
        capture = self.start("dyno-nputrace", port=daemon.port, log_file=self.path("out"))
        other.kill()
        other.wait()
        watch = self.begin("watch", capture)
        time.sleep(2)
        self.assertIsNone(watch.poll())
        self.capture("cancel", capture)

    def test_while_the_monitor_runs(self):
        """What a job has said last stands: its daemon goes on to say that it runs."""
        wait, capture = self.armed("dyno-npumonitor")
        self.msmonitor.states["npumonitor"] = RUNNING
        os.makedirs(self.path("out"))
        with open(self.path("out", f"msmonitor_{self.training.pid}_20260301101500123_0.db"), "w", encoding="utf-8") as file:
            file.write("rows")
        until(lambda: any(target["ranks"] for target in self.session(capture)["targets"]), "the file")
        self.training.kill()
        self.end(wait, 0)

    def test_daemon_that_is_gone_and_comes_back(self):
        wait, capture = self.armed()
        self.msmonitor.close()
        until(lambda: "No daemon of msMonitor listens" in json.dumps(self.session(capture)) or "capture.daemon.unreachable" in
              json.dumps(self.session(capture)), "the message")
        again = Daemon(port=self.msmonitor.port, process=self.training.pid)
        self.addCleanup(again.close)
        until(lambda: len(again.requests) > 1, "looks at it")
        self.kill(wait)
        self.assertEqual(json.dumps(self.session(capture)).count("capture.daemon.unreachable"), 1)


class Recorded(DynoTest):
    def begin_job(self, *words):
        self.job("dyno", "--ranks", "0,1", *words)
        return int(read(os.path.join(self.work, "port")))

    def test_trace_record_fetch_open(self):
        port = self.begin_job()
        capture = self.start("dyno-nputrace", "--wait", "--fetch", self.path("fetched"), port=port, log_file=self.path("out"), iterations=3,
                             rank_list="0,1", analyse="true", async_mode="true")
        self.assertEqual(names_below(self.path("out")), names_below(self.fetched()))
        self.assertEqual([rank["rank_id"] for rank in info(self.path("fetched"))["ranks"]], [0, 1])
        self.assertTrue(any("daemon says" in (change["message"] or "") for change in self.changes(capture)))

    def test_steps_until_a_trace_begins(self):
        """As the daemon says them; the job stands still at step 15."""
        port = self.begin_job("--pause-at", "15", "--step-ms", "500")
        wait = self.begin("start", "dyno-nputrace", "--target", "local", "--wait", "--set", f"port={port}", "--set", "log_file=" + self.path("out"),
                          "--set", "start_step=20", "--set", "iterations=2")
        capture = wait.stdout.readline().strip()

        def steps():
            said = self.session(capture)["targets"][0]["steps"]
            return said and (said["code"], dict(said["parameters"]))

        until(lambda: steps() == ("capture.steps.until", {"step": "15", "begin": "20", "left": "5"}), "the steps")
        with open(os.path.join(self.work, "go"), "w", encoding="utf-8"):
            pass
        self.end(wait, 0)
        self.assertIsNone(self.session(capture)["targets"][0]["steps"])

    def test_monitor_for_some_seconds(self):
        port = self.begin_job()
        capture = self.start("dyno-npumonitor", "--wait", "--fetch", self.path("fetched"), port=port, log_file=self.path("out"), duration=1,
                             export_type="Jsonl")
        name = names_below(self.path("out"))[0]
        self.assertEqual(read(self.path("out", name)), read(self.fetched("monitor", "out", name)))
        self.assertEqual(self.changes(capture)[-1]["state"], "done")
        for opened in (self.path("fetched"), self.fetched("monitor", "out", name)):
            ranks = info(opened)["ranks"]
            self.assertEqual([(rank["rank_id"], rank["state"]) for rank in ranks], [(0, "ok")])

    def test_features_beside_what_is_read_are_not_lost_silently(self):
        folder = self.path("both")
        shutil.copytree(samples(), folder)
        os.makedirs(os.path.join(folder, "sora", "features"))
        for name in ("sora/data.jsonl", "sora/features/0.pt"):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("{}\n")
        reported = {one["message"].partition("(")[2].partition(")")[0]: one["count"] for one in info(folder)["diagnostics"]
                if one["code"] == "kind_not_read_yet"}
        self.assertEqual(reported, {"SoRA features": 1})
        self.assertIn("SoRA features", run("info", os.path.join(folder, "sora")).stderr)

    def test_files_of_each_process_open_as_a_rank(self):
        """npu-monitor's processes write into one folder; two files of one process are one rank, the newest."""
        folder = self.path("monitor")
        os.mkdir(folder)
        for pid, stamp, rank in ((11, "20260301101500123", 0), (12, "20260301101500123", 1), (12, "20260301101600123", 1),
                                 (30, "20260301101500123", 10), (40, "20260301101500123", -1)):
            with contextlib.closing(sqlite3.connect(os.path.join(folder, f"msmonitor_{pid}_{stamp}_{rank}.db"))) as database:
                database.executescript(
                    "CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT); INSERT INTO STRING_IDS VALUES (1, 'a');"
                    "CREATE TABLE CANN_API(startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER PRIMARY KEY,"
                    f"name INTEGER); INSERT INTO CANN_API VALUES ({pid}000, {pid}005, 10000, 21474836488, 1, 1);")
        ranks = info(folder)["ranks"]
        self.assertEqual(sorted(str(rank["rank_id"]) for rank in ranks), ["0", "1", "10", "None"])
        self.assertEqual([rank["alternatives"] for rank in ranks if rank["rank_id"] == 1], [["msmonitor_12_20260301101500123_1.db"]])
        self.assertEqual({rank["start_ts"] for rank in ranks}, {11000, 12000, 30000, 40000})
        alone = info(os.path.join(folder, "msmonitor_30_20260301101500123_10.db"))["ranks"]
        self.assertEqual([rank["rank_id"] for rank in alone], [10])

    def test_monitor_ends_with_the_capture(self):
        port = self.begin_job()
        capture = self.start("dyno-npumonitor", port=port, log_file=self.path("out"))
        watch = self.begin("watch", capture, "--json")
        until(lambda: '"recording"' in watch.stdout.readline(), "the recording")
        self.capture("cancel", capture)
        self.end(watch, CANCELLED)
        name = names_below(self.path("out"))[0]
        sizes = [0]
        # The job goes on, and writes no more.
        until(lambda: sizes.append(os.stat(self.path("out", name)).st_size) or time.sleep(0.2) or sizes[-1] == sizes[-2] > 0, "its end")
        with open(os.path.join(self.work, "stop"), "w", encoding="utf-8"):
            pass
        self.capture("fetch", capture, "--out", self.path("fetched"), status=CANCELLED)
        self.assertTrue(os.path.exists(self.fetched("monitor", "out", name)))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
