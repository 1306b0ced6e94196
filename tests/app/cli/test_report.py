#!/usr/bin/env python3
"""report: numbers that its own SQL gives, a page that stands alone, names that stay text; gates with their exit status."""

import json
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ET

from support import CLI, FAILED, GATE_NOT_MET, OK, PATIENCE, WRONG_USAGE, CliTest, result, rows, run, tree_hash, write

SECTIONS = ["facts", "steps", "findings", "operators", "communication", "memory", "diagnostics", "method"]
HOSTILE = '<script>alert(1)</script>]]>\u202e\'"&lt;'


class Reports(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.run_folder = os.path.join(folder.name, "run")
        result("generate", cls.run_folder, "--ranks", "2", "--steps", "3", "--layers", "2", "--seed", "3", "--plant", "slow-rank=1:40", "--quiet")

    def report(self, *words, status=OK):
        out = self.path("report.json")
        result("report", self.run_folder, "--out", out, *words, status=status)
        with open(out, encoding="utf-8") as file:
            return json.load(file)

    def gate(self, text, *words, status=OK):
        file = write(self.path("gate.txt"), text)
        return result("report", self.run_folder, "--gate", file, *words, status=status)

    def test_every_table_is_the_result_of_its_statement(self):
        before = tree_hash(self.run_folder)
        report = self.report()
        self.assertEqual([section["id"] for section in report["sections"]], SECTIONS)
        self.assertEqual((report["schema"], report["captures"]), (1, [self.run_folder]))
        filled = cut = 0
        for section in report["sections"]:
            self.assertTrue(section["title"] and section["text"], section["id"])
            for table in section["tables"]:
                with self.subTest(table["title"]):
                    text = result("query", self.run_folder, "--sql", table["sql"], "--format", "json")
                    expected = json.loads(text)
                    self.assertEqual(table["rows"], [list(row.values()) for row in expected])
                    whole, isCut, _ = table["sql"].rpartition(" LIMIT ")
                    count = rows(self.run_folder, f"SELECT count(*) FROM ({whole})")[0][0] if isCut else len(expected)
                    self.assertEqual(table["omitted"], count - len(expected))
                    cut += table["omitted"] > 0
                    if expected:
                        filled += 1
                        self.assertEqual([column["name"] for column in table["columns"]], list(expected[0]))
        self.assertGreaterEqual(filled, 14)
        self.assertGreater(cut, 0)
        self.assertEqual(tree_hash(self.run_folder), before)

    def test_units_are_those_of_the_tables(self):
        schema = {table["table"]: {column["name"]: column["unit"] for column in table["columns"]}
                  for table in json.loads(result("query", "--schema", "--json"))}
        table = self.report("--sections", "findings")["sections"][0]["tables"][1]
        units = {column["name"]: column["unit"] for column in table["columns"]}
        self.assertEqual(units, {name: schema["finding"][name] for name in units})
        self.assertEqual(units["ts"], "ns")

    def test_chosen_sections_in_the_order_of_the_report(self):
        report = self.report("--sections", "memory,steps")
        self.assertEqual([section["id"] for section in report["sections"]], ["steps", "memory"])

    def test_page_stands_alone(self):
        out = self.path("report.html")
        result("report", self.run_folder, "--out", out)
        page = ET.parse(out).getroot()  # also well-formed XML
        tags = {element.tag.rpartition("}")[2] for element in page.iter()}
        self.assertFalse(tags & {"script", "img", "link", "iframe", "object", "embed", "form"})
        self.assertIn("svg", tags)
        for element in page.iter():
            for name, value in element.attrib.items():
                self.assertFalse(name.startswith("on") or name in ("src", "style"), name)
                self.assertTrue(name != "href" or value.startswith("#"), value)
        with open(out, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("prefers-color-scheme: dark", text)
        self.assertIn("@media print", text)
        self.assertNotIn("url(", text)
        self.assertNotIn("http", text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", ""))

    def test_hostile_names_stay_text(self):
        folder = self.path("hostile")
        result("generate", folder, "--ranks", "1", "--steps", "2", "--layers", "1", "--quiet")
        # The profiler's own summary alone, so that the names in it count.
        place = os.path.join(folder, "rank0_ascend_pt", "ASCEND_PROFILER_OUTPUT")
        for name in ("trace_view.json", "kernel_details.csv"):
            os.remove(os.path.join(place, name))
        table = os.path.join(place, "op_statistic.csv")
        with open(table, encoding="utf-8") as file:
            lines = file.read().splitlines()
        cells = lines[1].split(",")
        name = lines[0].split(",").index("OP Type")
        long = "<" * 10000
        for text in (HOSTILE, long):
            cells[name] = '"' + text.replace('"', '""') + '"'
            lines.append(",".join(cells))
        write(table, "\n".join(lines) + "\n")
        found = [text for text, in rows(folder, "SELECT name FROM op_stat")]
        self.assertIn(HOSTILE, found)
        out = self.path("hostile.html")
        result("report", folder, "--out", out)
        page = ET.parse(out).getroot()
        texts = [element.text for element in page.iter() if element.text]
        self.assertIn(HOSTILE.replace("\u202e", "\\u202e"), texts)
        self.assertIn(long, texts)
        self.assertNotIn("script", {element.tag for element in page.iter()})
        out = self.path("hostile.json")
        result("report", folder, "--out", out)
        with open(out, encoding="utf-8") as file:
            self.assertIn(HOSTILE, json.dumps(json.load(file), ensure_ascii=False).replace('\\"', '"'))

    def test_metrics_are_what_a_hand_count_gives(self):
        one = lambda sql: rows(self.run_folder, sql)[0][0]
        steps = "FROM step_breakdown WHERE origin = 'computed'"
        hand = {
            "step": one(f"SELECT avg(computing + not_overlapped + free) {steps}"),
            "max(step)": one(f"SELECT max(computing + not_overlapped + free) {steps}"),
            "p50(computing)": one(f"SELECT median(computing) {steps}"),
            "p95(computing)": one(f"SELECT percentile(computing, 95) {steps}"),
            "communication": one(f"SELECT avg(communication) {steps}"),
            "exposed_communication": one(f"SELECT avg(not_overlapped_excl_receive) {steps}"),
            "free_ratio": one(f"SELECT avg(free * 1.0 / (computing + not_overlapped + free)) {steps}"),
            "preparing": one(f"SELECT avg(preparing) {steps}"),
            "bubble": one(f"SELECT avg(not_overlapped - not_overlapped_excl_receive) {steps}"),
            "peak_reserved": one("SELECT max(reserved) FROM memory_sample WHERE component LIKE 'PTA%'"),
            "peak_allocated": one("SELECT max(allocated) FROM memory_sample WHERE component LIKE 'PTA%'"),
            "slow_rank.count": one("SELECT count(*) FROM finding WHERE rule = 'slow_rank'"),
            "slow_rank.recoverable": one("SELECT sum(recoverable) FROM finding WHERE rule = 'slow_rank'"),
            "ai_cpu.count": 0,
            "lost": 0,
            "sql(SELECT count(*) FROM kernel)": one("SELECT count(*) FROM kernel"),
        }
        text = self.gate("".join(f"{metric} >= 0\n" for metric in hand), "--json")
        outcomes = {rule["rule"].removesuffix(" >= 0"): rule["value"] for rule in json.loads(text)["gate"]["rules"]}
        self.assertEqual(set(outcomes), set(hand))
        for metric, value in hand.items():
            self.assertAlmostEqual(outcomes[metric], value, delta=abs(value) * 1e-9, msg=metric)
        self.assertGreater(hand["slow_rank.count"], 0)

    def test_failures_are_listed_with_how_much(self):
        junit = self.path("gate.xml")
        text = self.gate("# all\nstep > 1 ns\npeak_reserved < 1 B\nfree < 0 ms\n", "--junit", junit, status=GATE_NOT_MET)
        lines = text.splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["FAILED", "FAILED", "met", "gate:"])
        self.assertRegex(lines[0], r"peak_reserved < 1 B: it is \d+ B, off by \d+ B \(\d")
        self.assertEqual(lines[-1], "gate: 1 of 3 rules met")
        suite = ET.parse(junit).getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("3", "2"))
        self.assertEqual([case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None],
                         ["peak_reserved < 1 B", "free < 0 ms"])

    def test_no_data_fails_and_says_so(self):
        text = self.gate("sql(SELECT NULL) = 0\nsql(SELECT 1 WHERE 0) = 0\n", status=GATE_NOT_MET)
        self.assertEqual(text.count("the capture has no data for sql("), 2)

    def test_wrong_rules_are_wrong_usage(self):
        for rule in ("nonsense < 1", "step < 1 parsec", "lost < 1 ms", "change(step) < 1 %", "sql(SELECT * FROM rank) = 1",
                     "sql(SELECT 'a') = 1", "sql(DELETE FROM rank) = 1", "sql(SELECT nothing) = 1"):
            with self.subTest(rule):
                self.gate(rule, status=WRONG_USAGE)

    def steps_alone(self, name, head, lines):
        """A capture that holds step times only, with the mean step and computing of its report and of its gate."""
        place = self.path(name, "x_ascend_pt", "ASCEND_PROFILER_OUTPUT")
        write(os.path.join(place, "step_trace_time.csv"), "\n".join([head, *lines]) + "\n")
        folder, out = self.path(name), self.path("steps.json")
        gate = write(self.path("gate.txt"), "computing >= 0\nstep >= 0\n")
        text = result("report", folder, "--out", out, "--gate", gate, "--json", "--sections", "steps")
        with open(out, encoding="utf-8") as file:
            table = json.load(file)["sections"][0]["tables"][0]
        row = dict(zip([column["name"] for column in table["columns"]], table["rows"][0]))
        return [row["computing"], row["step"]], [rule["value"] for rule in json.loads(text)["gate"]["rules"]]

    def test_several_devices_give_one_mean_step(self):
        lines = [f"{device},{step},{100 * (device + 1)},10,0,10,1" for step in (5, 6) for device in range(4)]
        report, gate = self.steps_alone("devices", "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free", lines)
        self.assertEqual(report, [400000, 411000])
        self.assertEqual(gate, report)

    def test_rows_without_a_step_do_not_count_beside_steps(self):
        head = "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free"
        report, gate = self.steps_alone("some", head, [",9000,10,0,10,1", "5,200,10,0,10,1", "6,300,10,0,10,1"])
        self.assertEqual((report, gate), ([250000, 261000], [250000, 261000]))
        report, gate = self.steps_alone("none", head, [",9000,10,0,10,1"])
        self.assertEqual((report, gate), ([9000000, 9011000], [9000000, 9011000]))

    def test_shares_and_large_numbers_are_compared_exactly(self):
        large = 2**53 + 1
        text = self.gate(f"sql(SELECT 0.57) >= 57 %\nsql(SELECT {large}) = {large - 1}\nsql(SELECT {large}) = {large}\n"
                         f"sql(SELECT {large}) > {large - 1}\nlost = 0\n", status=GATE_NOT_MET)
        self.assertEqual([line for line in text.splitlines() if line.startswith("FAILED")],
                         [f"FAILED  sql(SELECT {large}) = {large - 1}: it is {large}, off by 1 (0.0 %)"])

    def test_gate_without_rules_is_wrong_usage(self):
        self.gate("# all of them were removed\n\n", status=WRONG_USAGE)

    def test_files_that_are_one_are_refused(self):
        rules = write(self.path("rules.json"), "lost = 0\n")
        link = self.path("link.json")
        os.symlink(rules, link)
        out = self.path("out.json")
        for words in (("--out", out, "--junit", out, "--gate", rules), ("--gate", rules, "--junit", rules),
                      ("--gate", rules, "--junit", link), ("--out", rules, "--gate", rules),
                      ("--out", out, "--junit", self.path(".", "out.json"), "--gate", rules)):
            with self.subTest(words):
                for command in (("report", self.run_folder), ("compare", self.run_folder, self.run_folder)):
                    done = run(*command, *words)
                    self.assertEqual(done.returncode, WRONG_USAGE, done.stderr)
                    self.assertIn("is named twice", done.stderr)
        with open(rules, encoding="utf-8") as file:
            self.assertEqual(file.read(), "lost = 0\n")
        self.assertFalse(os.path.exists(out))

    def test_standard_output_holds_one_object(self):
        rules = write(self.path("rules"), "lost = 0\nstep < 1 ns\n")
        for command in (("report", self.run_folder), ("compare", self.run_folder, self.run_folder)):
            for target in ("pipe", "file"):
                with self.subTest((command[0], target)):
                    place = self.path("stdout")
                    words = [CLI, *command, "--out", "/dev/stdout", "--json", "--gate", rules]
                    with open(place, "wb") as file:
                        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if target == "pipe" else file,
                                              stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
                    with open(place, "rb") as file:
                        text = done.stdout if target == "pipe" else file.read()
                    self.assertEqual(done.returncode, GATE_NOT_MET)
                    self.assertEqual(json.loads(text)["schema"], 1)
                    self.assertEqual([rule["met"] for rule in json.loads(done.stderr.splitlines()[-1])["rules"]], [True, False])

    def test_file_below_dev_is_a_file(self):
        if not os.access("/dev/shm", os.W_OK):
            self.skipTest("there is no /dev/shm to write to")
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            out = os.path.join(folder, "c.json")
            self.assertIn(out, result("report", self.run_folder, "--out", out))
            self.assertEqual(run("report", self.run_folder, "--out", os.path.join(folder, "c.txt")).returncode, WRONG_USAGE)
            self.assertIn("A step takes", result("compare", self.run_folder, self.run_folder, "--out", out))

    def test_wrong_words(self):
        for words in (("--sections", "facts,nothing", "--out", "/dev/null"), ("--out", self.path("a.txt")), (), ("--junit", "x"),
                      ("--sections", "compare", "--out", "/dev/null")):
            with self.subTest(words):
                self.assertEqual(run("report", self.run_folder, *words).returncode, WRONG_USAGE)
        inside = os.path.join(self.run_folder, "report.html")
        self.assertEqual(run("report", self.run_folder, "--out", inside).returncode, FAILED)
        self.assertFalse(os.path.exists(inside))

    def test_report_is_written_although_the_gate_fails(self):
        file = write(self.path("gate.txt"), "step < 1 ns\n")
        out = self.path("kept.json")
        result("report", self.run_folder, "--out", out, "--gate", file, status=GATE_NOT_MET)
        self.assertTrue(os.path.exists(out))


if __name__ == "__main__":
    unittest.main()
