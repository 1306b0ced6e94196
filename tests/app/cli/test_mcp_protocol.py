#!/usr/bin/env python3
"""mcp against the protocol: each message that the server writes has the shape that the published schema gives it.

The schemas below say in JSON Schema what the revisions 2024-11-05 to 2025-06-18 of the protocol say of the messages of a server with
tools (https://modelcontextprotocol.io/specification/2025-06-18/schema: JSONRPCResponse, JSONRPCError, InitializeResult, ListToolsResult,
Tool, CallToolResult, TextContent). They are written by hand and know nothing of the program."""

import json
import os
import queue
import subprocess
import tempfile
import threading
import time
import unittest

import jsonschema

from support import CLI, PATIENCE, CliTest, result, surroundings

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18")
MOST = 100_000
ID = {"type": ["string", "integer"]}


def shape(needed, **properties):
    return {"type": "object", "required": needed, "properties": properties}


RESPONSE = {**shape(["jsonrpc", "id", "result"], jsonrpc={"const": "2.0"}, id=ID, result={"type": "object"}), "additionalProperties": False}
ERROR = {**shape(["jsonrpc", "id", "error"], jsonrpc={"const": "2.0"}, id=ID,
                 error=shape(["code", "message"], code={"type": "integer"}, message={"type": "string"})), "additionalProperties": False}
INITIALIZE = shape(["protocolVersion", "capabilities", "serverInfo"], protocolVersion={"type": "string"},
                   capabilities=shape([], tools=shape([], listChanged={"type": "boolean"}), logging={"type": "object"},
                                      experimental={"type": "object"}),
                   serverInfo=shape(["name", "version"], name={"type": "string"}, version={"type": "string"}),
                   instructions={"type": "string"})
TOOL = shape(["name", "inputSchema"], name={"type": "string"}, description={"type": "string"},
             inputSchema=shape(["type"], type={"const": "object"}, properties={"type": "object", "additionalProperties": {"type": "object"}},
                               required={"type": "array", "items": {"type": "string"}}),
             annotations=shape([], title={"type": "string"}, **{hint + "Hint": {"type": "boolean"}
                                                                 for hint in ("readOnly", "destructive", "idempotent", "openWorld")}))
LIST = shape(["tools"], tools={"type": "array", "items": TOOL}, nextCursor={"type": "string"})
CALL = shape(["content"], isError={"type": "boolean"}, content={
    "type": "array", "items": shape(["type", "text"], type={"const": "text"}, text={"type": "string"})})
EMPTY = {"type": "object", "additionalProperties": False}


class Client:
    """A session: what is sent goes at once, and answers are taken as they come."""

    def __init__(self, test, *captures):
        self.test = test
        self.process = subprocess.Popen([CLI, "mcp", *captures], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=surroundings())
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, message):
        self.process.stdin.write((message if isinstance(message, str) else json.dumps(message)).encode() + b"\n")
        self.process.stdin.flush()

    def take(self, seconds=PATIENCE):
        """The next message of the server; None at the end."""
        line = self.lines.get(timeout=seconds)
        if line is None:
            return None
        self.test.assertLessEqual(len(line), MOST + 1)
        return json.loads(line)

    def request(self, method, number, params=None):
        message = {"jsonrpc": "2.0", "id": number, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)

    def result(self, method, number, form, params=None):
        self.request(method, number, params)
        answer = self.take()
        jsonschema.validate(answer, RESPONSE)
        jsonschema.validate(answer["result"], form)
        self.test.assertEqual(answer["id"], number)
        return answer["result"]

    def call(self, number, tool, **arguments):
        return self.result("tools/call", number, CALL, {"name": tool, "arguments": arguments})

    def end(self):
        self.process.stdin.close()
        self.test.assertIsNone(self.take())
        self.test.assertEqual(self.process.wait(PATIENCE), 0)
        self.process.stdout.close()


class McpProtocol(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.capture = os.path.join(folder.name, "run")
        result("generate", cls.capture, "--ranks", "2", "--steps", "2", "--layers", "1", "--quiet")

    def client(self):
        client = Client(self, self.capture)
        self.addCleanup(client.process.kill)
        return client

    def begun(self, version=VERSIONS[-1]):
        client = self.client()
        client.result("initialize", 0, INITIALIZE, {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return client

    def test_versions(self):
        for version in (*VERSIONS, "1999-01-01", "2099-01-01"):
            client = self.client()
            told = client.result("initialize", "first", INITIALIZE, {
                "protocolVersion": version, "capabilities": {"sampling": {}}, "clientInfo": {"name": "t", "version": "1"}})
            self.assertEqual(told["protocolVersion"], version if version in VERSIONS else VERSIONS[-1])
            self.assertIn("tools", told["capabilities"])
            client.end()

    def test_tools(self):
        client = self.begun()
        tools = {tool["name"]: tool for tool in client.result("tools/list", 1, LIST)["tools"]}
        for tool in tools.values():
            jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
        calls = {"captures": {}, "describe": {"capture": 0}, "sql": {"sql": "SELECT 1"}, "findings": {}, "report": {"section": "facts"},
                 "slices": {"start_ts": 0, "end_ts": 2**62}, "compare": {"base": 0, "current": 0}}
        self.assertEqual(set(calls), set(tools))
        for number, (name, arguments) in enumerate(calls.items(), 2):
            jsonschema.validate(arguments, tools[name]["inputSchema"])
            answer = client.call(number, name, **arguments)
            self.assertFalse(answer["isError"], answer)
            json.loads(answer["content"][0]["text"])
        client.result("ping", 99, EMPTY)
        client.end()

    def test_errors(self):
        client = self.begun()
        cases = [("tools/list", {"cursor": "7"}, -32602), ("tools/call", {"name": "rm"}, -32602), ("tools/call", {}, -32602),
                 ("tools/call", None, -32602), ("tools/call", {"name": "sql", "arguments": {"sql": 5}}, -32602),
                 ("resources/list", None, -32601), ("prompts/get", {"name": "x"}, -32601)]
        for number, (method, params, code) in enumerate(cases):
            client.request(method, number, params)
            answer = client.take()
            jsonschema.validate(answer, ERROR)
            self.assertEqual((answer["id"], answer["error"]["code"]), (number, code), method)
        # Requests whose shape is wrong are answered under their id: who waits for it must not wait forever.
        for number, broken in enumerate(({}, {"method": 5}, {"method": None, "result": {}}), 50):
            client.send({"jsonrpc": "2.0", "id": number, **broken})
            answer = client.take()
            jsonschema.validate(answer, ERROR)
            self.assertEqual((answer["id"], answer["error"]["code"]), (number, -32600), broken)
        for number, arguments in enumerate(({"offset": -1}, {"limit": 0}, {"limit": -5}), 60):
            client.request("tools/call", number, {"name": "sql", "arguments": {"sql": "SELECT 1", **arguments}})
            answer = client.take()
            self.assertEqual((answer["id"], answer["error"]["code"]), (number, -32602), arguments)
        # What fails inside a tool is for the assistant to read, not an error of the protocol.
        self.assertTrue(client.call("s", "sql", sql="SELECT nothing FROM nowhere")["isError"])
        # No id can be known: JSON-RPC 2.0 says null.
        client.send("{\"jsonrpc\":")
        self.assertEqual((client.take()["id"]), None)
        client.end()

    def test_notifications_have_no_answer(self):
        client = self.begun()
        for method in ("notifications/progress", "notifications/roots/list_changed", "notifications/cancelled", "anything"):
            client.send({"jsonrpc": "2.0", "method": method, "params": {"requestId": 5}})
        client.send({"jsonrpc": "2.0", "id": 77, "result": {}})
        client.result("ping", 1, EMPTY)
        client.end()

    def test_values_are_those_of_a_query(self):
        client = self.begun()
        sql = "SELECT x'00ff' AS b, 9e999 AS i, -9e999 AS j, 9223372036854775807 AS l, 0.1 AS r, NULL AS n"
        page = json.loads(client.call(1, "sql", sql=sql)["content"][0]["text"])
        self.assertEqual(page["rows"], [list(json.loads(result("query", self.capture, "--sql", sql, "--json"))[0].values())])
        self.assertEqual(page["rows"][0][0], "00ff")
        cut = json.loads(client.call(2, "sql", sql="SELECT zeroblob(3000)")["content"][0]["text"])["rows"][0][0]
        self.assertEqual(cut, "00" * 2000 + " [1000 more bytes]")
        client.end()

    def test_a_long_answer_says_how_to_go_on(self):
        client = self.begun()
        seen, offset, number = 0, 0, 1
        while offset is not None and number < 200:
            page = json.loads(client.call(number, "sql", sql="SELECT slice_id, name, ts, dur FROM slice", offset=offset, limit=10**6)["content"][0]["text"])
            seen, offset, number = seen + len(page["rows"]), page["next_offset"], number + 1
        total, = json.loads(client.call("n", "sql", sql="SELECT count(*) FROM slice")["content"][0]["text"])["rows"][0]
        self.assertEqual(seen, total)
        self.assertGreater(number, 3)
        client.end()

    def test_a_request_that_runs_is_cancelled(self):
        client = self.begun()
        client.call("warm", "sql", sql="SELECT 1")
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        client.request("tools/call", 7, {"name": "sql", "arguments": {"sql": endless}})
        client.request("tools/call", 8, {"name": "sql", "arguments": {"sql": endless}})
        time.sleep(0.5)
        for number in (8, 7):  # One that waits, and the one that runs.
            client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number, "reason": "enough"}})
        # Neither is answered, and the next one is.
        client.result("ping", 9, EMPTY)
        client.end()

    def test_lists_of_messages(self):
        client = self.begun("2025-03-26")
        sql = {"name": "sql", "arguments": {"sql": "SELECT slice_id, name, ts, dur, args FROM slice", "limit": 10**6}}
        client.send([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "method": "notifications/initialized"},
                     *({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": sql} for number in (2, 3)),
                     {"jsonrpc": "2.0", "id": "x", "method": "nothing"}])
        answers = client.take()
        self.assertEqual([answer["id"] for answer in answers], [1, 2, 3, "x"])
        for answer in answers[:3]:
            jsonschema.validate(answer, RESPONSE)
        jsonschema.validate(answers[3], ERROR)
        client.send([{"jsonrpc": "2.0", "method": "notifications/initialized"}])
        client.result("ping", 9, EMPTY)
        client.end()


if __name__ == "__main__":
    unittest.main()
