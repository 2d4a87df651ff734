"""The program as its users meet it: exit codes, tables, records, failures, and what is said of bad input.

Usage: program_test.py PROGRAM [unittest arguments]
"""
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON_PACKAGE = ROOT / "subject/adapters/python"
PROGRAM = None


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments, code=0, environment=None):
        """Runs the program in a folder of its own; the exit code must be `code`."""
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, timeout=300,
                              env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def refused(self, *arguments, code=2, says):
        """One line on stderr that holds `says`, and nothing on stdout. Below it may stand what a subject wrote."""
        done = self.run_program(*arguments, code=code)
        self.assertEqual(done.stdout, "")
        first, *rest = done.stderr.splitlines()
        self.assertIn(says, first)
        for line in rest:
            self.assertTrue(line.startswith(("  ", "its standard error ends with:")), done.stderr)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def subject(self, body):
        """A subject process that answers `hello` by itself and runs `body` for each case."""
        script = self.write("subject.py", SUBJECT % body)
        return f"process:{sys.executable} {script}"


HELLO = {"name": "small", "version": "1", "language": "python", "profiles": [],
         "operations": ["scaler", "optimizer", "backward", "observe"],
         "formats": {"loss": ["binary32"], "coefficient": ["binary32"], "parameter": ["binary32"]},
         "policy": {}}
SUBJECT = """
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        print(json.dumps({"hello": json.load(open(os.path.join(os.path.dirname(__file__), "hello.json")))}),
              flush=True)
    elif "run" in message:
        case = message["run"]
        %s
        print(json.dumps({"case": case["id"], "answers": answers}), flush=True)
    else:
        break
"""
NULLS = "answers = [{name: None for name in step.get('observe', [])} for step in case['steps']]"


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


def textbook_policy(floor=True):
    done = subprocess.run([PROGRAM, "run", "textbook", "--level", "smoke", "--clauses",
                           "scaling/seed-is-the-scale", "--json"], capture_output=True, text=True,
                          check=True)
    policy = json.loads(done.stdout)["header"]["hello"]["policy"]
    return policy if floor else {axis: word for axis, word in policy.items() if axis != "floor"}


class Running(Program):
    def test_textbook(self):
        done = self.run_program("run", "textbook", "--level", "smoke", "--json", "--report", "report")
        # On a slow machine it tells how far it is.
        self.assertRegex(done.stderr, r"\A([0-9]+ of [0-9]+ cases, [0-9]+ s left\n)*\Z")
        document = json.loads(done.stdout)
        self.assertEqual({clause["verdict"] for clause in document["clauses"]}, {"pass"})
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

    def claims(self, body, expected, operations):
        hello = {**HELLO, "profiles": ["scaler"], "operations": operations, "policy": textbook_policy()}
        self.write("hello.json", json.dumps(hello))
        done = self.run_program("run", self.subject(body), "--level", "smoke", "--clauses", "scaling/*",
                                "--json", code=1)
        verdicts = {clause["verdict"] for clause in json.loads(done.stdout)["clauses"]}
        self.assertLessEqual(verdicts, expected | {"not-applicable"})
        self.assertTrue(verdicts & expected)

    ALL = ["scaler", "optimizer", "backward", "unscale", "clip_norm", "clip_value", "step", "update",
           "zero_grad", "save_load", "observe"]

    def test_nulls(self):
        self.claims(NULLS, {"not-judged"}, self.ALL)

    def test_unsupported(self):
        self.claims("answers = [{'unsupported': 'later'}] * len(case['steps'])", {"unsupported"}, self.ALL)

    def test_raised(self):
        self.claims("answers = [{'raised': {'type': 'E', 'text': 'no'}}] * len(case['steps'])", {"fail"},
                    self.ALL)

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
        self.assertEqual(kept, {"scaling", "clipping", "accumulation", "skipping", "tokens"})


class Selftest(Program):
    def test_kill_matrix(self):
        document = json.loads(self.run_program("selftest", "--json").stdout)
        self.assertGreaterEqual(len(document["mutants"]), 167)
        self.assertGreaterEqual(len(document["controls"]), 12)
        for mutant in document["mutants"]:
            own = [clause for clause in mutant["killed_by"] if clause.startswith(mutant["rule"] + "/")]
            self.assertTrue(own, mutant)
        for control in document["controls"]:
            self.assertEqual(control["blamed_by"], [], control)
        # By `run`, too: some of them, since each takes a process.
        for mutant in document["mutants"][::8]:
            with self.subTest(mutant["name"]):
                done = self.run_program("run", "mutant:" + mutant["name"], "--level", "smoke", "--clauses",
                                        mutant["rule"] + "/*", "--shrink", "0", "--json", code=1)
                self.assertIn("fail", {c["verdict"] for c in json.loads(done.stdout)["clauses"]})

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
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    assert os.stat(PROGRAM).st_mode & stat.S_IXUSR
    unittest.main()
