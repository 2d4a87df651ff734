#!/usr/bin/env python3
"""What ./dev says when it is called wrongly: a reason in one line, and a status of 2."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parent.parent


def dev(*arguments, cwd=ROOT, root=ROOT, **environment):
    return subprocess.run([root / "dev", *arguments], cwd=cwd, text=True, capture_output=True,
                          env={**os.environ, **environment})


class DevTest(unittest.TestCase):
    def refused(self, *arguments, says):
        run = dev(*arguments)
        self.assertEqual(2, run.returncode, run)
        self.assertEqual("", run.stdout)
        self.assertIn(says, run.stderr)
        return run

    def test_help(self):
        for arguments in [], ["help"], ["--help"]:
            run = dev(*arguments, cwd="/")
            self.assertEqual(0, run.returncode)
            for command in "verify", "test", "ampcheck", "adapter", "bench":
                self.assertIn(f"./dev {command}", run.stdout)

    def test_unknown_command(self):
        self.refused("frobnicate", says="there is no command 'frobnicate'")

    def test_adapter_without_a_name(self):
        self.refused("adapter", says="give one name")
        self.refused("adapter", "torch", "flax", says="give one name")

    def test_unknown_adapter(self):
        self.refused("adapter", "frobnicate", says="no adapter is called 'frobnicate'")

    def test_adapter_with_a_path_for_a_name(self):
        self.refused("adapter", "../../etc", says="is no name of an adapter")

    def test_test_with_arguments(self):
        self.refused("test", "--fast", says="test takes no arguments")

    def test_verify_with_options(self):
        self.refused("verify", "--seed", "3", says="verify takes subjects only")

    def test_missing_packages_are_named_with_the_line_to_run(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "dev").write_text((ROOT / "dev").read_text())
            (root / "dev").chmod(0o755)
            (root / "packages.txt").write_text("# a comment\nbash\nampcheck-no-such-package\n")
            tools = root / "tools"
            tools.mkdir()
            for name, body in ("id", "echo 1000"), ("sudo", "exit 1"):
                (tools / name).write_text(f"#!/bin/sh\n{body}\n")
                (tools / name).chmod(0o755)
            run = dev("test", root=root, cwd=root, PATH=f"{tools}:{os.environ['PATH']}")
            self.assertEqual(2, run.returncode, run)
            self.assertIn("sudo apt-get update && sudo apt-get install --no-install-recommends -y "
                          "ampcheck-no-such-package\n", run.stderr)


if __name__ == "__main__":
    unittest.main()
