"""What the program makes of bad input, of streams that it cannot write, and of subjects that slip or fall.

Usage: refusals_test.py PROGRAM [unittest arguments]
"""
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

from program import HELLO, NULLS, PROGRAM, Program, textbook_policy

PYTHON_PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "subject/adapters/python"


class Refusals(Program):
    def test_usage(self):
        self.refused(says="subcommand")
        self.refused("run", says="subject")
        self.refused("frob", says="frob")
        self.refused("run", "textbook", "--no-such", says="--no-such")
        self.refused("run", "textbook", "--level", "hard", says="smoke, standard or deep")
        self.refused("run", "textbook", "--budget", "soon", says="--budget soon")
        self.refused("run", "textbook", "--seed", "x", says="seed")
        self.refused("run", "textbook", "--seed", "18446744073709551616", says="--seed 18446744073709551616")
        self.refused("run", "textbook", "--shrink", "1e300", says="--shrink")
        for option in ("--budget", "--shrink", "--seed", "--clauses"):
            self.refused("run", "textbook", option, "", says=option)
        self.refused("run", "textbook", "--clauses", "scaling/*,", says="an empty glob")

    def test_nothing_selected(self):
        self.refused("run", "textbook", "--clauses", "nothing/*", says="no clause")
        self.refused("run", "textbook", "--clauses", "kernel/*", says="no cases for it yet")
        self.refused("run", "textbook", "--clauses", "scaling/*,nothing/*", says="--clauses nothing/*: no clause")
        self.refused("list", "--clauses", "nothing/*", says="no clause")

    def test_subjects(self):
        self.refused("run", "nobody", says='unknown subject "nobody"')
        self.refused("run", "mutant:nobody", says="unknown subject")
        self.refused("run", "process:", says="wants a command")
        self.refused("run", "process:exit 7", code=3, says="did not start")
        self.refused("run", "process:/no/such/program", code=3, says="did not start")
        self.refused("run", "torch", "--python", "/no/such/python", code=3, says="/no/such/python")
        self.refused("run", "device:gpu", code=4, says="GPU")

    def test_an_interpreter_without_the_package(self):
        bare = self.write("bare", f"#!/bin/sh\nexec /usr/bin/python3 -I -S -c 'import sys; "
                          f"sys.path.insert(0, \"{PYTHON_PACKAGE}\"); import runpy; sys.argv = sys.argv[2:]; "
                          f"runpy.run_module(\"ampcheck\", run_name=\"__main__\")' \"$@\"\n")
        bare.chmod(0o755)
        self.refused("run", "torch", "--python", bare, code=3, says="did not start")
        done = self.run_program("run", "torch", "--python", bare, code=3)
        self.assertIn("has no package torch; `./dev adapter torch`", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_hello(self):
        subject = self.subject(NULLS)
        for change, says in (({"profiles": ["everything"]}, "everything"),
                             ({"operations": ["frobnicate"]}, "frobnicate"),
                             ({"policy": {"unscale": "magic"}}, "magic"),
                             ({"policy": {"at_floor": "raise"}}, "policy.at_floor: there is no floor"),
                             ({"policy": {"hysteresis": "5"}}, "policy.hysteresis: expected 1, 2, 3 or 4"),
                             ({"formats": {"loss": ["binary17"]}}, "binary17")):
            self.write("hello.json", json.dumps({**HELLO, **change}))
            self.refused("run", subject, code=3, says=says)

    def test_a_policy_that_is_neither_declared_nor_shown(self):
        more = {"operations": [*HELLO["operations"], "step", "update", "zero_grad"]}
        self.write("hello.json", json.dumps({**HELLO, **more}))
        self.refused("run", self.subject(NULLS), code=3,
                     says="hello.policy: not declared, and not to be told: unscale (")
        done = self.run_program("identify", self.subject(NULLS), code=2)
        self.assertIn("nothing could be told: ", done.stderr)

    def test_policy_files(self):
        run = "run", "textbook", "--level", "smoke", "--policy"
        self.refused(*run, "missing.json", says="missing.json: cannot be read")
        self.refused(*run, self.write("axis.json", '{"no_such": "x"}'), says="no_such")
        self.refused(*run, self.write("word.json", '{"growth_rule": "soon"}'), says="growth_rule")
        raising = self.write("floor.json", '{"floor": "none", "at_floor": "raise"}')
        self.write("hello.json", json.dumps({**HELLO, "policy": textbook_policy(floor=False)}))
        self.refused("run", self.subject(NULLS), "--policy", raising, says="policy.at_floor: there is no floor")

    def test_nothing_applicable(self):
        hello = {**HELLO, "operations": ["observe"], "policy": textbook_policy()}
        self.write("hello.json", json.dumps(hello))
        done = self.run_program("run", self.subject(NULLS), "--level", "smoke", code=2)
        self.assertIn("no selected clause is applicable", done.stderr)

    def test_files(self):
        self.refused("replay", "missing.json", "textbook", says="missing.json: cannot be read")
        self.refused("replay", self.folder, "textbook", says="is a folder")
        broken = self.write("broken.json", '{"case": {\n "id": 1,,}}')
        self.refused("replay", broken, "textbook", says="broken.json:2:")
        field = self.write("field.json", json.dumps({"case": {**self.case(), "seed": "many"}}))
        self.refused("replay", field, "textbook", says="case.seed")
        steps = self.case()
        next(s for s in steps["steps"] if s["op"] == "step")["optimizer"] = "nobody"
        self.refused("replay", self.write("steps.json", json.dumps(steps)), "textbook",
                     says="].optimizer: expected one that was made before, found nobody")
        steps = self.case()
        steps["steps"].append(steps["steps"][0])
        self.refused("replay", self.write("misuse.json", json.dumps(steps)), "textbook",
                     says="].op: expected the scaler before all else, found one after an optimizer")
        clause = self.write("clause.json", json.dumps({**self.case(), "clause": "no/such"}))
        self.refused("replay", clause, "textbook", says="case.clause")
        self.refused("explain", "nonsense", says="explain nonsense")

    def test_report_that_cannot_be_written(self):
        self.write("file", "")
        self.run_program("run", "textbook", "--level", "smoke", "--report", "file/report", code=2)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["file"])

    def case(self):
        return json.loads(self.run_program("explain", "scaling/unscale-once#1.0", "--json").stdout)


class Output(Program):
    """What cannot be written ends with a code of its own, and no crash."""

    def shell(self, command, code):
        done = subprocess.run(["bash", "-c", f"exec {PROGRAM} {command}"], cwd=self.folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, command)

    def test_streams(self):
        run = "run textbook --level smoke --clauses scaling/u*"
        for to in ("2>&-", "2>/dev/full", ">&- 2>&-"):
            self.shell("frob " + to, 2)
            self.shell("run process:/bin/false " + to, 3)
        self.shell(run + " >/dev/full", 2)
        self.shell(run + " --json >/dev/full", 2)
        self.shell(run + " --json <&- 2>&-", 0)

    def test_files(self):
        self.refused("run", f"process:{PROGRAM} serve textbook", "--messages", "/dev/full", says="/dev/full")
        os.symlink("loop", self.folder / "loop")
        self.refused("golden", "check", "loop", says="loop")


class Slipping(Program):
    """A subject that claims and does not show never conforms."""

    def claims(self, body, expected, operations, of_shoulds="not-applicable"):
        hello = {**HELLO, "profiles": ["scaler"], "operations": operations, "policy": textbook_policy()}
        self.write("hello.json", json.dumps(hello))
        done = self.run_program("run", self.subject(body), "--level", "smoke", "--clauses", "scaling/*",
                                "--json", code=1)
        verdicts = {clause["verdict"] for clause in json.loads(done.stdout)["clauses"]}
        self.assertLessEqual(verdicts, expected | {"not-applicable", of_shoulds})
        self.assertTrue(verdicts & expected)

    ALL = ["scaler", "optimizer", "backward", "unscale", "clip_norm", "clip_value", "step", "update",
           "zero_grad", "save_load", "observe"]

    def test_nulls(self):
        self.claims(NULLS, {"not-judged"}, self.ALL)

    def test_unsupported(self):
        self.claims("answers = [{'unsupported': 'later'}] * len(case['steps'])", {"unsupported"}, self.ALL)

    def test_raised(self):
        self.claims("answers = [{'raised': {'type': 'E', 'text': 'no'}}] * len(case['steps'])", {"fail"},
                    self.ALL, of_shoulds="advice")

    def test_with(self):
        self.claims("n = len(case['steps']); answers = [{'with': (i + 1) % n} for i in range(n)]",
                    {"errored"}, self.ALL)

    def test_wrong_number_of_answers(self):
        self.claims("answers = []", {"errored"}, self.ALL)

    def test_operations_left_out(self):
        self.claims(NULLS, {"not-judged"}, ["scaler", "optimizer", "backward", "observe"])


class Falling(Program):
    def one_case(self):
        """The end of the id of a case that the subject, with losses in binary32 only, gets to see."""
        for number in range(40):
            case = json.loads(self.run_program("explain", f"scaling/seed-is-the-scale#1.{number}", "--json").stdout)
            if all(step["loss"]["format"] == "binary32" for step in case["steps"] if step["op"] == "backward"):
                return f".{number}"
        return self.fail("no case with a loss in binary32")

    def fallen(self, body, verdict):
        hello = {**HELLO, "policy": textbook_policy(), "case_seconds": 1}
        self.write("hello.json", json.dumps(hello))
        done = self.run_program("run", self.subject("sys.stderr.write('last words\\n'); sys.stderr.flush()\n        "
                                                    + NULLS + "\n        " + body),
                                "--level", "smoke", "--clauses", "scaling/seed-is-the-scale", "--json", code=1)
        clause = json.loads(done.stdout)["clauses"][0]
        self.assertEqual(clause["verdict"], verdict)
        return clause

    def test_one_crash(self):
        one = self.one_case()
        clause = self.fallen(f"if case['id'].endswith('{one}'): os._exit(9)", "crashed")
        self.assertTrue(clause["failure"]["found_by"].endswith(one))
        self.assertIn("last words", clause["failure"]["stderr"])
        self.assertTrue(clause["failure"]["case"]["id"].endswith(f"{one}.shrunk"))
        self.assertEqual(len(clause["failure"]["case"]["steps"]), 3)

    def test_one_hang(self):
        self.fallen(f"if case['id'].endswith('{self.one_case()}'): time.sleep(60)", "timed-out")

    def test_the_budget_ends_a_hang(self):
        hello = {**HELLO, "policy": textbook_policy(), "case_seconds": 1000}
        self.write("hello.json", json.dumps(hello))
        start = time.monotonic()
        done = self.run_program("run", self.subject(NULLS + "; time.sleep(1000)"), "--level", "smoke",
                                "--clauses", "scaling/seed-is-the-scale", "--budget", "1s", "--json", code=2)
        self.assertLess(time.monotonic() - start, 30)
        self.assertIn("nothing was judged: the time was up", done.stderr)

    def test_a_crash_that_no_case_explains_is_told(self):
        hello = {**HELLO, "operations": ["scaler", "optimizer", "backward", "observe", "unscale"],
                 "policy": textbook_policy()}
        self.write("hello.json", json.dumps(hello))
        body = "n = globals().get('n', 0) + 1\n        if n % 7 == 0: os._exit(3)\n        " + NULLS
        done = self.run_program("run", self.subject(body), "--level", "smoke", "--clauses",
                                "scaling/seed-is-the-scale", code=2)
        self.assertRegex(done.stdout, "fell [0-9]+ times where no case could be blamed, at last: exited with 3")

    def test_another_hello_after_a_crash(self):
        hello = {**HELLO, "policy": textbook_policy()}
        self.write("hello.json", json.dumps(hello))
        body = ("open(os.path.join(os.path.dirname(__file__), 'hello.json'), 'w').write(json.dumps("
                + repr({**hello, "name": "other"}) + "))\n        os._exit(3)")
        done = self.run_program("run", self.subject(body), "--level", "smoke", "--clauses",
                                "scaling/seed-is-the-scale", code=2)
        self.assertIn("it sent another hello", done.stderr)

    def test_long_and_wild_texts(self):
        hello = {**HELLO, "profiles": ["scaler"], "policy": textbook_policy()}
        self.write("hello.json", json.dumps(hello))
        body = "answers = [{'raised': {'type': 'E', 'text': '\\x1b[2J' * 10**6}}] * len(case['steps'])"
        done = self.run_program("run", self.subject(body), "--level", "smoke", "--clauses",
                                "scaling/seed-is-the-scale", "--shrink", "0", code=1)
        self.assertLess(len(done.stdout), 20000)
        self.assertNotIn("\x1b", done.stdout)

    def test_a_missing_operation_is_told_first(self):
        hello = {**HELLO, "policy": textbook_policy(), "formats": {"parameter": ["binary64"]}}
        self.write("hello.json", json.dumps(hello))
        done = self.run_program("run", self.subject(NULLS), "--level", "smoke", "--clauses",
                                "scaling/any-scale-round-trip", code=2)
        self.assertIn("operations without unscale", done.stderr)

    def test_one_lie(self):
        self.fallen(f"if case['id'].endswith('{self.one_case()}'): print('hello')", "errored")

    def test_flaky(self):
        self.fallen("""answers[2]["seed"] = {"format": "binary32", "bits": "%08x" % (id(answers) & 0x7fffff | os.getpid() & 0)}
        answers[2]["seed"]["bits"] = os.urandom(4).hex()""", "fail")


if __name__ == "__main__":
    unittest.main()
