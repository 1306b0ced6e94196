#!/usr/bin/env python3
"""A service that generates text, as far as its profiler can be seen from outside: /start_profile and /stop_profile of vLLM on Ascend
and of SGLang. It honours what they do, not how.

    service.py serve vllm|sglang --samples FOLDER [--port N] [--profiler-config JSON] [--api-key KEY] [--ranks 0,1] [--step-ms N]
    [--idle] [--load S] [--fault F]

vllm knows both paths only with --profiler-config, writes to its torch_profiler_dir, counts its iterations from the start on, and takes
a second start for none. sglang takes what to record from the body of the call. With --idle no request comes, so no step is made.
--load is how long it loads before it listens. Each call is a line of "calls" in the working directory; "port" and "pid" appear there.
Faults: refuse (a status 500), slow-stop (seconds), see results.py for others."""

import argparse
import http.server
import json
import os
import sys
import threading
import time

from results import Writer


class Service:
    def __init__(self, words):
        self.words = words
        self.ranks = [int(rank) for rank in words.ranks.split(",")]
        self.writer = Writer(words.samples, "" if words.fault in ("refuse",) else words.fault)
        self.config = json.loads(words.profiler_config) if words.profiler_config else {}
        self.folder = os.path.abspath(self.config.get("torch_profiler_dir", "."))
        self.step, self.begin, self.end = 0, None, None
        self.active = False
        self.lock = threading.Lock()

    # --- what the two do with a call; each returns a status

    def start_vllm(self, _):
        if self.active:
            return 200
        delay, limit = self.config.get("delay_iterations", 0), self.config.get("max_iterations", 0)
        self.active, self.begin = True, self.step + delay
        self.end = self.begin + limit + 1 if limit else None
        return 200

    def start_sglang(self, body):
        if self.active:
            return 500
        assert set(body) <= {"output_dir", "start_step", "num_steps", "activities", "with_stack", "record_shapes", "profile_by_stage"}, body
        assert all(one in ("CPU", "GPU") for one in body["activities"]) and not (body["profile_by_stage"] and not body.get("num_steps"))
        self.folder = body["output_dir"]
        start, count = body.get("start_step"), body.get("num_steps")
        self.active, self.begin = True, max(start, self.step + 1) if start else self.step
        self.end = self.begin + count if count else None
        return 200

    def stop(self):
        if not self.active:
            return 200 if self.words.kind == "vllm" else 500
        self.active = False
        self.write()
        return 200

    def write(self):
        if self.begin is None:
            return
        begin, self.begin = self.begin, None
        if self.step >= begin:
            for rank in self.ranks:
                self.writer.torch(self.folder, rank, True)

    def call(self, path, body):
        if self.words.fault == "refuse":
            return 500
        with self.lock:
            return self.stop() if path == "/stop_profile" else getattr(self, "start_" + self.words.kind)(json.loads(body or "{}"))

    def work(self):
        while True:
            time.sleep(self.words.step_ms / 1000)
            with self.lock:
                self.step += 0 if self.words.idle else 1
                if self.active and self.end is not None and self.step >= self.end:
                    self.end = None
                    self.write()
                    # vLLM stays active until it is stopped.
                    self.active = self.words.kind == "vllm"


def handler(service):
    paths = ("/start_profile", "/stop_profile") if service.words.kind == "sglang" or service.config.get("profiler") else ()

    class Handler(http.server.BaseHTTPRequestHandler):
        def reply(self, status, text=b""):
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def do_OPTIONS(self):  # noqa: N802
            self.reply(405 if self.path in paths else 404)

        def do_POST(self):  # noqa: N802
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            if self.path not in paths:
                return self.reply(404, b"Not Found")
            if service.words.api_key and self.headers.get("Authorization") != "Bearer " + service.words.api_key:
                return self.reply(401, b"Unauthorized")
            with open("calls", "a", encoding="utf-8") as file:
                file.write(f"{self.path} {body}\n")
            status = service.call(self.path, body)
            return self.reply(status, b"" if status == 200 else b"Profiling is\nnot possible")

        def log_message(self, *_):
            pass
    return Handler


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("serve")
    parser.add_argument("kind", choices=["vllm", "sglang"])
    parser.add_argument("--samples")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--profiler-config", default="")
    parser.add_argument("--api-key", default="")
    parser.add_argument("--ranks", default="0,1")
    parser.add_argument("--step-ms", type=float, default=20)
    parser.add_argument("--idle", action="store_true")
    parser.add_argument("--load", type=float, default=0)
    parser.add_argument("--fault", default="")
    words = parser.parse_args()
    service = Service(words)
    time.sleep(words.load)
    threading.Thread(target=service.work, daemon=True).start()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", words.port), handler(service))
    for name, value in (("port", server.server_address[1]), ("pid", os.getpid())):
        with open(name + ".new", "w", encoding="utf-8") as file:
            file.write(str(value))
        os.rename(name + ".new", name)
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
