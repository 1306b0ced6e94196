"""Results as the profilers write them: copies of a generated capture, in the stages in which they appear, and with the faults that
they can have."""

import datetime
import json
import os
import shutil
import socket
import time

OUTPUT = "ASCEND_PROFILER_OUTPUT"


def stamp(skew=0.0):
    """Local time in the 17 digits of a result's name."""
    now = datetime.datetime.now() + datetime.timedelta(seconds=skew)
    return now.strftime("%Y%m%d%H%M%S") + f"{now.microsecond // 1000:03d}"


def sample_of(samples, rank, ending):
    """The generated result whose content is copied for a rank."""
    found = sorted(name for name in os.listdir(samples) if name.endswith(ending))
    return os.path.join(samples, found[rank % len(found)])


class Writer:
    """Writes results of one job. Faults: never-finish, die, missing-rank=R, partial, parse-error, no-analysis, skew=SECONDS."""

    def __init__(self, samples, fault="", delay=0.05, padding=0, skew=0.0):
        self.samples = samples
        self.fault, _, self.value = fault.partition("=")
        self.delay = delay
        self.padding = padding
        self.skew = float(self.value) if self.fault == "skew" else skew

    def pause(self):
        time.sleep(self.delay)

    def torch(self, parent, rank, analyse):
        self.folder(parent, rank, analyse, "_ascend_pt")

    def mindspore(self, parent, rank, analyse):
        self.folder(parent, rank, analyse, "_ascend_ms")

    def folder(self, parent, rank, analyse, ending):
        if self.fault == "missing-rank" and rank == int(self.value):
            return
        worker = f"{socket.gethostname()}_{os.getpid()}"
        target = os.path.join(parent, f"{worker}_{stamp(self.skew)}{ending}")
        while os.path.exists(target):
            time.sleep(0.002)
            target = os.path.join(parent, f"{worker}_{stamp(self.skew)}{ending}")
        sample = sample_of(self.samples, rank, ending)
        os.makedirs(os.path.join(target, "FRAMEWORK"))
        with open(os.path.join(target, "FRAMEWORK", "torch.op_range"), "wb") as file:
            file.write(bytes(range(256)) + bytes(self.padding))
        self.pause()
        if self.fault == "die":
            os._exit(9)
        if self.fault == "never-finish":
            return
        for name in os.listdir(sample):
            if name == "profiler_metadata.json":
                shutil.copyfile(os.path.join(sample, name), os.path.join(target, name))
            elif name.startswith("PROF_") or name == "FRAMEWORK":  # of a raw sample
                shutil.copytree(os.path.join(sample, name), os.path.join(target, name), dirs_exist_ok=True)
        with open(os.path.join(target, f"profiler_info_{rank}.json"), "w", encoding="utf-8") as file:
            info = [name for name in os.listdir(sample) if name.startswith("profiler_info")]
            with open(os.path.join(sample, info[0]), encoding="utf-8") as old:
                content = json.load(old)
            json.dump(content, file)
        self.pause()
        if not analyse:
            return
        output = os.path.join(target, OUTPUT)
        os.mkdir(output)
        for name in sorted(os.listdir(os.path.join(sample, OUTPUT))):
            if self.fault == "parse-error" and name in ("trace_view.json",):
                continue
            shutil.copyfile(os.path.join(sample, OUTPUT, name), os.path.join(output, name))
            if self.fault == "partial":
                os.truncate(os.path.join(output, name), 10)
                os._exit(9)
        if self.fault == "parse-error":
            os.mkdir(os.path.join(target, "logs"))
            with open(os.path.join(target, "logs", "profiler_1_ProfilingParser.log"), "w", encoding="utf-8") as file:
                file.write("[ERROR] Failed to parse\n")
        self.pause()
        if ending == "_ascend_pt":
            with open(os.path.join(output, "analyse.done"), "w", encoding="utf-8"):
                pass

    def msprof(self, parent):
        """A folder of msprof with what its export writes."""
        target = os.path.join(parent, f"PROF_000001_{stamp(self.skew)}_ABCDEF")
        os.makedirs(os.path.join(target, "host"))
        os.makedirs(os.path.join(target, "device_0"))
        self.pause()
        for place in ("host", "device_0"):
            with open(os.path.join(target, place, "end_info.0" if place != "host" else "end_info"), "w", encoding="utf-8") as file:
                file.write("{}")
        self.pause()
        if self.fault == "raw":
            return target
        self.export(target)
        return target

    def export(self, target):
        output = os.path.join(target, "mindstudio_profiler_output")
        os.mkdir(output)
        sample = os.path.join(sample_of(self.samples, 0, ("_ascend_pt", "_ascend_ms")), OUTPUT, "trace_view.json")
        shutil.copyfile(sample, os.path.join(output, f"msprof_{stamp()[:14]}.json"))
        return 0

    def analyse(self, target):
        """What the analysis of torch_npu or MindSpore makes of a result, whatever it was before."""
        shutil.rmtree(os.path.join(target, OUTPUT), ignore_errors=True)
        rank = next(int(name[14:-5]) for name in os.listdir(target) if name.startswith("profiler_info_"))
        output = os.path.join(target, OUTPUT)
        os.mkdir(output)
        sample = os.path.join(sample_of(self.samples, rank, target[target.rindex("_ascend_"):]), OUTPUT)
        for name in sorted(os.listdir(sample)):
            shutil.copyfile(os.path.join(sample, name), os.path.join(output, name))
        with open(os.path.join(output, "analyse.done"), "w", encoding="utf-8"):
            pass
