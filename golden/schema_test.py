#!/usr/bin/env python3
"""Every file of golden/vectors and golden/innocent against its schema, cases and answers included.

What a schema cannot say is checked beside it: a file's name is its vector's id, its patterns have the
width of their format, and a step that it speaks of has that observation.
"""
import json
import pathlib
import re
import sys
import unittest

import jsonschema

HERE = pathlib.Path(__file__).resolve().parent
PROTOCOL = json.loads((HERE.parent / "subject" / "protocol.schema.json").read_text(encoding="utf-8"))
WIDTHS = {"binary16": 4, "bfloat16": 4, "binary32": 8, "binary64": 16, "float8_e4m3fn": 2, "float8_e5m2": 2}


def protocol(name):
    """A validator for one definition of the protocol's schema."""
    return jsonschema.Draft7Validator({"definitions": PROTOCOL["definitions"],
                                       "$ref": f"#/definitions/{name}"})


VECTOR = jsonschema.Draft7Validator(json.loads((HERE / "vector.schema.json").read_text(encoding="utf-8")))
CASE, POLICY, ANSWER = protocol("case"), protocol("policy"), protocol("answer")


def fault(validator, document):
    """The first thing that is wrong with a document, or None."""
    for error in validator.iter_errors(document):
        path = "/".join(str(part) for part in error.absolute_path)
        return f"{path}: {error.message[:200]}"
    return None


def patterns(element):
    """The patterns that an element's set names."""
    if isinstance(element, str):
        return [] if element == "anything" else [element]
    return element.get("one_of", []) + [element[end] for end in ("from", "to") if end in element]


def vector_fault(document, name):
    """What is wrong with a vector's file, or None."""
    found = fault(VECTOR, document) or fault(CASE, document["case"])
    if found:
        return found
    expected, steps = document["expected"], document["case"]["steps"]
    for policy in expected["policies"].values():
        if found := fault(POLICY, policy):
            return found
    if not document["vector"]["id"] == document["case"]["id"] == name:
        return f"the file of {document['vector']['id']} is called {name}"
    for entry in expected["exact"] + expected["sets"] + expected["mistakes"]:
        step, observation = entry["step"], entry["observation"]
        if step >= len(steps) or observation not in steps[step].get("observe", []):
            return f"step {step} does not show {observation}"
    for entry in expected["sets"]:
        if not set(entry["policies"]) <= set(expected["policies"]):
            return f"unknown policies {entry['policies']}"
        for element in entry.get("elements", []):
            if any(len(bits) != WIDTHS[entry["format"]] for bits in patterns(element)):
                return f"{element} is no set of {entry['format']}"
    return None


def innocent_fault(document, name):
    """What is wrong with the file of an innocent, or None."""
    if set(document) != {"innocent", "policy", "case", "answers"}:
        return f"fields {sorted(document)}"
    about = document["innocent"]
    if set(about) != {"id", "sentence", "source", "guilty"} or about["id"] != name:
        return f"innocent: {about}"
    if not re.fullmatch(r"A[0-9]+[a-z]?", name):
        return f"name {name}"
    found = fault(CASE, document["case"]) or fault(POLICY, document["policy"])
    for answer in document["answers"]:
        found = found or fault(ANSWER, answer)
    return found


class Schema(unittest.TestCase):
    def each(self, folder, least, check):
        files = sorted((HERE / folder).rglob("*.json"))
        self.assertGreaterEqual(len(files), least)
        for path in files:
            name = path.relative_to(HERE / folder).with_suffix("").as_posix()
            with self.subTest(name):
                self.assertIsNone(check(json.loads(path.read_text(encoding="utf-8")), name))

    def test_schema_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(VECTOR.schema)

    def test_vectors(self):
        self.each("vectors", 40, vector_fault)

    def test_innocents(self):
        self.each("innocent", 10, innocent_fault)

    def test_faults_are_found(self):
        name = "clipping/three-four-to-1"
        text = (HERE / "vectors" / f"{name}.json").read_text(encoding="utf-8")
        self.assertIsNone(vector_fault(json.loads(text), name))
        for right, wrong in (('"3/5"', '"0.6"'), ('"3f19999a"', '"3f19"'), ('"3f19999a"', '"3F19999A"'),
                             ('"policies":["textbook"]', '"policies":["other"]'),
                             ('{"step":4,', '{"step":3,'), ('"op":"clip_norm"', '"op":"clip_morn"'),
                             ('"generator":', '"generators":'), ('"vector":{', '"vector":{"extra":1,'),
                             ('"id":"clipping/three-four-to-1"', '"id":"clipping/three-four-to-2"'),
                             ('"clip_formula":"quotient"', '"clip_formula":"quotients"')):
            with self.subTest(wrong):
                self.assertIn(right, text)
                self.assertIsNotNone(vector_fault(json.loads(text.replace(right, wrong, 1)), name))


if __name__ == "__main__":
    sys.exit(unittest.main())
