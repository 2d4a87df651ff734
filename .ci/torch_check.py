"""Judges the real torch, and torch with one call at a time replaced by one that gives a wrong value.

Usage: torch_check.py PROGRAM PYTHON_OF_THE_TORCH_ENVIRONMENT

The real one breaks the clauses in KNOWN, each with a script under subject/adapters/python/findings that
shows the fault without ampcheck, and no other. Each replacement must break something more.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "subject/adapters/python"
KNOWN = {
    "clipping/non-finite-norm": "overflow_of_the_norm.py",
    "skipping/clean-step-taken": "fused_sgd_leaves_full_blocks.py",
    "skipping/nothing-non-finite-gets-in": "overflow_of_the_unscale.py",
    "skipping/scale-stays-usable": "scale_halves_to_zero.py",
    "skipping/skip-leaves-no-trace": "fused_sgd_first_skip.py",
}


def against(program, subject, *more):
    """The clauses that count against a subject, and the exit code's agreement with them."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, "run", subject, "--json", "--shrink", "0", *more], cwd=folder,
                              capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{subject}: exit code {done.returncode}\n{done.stderr}")
    document = json.loads(done.stdout)
    broken = {clause["clause"] for clause in document["clauses"] if clause["counts_against"]}
    if (done.returncode == 1) != bool(broken):
        sys.exit(f"{subject}: exit code {done.returncode} and {len(broken)} clauses against it")
    return broken


def main(program, python):
    failed = False
    real = against(program, "torch", "--python", python)
    if real != set(KNOWN):
        failed = True
        print(f"torch: broken {sorted(real)}, known {sorted(KNOWN)}")
    for clause, script in KNOWN.items():
        if subprocess.run([python, PACKAGE / "findings" / script], capture_output=True).returncode != 1:
            failed = True
            print(f"{script}: does not show the fault of {clause}")
    replaced = PACKAGE / "tests/replaced_calls.py"
    names = subprocess.run([python, replaced, "--list"], capture_output=True, text=True, check=True).stdout.split()
    for name in names:
        more = against(program, f"process:{python} {replaced} {name}", "--level", "smoke") - set(KNOWN)
        print(f"torch with {name} replaced: {', '.join(sorted(more)) or 'NOTHING MORE IS BROKEN'}", flush=True)
        failed = failed or not more
    if not names:
        sys.exit("no replacements")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*(os.path.abspath(path) for path in sys.argv[1:]))
