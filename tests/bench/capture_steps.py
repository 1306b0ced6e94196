#!/usr/bin/env python3
"""Whether all hosts record the same steps, by hand: captures "at the next step" of a job whose ranks wait for each other, 2 to 8 hosts
(servers of ssh on loopback), steps of 0.2 to 3 s that vary by a fifth, clocks five minutes apart. Needs openssh-server, and the variables
that ctest gives the scripts of tests/app/cli.

    capture_steps.py [CAPTURES]     (40)

Prints a line for each: hosts, time of a step, the steps of all ranks as the job knows them; and how many were the same everywhere."""

import os
import pathlib
import random
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "app" / "cli"))
from test_capture_steps import StepsTest  # noqa: E402

CAPTURES = 40
# One job each; several captures of it follow each other.
JOBS = ((2, 200, "megatron"), (3, 600, "step"), (4, 1000, "rank"), (8, 400, "megatron"), (2, 3000, "step"), (6, 2000, "megatron"),
        (5, 1500, "rank"), (8, 800, "step"))
# Seconds between the clocks of two hosts.
OFFSET = 300
RESULTS = []


def say(*words):
    print(*words, flush=True)


class Bar(StepsTest):
    hosts_of_it, step_ms, form, captures = 2, 200, "megatron", 5

    def measure(self):
        self.add_hosts(self.hosts_of_it, OFFSET)
        self.run_job(self.step_ms, OFFSET, self.form, words=("--jitter", "0.2"))
        for number in range(self.captures):
            # Not always at the same place of a period.
            time.sleep(random.uniform(0, 2))
            begin = time.monotonic()
            process = self.begin_capture("--wait", active=2)
            out, errors = process.communicate(timeout=600)
            steps = self.recorded()
            all_steps = {one[number:number + 1] and one[number] for one in steps.values()}
            same = process.returncode == 0 and len(all_steps) == 1 and len(steps) == self.hosts_of_it * 2
            RESULTS.append(same)
            say(f"{'same' if same else 'DIFFERENT'}: {self.hosts_of_it} hosts, steps of {self.step_ms / 1000} s, {sorted(all_steps, key=str)}, "
                f"{time.monotonic() - begin:.0f} s")
            if not same:
                say(out, errors)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else CAPTURES
    random.seed(count)
    suite, left = unittest.TestSuite(), count
    jobs = JOBS[:max(1, min(len(JOBS), count))]
    for place, (hosts, step_ms, form) in enumerate(jobs):
        share = left // (len(jobs) - place)
        left -= share
        test = Bar("measure")
        test.hosts_of_it, test.step_ms, test.form, test.captures = hosts, step_ms, form, share
        suite.addTest(test)
    done = unittest.TextTestRunner().run(suite)
    say(f"{sum(RESULTS)} of {len(RESULTS)} captures have the same steps on all hosts (bar: {count} of {count})")
    return 0 if done.wasSuccessful() and sum(RESULTS) == count else 1


if __name__ == "__main__":
    sys.exit(main())
