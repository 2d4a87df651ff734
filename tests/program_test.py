"""The program as its users meet it: exit codes, tables, records, failures, policies, and its own proofs.

Usage: program_test.py PROGRAM [unittest arguments]
"""
import json
import os
import pathlib
import subprocess
import sys
import unittest

from program import PROGRAM, Program, textbook_policy

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON_PACKAGE = ROOT / "subject/adapters/python"
# One in so many of what a sanitized program takes long for.
SHARE = int(os.environ.get("AMPCHECK_SHARE", "1"))


class Running(Program):
    def test_textbook(self):
        done = self.run_program("run", "textbook", "--level", "smoke", "--json", "--report", "report")
        # On a slow machine it tells how far it is.
        self.assertRegex(done.stderr, r"\A([0-9]+ of [0-9]+ cases, [0-9]+ s left\n)*\Z")
        document = json.loads(done.stdout)
        self.assertEqual({clause["clause"]: clause["verdict"] for clause in document["clauses"]
                          if clause["verdict"] != "pass"},
                         {"weights/stochastic-unbiased": "not-applicable"})
        lines = [json.loads(line) for line in (self.folder / "report/record.jsonl").read_text().splitlines()]
        self.assertEqual(lines[0]["record"], 1)
        self.assertEqual(lines[1:-1], document["clauses"])
        footer = lines[-1]
        self.assertTrue(footer["end"])
        self.assertEqual(footer["exit"], 0)
        self.assertGreater(footer["played_twice"], 0)
        # Half of all deciding patterns have one right value, so that no bound blurs the verdict.
        self.assertGreater(footer["single"], footer["patterns"] / 2)
        self.assertFalse((self.folder / "failures").exists())

    def test_the_same_seed_plays_the_same_cases(self):
        def outcome(*more):
            document = json.loads(self.run_program("run", "mutant:sum-test", "--level", "smoke", "--json",
                                                   "--failures", "none", *more, code=1).stdout)
            return [(c["clause"], c["verdict"], c["failing"], c["patterns"]) for c in document["clauses"]]
        first = outcome()
        for path in (self.folder / "none").glob("*/*"):
            path.unlink()
        self.assertEqual(first, outcome())
        self.assertNotEqual(first, outcome("--seed", "2"))

    def test_failure_is_kept_and_played_first(self):
        done = self.run_program("run", "mutant:sum-test", "--level", "smoke", code=1)
        file = self.folder / "failures/mutant-sum-test/skipping.finite-never-skips.json"
        self.assertIn("again: ampcheck replay failures/mutant-sum-test/skipping.finite-never-skips.json "
                      "mutant:sum-test", done.stdout)
        envelope = json.loads(file.read_text())
        self.assertEqual(envelope["expected"]["clause"], "skipping/finite-never-skips")
        self.run_program("replay", file, "mutant:sum-test", code=1)
        self.run_program("replay", file, "textbook", code=0)
        # It is played first: also where the level plays nothing else of this clause that would fail.
        moved = self.folder / "failures/textbook"
        moved.mkdir()
        (moved / file.name).write_text(file.read_text())
        before = self.cases_of("textbook", "skipping/finite-never-skips", "nowhere")
        self.assertEqual(before + 1, self.cases_of("textbook", "skipping/finite-never-skips", "failures"))
        self.assertFalse((moved / file.name).exists(), "a clause that is kept again clears its failure")

    def cases_of(self, subject, clause, failures):
        done = self.run_program("run", subject, "--level", "smoke", "--clauses", clause, "--failures",
                                failures, "--json")
        return json.loads(done.stdout)["clauses"][0]["cases"]

    def test_budget_leaves_clauses_not_run(self):
        document = json.loads(self.run_program("run", "textbook", "--level", "deep", "--budget", "50ms",
                                               "--json", code=1).stdout)
        self.assertIn("not-run", {clause["verdict"] for clause in document["clauses"]})

    def test_several_globs(self):
        done = self.run_program("run", "textbook", "--level", "smoke", "--json", "--clauses",
                                "scaling/u*,tokens/*")
        rules = {clause["clause"].split("/")[0] for clause in json.loads(done.stdout)["clauses"]}
        self.assertEqual(rules, {"scaling", "tokens"})

    def test_a_file_of_failures_that_is_broken(self):
        folder = self.folder / "failures/textbook"
        folder.mkdir(parents=True)
        (folder / "broken.json").write_text("{")
        done = self.run_program("run", "textbook", "--level", "smoke", "--clauses", "scaling/u*")
        self.assertIn("not played: ", done.stderr)
        self.assertIn("broken.json:1:", done.stderr)
        self.assertEqual((folder / "broken.json").read_text(), "{")

    def test_a_kept_case_that_blames_the_right_is_not_played(self):
        case = json.loads(self.run_program("explain", "scaling/unscale-once#1.0", "--json").stdout)
        case["steps"] = [step for step in case["steps"] if step["op"] in ("scaler", "optimizer", "backward")]
        folder = self.folder / "failures/textbook"
        folder.mkdir(parents=True)
        (folder / "case.json").write_text(json.dumps(case))
        done = self.run_program("run", "textbook", "--level", "smoke", "--clauses", "scaling/u*")
        self.assertIn("not a case that a right implementation passes", done.stderr)

    def test_the_line_to_paste_names_what_was_called(self):
        done = self.run_program("run", "mutant:sum-test", "--level", "smoke", code=1,
                                environment={"AMPCHECK_CALLED": "../dev ampcheck"})
        self.assertIn("again: ../dev ampcheck replay failures/", done.stdout)

    def test_golden_from_any_folder(self):
        self.assertIn(" 0 differences", self.run_program("golden", "check").stdout)

    def test_no_colour_and_no_bar_off_a_terminal(self):
        done = self.run_program("run", "mutant:nan-not-seen", "--level", "smoke", code=1)
        self.assertNotIn("\033", done.stdout + done.stderr)

    def test_coverage(self):
        done = self.run_program("list", "--coverage", "--level", "smoke", "--clauses", "accumulation/*")
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertRegex(done.stdout, r"\naccumulate binary32 +normal +[1-9]")
        self.assertRegex(done.stdout, r"\(\d+\) A sum that comes out subnormal is exact")
        listed = json.loads(self.run_program("list", "--coverage", "--level", "smoke", "--clauses", "accumulation/*",
                                             "--json").stdout)
        self.assertLess(listed["reached"], listed["reachable"])
        run = json.loads(self.run_program("run", "textbook", "--level", "smoke", "--clauses", "accumulation/*",
                                          "--json").stdout)
        self.assertEqual(listed, run["footer"]["coverage"])

    def test_list_and_explain(self):
        clauses = json.loads(self.run_program("list", "--json").stdout)
        self.assertEqual(len(clauses), 83)
        self.assertIn("Scaling the loss by S",
                      self.run_program("explain", "scaling/seed-is-the-scale").stdout)
        self.assertIn("is_bad", self.run_program("explain", "mutant:nan-not-seen").stdout)
        subjects = json.loads(self.run_program("list", "--subjects", "--json").stdout)
        self.assertIn("control:reciprocal", {one["subject"] for one in subjects})


class Identifying(Program):
    """Of a control: what it does, whatever it says."""

    def identified(self, subject):
        return json.loads(self.run_program("identify", subject, "--json").stdout)

    def test_a_scaler(self):
        document = self.identified("control:megatron-scale")
        self.assertLessEqual(document["cases"], 200)
        self.assertEqual(document["families"], [{"name": "Megatron, ColossalAI", "departures": []}])
        axes = {axis["axis"]: axis for axis in document["axes"]}
        self.assertEqual(axes["hysteresis"]["state"], "known")
        self.assertEqual(axes["floor"]["words"], ["0x1p+0"])
        self.assertEqual(axes["update_at"]["state"], "cannot tell")
        self.assertEqual(set(document["policy"]), {name for name, axis in axes.items() if axis["state"] == "known"})
        done = self.run_program("identify", "control:megatron-scale")
        self.assertIn("nearest known family: Megatron, ColossalAI\n", done.stdout)
        self.assertIn(f"{len(document['policy'])} of {len(axes)} axes known, from {document['cases']} cases",
                      done.stdout)

    def test_what_is_found_judges_a_run(self):
        policy = self.folder / "found/policy.json"
        self.run_program("identify", "control:clip-with-epsilon", "--output", policy)
        found = json.loads(policy.read_text())
        self.assertEqual(found, self.identified("control:clip-with-epsilon")["policy"])
        self.assertNotIn("update_at", found)
        done = self.run_program("run", "control:clip-with-epsilon", "--level", "smoke", "--policy", policy,
                                "--json", "--report", "report")
        used = json.loads(done.stdout)["header"]["hello"]["policy"]
        self.assertEqual(used, {**used, **found})
        # It declares a word that admits more, which is no lie.
        self.assertEqual(found["unneeded_clip"], "identity")
        record = json.loads((self.folder / "report/record.jsonl").read_text().splitlines()[0])
        self.assertEqual(record["hello"]["policy"], used)

    def test_a_false_declaration(self):
        """Nothing is played, and both words are named."""
        policy = self.folder / "policy.json"
        self.run_program("identify", "control:megatron-scale", "--output", policy)
        self.refused("run", "textbook", "--policy", policy, "--failures", "failures", code=1,
                     says="textbook: policy.floor: it declares 0x1p-126, " + str(policy) + " says 0x1p+0")
        rule = self.write("rule.json", '{"growth_rule": "n_plus_one"}')
        self.refused("run", "textbook", "--policy", rule, code=1,
                     says=f"policy.growth_rule: it declares n, {rule} says n_plus_one")
        self.assertFalse((self.folder / "failures").exists())

    def test_what_a_subject_leaves_out_is_found(self):
        """The textbook as a process, with an empty policy but for what is no strict value."""
        self.write("subject.py", UNDECLARED % (str(PROGRAM), "control:reciprocal"))
        subject = f"process:{sys.executable} {self.folder / 'subject.py'}"
        done = self.run_program("run", subject, "--level", "smoke", "--json")
        used = json.loads(done.stdout)["header"]["hello"]["policy"]
        self.assertEqual(used["unscale"], "reciprocal_binary32")
        self.assertEqual(used["update_at"], "window")
        self.assertEqual(set(used), set(textbook_policy()))

    def test_what_identify_cannot_part_blames_nobody(self):
        """Chained hypots look like a sum of squares in a few cases, and in more of them they do not."""
        self.write("subject.py", UNDECLARED % (str(PROGRAM), "control:hypot-norm"))
        done = self.run_program("run", f"process:{sys.executable} {self.folder / 'subject.py'}", "--json",
                                "--clauses", "clipping/*")
        self.assertEqual(json.loads(done.stdout)["header"]["hello"]["policy"]["norm_algorithm"], "rescaled")


UNDECLARED = """
import json, subprocess, sys
served = subprocess.Popen([%r, "serve", %r], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    served.stdin.write(line)
    served.stdin.flush()
    if "stop" in json.loads(line):
        break
    answer = json.loads(served.stdout.readline())
    if "hello" in answer:
        answer["hello"]["policy"] = {"floor": answer["hello"]["policy"]["floor"]}
    print(json.dumps(answer), flush=True)
"""


class Transport(Program):
    def test_a_process_gets_the_same_verdicts(self):
        for subject in ("textbook", "mutant:checks-first-tensor"):
            verdicts = []
            for name in (subject, f"process:{PROGRAM} serve {subject}"):
                done = subprocess.run([PROGRAM, "run", name, "--level", "smoke", "--json", "--messages",
                                       "messages.jsonl"], cwd=self.folder, capture_output=True, text=True)
                verdicts.append([(c["clause"], c["verdict"], c["failing"], c["patterns"])
                                 for c in json.loads(done.stdout)["clauses"]])
            self.assertEqual(*verdicts)

    def test_every_message_keeps_the_schema(self):
        messages = self.folder / "messages.jsonl"
        self.run_program("run", f"process:{PROGRAM} serve textbook", "--level", "smoke", "--messages", messages)
        subprocess.run([sys.executable, PYTHON_PACKAGE / "tests/schema_check.py", messages], check=True)


class Example(Program):
    """What newcomers copy is right, and is judged in all that it claims."""

    def test_the_plain_loop_keeps_every_clause(self):
        example = PYTHON_PACKAGE / "examples/plain_loop.py"
        document = json.loads(self.run_program("run", f"process:{sys.executable} -W error {example}",
                                               "--level", "smoke", "--json").stdout)
        self.assertEqual(document["header"]["hello"]["profiles"], ["tokens"])
        verdicts = {clause["clause"]: clause["verdict"] for clause in document["clauses"]}
        self.assertLessEqual(set(verdicts.values()), {"pass", "not-applicable"}, verdicts)
        kept = {clause.split("/")[0] for clause, verdict in verdicts.items() if verdict == "pass"}
        self.assertEqual(kept, {"scaling", "clipping", "accumulation", "skipping", "tokens", "weights", "schedule"})


class Selftest(Program):
    @unittest.skipIf(SHARE > 1, "two minutes of an unsanitized program")
    def test_kill_matrix(self):
        document = json.loads(self.run_program("selftest", "--json", timeout=800).stdout)
        self.assertGreaterEqual(len(document["mutants"]), 167)
        self.assertGreaterEqual(len(document["controls"]), 12)
        for mutant in document["mutants"]:
            own = [clause for clause in mutant["killed_by"] if clause.startswith(mutant["rule"] + "/")]
            self.assertTrue(own, mutant)
        for control in document["controls"]:
            self.assertEqual(control["blamed_by"], [], control)

    def test_mutants_by_run(self):
        """Some of them, since each takes a process."""
        mutants = json.loads((ROOT / "properties/kill_matrix.json").read_text())["mutants"][::8 * SHARE]
        for mutant in mutants:
            with self.subTest(mutant["name"]):
                done = self.run_program("run", "mutant:" + mutant["name"], "--strict", "--level", "smoke", "--clauses",
                                        mutant["rule"] + "/*", "--shrink", "0", "--json", code=1)
                verdicts = {c["verdict"] for c in json.loads(done.stdout)["clauses"]}
                self.assertTrue(verdicts & {"fail", "advice"}, verdicts)

    def test_oracles_agree(self):
        document = json.loads(self.run_program("selftest", "--oracle", "--every", "9973", "--json").stdout)
        self.assertEqual(0, document["disagreements"])
        self.assertEqual(document["comparisons"], sum(part["comparisons"] for part in document["parts"]))
        self.assertTrue(all(part["comparisons"] > 1000 for part in document["parts"]), document["parts"])
        table = self.run_program("selftest", "--oracle", "--every", "9973").stdout
        self.assertIn("float8_e5m2 fma", table)

    def test_every_needs_the_oracles(self):
        self.run_program("selftest", "--every", "7", code=2)
        self.run_program("selftest", "--oracle", "--every", "0", code=2)
        self.run_program("selftest", "--oracle", "--full", code=2)


if __name__ == "__main__":
    unittest.main()
