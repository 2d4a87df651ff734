"""PROTOCOL.md and protocol.schema.json: the worked example is valid, and its subject answers so.

The subject is taken from the page and run as it stands there. Needs jsonschema.
"""
import json
import os
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SUBJECT = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, ".."))
import schema_check
from ampcheck import messages, numbers


def blocks(page, language):
    return re.findall(f"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def example(block):
    """The messages of a block, in which a line that goes on is indented."""
    return [json.loads(text) for text in re.sub(r"\n +", "", block).splitlines()]


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(SUBJECT, "PROTOCOL.md"), encoding="utf-8") as file:
            cls.page = file.read()
        cls.sent, cls.answered = map(example, blocks(cls.page, "json"))
        (cls.subject,) = blocks(cls.page, "python")
        cls.validators = schema_check.validators()

    def replay(self, messages_):
        text = "".join(json.dumps(m) + "\n" for m in messages_)
        done = subprocess.run([sys.executable, "-W", "error", "-c", self.subject], input=text,
                              capture_output=True, text=True, timeout=30, check=True)
        self.assertEqual(done.stderr, "")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_the_example_is_valid(self):
        for message in self.sent:
            self.assertIsNone(schema_check.fault(self.validators["subject"], message))
        for message in self.answered:
            self.assertIsNone(schema_check.fault(self.validators["ampcheck"], message))
        self.assertIsNone(messages.malformed(self.sent[1]["run"]))

    def test_the_subject_gives_the_answers_of_the_page(self):
        self.assertEqual(self.replay(self.sent), self.answered)

    def test_the_example_is_right(self):
        scaler, _, backward, _ = self.sent[1]["run"]["steps"]
        _, _, scaled, unscaled = self.answered[1]["answers"]
        self.assertEqual(scaled["seed"], scaler["init_scale"])
        coefficients = backward["coefficients"][0]["values"]
        products = numbers.products(numbers.unpack_scalar(scaled["cotangent"]), "binary32",
                                    numbers.unpack(coefficients), "binary32", "binary32")
        self.assertEqual(numbers.unpack(scaled["gradient/w"]), products)
        self.assertEqual(unscaled["gradient/w"]["bits"].split()[:2],
                         coefficients["bits"].split()[:2])  # 2^16 gives back what was finite
        self.assertTrue(unscaled["found_non_finite"])

    def test_the_subject_accumulates_divides_and_shares(self):
        case = json.loads(json.dumps(self.sent[1]["run"]))
        scaler, optimizer, backward, unscale = case["steps"]
        backward["divide"] = 2
        backward["coefficients"][0]["values"]["bits"] = "3f800000 80000000 7fc00000"
        shared = {**optimizer, "name": "o2", "parameters": [{"name": "v", "same_as": "w"}]}
        case["steps"] = [scaler, optimizer, shared, backward, backward, unscale,
                         {**unscale, "optimizer": "o2", "observe": ["gradient/v", "scale"]},
                         {"op": "update"}]
        self.assertIsNone(schema_check.fault(self.validators["subject"], {"run": case}))
        (reply,) = self.replay([{"run": case}])
        self.assertIsNone(schema_check.fault(self.validators["ampcheck"], reply))
        answers = reply["answers"]
        self.assertEqual(answers[3]["cotangent"]["bits"], "47000000")
        self.assertEqual(answers[3]["seed"]["bits"], "47800000")
        self.assertEqual(answers[4]["gradient/w"]["bits"], "47800000 80000000 7fc00000")
        self.assertEqual(answers[6]["gradient/v"]["bits"], "3f800000 80000000 7fc00000")
        self.assertEqual(answers[7], {"unsupported": "update"})

    def test_norms_of_a_hello(self):
        two = {"format": "binary32", "bits": "40000000"}

        def fault(norms):
            hello = {**self.answered[0]["hello"], "norms": norms}
            return schema_check.fault(self.validators["ampcheck"], {"hello": hello})

        self.assertIsNone(fault([two, "inf"]))
        for wrong in (2, "two", None):
            self.assertIn("hello.norms[1]", fault([two, wrong]))

    def test_the_table_of_axes_is_that_of_the_code(self):
        with open(os.path.join(SUBJECT, "policy.cpp"), encoding="utf-8") as file:
            code = file.read()
        axes = re.findall(r'^    \{"(\w+)", k\w+, "(\w*)"', code, re.MULTILINE)
        _, rows = self.page.split("| axis | words | strict | |\n", 1)
        cells = [row.split(" | ") for row in rows.split("\n\n", 1)[0].splitlines()[1:]]
        self.assertEqual([(row[0].strip("| `"), row[2].strip()) for row in cells], axes)
        self.assertGreater(len(axes), 20)
        policy = self.validators["ampcheck"].schema["definitions"]["policy"]
        self.assertEqual(list(policy["properties"]), [name for name, _ in axes])
        self.assertEqual(policy["required"], [name for name, strict in axes if not strict])


class Schema(unittest.TestCase):
    def setUp(self):
        self.validators = schema_check.validators()

    def fault(self, to, message):
        return schema_check.fault(self.validators[to], message)

    def step(self, **step):
        return self.fault("subject", {"run": {"id": "a", "clause": "b/c", "seed": 1, "ranks": 1,
                                              "steps": [step]}})

    def test_strict_for_what_ampcheck_sends(self):
        self.assertIsNone(self.step(op="update", observe=["scale"]))
        self.assertIn("run.steps[0]", self.step(op="update", observed=["scale"]))
        self.assertIn("run.steps[0].op", self.step(op="jump"))
        self.assertIn("run.steps[0].observe[0]", self.step(op="update", observe=["weight/w"]))
        half = {"format": "binary16", "bits": "3c00"}
        self.assertIsNone(self.step(op="clip_norm", optimizers=["o"], limit=half))
        self.assertIn("steps[0].limit.bits",
                      self.step(op="clip_norm", optimizers=["o"], limit={**half, "bits": "3c0"}))
        self.assertIn("steps[0].limit",
                      self.step(op="clip_norm", optimizers=["o"], limit={**half, "value": 1}))
        clip = {"op": "clip_norm", "optimizers": ["o"], "limit": half}
        for p in ("inf", half):
            self.assertIsNone(self.step(p=p, **clip))
        for p in (2, "two", {**half, "value": 1}):
            self.assertIn("steps[0].p", self.step(p=p, **clip))
        self.assertIn("run", self.fault("subject", {"run": {"id": "a"}}))
        self.assertIsNotNone(self.fault("subject", {"hello": {"protocol": 1}, "stop": {}}))

    def test_tolerant_of_what_a_subject_adds(self):
        answer = {"scale": None, "growth_count": "9007199254740993", "note": 1,
                  "gradient/w": {"unit": "cleared"}, "parameter/w": [None, None]}
        self.assertIsNone(self.fault("ampcheck", {"case": "a", "answers": [answer], "took": 1}))

    def test_but_not_of_wrong_values(self):
        for answer, place in (({"scale": 1.0}, "scale"), ({"stepped": 1}, "stepped"),
                              ({"gradient/w": {"unit": "scaled"}}, "gradient/w"),
                              ({"gradient/w": {"format": "binary16", "shape": [1],
                                               "bits": "3c00"}}, "gradient/w"),
                              ({"raised": {"type": "E"}}, "raised"), ({"by": "me"}, "by"),
                              ({"parameter/w": [{"format": "binary16"}, None]}, "parameter/w[0]")):
            self.assertIn(f"answers[0].{place}",
                          self.fault("ampcheck", {"case": "a", "answers": [answer]}))
        self.assertIsNotNone(self.fault("ampcheck", {"case": "a"}))
        self.assertIsNotNone(self.fault("ampcheck", {"case": "a", "answers": [], "error": "b"}))

    def test_a_stream_fails_at_its_first_fault(self):
        good = '{"to":"subject","message":{"stop":{}}}'
        bad = '{"to":"subject","message":{"stop":1}}'
        self.assertIsNone(schema_check.check([good, good], self.validators))
        self.assertIn("line 2: to subject: stop", schema_check.check([good, bad], self.validators))
        self.assertIn("line 1", schema_check.check(["{", good], self.validators))
        self.assertIn("line 1", schema_check.check(['{"to":"me"}'], self.validators))
        self.assertEqual(schema_check.check([], self.validators), "there is no message")


if __name__ == "__main__":
    unittest.main()
