#!/usr/bin/env python3
"""Holds the folders to their order: a folder includes only what stands below it.

The order of the folders, from the top; `device` and `reference` include nothing of the others, `subject`
reads the number formats of `reference` and none of its rules, and nobody includes `bench`, `fuzz` or `tests`.
"""

import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).is_dir()
                    else pathlib.Path(__file__).parent.parent)

ALLOWED = {
    "reference": set(),
    "device": set(),
    "subject": {"device"},
    "properties": {"subject", "device", "reference"},
    "golden": {"properties", "subject", "device", "reference"},
    "conformance": {"golden", "properties", "subject", "device", "reference"},
    "fuzz": {"subject", "device", "reference"},
    "tests": {"reference"},
    "bench": {"conformance", "golden", "properties", "subject", "device", "reference"},
}
# Files that stand alone inside their folder, too: what two oracles share they cannot witness for each other.
ALONE = {"reference/second_oracle.hpp", "reference/second_oracle.cpp"}
# Single files of a folder that is otherwise closed.
ALLOWED_FILES = {"subject": {"reference/number_format.hpp"}}
SUFFIXES = {".hpp", ".cpp", ".h", ".c", ".cu", ".cuh", ".inc"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)


def violations(root):
    """Sentences that say which include breaks the order."""
    found = []
    for folder in ALLOWED:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                found += violations_of(root, folder, path)
    return found


def violations_of(root, folder, path):
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        where = f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
        quote, name = match.groups()
        target = name.split("/")[0]
        if str(path.relative_to(root)) in ALONE and target in ALLOWED and name not in ALONE:
            yield f"{where}: {path.name} stands alone and may not include {name}"
        elif ".." in name.split("/"):
            yield f"{where}: {name}: includes start at the root of the repository"
        elif target in ALLOWED and target != folder:
            if target not in ALLOWED[folder] and name not in ALLOWED_FILES.get(folder, ()):
                yield f"{where}: {folder} may not include {name}"
        elif quote == '"' and target not in ALLOWED and (path.parent / name).exists():
            yield f"{where}: {name}: write {(path.parent / name).relative_to(root)}"


class Layers(unittest.TestCase):
    def test_every_folder_includes_only_what_stands_below_it(self):
        self.assertEqual([], violations(ROOT))

    def test_there_is_something_to_check(self):
        self.assertTrue(any((ROOT / "subject").glob("*.hpp")))
        for name in ALONE:
            self.assertTrue((ROOT / name).exists(), name)


class SelfTest(unittest.TestCase):
    """Planted violations are found, and what is allowed is not taken for one."""

    def found_in(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return violations(root)

    def test_an_upward_include(self):
        found = self.found_in({"reference/a.hpp": '#pragma once\n#include "subject/case.hpp"\n'})
        self.assertEqual(["reference/a.hpp:2: reference may not include subject/case.hpp"], found)

    def test_an_upward_include_with_spaces_and_angle_brackets(self):
        self.assertEqual(1, len(self.found_in({"golden/a.cpp": "  #  include <conformance/run.hpp>\n"})))

    def test_a_file_deep_in_a_folder(self):
        files = {"properties/clauses/scaling/a.cpp": '#include "golden/file.hpp"\n'}
        self.assertEqual(1, len(self.found_in(files)))

    def test_a_rule_of_the_reference_in_a_subject(self):
        self.assertEqual(1, len(self.found_in({"subject/a.cpp": '#include "reference/rounding.hpp"\n'})))

    def test_device_stands_alone(self):
        files = {"device/a.cu": '#include "reference/number_format.hpp"\n'}
        self.assertEqual(1, len(self.found_in(files)))

    def test_the_second_oracle_stands_alone(self):
        found = self.found_in({"reference/second_oracle.cpp":
                               '#include "reference/second_oracle.hpp"\n#include "reference/number_format.hpp"\n'})
        self.assertEqual(["reference/second_oracle.cpp:2: second_oracle.cpp stands alone and may not include "
                          "reference/number_format.hpp"], found)

    def test_a_way_to_the_first_oracle_without_its_folder(self):
        self.assertEqual(1, len(self.found_in({"reference/second_oracle.hpp": '#include "rational.hpp"\n',
                                               "reference/rational.hpp": ""})))

    def test_nobody_includes_bench(self):
        self.assertEqual(1, len(self.found_in({"conformance/a.cpp": '#include "bench/a.hpp"\n'})))

    def test_a_way_around_the_root(self):
        self.assertEqual(1, len(self.found_in({"subject/a.cpp": '#include "../reference/rounding.hpp"\n'})))
        files = {"subject/a.cpp": '#include "b.hpp"\n', "subject/b.hpp": ""}
        self.assertEqual(["subject/a.cpp:1: b.hpp: write subject/b.hpp"], self.found_in(files))

    def test_what_is_allowed(self):
        self.assertEqual([], self.found_in({
            "subject/a.cpp": '#include "reference/number_format.hpp"\n#include "subject/b.hpp"\n#include <map>\n',
            "conformance/b.cpp": '#include "golden/a.hpp"\n#include "device/plan.hpp"\n',
        }))


if __name__ == "__main__":
    unittest.main()
