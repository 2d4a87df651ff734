#!/usr/bin/env python3
"""Holds mutate.py to what is a change and what is none, and play.py to its list and its exit code."""

import contextlib
import io
import json
import pathlib
import stat
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent / "mutation"))
import mutate  # noqa: E402
import play  # noqa: E402


class Sites(unittest.TestCase):
    def found(self, line):
        return [line[start:end] for start, end, _ in mutate.sites(line)]

    def test_operators_between_spaces(self):
        self.assertEqual(["<", "&&", ">="], self.found("if (a < b && c >= d) return;"))
        self.assertEqual(["+", "*", "%"], self.found("x = a + b * c % d;"))

    def test_literals(self):
        self.assertEqual(["0", "true"], self.found("f(0, true);"))
        self.assertEqual(["64"], self.found("if (shift) exponent += 64;"))

    def test_a_literal_that_only_its_comparison_would_change(self):
        self.assertEqual(["<"], self.found("if (shift < 64) return;"))
        self.assertEqual(["<=", "0"], self.found("if (shift <= 0) return;"))
        self.assertEqual(["3"], self.found("x = a << 3;"))

    def test_what_is_no_operator_of_two(self):
        self.assertEqual([], self.found("std::vector<const NumberFormat*> list(&f, *g, -h, a->b);"))

    def test_texts_and_comments(self):
        self.assertEqual([], self.found('say("a < b, 1 + 1");  // where a == 2'))
        self.assertEqual([], self.found('text = name + "x" + to_string(x);'))

    def test_what_cannot_be_compiled_or_is_no_code_that_runs(self):
        for line in ["constexpr int k = 1 + 2;", "static_assert(a == 1);", "#if A == 1", "    case 1:",
                     "bool operator==(const A& a, const A& b) {", "template <int n = 1>",
                     "return x <=> 0;", "std::uint8_t a = f<2>(x);"]:
            self.assertEqual([], self.found(line), line)

    def test_an_ordering_is_compared_with_its_literal_zero_only(self):
        self.assertEqual(["<"], self.found("if (side < 0) return low;"))


class Texts(unittest.TestCase):
    def mutated(self, line):
        changes = []
        return mutate.mutate("a.cpp", line, changes).split("\n")[2], changes

    def test_an_operator_keeps_its_place(self):
        text, changes = self.mutated("  return a < b;")
        self.assertEqual("  return a < mutation::Change(0) < b;", text)
        self.assertEqual([{"file": "a.cpp", "line": 1, "text": "return a < b;", "change": "< becomes <=",
                           "column": 12}], changes)

    def test_logic_and_literals(self):
        self.assertEqual("x = a && mutation::Change(0) | b;", self.mutated("x = a && b;")[0])
        self.assertEqual("x = a || mutation::Change(0) & b;", self.mutated("x = a || b;")[0])
        self.assertEqual("f(mutation::next(0, 7), mutation::flip(1, false));", self.mutated("f(7, false);")[0])

    def test_numbers_run_through_all_sources(self):
        changes = []
        for name in "a.cpp", "b.cpp":
            mutate.mutate(name, "x = a + b;", changes)
        self.assertEqual(["a.cpp", "b.cpp"], [change["file"] for change in changes])

    def test_messages_of_the_compiler_name_the_source(self):
        self.assertIn('#line 1 "a.cpp"\n', mutate.mutate("a.cpp", "int x;", []))


# Passes unless the change in force is 1, which the one test notices; reaches 0 and 1, and never 2.
PROGRAM = """#!/bin/sh
if [ -n "$AMPCHECK_MUTATION_TRACE" ]; then echo "Suite.test 0 0 1" >"$AMPCHECK_MUTATION_TRACE"; fi
[ "$AMPCHECK_MUTANT" != 1 ]
"""
CHANGES = [{"file": "a.cpp", "line": 1, "text": f"x = {n};", "change": f"{n} becomes {n + 1}", "column": 5}
           for n in range(3)]
LIVES, DIES, UNREACHED = (play.key(change) for change in CHANGES)


class Play(unittest.TestCase):
    def play(self, listed, *options, program=PROGRAM):
        """Exit code and output."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "program").write_text(program)
            (folder / "program").chmod(stat.S_IRWXU)
            (folder / "changes.json").write_text(json.dumps(CHANGES))
            (folder / "equivalent.txt").write_text(listed)
            arguments = [str(folder / name) for name in ("program", "changes.json", "equivalent.txt")]
            output = io.StringIO()
            with mock.patch.object(sys, "argv", ["play.py", *arguments, *options]), \
                 contextlib.redirect_stdout(output):
                return play.main(), output.getvalue()

    def test_a_change_that_is_killed(self):
        code, text = self.play("", "--only", "1")
        self.assertEqual(0, code, text)
        self.assertIn("1 of 3 changes played, 0 survive", text)

    def test_a_survivor(self):
        code, text = self.play("", "--only", "0")
        self.assertEqual(1, code)
        self.assertIn(f"change 0 survives, a.cpp:1\n{LIVES}\n", text)

    def test_a_change_that_no_test_reaches(self):
        code, text = self.play("", "--only", "2")
        self.assertEqual(1, code)
        self.assertIn("change 2 is reached by no test", text)

    def test_a_survivor_that_is_listed(self):
        code, text = self.play(f"# Why they may.\n{LIVES}\n  it changes\n  nothing\n", "--only", "0", "1")
        self.assertEqual(0, code, text)

    def test_a_reason_is_missing(self):
        code, text = self.play(f"{LIVES}\n", "--only", "0")
        self.assertEqual(1, code)
        self.assertIn(f"listed without a reason: {LIVES}", text)

    def test_a_listed_change_that_is_killed(self):
        code, text = self.play(f"{DIES}\n  a reason\n", "--only", "1")
        self.assertEqual(1, code)
        self.assertIn(f"listed as equivalent, and killed: {DIES}", text)

    def test_an_entry_that_is_no_change_of_today(self):
        code, text = self.play("a.cpp: x = 9; | 5: 9 becomes 10\n  a reason\n", "--only", "1")
        self.assertEqual(1, code)
        self.assertIn("listed, and no change of today's sources: a.cpp: x = 9;", text)

    def test_a_count_is_spread_over_what_must_be_killed(self):
        code, text = self.play(f"{LIVES}\n  a reason\n{UNREACHED}\n  a reason\n", "--count", "5")
        self.assertEqual(0, code, text)
        self.assertIn("1 of 3 changes played", text)

    def test_an_endless_loop_is_noticed(self):
        with mock.patch.object(play, "PATIENCE", 0.1):
            code, text = self.play("", "--only", "0", program=PROGRAM + '[ -z "$AMPCHECK_MUTANT" ] || exec sleep 60\n')
        self.assertEqual(0, code, text)

    def test_tests_that_fail_without_a_change(self):
        with self.assertRaises(SystemExit):
            self.play("", program="#!/bin/sh\nexit 1\n")


if __name__ == "__main__":
    unittest.main()
