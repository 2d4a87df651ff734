#!/usr/bin/env python3
"""Plays the changes of mutate.py against the tests of reference/: each must make one of them fail.

play.py PROGRAM CHANGES.json EQUIVALENT.txt [OPTIONS]

A change is played against the tests that reach it, the quickest first, until one fails, crashes or
takes too long. EQUIVALENT.txt lists the changes that may survive, each with the reason; an entry that
is no change of today's sources, or that is killed, is a fault, too. Exit code: 0 where every change
that was played is killed or listed, 1 else.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

# Tests that sweep whole formats, and how long another may take, in milliseconds, to be quick.
SWEEPS = ("ThreeOracles*", "SecondOracleOf*", "*OnAllOf*", "*AMillion*", "*On16Bits*", "FastRounding*Random*",
          "FastRounding*EveryPattern*", "Transcendental.RoundsAllOf*")
SLOWEST = 2000
# A change may make a loop endless. Seconds that a group of tests may take, beside four times what it
# took unchanged.
PATIENCE = 10


def key(change):
    return f"{change['file']}: {change['text']} | {change['column']}: {change['change']}"


def equivalents(path):
    """{key: reason}. A line `file: text | column: change`, below it the reason, indented."""
    result, last = {}, None
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith(" "):
            result[last] = (result[last] + " " + line.strip()).strip()
        else:
            last = line
            result[last] = ""
    return result


def run(program, tests, environment, limit):
    """True where the tests pass."""
    command = [program, "--gtest_brief=1", "--gtest_fail_fast", "--gtest_filter=" + ":".join(tests)]
    try:
        done = subprocess.run(command, env={**os.environ, **environment}, timeout=limit, check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def trace(program, chosen, slowest):
    """[(milliseconds, test, changes)], the quickest first. The unchanged sources must pass."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace"
        if not run(program, [chosen], {"AMPCHECK_MUTATION_TRACE": str(path)}, None):
            sys.exit("play.py: the tests fail without any change")
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted((int(time_), name, frozenset(map(int, changes))) for name, time_, *changes in lines
                  if int(time_) <= slowest)


def survives(program, number, tests, is_listed):
    """Whether every test that reaches a change passes with it; of a listed one only the quick tests."""
    mine = [(milliseconds, name) for milliseconds, name, changes in tests if number in changes]
    environment = {"AMPCHECK_MUTANT": str(number)}
    # First what takes no time, in one process; then the rest one by one.
    quick = [name for milliseconds, name in mine if milliseconds < 200]
    groups = [(sum(m for m, _ in mine if m < 200), quick)] if quick else []
    if not is_listed:
        groups += [(milliseconds, [name]) for milliseconds, name in mine if milliseconds >= 200]
    return all(run(program, names, environment, PATIENCE + milliseconds / 250)
               for milliseconds, names in groups)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("changes")
    parser.add_argument("equivalent")
    parser.add_argument("--count", type=int, help="play that many, spread over all that must be killed")
    parser.add_argument("--files", help="play changes of these, e.g. rounding.cpp,exact.cpp")
    parser.add_argument("--only", type=int, nargs="+", help="play these")
    parser.add_argument("--tests", default="*", help="a filter of GoogleTest: the tests that may kill")
    parser.add_argument("--quick", action="store_true", help="leave out sweeps of formats and what is as slow")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    changes = json.loads(pathlib.Path(options.changes).read_text(encoding="utf-8"))
    listed = equivalents(options.equivalent)
    stale = [entry for entry in listed if entry not in set(map(key, changes))]
    unexplained = [entry for entry, reason in listed.items() if not reason]
    start = time.monotonic()
    chosen, slowest = options.tests, float("inf")
    if options.quick:
        chosen, slowest = f"{chosen}-{':'.join(SWEEPS)}", SLOWEST
    tests = trace(options.program, chosen, slowest)
    reached = frozenset().union(*(numbers for _, _, numbers in tests))
    files = options.files.split(",") if options.files else None
    wanted = [n for n, change in enumerate(changes) if files is None or change["file"] in files]
    if options.only:
        played = options.only
    elif options.count:
        wanted = [n for n in wanted if key(changes[n]) not in listed]
        played = wanted[::max(1, len(wanted) // options.count)][:options.count]
    else:
        played = wanted

    survivors, wrongly_listed = [], []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        lives = pool.map(lambda n: survives(options.program, n, tests, key(changes[n]) in listed), played)
        for number, alive in zip(played, lives):
            change, name = changes[number], key(changes[number])
            if alive and name not in listed:
                survivors.append(number)
                why = "survives" if number in reached else "is reached by no test"
                print(f"change {number} {why}, {change['file']}:{change['line']}\n{name}\n", flush=True)
            if not alive and name in listed:
                wrongly_listed.append(number)
                print(f"listed as equivalent, and killed: {name}\n", flush=True)

    for entry in stale:
        print(f"listed, and no change of today's sources: {entry}")
    for entry in unexplained:
        print(f"listed without a reason: {entry}")
    print(f"{len(played)} of {len(changes)} changes played, {len(survivors)} survive unexplained, "
          f"{len(listed)} listed as equivalent; {time.monotonic() - start:.0f} s")
    return 1 if survivors or wrongly_listed or stale or unexplained or not played else 0


if __name__ == "__main__":
    sys.exit(main())
