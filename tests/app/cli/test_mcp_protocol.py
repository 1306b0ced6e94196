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

from support import CLI, PATIENCE, SOURCE, CliTest, result, surroundings

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
             outputSchema=shape(["type"], type={"const": "object"}), annotations=shape([], title={"type": "string"}, **{hint + "Hint": {"type": "boolean"}
                                                                 for hint in ("readOnly", "destructive", "idempotent", "openWorld")}))
LIST = shape(["tools"], tools={"type": "array", "items": TOOL}, nextCursor={"type": "string"})
CALL = shape(["content"], isError={"type": "boolean"}, structuredContent={"type": "object"}, content={
    "type": "array", "items": shape(["type", "text"], type={"const": "text"}, text={"type": "string"})})
RESOURCES = shape(["resources"], resources={"type": "array", "items": shape(
    ["uri", "name"], uri={"type": "string"}, name={"type": "string"}, description={"type": "string"}, mimeType={"type": "string"})})
TEMPLATES = shape(["resourceTemplates"], resourceTemplates={"type": "array"})
CONTENTS = shape(["contents"], contents={"type": "array", "items": shape(
    ["uri", "text"], uri={"type": "string"}, mimeType={"type": "string"}, text={"type": "string"})})
PROMPTS = shape(["prompts"], prompts={"type": "array", "items": shape(["name"], name={"type": "string"}, description={"type": "string"}, arguments={
    "type": "array", "items": shape(["name"], name={"type": "string"}, description={"type": "string"}, required={"type": "boolean"})})})
PROMPT = shape(["messages"], description={"type": "string"}, messages={"type": "array", "items": shape(
    ["role", "content"], role={"enum": ["user", "assistant"]}, content=shape(["type", "text"], type={"const": "text"}, text={"type": "string"}))})
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
            self.assertEqual(json.loads(answer["content"][0]["text"]), answer["structuredContent"])
            jsonschema.Draft202012Validator.check_schema(tools[name]["outputSchema"])
            jsonschema.validate(answer["structuredContent"], tools[name]["outputSchema"])
        client.result("ping", 99, EMPTY)
        client.end()

    def test_resources(self):
        client = self.begun()
        listed = client.result("resources/list", 1, RESOURCES)["resources"]
        self.assertEqual(client.result("resources/templates/list", 2, TEMPLATES)["resourceTemplates"], [])
        pages = {name[:-3] for name in os.listdir(os.path.join(SOURCE, "resources", "help", "manual", "en")) if name.endswith(".md")}
        self.assertEqual({entry["uri"] for entry in listed},
                         {"altiscope://schema", "altiscope://formulas", *(f"altiscope://manual/{page}" for page in pages)})
        texts = {}
        for number, entry in enumerate(listed, 3):
            content, = client.result("resources/read", number, CONTENTS, {"uri": entry["uri"]})["contents"]
            self.assertEqual((content["uri"], content["mimeType"]), (entry["uri"], entry["mimeType"]))
            texts[entry["uri"]] = content["text"]
        self.assertEqual(texts["altiscope://schema"], result("query", "--schema")[:60_000])
        for uri, path in (("formulas", "core/analysis/FORMULAS.md"), *((f"manual/{page}", f"resources/help/manual/en/{page}.md") for page in pages)):
            with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
                self.assertEqual(texts[f"altiscope://{uri}"], file.read(), uri)
        client.end()

    def test_prompts(self):
        client = self.begun()
        prompts = client.result("prompts/list", 1, PROMPTS)["prompts"]
        self.assertIn("first_look", [prompt["name"] for prompt in prompts])
        for number, prompt in enumerate(prompts, 2):
            message, = client.result("prompts/get", number, PROMPT, {"name": prompt["name"], "arguments": {"capture": "3"}})["messages"]
            self.assertIn("apture 3", message["content"]["text"])
        client.end()

    def test_errors(self):
        client = self.begun()
        cases = [("tools/list", {"cursor": "7"}, -32602), ("tools/call", {"name": "rm"}, -32602), ("tools/call", {}, -32602),
                 ("tools/call", None, -32602), ("tools/call", {"name": "sql", "arguments": {"sql": 5}}, -32602),
                 ("resources/subscribe", None, -32601), ("prompts/get", {"name": "x"}, -32602), ("prompts/get", None, -32602),
                 ("prompts/get", {"name": "first_look", "arguments": {"capture": "0; DROP"}}, -32602), ("resources/list", {"cursor": "7"}, -32602),
                 ("resources/read", {"uri": "altiscope://manual/../../etc/passwd"}, -32002), ("resources/read", {"uri": 5}, -32002)]
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

    def test_a_version_that_is_no_text_does_not_end_the_server(self):
        client = self.client()
        for number, version in enumerate((5, None, [1], True, {}, -1.5)):
            answer = client.result("initialize", number, INITIALIZE, {"protocolVersion": version})
            self.assertEqual(answer["protocolVersion"], VERSIONS[-1])
        client.result("ping", 99, EMPTY)
        client.end()

    def test_deep_messages_are_refused(self):
        client = self.begun()
        deep = "[" * 900_000 + "]" * 900_000
        for message in (deep, deep[:900_000], '{"jsonrpc":"2.0","id":1,"method":"ping","params":%s}' % deep,
                        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}' % deep):
            client.send(message)
            answer = client.take()
            self.assertEqual((answer["id"], answer["error"]["code"]), (None, -32600))
        client.result("ping", 9, EMPTY)
        client.end()

    def test_many_keys_do_not_take_their_square(self):
        client = self.begun()
        keys = ",".join(f'"{number:x}":0' for number in range(150_000))
        client.send('{"jsonrpc":"2.0","id":1,"method":"ping","params":{%s}}' % keys)
        jsonschema.validate(client.take(20), RESPONSE)
        client.end()

    def test_ids_of_cancelled_requests_do_not_fill_the_memory(self):
        client = self.begun()
        client.result("ping", 1, EMPTY)

        def resident():
            with open(f"/proc/{client.process.pid}/status", encoding="ascii") as status:
                return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        before = resident()
        for number in range(60):
            client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": str(number) + "x" * 1_900_000}})
        client.result("ping", 2, EMPTY)
        if "ALTI_SANITIZED" not in os.environ:  # it keeps what was freed
            self.assertLess(resident() - before, 60_000)  # kB; all of them are 114 MB
        client.end()

    def test_numbers_beyond_64_bits_are_refused(self):
        client = self.begun()
        for number, value in enumerate((2**63, 2**64 - 1)):
            client.request("tools/call", number, {"name": "sql", "arguments": {"sql": "SELECT 1", "limit": value}})
            self.assertEqual(client.take()["error"]["code"], -32602)
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
