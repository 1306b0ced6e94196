#!/usr/bin/env python3
"""Everything that is written as JSON is as its schema says (resources/help/schemas), for captures of many kinds."""

import json
import os
import pathlib
import unittest

import jsonschema

from support import FAILED, GATE_NOT_MET, GOLDEN, OK, PARTIAL, SOURCE, CliTest, check_schema, run

SCHEMAS = {path.stem: json.loads(path.read_text(encoding="utf-8"))
           for path in sorted((pathlib.Path(SOURCE) / "resources/help/schemas").glob("*.json"))}
USED = set()


def check(test, name, text):
    USED.add(name)
    check_schema(test, name, text)


class Schemas(CliTest):
    def take(self, name, *words, status=(OK,)):
        done = run(*words)
        self.assertIn(done.returncode, status, done.stderr)
        check(self, name, done.stdout)
        return done.stdout

    def test_they_are_schemas_and_closed(self):
        def objects(part):
            if isinstance(part, dict):
                if "properties" in part:
                    yield part
                for value in part.values():
                    yield from objects(value)

        for name, schema in SCHEMAS.items():
            jsonschema.Draft202012Validator.check_schema(schema)
            for part in objects(schema):
                self.assertIs(part["additionalProperties"], False, name)
                for key, value in part["properties"].items():
                    self.assertTrue("description" in value or value.get("type") == "array", f"{name}: {key}")

    def test_golden_captures(self):
        for folder in sorted(pathlib.Path(GOLDEN).glob("*/capture")):
            with self.subTest(capture=folder.parent.name):
                self.take("info", "info", str(folder), "--json", status=(OK, FAILED, PARTIAL))

    def test_generated_captures(self):
        both = {}
        for form in ("text", "db", "cluster", "mindspore"):
            folder = self.path(form)
            self.take("generate", "generate", folder, "--format", form, "--ranks", "4", "--plant", "slow-rank=1", "--json")
            check(self, "truth", pathlib.Path(folder, "truth.json").read_text(encoding="utf-8"))
            self.take("info", "info", folder, "--json")
            self.take("query", "query", folder, "--format", "json", "--sql",
                      "SELECT name, 1.5 AS half, NULL AS none, x'00ff' AS bytes, dur, dur FROM slice LIMIT 3")
            report = self.path(form + ".json")
            self.take("report-written", "report", folder, "--out", report, "--json")
            check(self, "report", pathlib.Path(report).read_text(encoding="utf-8"))
            both[form] = folder
        limits = self.path("limits.txt")
        pathlib.Path(limits).write_text("step < 1 us\nlost = 0\n", encoding="utf-8")
        self.take("report-written", "report", both["text"], "--gate", limits, "--json", status=(GATE_NOT_MET,))
        self.take("compare", "compare", both["text"], both["db"], "--json")
        self.take("compare", "compare", both["cluster"], both["db"], "--json")
        self.take("compare", "compare", both["text"], both["db"], "--gate", limits, "--json", status=(GATE_NOT_MET,))
        self.take("export-table", "export", both["text"], "--what", "step", "--out", self.path("step.csv"), "--json")
        self.take("pack", "pack", both["text"], "--out", self.path("x.altipack"), "--redact", "--json")
        self.take("info-sums", "info", self.path("x.altipack"), "--sums", "--json")
        self.take("pack-units", "pack", both["text"], "--out", self.path("packs"), "--engine", "script", "--json")
        self.take("export-trace", "export", both["text"], "--what", "trace", "--out", self.path("trace.json"), "--json")
        self.take("whatif", "whatif", both["text"], "--json")
        self.take("tables", "query", "--schema", "--json")
        self.take("cache-list", "cache", "list", "--json")
        self.take("cache-clear", "cache", "clear", "--json")

    def test_damaged_capture(self):
        folder = self.path("damaged")
        self.assertEqual(run("generate", folder).returncode, OK)
        trace = os.path.join(folder, "rank0_ascend_pt", "ASCEND_PROFILER_OUTPUT", "trace_view.json")
        os.truncate(trace, os.path.getsize(trace) - 10_000)
        self.assertIn("trace.cut", self.take("info", "info", folder, "--json"))

    def test_recording(self):
        self.take("capture-methods", "capture", "methods", "--json")
        self.take("capture-list", "capture", "list", "--json")
        for method in json.loads(run("capture", "methods", "--json").stdout):
            with self.subTest(method=method["name"]):
                self.take("capture-validate", "capture", "validate", method["name"], "--json", status=(OK, FAILED))

    def test_z_every_schema_was_used(self):
        """Runs last; those left out have tests of their own, which need raw data or a job."""
        if len(USED) > 1:
            self.assertEqual(set(SCHEMAS) - USED, {"analyse", "capture-checks", "capture-jobs", "capture-watch", "remote-list", "remote-remove"})


if __name__ == "__main__":
    unittest.main()
