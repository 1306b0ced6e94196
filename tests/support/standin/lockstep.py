#!/usr/bin/env python3
"""One rank of a job on several hosts whose ranks wait for each other at each step, with torch_npu's dynamic profiling as it can be seen
from outside: the first rank of a host looks at the configuration, as often as the tool does, and all ranks of that host find what it saw
at the begin of their next step.

    lockstep.py --port P --rank R --local L --samples FOLDER [--step-ms N] [--offset S] [--print FORM] [--first STEP] [--jitter PART] [--micro N]

Runs in the folder of its host, with the configuration in "config". --port is that of a Barrier. --offset: seconds that the clock of the
host differs. --micro: steps of the tool for one that is printed. --jitter: part by which the time of a step varies. --first: what it prints as its first step, as after a resume. It ends with a traceback once a file "die" lies in
its folder. What it recorded it adds to "recorded": RANK FIRST END."""

import argparse
import json
import os
import random
import socket
import sys
import threading
import time

from results import Writer

# As often as torch_npu looks at first, and what it measures then: its 10th step.
FIRST_POLL, MEASURED, LEAST, MOST = 2, 10, 1, 50


class Barrier:
    """Lets all ranks go on once each has come; one that has gone stops the others, as a collective would."""

    def __init__(self, ranks):
        self.server = socket.create_server(("127.0.0.1", 0), backlog=ranks)
        self.port = self.server.getsockname()[1]
        self.ranks = ranks
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        peers = []
        try:
            while len(peers) < self.ranks:
                peers.append(self.server.accept()[0])
            while True:
                for peer in peers:
                    while not peer.recv(1):
                        time.sleep(0.1)
                for peer in peers:
                    peer.sendall(b"g")
        except OSError:
            pass
        for peer in peers:
            peer.close()

    def close(self):
        self.server.close()


class Profiler:
    """dynamic_profile of one rank."""

    def __init__(self, words):
        self.words = words
        self.step_number = 0
        self.seen = 0.0
        self.config = None
        self.begin = int(time.time())
        self.poll = FIRST_POLL
        self.recording = None
        self.measured = 0.0
        self.writer = Writer(words.samples, skew=words.offset)
        os.makedirs("config/log", exist_ok=True)
        self.log_file = open(f"config/log/dp_{socket.gethostname()}_{os.getpid()}_rank_{words.rank}.log", "a", encoding="utf-8")
        if words.local == 0:
            threading.Thread(target=self.watch, daemon=True).start()

    def stamp(self):
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(time.time() + self.words.offset))

    def log(self, text):
        self.log_file.write(f"{self.stamp()},000 [INFO] [{os.getpid()}] dynamic_profile.py: {text}\n")
        self.log_file.flush()

    def watch(self):
        last = 0
        while True:
            try:
                modified = int(os.stat("config/profiler_config.json").st_mtime)
                if modified != last:
                    last = modified
                    with open("config/profiler_config.json", encoding="utf-8") as file:
                        shared = {"time": modified, "config": json.load(file)}
                    with open("shared.new", "w", encoding="utf-8") as file:
                        json.dump(shared, file)
                    os.replace("shared.new", "shared")
            except (OSError, ValueError):
                pass
            time.sleep(self.poll)

    def take(self):
        try:
            with open("shared", encoding="utf-8") as file:
                shared = json.load(file)
        except (OSError, ValueError):
            return
        if shared["time"] <= self.begin:
            return
        self.begin = shared["time"]
        config = shared["config"]
        self.log(f"Start step will be set to {config.get('start_step', 0)}.")
        if config.get("is_rank") and self.words.rank not in config.get("rank_list", []):
            return
        self.config = config

    def step(self):
        self.step_number += 1
        self.take()
        if self.step_number == MEASURED:
            self.measured = time.time()
        elif self.step_number == MEASURED + 1:
            self.poll = min(MOST, max(LEAST, int(time.time() - self.measured)))
            self.log(f"Dynamic profiling monitor process poll interval time change to {self.poll}s")
        if self.recording:
            first, end, config = self.recording
            if self.step_number == end:
                self.recording = None
                self.log(f"Stop Dynamic Profiler at {self.step_number} step.")
                with open("recorded", "a", encoding="utf-8") as file:
                    file.write(f"{self.words.rank} {first} {end}\n")
                threading.Thread(target=self.writer.torch, args=(os.path.join(os.getcwd(), config["prof_dir"]), self.words.rank, True)).start()
        elif self.config:
            start = self.config.get("start_step", 0)
            if start == -1 or start == self.step_number:
                count = self.config.get("active", 1) + self.config.get("warmup", 0)
                self.recording = (self.step_number, self.step_number + count, self.config)
                self.log(f"Start Dynamic Profiler at {self.step_number} step.")
                self.config = None
            elif self.step_number > start:
                print(f"[{self.stamp()}] [WARNING] [{os.getpid()}] profiler.py: Dynamic Profiler config is not effective. "
                      f"The start_step={start}, current_step={self.step_number}", flush=True)
                self.config = None


FORMS = {"megatron": " iteration {0:8d}/   99999 | consumed samples: 8 | elapsed time per iteration (ms): {1:.1f} |",
         "step": "step {0}", "rank": "[rank {2}] Step: {0}, loss: 0.5", "none": "."}


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for name in ("port", "rank", "local"):
        parser.add_argument("--" + name, type=int, required=True)
    parser.add_argument("--samples")
    parser.add_argument("--step-ms", type=float, default=200)
    parser.add_argument("--jitter", type=float, default=0)
    parser.add_argument("--micro", type=int, default=1)
    parser.add_argument("--offset", type=float, default=0)
    parser.add_argument("--print", choices=sorted(FORMS), default="megatron")
    parser.add_argument("--first", type=int, default=1)
    words = parser.parse_args()
    peer = socket.create_connection(("127.0.0.1", words.port))
    profiler = Profiler(words)
    number = words.first
    while True:
        begin = time.monotonic()
        time.sleep(words.step_ms / 1000 * random.uniform(1 - words.jitter, 1 + words.jitter))
        peer.sendall(b"x")
        if not peer.recv(1):
            return 0
        profiler.step()
        print(FORMS[words.print].format(number // words.micro, (time.monotonic() - begin) * 1000, words.rank), flush=True)
        if os.path.exists("die"):
            raise RuntimeError("HCCL of rank is gone")
        number += 1


if __name__ == "__main__":
    sys.exit(main())
