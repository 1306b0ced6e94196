#!/usr/bin/env python3
"""A service with msServiceProfiler, as far as that can be seen from outside: it makes the file that SERVICE_PROF_CONFIG_PATH names where
there is none, looks at it for another time in whole seconds, begins and ends when "enable" has changed, ends by itself after "timelimit"
and then writes the file anew with "enable" 0. All recordings of a process go to prof_dir/MMDD-HHMM of its start.

    mindie.py [--lines N] [--looks-ms N]

--lines is how often it has looked before it ends. The file "pid" appears in the working directory."""

import argparse
import json
import os
import socket
import sys
import time


class Profiler:
    def __init__(self):
        self.path = os.environ["SERVICE_PROF_CONFIG_PATH"]
        self.tail = time.strftime("%m%d-%H%M")
        if not os.path.exists(self.path):
            self.write({"enable": 0, "prof_dir": os.path.join(os.getcwd(), "prof"), "profiler_level": "INFO", "acl_task_time": 0,
                        "acl_prof_task_time_level": "", "api_filter": "", "kernel_filter": "", "timelimit": 0, "domain": ""})
        self.seen, self.database, self.until = None, None, None

    def write(self, config):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(json.dumps(config, indent=4, ensure_ascii=False))

    def read(self):
        try:
            with open(self.path, encoding="utf-8") as file:
                return json.load(file)
        except ValueError:
            return {}

    def look(self):
        modified = int(os.stat(self.path).st_mtime)
        if modified != self.seen:
            self.seen = modified
            config = self.read()
            on = type(config.get("enable")) is int and config["enable"] == 1
            if on and self.database is None:
                self.start(config)
            elif not on and self.database is not None:
                self.stop()
        if self.database is not None:
            self.database.write(b"x" * 100)
            self.database.flush()
            if self.until is not None and time.monotonic() >= self.until:
                self.stop()
                self.write({**self.read(), "enable": 0})

    def start(self, config):
        for name, kind in (("domain", str), ("prof_dir", str), ("timelimit", int), ("acl_task_time", int), ("torch_prof_stack", bool),
                           ("aclDataTypeConfig", str), ("profiler_level", (str, int))):
            assert isinstance(config.get(name, kind() if isinstance(kind, type) else ""), kind), name
        folder = os.path.join(config["prof_dir"], self.tail)
        os.makedirs(folder, exist_ok=True)
        self.database = open(os.path.join(folder, f"ms_service_{socket.gethostname()}-{os.getpid()}.db"), "ab")
        self.until = time.monotonic() + config["timelimit"] if config.get("timelimit") else None
        print("Profiler Enabled Successfully!", json.dumps(config), flush=True)

    def stop(self):
        self.database.close()
        self.database = None
        print("Profiler Disabled Successfully!", flush=True)


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--lines", type=int, default=100000)
    parser.add_argument("--looks-ms", type=float, default=20)
    words = parser.parse_args()
    profiler = Profiler()
    with open("pid", "w", encoding="utf-8") as file:
        file.write(str(os.getpid()))
    for _ in range(words.lines):
        profiler.look()
        time.sleep(words.looks_ms / 1000)
    return 0


if __name__ == "__main__":
    sys.exit(main())
