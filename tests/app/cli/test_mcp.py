#!/usr/bin/env python3
"""mcp: the protocol's handshake, each tool, answers that say how to go on and are never too long, and bad messages."""

import json
import os
import subprocess
import tempfile
import unittest

from support import CLI, PATIENCE, WRONG_USAGE, CliTest, result, rows, run, surroundings, tree_hash

TOOLS = ["captures", "describe", "sql", "findings", "slices", "report", "compare"]
MOST = 100_000


class Mcp(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.base, cls.slow = (os.path.join(folder.name, name) for name in ("base", "slow"))
        for place, words in ((cls.base, ("--seed", "1")), (cls.slow, ("--seed", "2", "--plant", "slow-rank=1:40"))):
            result("generate", place, "--ranks", "2", "--steps", "3", "--layers", "1", "--quiet", *words)

    def asked(self, *messages):
        """The answers to messages, in order, then the end of the input."""
        lines = "".join((message if isinstance(message, str) else json.dumps(message)) + "\n" for message in messages)
        done = subprocess.run([CLI, "mcp", self.base, self.slow], input=lines.encode(), capture_output=True, timeout=PATIENCE,
                              check=False, env=surroundings())
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), MOST)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def called(self, tool, **arguments):
        answer, = self.asked({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        content, = answer["result"]["content"]
        self.assertFalse(answer["result"]["isError"], content["text"])
        return json.loads(content["text"])

    def test_handshake_and_tools(self):
        answers = self.asked({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": "2025-03-26"}},
                             {"jsonrpc": "2.0", "method": "notifications/initialized"},
                             {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, {"jsonrpc": "2.0", "id": 3, "method": "ping"})
        self.assertEqual([answer["id"] for answer in answers], ["a", 2, 3])
        self.assertEqual(answers[0]["result"]["protocolVersion"], "2025-03-26")
        self.assertEqual(answers[0]["result"]["capabilities"], {"tools": {}, "resources": {}, "prompts": {}})
        tools = answers[1]["result"]["tools"]
        self.assertEqual([tool["name"] for tool in tools], TOOLS)
        for tool in tools:
            self.assertEqual(tool["inputSchema"]["type"], "object")
            self.assertTrue(tool["annotations"]["readOnlyHint"])

    def test_each_tool(self):
        before = tree_hash(self.slow)
        self.assertEqual([row["path"] for row in self.called("captures")["rows"]], [self.base, self.slow])
        described = self.called("describe", capture=1)
        self.assertEqual(described["ranks"], 2)
        self.assertIn("self_dur", next(t["columns"] for t in described["tables"] if t["table"] == "slice"))
        self.assertEqual(self.called("describe", table="rank")["columns"][0]["name"], "rank_id")
        self.assertEqual(self.called("sql", sql="SELECT 1 AS a, NULL AS b", capture=1),
                         {"columns": ["a", "b"], "rows": [[1, None]], "next_offset": None})
        self.assertIn("slow_rank", [row[1] for row in self.called("findings", capture=1)["rows"]])
        start, = rows(self.slow, "SELECT min(start_ts) FROM rank")[0]
        slices = self.called("slices", capture=1, start_ts=start, end_ts=start + 10**9, limit=5)
        self.assertEqual((len(slices["rows"]), slices["next_offset"]), (5, 5))
        named = self.called("slices", capture=1, name="aten::*", start_ts=start, limit=100)["rows"]
        self.assertEqual(len(named), min(100, rows(self.slow, "SELECT count(*) FROM slice WHERE name GLOB 'aten::*'")[0][0]))
        self.assertTrue(all(row[4].startswith("aten::") for row in named))
        found = self.called("findings", capture=1)["rows"]
        for column, name in ((0, "severity"), (1, "rule"), (2, "rank_id")):
            value = next(row[column] for row in found if row[column] is not None)
            self.assertEqual(self.called("findings", capture=1, **{name: value})["rows"], [row for row in found if row[column] == value])
        self.assertEqual(self.called("findings", capture=1, rule="' OR 1 = 1 --")["rows"], [])
        self.assertTrue(described["traps"])
        self.assertIn("entries", described["diagnostics"])
        self.assertEqual(self.called("describe", table="kernel_chain")["columns"][0]["name"], "kernel_rowid")
        between = self.called("compare", base=1, current=1, base_ranks="0", ranks="1")
        self.assertNotEqual(between["rows"], self.called("compare", base=1, current=1)["rows"])
        report = self.called("report", capture=1, section="steps")
        self.assertIn("A step takes", report["text"])
        compared = self.called("compare", base=0, current=1, limit=3)
        self.assertEqual(len(compared["rows"]), 3)
        self.assertEqual(compared["next_offset"], 3)
        self.assertEqual(tree_hash(self.slow), before)

    def test_pages_hold_each_row_once(self):
        sql = "SELECT slice_id, name, args FROM slice"
        expected = rows(self.base, "SELECT slice_id FROM slice LIMIT 2000")
        found, offset = [], 0
        while len(found) < len(expected):
            page = self.called("sql", sql=sql, offset=offset, limit=100_000)
            self.assertEqual(page["next_offset"], offset + len(page["rows"]))
            found += [(row[0],) for row in page["rows"]]
            offset = page["next_offset"]
        self.assertEqual(found[:len(expected)], expected)

    def test_long_values_are_cut_and_say_so(self):
        row, = self.called("sql", sql="SELECT printf('%0200000d', 1)")["rows"]
        self.assertTrue(row[0].endswith("more bytes]"))
        wide = "SELECT " + ", ".join(["printf('%09000d', 1)"] * 50)
        page = self.called("sql", sql=f"{wide} UNION ALL {wide} || 1")
        self.assertIn("too long", page["rows"][0][0])
        self.assertEqual(page["next_offset"], 1)

    def test_bad_messages(self):
        answers = self.asked("no json", "[]", "{\"id\":1}", {"jsonrpc": "2.0", "id": 4, "method": "nothing"},
                             {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "delete"}},
                             {"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {"name": "sql", "arguments": {}}},
                             {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "sql", "arguments": {"sql": 1}}},
                             {"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": 5}, "[" * 100_000)
        self.assertEqual([answer["error"]["code"] for answer in answers], 
                         [-32700, -32600, -32600, -32601, -32602, -32602, -32602, -32602, -32600])
        for arguments in ({"sql": "DELETE FROM rank"}, {"sql": "SELECT 1", "capture": 9}, {"sql": "ATTACH 'x' AS y"}):
            answer, = self.asked({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "sql", "arguments": arguments}})
            self.assertTrue(answer["result"]["isError"])

    def test_needs_a_capture(self):
        self.assertEqual(run("mcp").returncode, WRONG_USAGE)


if __name__ == "__main__":
    unittest.main()
