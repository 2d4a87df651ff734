"""What the tests of the program share: it, subjects of a few lines, and what is asked of a refusal.

The path of the program is the first argument of whoever imports this.
"""
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
assert os.stat(PROGRAM).st_mode & stat.S_IXUSR


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments, code=0, environment=None, timeout=300):
        """Runs the program in a folder of its own; the exit code must be `code`, within `timeout` seconds."""
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, timeout=timeout,
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


def textbook_policy(floor=True):
    done = subprocess.run([PROGRAM, "run", "textbook", "--level", "smoke", "--clauses",
                           "scaling/seed-is-the-scale", "--json"], capture_output=True, text=True,
                          check=True)
    policy = json.loads(done.stdout)["header"]["hello"]["policy"]
    return policy if floor else {axis: word for axis, word in policy.items() if axis != "floor"}
