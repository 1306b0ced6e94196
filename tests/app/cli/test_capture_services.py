#!/usr/bin/env python3
"""`capture ... vllm-ascend|sglang|mindie-service`: services are made to record by their own HTTP calls, sent on their host, or by the
file that they look at."""

import http.server
import json
import os
import shlex
import socket
import subprocess
import sys
import threading
import time
import unittest

from capture_support import STANDIN, CaptureTest, read, samples, until
from support import FAILED, WRONG_USAGE, info


class ServiceTest(CaptureTest):
    def service(self, kind, *words, folder=None):
        """A service that runs, and its port."""
        folder = folder or self.work
        log = open(os.path.join(folder, "service.log"), "wb")
        self.addCleanup(log.close)
        self.processes.append(subprocess.Popen(self.service_words(kind, *words), cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
        until(lambda: os.path.exists(os.path.join(folder, "port")), "the start of the service")
        return int(read(os.path.join(folder, "port")))

    def service_words(self, kind, *words):
        return [sys.executable, os.path.join(STANDIN, "service.py"), "serve", kind, "--samples", samples(), *words]

    def vllm(self, *words, folder="out", **config):
        self.out = self.path(folder)
        config = {"profiler": "torch", "torch_profiler_dir": self.out, **config}
        return self.service("vllm", "--profiler-config", json.dumps(config), *words)

    def calls(self):
        with open(os.path.join(self.work, "calls"), encoding="utf-8") as file:
            return [line.split(" ", 1)[0] for line in file.read().splitlines()]

    def validate(self, method, status=0, **settings):
        sets = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        return json.loads(self.capture("validate", method, "--json", *sets, status=status))

    def wrong(self, method, **settings):
        problems = self.validate(method, status=FAILED, **settings)["problems"]
        return sorted({problem["field"] for problem in problems if problem["severity"] == "error"})


class Calls(ServiceTest):
    def test_golden_calls(self):
        plan = self.validate("vllm-ascend", torch_profiler_dir="/d/prof", port=8080, record_time=5)
        self.assertEqual(plan["calls"], [{"method": "POST", "url": "http://127.0.0.1:8080/start_profile", "body": None},
                                         {"method": "POST", "url": "http://127.0.0.1:8080/stop_profile", "body": None}])
        lines = self.capture("validate", "vllm-ascend", "--set", "torch_profiler_dir=/d", "--set", "port=8080")
        self.assertEqual(lines, "curl -X POST http://127.0.0.1:8080/start_profile\nsleep 10\n"
                                "curl -X POST http://127.0.0.1:8080/stop_profile\n")
        plan = self.validate("vllm-ascend", service="start", delay_iterations=30, max_iterations=30)
        self.assertEqual(plan["command"][0], "--profiler-config")
        self.assertEqual(json.loads(plan["command"][1]),
                         {"profiler": "torch", "torch_profiler_dir": "./vllm_profile", "torch_profiler_with_stack": False,
                          "torch_profiler_with_memory": False, "ignore_frontend": True, "delay_iterations": 30, "max_iterations": 30})
        plan = self.validate("sglang", output_dir="/d/p", start_step=5, num_steps=3, address="::1")
        self.assertEqual(plan["calls"][0]["url"], "http://[::1]:30000/start_profile")
        self.assertEqual(json.loads(plan["calls"][0]["body"]),
                         {"output_dir": "/d/p", "start_step": 5, "num_steps": 3, "activities": ["CPU", "GPU"], "with_stack": False,
                          "record_shapes": False, "profile_by_stage": False})
        self.assertNotIn("num_steps", self.validate("sglang", output_dir="/d/p")["calls"][0]["body"])

    def test_what_a_service_would_not_record(self):
        for method, settings, field in (("vllm-ascend", {}, "torch_profiler_dir"), ("vllm-ascend", {"torch_profiler_dir": "/d", "port": 0}, "port"),
                                        ("vllm-ascend", {"torch_profiler_dir": "/d", "address": "a/b"}, "address"),
                                        ("vllm-ascend", {"torch_profiler_dir": "/d", "address": ""}, "address"),
                                        ("vllm-ascend", {"torch_profiler_dir": "/d", "record_time": 0}, "record_time"),
                                        ("vllm-ascend", {"torch_profiler_dir": "/d", "max_iterations": 3}, "max_iterations"),
                                        ("vllm-ascend", {"torch_profiler_dir": "/d", "api_key_file": "key"}, "api_key_file"),
                                        ("sglang", {}, "output_dir"), ("sglang", {"output_dir": "here"}, "output_dir"),
                                        ("sglang", {"output_dir": "/d", "activities": "MEM"}, "activities"),
                                        ("sglang", {"output_dir": "/d", "activities": ""}, "activities"),
                                        ("sglang", {"output_dir": "/d", "profile_by_stage": "true"}, "num_steps"),
                                        ("sglang", {"output_dir": "/d", "num_steps": 0}, "num_steps"),
                                        ("sglang", {"output_dir": "/d", "profile_by_stage": "true", "num_steps": 2, "start_step": 9}, "start_step")):
            with self.subTest(method=method, settings=settings):
                self.assertEqual(self.wrong(method, **settings), [field])


class Running(ServiceTest):
    def record(self, method, *words, status=0, **settings):
        return self.start(method, "--wait", "--fetch", self.path("fetched"), *words, status=status, **settings)

    def test_vllm(self):
        port = self.vllm()
        capture = self.record("vllm-ascend", port=port, torch_profiler_dir=self.out, record_time=1)
        self.assertEqual(self.calls(), ["/start_profile", "/stop_profile"])
        self.assertEqual([rank["rank_id"] for rank in info(self.path("fetched"))["ranks"]], [0, 1])
        self.assertEqual(self.session(capture)["state"], "done")

    def without_curl(self):
        tools = self.path("tools")
        os.mkdir(tools)
        for name in os.listdir("/usr/bin"):
            if name not in ("curl",):
                os.symlink(os.path.join("/usr/bin", name), os.path.join(tools, name))
        self.environment["PATH"] = tools

    def test_without_curl(self):
        """Python does the same."""
        self.without_curl()
        port = self.vllm("--api-key", "s3cret")
        key = self.path("key")
        with open(key, "w", encoding="utf-8") as file:
            file.write("s3cret\n")
        self.record("vllm-ascend", port=port, torch_profiler_dir=self.out, record_time=1, api_key_file=key)
        self.assertEqual(self.calls(), ["/start_profile", "/stop_profile"])

    def test_a_key_is_on_no_command_line_and_not_remembered(self):
        port = self.vllm("--api-key", 's3"cr\\et')
        errors = self.record("vllm-ascend", port=port, torch_profiler_dir=self.out, record_time=1, status=FAILED)
        self.assertIn("HTTP 401", errors)
        key = self.path("key")
        with open(key, "w", encoding="utf-8") as file:
            file.write('s3"cr\\et\n')
        capture = self.record("vllm-ascend", port=port, torch_profiler_dir=self.out, record_time=1, api_key_file=key)
        self.assertNotIn("s3", json.dumps(self.session(capture)))

    def test_a_service_without_its_switch(self):
        port = self.service("vllm")
        errors = self.record("vllm-ascend", port=port, torch_profiler_dir=self.path("out"), status=FAILED)
        self.assertIn("--profiler-config", errors)
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            errors = self.record("vllm-ascend", port=unused.getsockname()[1], torch_profiler_dir=self.path("out"), status=FAILED)
        self.assertIn("nothing answers", errors)

    def test_a_service_elsewhere_gets_no_call(self):
        errors = self.record("vllm-ascend", address="192.0.2.7", port=8000, torch_profiler_dir=self.path("out"), status=FAILED)
        self.assertIn("go to no other host", errors)

    def test_a_redirection_is_not_followed(self):
        """The key would go to where it leads."""
        seen = []

        class Other(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                seen.append(self.path)
                self.send_response(200)
                self.end_headers()

            do_POST = do_GET

            def log_message(self, *unused):
                pass

        other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)

        class Leads(Other):
            def do_OPTIONS(self):
                self.send_response(405)
                self.end_headers()

            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.send_response(302)
                self.send_header("Location", f"http://127.0.0.1:{other.server_port}/taken")
                self.end_headers()

        leads = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Leads)
        for server in (other, leads):
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.addCleanup(server.server_close)
            self.addCleanup(server.shutdown)
        for has_curl in (True, False):
            if not has_curl:
                self.without_curl()
            errors = self.record("vllm-ascend", port=leads.server_port, torch_profiler_dir=self.path("out"), record_time=1, status=FAILED)
            self.assertIn("HTTP 302", errors)
        self.assertEqual(seen, [])

    def test_a_service_that_refuses(self):
        port = self.vllm("--fault", "refuse")
        errors = self.record("vllm-ascend", port=port, torch_profiler_dir=self.out, status=FAILED)
        self.assertIn("start_profile: HTTP 500 Profiling is not possible", errors)

    def test_cancel_ends_the_recording(self):
        port = self.vllm()
        capture = self.start("vllm-ascend", port=port, torch_profiler_dir=self.out, record_time=600)
        until(lambda: os.path.exists(os.path.join(self.work, "calls")), "the first call")
        self.capture("cancel", capture)
        until(lambda: self.calls() == ["/start_profile", "/stop_profile"], "the second call")

    def test_vllm_that_is_started(self):
        """It is called once it answers, and goes on after its recording."""
        launch = shlex.join(self.service_words("vllm", "--port", str(self.free_port()), "--load", "2"))
        port = launch.split("--port ")[1].split()[0]
        capture = self.record("vllm-ascend", "--workdir", self.work, "--launch", launch, service="start", port=port, record_time=1,
                              max_iterations=5)
        self.assertEqual(self.calls(), ["/start_profile", "/stop_profile"])
        self.assertTrue(os.path.exists(f"/proc/{int(read(os.path.join(self.work, 'pid')))}"))
        self.assertEqual(len(os.listdir(os.path.join(self.work, "vllm_profile"))), 2)
        self.assertEqual(self.session(capture)["state"], "done")

    @staticmethod
    def free_port():
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            return unused.getsockname()[1]

    def test_sglang(self):
        out = self.path("it's out")
        port = self.service("sglang")
        self.record("sglang", port=port, output_dir=out, record_time=1)
        self.assertEqual(self.calls(), ["/start_profile", "/stop_profile"])
        self.assertEqual([rank["rank_id"] for rank in info(self.path("fetched"))["ranks"]], [0, 1])

    def test_sglang_ends_a_number_of_steps_by_itself(self):
        out, port = self.path("out"), self.service("sglang")
        began = time.monotonic()
        self.record("sglang", port=port, output_dir=out, num_steps=3, record_time=600)
        self.assertLess(time.monotonic() - began, 100)
        self.assertEqual(self.calls(), ["/start_profile"])
        # Without requests there are no steps: the time is over, and nothing was recorded.
        self.work = self.path("idle")
        os.mkdir(self.work)
        errors = self.record("sglang", port=self.service("sglang", "--idle", folder=self.work), output_dir=self.path("none"),
                             num_steps=3, start_step=100, record_time=1, status=FAILED)
        self.assertEqual(self.calls(), ["/start_profile", "/stop_profile"])
        self.assertIn("before anything was recorded", errors)

    def test_usage(self):
        for words in (["--launch", "x", "--set", "torch_profiler_dir=/d"], ["--file", "x"], ["--set", "service=start"]):
            self.end(self.begin("start", "vllm-ascend", "--target", "local", *words), WRONG_USAGE)


MINDIE = """{
    "enable": 0,
    "prof_dir": "%s",
    "timelimit": 0,
    "domain": "",
    "mine": 1.50
}
"""


class Mindie(ServiceTest):
    def config_file(self, text=None):
        path = self.path("ms_service_profiler_config.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text or MINDIE % self.path("prof"))
        os.utime(path, (time.time() - 3600, time.time() - 3600))
        return path

    def mindie(self, path):
        log = open(os.path.join(self.work, "service.log"), "wb")
        self.addCleanup(log.close)
        self.processes.append(subprocess.Popen([sys.executable, os.path.join(STANDIN, "mindie.py")], cwd=self.work, stdin=subprocess.DEVNULL,
                                               stdout=log, stderr=log, env={**os.environ, "SERVICE_PROF_CONFIG_PATH": path}))
        until(lambda: os.path.exists(os.path.join(self.work, "pid")), "the start of the service")

    def log(self):
        return read(os.path.join(self.work, "service.log")).decode()

    def test_golden_file(self):
        plan = self.validate("mindie-service", prof_dir="/d", domain="Request;KVCache".replace(";", ","), acl_task_time=1,
                             acl_prof_task_time_level="L1;10", aclDataTypeConfig="ACL_PROF_AICPU,ACL_PROF_AICORE_METRICS",
                             aclprofAicoreMetrics="ACL_AICORE_L2_CACHE", timelimit=60)
        file = json.loads(plan["file"])
        # A number of steps that is not one would end the recording at once.
        self.assertNotIn("profiler_step_num", file)
        for name, value in (("api_filter", ""), ("kernel_filter", ""), ("torch_prof_stack", False), ("torch_prof_modules", False),
                            ("torch_prof_step_num", 0)):
            self.assertEqual(file.pop(name), value)
        self.assertEqual(file,
                         {"enable": 1, "prof_dir": "/d", "timelimit": 60, "profiler_level": "INFO", "domain": "Request;KVCache",
                          "host_system_usage_freq": -1, "npu_memory_usage_freq": -1, "acl_task_time": 1, "acl_prof_task_time_level": "L1;10",
                          "aclDataTypeConfig": "ACL_PROF_AICPU, ACL_PROF_AICORE_METRICS", "aclprofAicoreMetrics": "ACL_AICORE_L2_CACHE"})
        changed = json.loads(self.capture("validate", "mindie-service", "--json", "--file", self.config_file(), "--set",
                                          "domain=Request"))["file"]
        self.assertEqual(changed, (MINDIE % self.path("prof")).replace('"enable": 0', '"enable": 1').replace('"domain": ""', '"domain": "Request"')
                         .replace('"timelimit": 0', '"timelimit": 120'))

    def test_what_the_service_would_silently_replace(self):
        for settings, field in (({}, "prof_dir"), ({"timelimit": 7201}, "timelimit"), ({"timelimit": 0}, "timelimit"),
                                ({"acl_task_time": 4}, "acl_task_time"), ({"host_system_usage_freq": 0}, "host_system_usage_freq"),
                                ({"acl_task_time": 1, "acl_prof_task_time_level": "L2"}, "acl_prof_task_time_level"),
                                ({"acl_task_time": 1, "acl_prof_task_time_level": "L1;1000"}, "acl_prof_task_time_level"),
                                ({"acl_task_time": 1, "aclDataTypeConfig": "ACL_PROF_NONE"}, "aclDataTypeConfig"),
                                ({"torch_prof_stack": "true"}, "torch_prof_stack"), ({"api_filter": "matmul"}, "api_filter"),
                                ({"profiler_level": "LOUD"}, "profiler_level"), ({"profiler_step_num": 0}, "profiler_step_num"),
                                ({"enable": 0}, "enable")):
            with self.subTest(settings=settings):
                given = settings if field == "prof_dir" else {"prof_dir": "/d", **settings}
                self.assertEqual(self.wrong("mindie-service", **given), [field])
        codes = [problem["code"] for problem in self.validate("mindie-service", prof_dir="/d", domain="request")["problems"]]
        self.assertEqual(codes, ["capture.rule.service_domain"])
        path = self.config_file((MINDIE % "/d").replace('"timelimit": 0', '"profiler_step_num": 5'))
        problems = json.loads(self.capture("validate", "mindie-service", "--json", "--file", path, "--set", "profiler_step_num=null",
                                           status=FAILED))["problems"]
        self.assertIn("capture.rule.service_steps_stay", [problem["code"] for problem in problems])
        path = self.config_file((MINDIE % "/d").replace('"enable": 0', '"enable": 1'))
        problems = json.loads(self.capture("validate", "mindie-service", "--json", "--file", path, status=FAILED))["problems"]
        self.assertEqual([problem["code"] for problem in problems], ["capture.rule.service_records"])

    def test_what_the_file_has_is_no_error(self):
        """The service has taken it, or has a standard value of its own instead."""
        text = (MINDIE % "/d").replace('"timelimit": 0', '"timelimit": 9000, "profiler_level": 20, "host_system_usage_freq": 0')
        plan = json.loads(self.capture("validate", "mindie-service", "--json", "--file", self.config_file(text)))
        self.assertEqual({problem["severity"] for problem in plan["problems"]}, {"warning"})
        self.assertEqual(json.loads(plan["file"])["timelimit"], 9000)

    def test_a_service_that_runs(self):
        """It ends by itself and writes its file anew, which is no change by others; then the file is as it was."""
        path = self.config_file()
        before = self.state_of(path)
        self.mindie(path)
        for place in ("first", "fetched"):  # into the same folder and file, both times
            self.start("mindie-service", "--file", path, "--workdir", self.work, "--wait", "--fetch", self.path(place), timelimit=2)
            self.assertEqual(self.state_of(path)[:3], before[:3])
            self.assertNotIn("somebody else", json.dumps(self.changes(self.newest())))
        (folder,) = os.listdir(self.fetched())
        self.assertEqual([name.split("_")[1] for name in os.listdir(self.fetched(folder))], ["service"])
        self.assertEqual(self.log().count("Enabled"), 2)
        self.assertEqual(self.log().count("Disabled"), 2)

    def test_cancel_ends_it(self):
        path = self.config_file()
        before = self.state_of(path)
        self.mindie(path)
        capture = self.start("mindie-service", "--file", path, "--workdir", self.work, timelimit=3600)
        until(lambda: "Enabled" in self.log(), "the recording")
        self.capture("cancel", capture)
        until(lambda: "Disabled" in self.log(), "its end")
        self.assertEqual(self.state_of(path)[:3], before[:3])

    def test_running_services_are_found(self):
        """What switches each, and where it listens."""
        path = self.config_file()
        self.mindie(path)
        jobs = json.loads(self.capture("jobs", "--json"))["jobs"]
        own = int(read(os.path.join(self.work, "pid")))
        (job,) = [job for job in jobs if job["pid"] == own]
        (method,) = [method for method in job["methods"] if method["method"] == "mindie-service"]
        self.assertEqual((method["possible"], method["file"]), (True, path))
        programs = self.path("programs")
        for module in ("vllm/entrypoints/openai/api_server.py", "sglang/launch_server.py"):
            os.makedirs(os.path.join(programs, os.path.dirname(module)))
            with open(os.path.join(programs, module), "w", encoding="utf-8") as file:
                file.write("import time\ntime.sleep(1000)\n")
        config = json.dumps({"profiler": "torch", "torch_profiler_dir": "prof"})
        for words, name, expected in (
                (["vllm.entrypoints.openai.api_server", "--port", "8123", "--profiler-config", config], "vllm-ascend",
                 {"port": "8123", "torch_profiler_dir": os.path.join(programs, "prof")}),
                (["vllm.entrypoints.openai.api_server", "--model", "x"], "vllm-ascend", None),
                (["sglang.launch_server", "--port=30001"], "sglang", {"port": "30001"})):
            process = subprocess.Popen([sys.executable, "-m", *words], cwd=programs, stdin=subprocess.DEVNULL)
            self.processes.append(process)
            until(lambda process=process: read(f"/proc/{process.pid}/cmdline").count(b"\0") > 3, "the process")
            methods = next(job["methods"] for job in json.loads(self.capture("jobs", "--json"))["jobs"] if job["pid"] == process.pid)
            found = next(method for method in methods if method["method"] == name)
            self.assertEqual(found["possible"], expected is not None, found)
            self.assertEqual({key: value for key, value in found["set"].items()} if expected else None, expected)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=2))
