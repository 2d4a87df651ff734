"""The helper as a process: several cases in flight, a library that prints, malformed messages."""
import json
import os
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from ampcheck.messages import malformed

LOUD = os.path.join(HERE, "loud_subject.py")
NULL = os.path.join(HERE, "..", "examples", "null_subject.py")
CHAOS = os.path.join(HERE, "..", "examples", "chaos_subject.py")


def start(*command, **more):
    return subprocess.Popen([sys.executable, "-W", "error", *command], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def talk(*lines, command=(LOUD,)):
    """All lines at once, then the end of input: (replies, standard error, exit status)."""
    process = start(*command)
    text = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n"
                    for line in lines)
    out, err = process.communicate(text, timeout=60)
    return [json.loads(line) for line in out.splitlines()], err.decode(), process.returncode


def case(*steps, name="a", **more):
    return {"run": {"id": name, "clause": "c/d", "seed": 1, "ranks": 1, "steps": list(steps),
                    **more}}


def step(op, *observe, **fields):
    return {"op": op, **fields, "observe": list(observe)}


class Streams(unittest.TestCase):
    def test_many_in_flight_are_all_answered(self):
        cases = [case(step("update", "scale"), step("observe", "scale", "loss"), name=f"case-{k}")
                 for k in range(500)]
        replies, err, status = talk({"hello": {"protocol": 1}}, *cases, command=(NULL,))
        self.assertEqual((err, status), ("", 0))
        self.assertEqual(replies[0]["hello"]["name"], "null")
        self.assertEqual([r["case"] for r in replies[1:]], [c["run"]["id"] for c in cases])
        self.assertEqual(replies[1]["answers"], [{"scale": None}, {"scale": None, "loss": None}])

    def test_an_answer_comes_before_the_next_case(self):
        process = start(NULL)
        try:
            for k in range(3):
                process.stdin.write(json.dumps(case(step("update"), name=str(k))).encode() + b"\n")
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())["case"], str(k))
            process.stdin.write(b'{"stop":{}}\n')
            process.stdin.flush()  # its end stays open: `stop` alone must do
            self.assertEqual(process.wait(5), 0)
        finally:
            process.kill()
            process.communicate()

    def test_a_line_in_pieces(self):
        process = start(NULL)
        line = json.dumps(case(step("update"))).encode()
        for piece in (line[:10], line[10:11], line[11:], b"\n" + line + b"\n" + line[:5]):
            process.stdin.write(piece)
            process.stdin.flush()
            time.sleep(0.02)
        out, err = process.communicate(line[5:] + b"\n", timeout=10)
        self.assertEqual((len(out.splitlines()), err, process.returncode), (3, b"", 0))

    def test_a_long_line(self):
        long = {"format": "binary16", "shape": [2500000], "data": "AAAA" * 1666667}
        begin = time.monotonic()
        replies, _, _ = talk(case(step("backward", loss={}, coefficients=[{"values": long}])),
                             command=(NULL,))
        self.assertEqual(replies, [{"case": "a", "answers": [{}]}])
        self.assertLess(time.monotonic() - begin, 5)

    def test_nobody_reads_the_answers(self):
        process = start(NULL)
        process.stdout.close()
        process.stdin.write(json.dumps(case(step("update"))).encode() + b"\n")
        process.stdin.flush()
        self.assertEqual(process.wait(10), 0)
        self.assertEqual(process.stderr.read(), b"")
        process.stdin.close()
        process.stderr.close()

    def test_a_library_prints_and_reads(self):
        replies, err, status = talk(case(step("unscale", "found_non_finite", optimizer="o")),
                                    case(step("observe"), name="b"))
        self.assertEqual(replies, [{"case": "a", "answers": [{"found_non_finite": False}]},
                                   {"case": "b", "answers": [{}]}])
        for text in ("printed", "written", "from C"):
            self.assertIn(text, err)
        self.assertEqual(status, 0)


class Answers(unittest.TestCase):
    def test_what_a_method_returns_stands_beside_the_observations(self):
        replies, _, _ = talk(case(step("update", "stepped"), step("unscale", optimizer="o"),
                                  step("observe", "found_non_finite")))
        self.assertEqual(replies[0]["answers"], [{"with": 0, "stepped": None}, {},
                                                 {"found_non_finite": None}])

    def test_raised_is_only_the_library(self):
        replies, _, _ = talk(case(step("step", "stepped"), step("observe", "stepped")),
                             case(step("clip_norm", optimizers=[], limit={
                                 "format": "binary16", "bits": "3c00"}), name="b"))
        raised = {"type": "KeyError", "text": "'from the library'"}
        self.assertEqual(replies[0]["answers"], [{"raised": raised}, {"stepped": None}])
        self.assertEqual(replies[1], {"case": "b", "error": "KeyError: 'from the adapter'"})

    def test_unsupported(self):
        replies, _, _ = talk(case(step("clip_value"), step("scaler"), step("look"), step("made")),
                             case(step("update"), step("observe"), ranks=2, name="b"))
        self.assertEqual(replies[0]["answers"], [
            {"unsupported": "not in this version"}, {"unsupported": "no operation scaler"},
            {"unsupported": "no operation look"}, {"unsupported": "no operation made"}])
        self.assertEqual(replies[1]["answers"], [{"unsupported": "2 ranks"}] * 2)

    def test_an_answer_that_is_no_json_or_too_long_is_an_error(self):
        loss = {"format": "binary16", "bits": "3c00"}
        replies, _, status = talk(
            case(step("backward", "loss", loss=loss, coefficients=[], divide="nan")),
            case(step("observe", "parameter/huge"), name="b"),
            case(step("backward", loss=loss, coefficients=[], divide=2), name="c"))
        self.assertIn("the answer: ", replies[0]["error"])
        self.assertEqual(replies[1], {"case": "b", "error": "the answer exceeds 16 MiB"})
        self.assertEqual(replies[2]["answers"], [{"by": "adapter"}])
        self.assertEqual(status, 0)

    def test_an_exit_is_not_swallowed(self):
        _, _, status = talk(case(step("zero_grad")))
        self.assertEqual(status, 3)


class Malformed(unittest.TestCase):
    def test_lines(self):
        replies, _, status = talk(b"{", b"\xff", b"[" * 10**6, b"[]", {"later": 1}, b"", {"run": 3},
                                  {"run": {"steps": []}}, {"run": {"id": "a"}},
                                  case("update", name="b"), case({"observe": []}, name="c"),
                                  case(step("observe"), name="d"))
        self.assertEqual([r.get("case") for r in replies],
                         [None] * 6 + ["a", "b", "c", "d"])
        for reply, text in zip(replies, ("not JSON", "not JSON", "not JSON",
                                         "a message must be an object",
                                         "must be an object", "id: is missing",
                                         "steps: is missing", "steps[0]: must be an object",
                                         "steps[0].op: is missing")):
            self.assertIn(text, reply["error"])
        self.assertEqual(replies[-1]["answers"], [{}])
        self.assertEqual(status, 0)

    def test_fields_by_name(self):
        half = {"format": "binary16", "bits": "3c00"}
        one = {"format": "binary16", "shape": [1], "bits": "3c00"}
        made = step("optimizer", name="o", kind="sgd", hyper={"lr": half},
                    parameters=[{"name": "w", "initial": one}])

        def backward(**changed):
            return step("backward", **{"loss": half, "coefficients": [
                {"parameter": "w", "values": one}], **changed})

        for steps, text in (
                ([step("scaler")], "steps[0].init_scale: is missing"),
                ([step("unscale")], "steps[0].optimizer: is missing"),
                ([step("unscale", optimizer="o")], "steps[0].optimizer: nothing is called 'o'"),
                ([made, step("observe", "gradient/q")], "steps[1].observe: nothing is called 'q'"),
                ([made, backward(loss=1.0)], "steps[1].loss: must be an object"),
                ([made, backward(loss={**half, "bits": "3c"})],
                 "steps[1].loss.bits: '3c' is no binary16 pattern"),
                ([made, backward(divide="two")], "steps[1].divide: "),
                ([made, backward(coefficients=[{"parameter": "w", "values": {
                    **one, "shape": [2]}}])], "steps[1].coefficients[0].values.shape: "),
                ([made, backward(coefficients=[{"parameter": "v", "values": one}])],
                 "steps[1].coefficients[0].parameter: nothing is called 'v'"),
                ([{**made, "kind": "lbfgs"}], "steps[0].kind: must be one of sgd, adam, adamw"),
                ([{**made, "parameters": [{"name": "v", "same_as": "w"}]}],
                 "steps[0].parameters[0].same_as: nothing is called 'w'"),
                ([made, step("clip_norm", optimizers=["o"], limit=half, p="two")],
                 "steps[1].p: must be an object"),
                ([{**made, "hyper": {"lr": 0.5}}], "steps[0].hyper.lr: must be an object"),
                ([step("observe"), {"op": "update", "observe": "scale"}],
                 "steps[1].observe: must be a list")):
            found = malformed(case(*steps)["run"])
            self.assertTrue(found and found.startswith(text), f"{found} for {text}")
        self.assertIsNone(malformed(case(made, backward(), step("later", width=3))["run"]))
        for p in ("inf", half):
            clip = step("clip_norm", optimizers=["o"], limit=half, p=p)
            self.assertIsNone(malformed(case(made, clip)["run"]))


class Programs(unittest.TestCase):
    def test_an_unknown_adapter(self):
        for arguments in ((), ("tensorflow",), ("torch", "x")):
            process = start("-m", "ampcheck", *arguments, cwd=os.path.join(HERE, ".."))
            out, err = process.communicate(timeout=10)
            self.assertEqual((out, process.returncode), (b"", 2))
            self.assertEqual(len(err.splitlines()), 1)

    def test_chaos_is_where_it_should_be(self):
        cases = [case(step("update", "scale"), name=f"case-{k}") for k in range(200)]
        replies, err, status = talk(*cases, command=(CHAOS, "--error", "0.3"))
        failed = [r["case"] for r in replies if "error" in r]
        self.assertEqual((len(replies), err, status), (200, "", 0))
        self.assertTrue(30 < len(failed) < 90)
        again, _, _ = talk(*cases, command=(CHAOS, "--error", "0.3"))
        self.assertEqual([r["case"] for r in again if "error" in r], failed)
        replies, err, _ = talk(*cases, command=(CHAOS, "--noise", "0.02"))
        self.assertEqual(len(replies), 200)
        self.assertGreater(len(err), 1 << 20)
        replies, _, status = talk(*cases, command=(CHAOS, "--crash", "1"))
        self.assertEqual((replies, status), ([], 1))


if __name__ == "__main__":
    unittest.main()
