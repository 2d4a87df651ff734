"""Implementations by people who know README.md and PROTOCOL.md, and none of the cases and mutants.

Each wrong_….py has one mistake that people make. Its head says `Breaks: RULE.`, and a clause of
that rule must fail: at level smoke, else at standard. What it is made of, without the mistake,
must conform, and so must each right_….py.

Usage: strangers_test.py PROGRAM [unittest arguments]
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
WRONG = sorted(FOLDER.glob("wrong_*.py"))
RIGHT = sorted(FOLDER.glob("right_*.py"))
WITHOUT_MISTAKE = [FOLDER / name for name in
                   ("class_loop.py", "flat_loop.py", "functional_loop.py", "scripted_loop.py")]
RULES = {"scaling", "clipping", "accumulation", "skipping", "tokens"}
PROGRAM = None
# One in so many of what a sanitized program takes long for.
SHARE = int(os.environ.get("AMPCHECK_SHARE", "1"))
# All but clipping/all-tensors-count: none of these loops has a tensor that two optimizers share.
CLAUSES = "scaling/*,accumulation/*,skipping/*,tokens/*,clipping/[!a]*"


def judge(script, level, seed=1):
    """The exit code, and the verdict of every clause that does not pass."""
    with tempfile.TemporaryDirectory() as failures:
        done = subprocess.run(
            [PROGRAM, "run", f"process:{sys.executable} -B {script}", "--level", level, "--seed",
             str(seed), "--clauses", CLAUSES, "--shrink", "1", "--failures", failures, "--json"],
            text=True, capture_output=True, timeout=300)
    if not done.stdout:
        raise AssertionError(f"{script.name}: {done.stderr}")
    verdicts = {c["clause"]: c["verdict"] for c in json.loads(done.stdout)["clauses"]}
    return done.returncode, {clause: verdict for clause, verdict in verdicts.items()
                             if verdict not in ("pass", "not-applicable")}


def judge_wrong(script):
    code, kept_not = judge(script, "smoke")
    return (code, kept_not) if code else judge(script, "standard")


def broken_rule(script):
    return re.match(r'"""Breaks: (\w+)\.\n', script.read_text())[1]


def side_by_side(function, arguments):
    """The results for all arguments, each computed on a core of its own."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda one: function(*one), arguments))


# Gradients come of the coefficients: these loops never see the loss of a micro-batch.
NO_LOSS_IS_TOLD = {"scaling/loss-reported-unscaled": "not-judged"}


class Strangers(unittest.TestCase):
    def test_every_rule_is_broken(self):
        self.assertGreaterEqual(len(WRONG), 10)
        self.assertEqual({broken_rule(script) for script in WRONG}, RULES)

    def test_wrong_ones_are_caught(self):
        wrong = WRONG[::SHARE]
        for script, (code, kept_not) in zip(wrong, side_by_side(judge_wrong, zip(wrong))):
            with self.subTest(script.name):
                self.assertEqual(code, 1)
                self.assertIn("fail", [verdict for clause, verdict in kept_not.items()
                                       if clause.startswith(broken_rule(script) + "/")], kept_not)

    def test_right_ones_conform(self):
        runs = [(script, "standard", seed) for script in RIGHT for seed in (1, 2)]
        runs += [(script, "smoke") for script in WITHOUT_MISTAKE]
        self.assertTrue(RIGHT)
        runs = runs[::-SHARE]  # from the end, where the quick ones stand
        for run, result in zip(runs, side_by_side(judge, runs)):
            with self.subTest(run[0].name):
                self.assertEqual(result, (0, NO_LOSS_IS_TOLD))


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
