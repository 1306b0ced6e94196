"""The daemon of msMonitor as its clients see it: length in four bytes, then JSON, both ways; one request per connection. It hands requests
to a job in the same process, and can be as wrong as a daemon can be."""

import json
import socket
import struct
import threading
import time

IDLE, READY, RUNNING, UNINITIALIZED = "Idle", "Ready", "Running", "Uninitialized"


class Daemon:
    """Listens on localhost. `states` are what it reports; `faults` are words: no-reply, half-reply, wrong-length, slow, not-json, refuse,
    unknown, busy, no-match, old; `process` is the number of the one that has registered. `requests` are all that it was sent. `tls` is an SSLContext: it takes nothing else then."""

    def __init__(self, port=0, faults=(), registered=True, tls=None, process=4711):
        self.tls = tls
        self.process = process
        self.faults = set(faults)
        self.states = {"nputrace": IDLE if registered else UNINITIALIZED, "npumonitor": IDLE if registered else UNINITIALIZED}
        self.steps = {"current_step": -1}
        self.more = {}  # further members of what it says about itself
        self.requests = []
        self.accepted = []
        self.server = socket.create_server(("127.0.0.1", port), backlog=50)
        self.port = self.server.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def close(self):
        # Another thread waits in accept(), which only this wakes.
        try:
            self.server.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.server.close()

    def serve(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            with client:
                try:
                    self.talk(client)
                except (OSError, ValueError):
                    pass

    @staticmethod
    def exactly(client, size):
        data = b""
        while len(data) < size:
            part = client.recv(size - len(data))
            if not part:
                raise OSError
            data += part
        return data

    def talk(self, client):
        client.settimeout(3)
        with self.tls.wrap_socket(client, server_side=True) if self.tls else client as stream:
            self.serve_one(stream)

    def serve_one(self, client):
        size = struct.unpack("<i", self.exactly(client, 4))[0]
        if not 1 <= size <= 8191:
            return
        request = json.loads(self.exactly(client, size))
        self.requests.append(request)
        if "no-reply" in self.faults:
            return
        reply = self.reply(request)
        if reply is None:
            return
        body = b"no json" if "not-json" in self.faults else json.dumps(reply).encode()
        length = len(body) * 2 if "half-reply" in self.faults else 2 ** 31 - 1 if "wrong-length" in self.faults else len(body)
        data = struct.pack("<i", length) + body
        for i in range(len(data) if "slow" in self.faults else 0):
            client.sendall(data[i:i + 1])
            time.sleep(0.002)
        if "slow" not in self.faults:
            client.sendall(data)

    def reply(self, request):
        what = request.get("fn")
        if what == "getStatus":
            return {"status": 1} if "old" in self.faults else {**self.states, **self.steps, **self.more}
        if what == "getVersion":
            return {"version": "stand-in"}
        if what != "setKinetOnDemandRequest":
            return None
        if not {"config", "pids", "job_id"} <= set(request):
            return {"status": "failed"}
        if "refuse" in self.faults:
            return {"status": "type must be number, but is string"}
        monitor = request["config"].startswith("NPU_MONITOR_START")
        own, other = ("npumonitor", "nputrace") if monitor else ("nputrace", "npumonitor")
        if "unknown" in self.faults:
            return {"commandStatus": "unknown"}
        if self.states[other] == RUNNING or self.states[own] == UNINITIALIZED or "no-match" in self.faults:
            return {"commandStatus": "ineffective"}
        self.accepted.append(dict(line.split("=", 1) for line in request["config"].split("\n")))
        done = {"processesMatched": [self.process], "eventProfilersTriggered": [], "activityProfilersTriggered": [self.process],
                "eventProfilersBusy": 0, "activityProfilersBusy": 1 if "busy" in self.faults else 0}
        return done if "old" in self.faults else {"commandStatus": "effective", **done}
