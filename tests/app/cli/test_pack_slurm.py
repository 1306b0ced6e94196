#!/usr/bin/env python3
"""pack --engine slurm with a real Slurm: a controller and two nodes on this machine, with a configuration of their own."""

import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from support import FAILED, OK, PATIENCE, CliTest, info, result, rows, run, start

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol")
RANKS = 4

CONFIGURATION = """
ClusterName=altiscope
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
SlurmctldPort={ports[0]}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SelectType=select/cons_tres
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def path_of(program):
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.reason = None
        if any(path_of(program) is None for program in PROGRAMS):
            cls.reason = "Slurm is not installed"
        elif os.getuid() != 0:
            cls.reason = "a Slurm of one's own needs the rights of root"
        if cls.reason is not None:
            return
        cls.place = tempfile.mkdtemp(prefix="altiscope-slurm-")
        os.chmod(cls.place, 0o755)
        os.makedirs(os.path.join(cls.place, "state"))
        key = os.path.join(cls.place, "key")
        with open(key, "wb") as file:
            file.write(os.urandom(1024))
        os.chmod(key, 0o600)
        cls.configuration = os.path.join(cls.place, "slurm.conf")
        with open(cls.configuration, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(host=socket.gethostname().split(".")[0], user=getpass.getuser(), folder=cls.place,
                                            ports=free_ports(3)))
        cls.environment = {"SLURM_CONF": cls.configuration}
        cls.processes = [cls.daemon("munged", "--foreground", "--force", "--key-file=" + key, f"--socket={cls.place}/munge.sock",
                                    f"--pid-file={cls.place}/munge.pid", f"--log-file={cls.place}/munge.log",
                                    f"--seed-file={cls.place}/seed")]
        cls.wait(lambda: os.path.exists(os.path.join(cls.place, "munge.sock")), "munged")
        cls.processes.append(cls.daemon("slurmctld", "-D", "-f", cls.configuration))
        for node in ("n1", "n2"):
            cls.processes.append(cls.daemon("slurmd", "-D", "-N", node, "-f", cls.configuration))
        cls.wait(lambda: cls.said("sinfo", "--noheader", "--format=%t").split() == ["idle"], "the nodes")

    @classmethod
    def tearDownClass(cls):
        for process in reversed(getattr(cls, "processes", [])):
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(getattr(cls, "place", "none"), ignore_errors=True)
        super().tearDownClass()

    @classmethod
    def daemon(cls, name, *words):
        return subprocess.Popen([path_of(name), *words], env={**os.environ, **cls.environment}, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @classmethod
    def said(cls, *words):
        done = subprocess.run(words, env={**os.environ, **cls.environment}, capture_output=True, check=False, timeout=PATIENCE)
        return done.stdout.decode()

    @classmethod
    def wait(cls, condition, what):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(what + " did not start")
            time.sleep(0.1)

    def setUp(self):
        super().setUp()
        if self.reason is not None:
            self.skipTest(self.reason)
        self.capture, self.packs = self.path("run"), self.path("packs")
        result("generate", self.capture, "--ranks", str(RANKS), "--steps", "2", "--seed", "6", "--format", "text")

    def pack(self, *words):
        return run("pack", self.capture, "--out", self.packs, "--engine", "slurm", *words, **self.environment)

    def units(self):
        with open(os.path.join(self.packs, "units.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_an_array_on_two_nodes(self):
        done = self.pack()
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual([unit["state"] for unit in self.units()], ["done"] * RANKS)
        self.assertEqual([rank["rank_id"] for rank in info(self.packs)["ranks"]], list(range(RANKS)))
        sql = "SELECT rank_id, count(*), sum(dur) FROM slice GROUP BY 1 ORDER BY 1"
        self.assertEqual(rows(self.packs, sql), rows(self.capture, sql))

    def test_refused(self):
        done = self.pack("--partition", "nowhere")
        self.assertEqual(done.returncode, FAILED)
        self.assertIn("invalid partition", done.stderr)

    def test_what_was_cancelled_is_submitted_again(self):
        # No task begins while the nodes are drained; half of the job is cancelled meanwhile.
        self.said("scontrol", "update", "NodeName=n1,n2", "State=DRAIN", "Reason=test")
        ended = {}
        following = threading.Thread(target=lambda: ended.update(done=self.pack()))
        following.start()
        self.wait(lambda: len(self.said("squeue", "--noheader", "--array", "--format=%i").split()) == RANKS, "the array")
        job = self.said("squeue", "--noheader", "--array", "--format=%i").split()[0].split("_")[0]
        self.said("scancel", f"{job}_1", f"{job}_2")
        self.said("scontrol", "update", "NodeName=n1,n2", "State=RESUME")
        following.join(PATIENCE)
        self.assertEqual(ended["done"].returncode, FAILED, ended["done"].stderr)
        self.assertEqual([unit["state"] for unit in self.units()], ["done", "failed", "failed", "done"])
        done = self.pack()
        self.assertEqual(done.returncode, OK, done.stderr)
        with open(os.path.join(self.packs, ".units", "slurm.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)[-1]["units"], [1, 2])

    def test_followed_again_after_it_was_interrupted(self):
        self.said("scontrol", "update", "NodeName=n1,n2", "State=DRAIN", "Reason=test")
        os.environ.update(self.environment)
        process = start("pack", self.capture, "--out", self.packs, "--engine", "slurm", stderr=subprocess.DEVNULL)
        self.wait(lambda: len(self.said("squeue", "--noheader", "--array", "--format=%i").split()) == RANKS, "the array")
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
        self.said("scontrol", "update", "NodeName=n1,n2", "State=RESUME")
        done = self.pack()
        self.assertEqual(done.returncode, OK, done.stderr)
        with open(os.path.join(self.packs, ".units", "slurm.json"), encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)), 1)


if __name__ == "__main__":
    unittest.main()
