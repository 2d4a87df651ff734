#!/usr/bin/env python3
"""Writes a copy of C++ sources in which every small change of mutation.hpp can be switched on.

mutate.py OUTPUT_DIR SOURCE...   writes OUTPUT_DIR/NAME.cpp for each source, and OUTPUT_DIR/changes.json:
a list of {"file", "line", "text", "change"}, its index being the number of the change.

Formatting is clang-format's: a binary operator stands between two spaces.
"""

import json
import pathlib
import re
import sys

OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
             "+": "-", "-": "+", "*": "+", "/": "*", "%": "/"}
# What a site is, in the order of precedence of the alternatives.
SITE = re.compile(r"""
    (?P<string> "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)' )
  | (?P<comment> //.*$ )
  | (?<=\ )(?P<logical> && | \|\| )(?=\ )
  | (?<=\ )(?P<operator> <= | >= | == | != | < | > | \+ | - | \* | / | % )(?=\ )
  | (?<![\w.'\[<{])(?P<number> \d+ )(?![\w.'\]>}])
  | \b(?P<boolean> true | false )\b
""", re.VERBOSE)
# Where a change cannot be compiled, or changes no code: constant expressions, declarations of
# operators, labels, what is compared with the literal 0 of an ordering.
SKIPPED = re.compile(r"^\s*#|\bconstexpr\b|static_assert|\boperator\b|\bcase\b|^template|__extension__|=\s*default"
                     r"|<=>")
ORDERING = re.compile(r"\b(side|order|compare|sign_of)\b|strong_ordering")
# Of an integer, `x < 0` and `x <= 0` are `x <= -1` and `x < 1`: what the next literal would make of it,
# the other operator does.
LIMIT = re.compile(r"(?<!<)(<|>=) $")


def sites(line):
    """Triples (start, end, kind) of what can be changed in a line."""
    if SKIPPED.search(line):
        return
    has_text = '"' in line
    for match in SITE.finditer(line):
        kind = match.lastgroup
        if kind in ("string", "comment"):
            continue
        if kind == "operator" and match.group() == "+" and has_text:
            continue  # it joins texts
        if kind == "number" and (ORDERING.search(line) or LIMIT.search(line[:match.start()])):
            continue
        yield match.start(), match.end(), kind


def changed(token, kind, number):
    """The text that takes the place of a token, and what the change is called."""
    if kind == "operator":
        return f"{token} mutation::Change({number}) {token}", f"{token} becomes {OPERATORS[token]}"
    if kind == "logical":
        return (f"{token} mutation::Change({number}) {'|' if token == '&&' else '&'}",
                f"what follows {token} is dropped")
    if kind == "number":
        return f"mutation::next({number}, {token})", f"{token} becomes {int(token) + 1}"
    return f"mutation::flip({number}, {token})", f"{token} becomes {'false' if token == 'true' else 'true'}"


def mutate(name, text, changes):
    """The changed text; appends to changes."""
    result = []
    for number, line in enumerate(text.split("\n"), 1):
        pieces, end = [], 0
        for start, stop, kind in sites(line):
            token, what = changed(line[start:stop], kind, len(changes))
            pieces += [line[end:start], token]
            changes.append({"file": name, "line": number, "text": line.strip(), "change": what,
                            "column": start + 1})
            end = stop
            token = None
        pieces.append(line[end:])
        result.append("".join(pieces))
    return '#include "tests/mutation/mutation.hpp"\n#line 1 "' + name + '"\n' + "\n".join(result)


def main():
    output = pathlib.Path(sys.argv[1])
    output.mkdir(parents=True, exist_ok=True)
    changes = []
    for source in map(pathlib.Path, sys.argv[2:]):
        text = mutate(source.name, source.read_text(encoding="utf-8"), changes)
        target = output / source.name
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
    (output / "changes.json").write_text(json.dumps(changes, indent=0), encoding="utf-8")


if __name__ == "__main__":
    main()
