#!/usr/bin/env python3
"""Compiles every public header alone, and says how long each takes and what heavy headers it draws in.

    headers_test.py COMPILER [--budget SECONDS HEADER]…

A header must be complete by itself, and a light one must stay light: clauses, mutants and controls are hundreds
of files, so that a JSON library in what they include would cost half an hour a build.
"""

import argparse
import concurrent.futures
import pathlib
import re
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
FOLDERS = ["reference", "device", "subject", "properties", "golden", "conformance"]
# Headers whose business is a heavy library, by the words of their own name.
HEAVY_BY_NAME = re.compile(r"_(boost|json_detail|rapidcheck)\.hpp$")
HEAVY = {
    "nlohmann/json.hpp": re.compile(r"nlohmann/json\.hpp"),
    "Boost": re.compile(r"/boost/"),
    "RapidCheck": re.compile(r"/rapidcheck(\.h|/)"),
}


def headers():
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("*.hpp"))


def check(compiler, path):
    """(sentences about faults, names of heavy libraries drawn in)"""
    name = path.relative_to(ROOT).as_posix()
    command = [compiler, "-std=c++20", "-fsyntax-only", "-H", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
               f"-I{ROOT}", "-x", "c++", "-"]
    # Twice, so that a missing include guard is found too.
    run = subprocess.run(command, input=f'#include "{name}"\n#include "{name}"\n', text=True, capture_output=True)
    drawn = [line for line in run.stderr.splitlines() if re.match(r"\.+ ", line)]
    faults = []
    if run.returncode != 0:
        errors = [line for line in run.stderr.splitlines() if "error:" in line]
        faults.append(f"{name} does not compile alone: {(errors or ['?'])[0]}")
    heavy = [what for what, pattern in HEAVY.items() if any(pattern.search(line) for line in drawn)]
    if heavy and not HEAVY_BY_NAME.search(name):
        faults.append(f"{name} draws in {', '.join(heavy)}; keep it in .cpp files or forward-declare")
    return faults


def seconds(compiler, header):
    """CPU seconds of one translation unit that holds this header only; the least of three."""
    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([compiler, "-std=c++20", "-O2", f"-I{ROOT}", "-x", "c++", "-c", "-o", "/dev/null", "-"],
                       input=f'#include "{header}"\n', text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return min(once() for _ in range(3))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("compiler")
    parser.add_argument("--budget", nargs=2, action="append", default=[], metavar=("SECONDS", "HEADER"))
    arguments = parser.parse_args()

    faults = []
    for limit, header in arguments.budget:
        taken = seconds(arguments.compiler, header)
        print(f"{header}: {taken:.2f} s of {limit} s")
        if taken > float(limit):
            faults.append(f"{header} takes {taken:.2f} s, more than {limit} s")
    if not arguments.budget:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for found in pool.map(lambda path: check(arguments.compiler, path), headers()):
                faults += found
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
