"""Every replacement of replaced_calls.py changes what the torch adapter answers.

Needs torch (requirements/torch.txt), and fails without it; that is why discovery does not find it.
"""
import multiprocessing
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, ".."))
from ampcheck.protocol import play
from ampcheck.torch_adapter import TorchSession, prepare
from replaced_calls import REPLACEMENTS
from test_protocol import talk
from torch_adapter_tests import adam, backward, do, f32, optimizer, scaler, tensor

FORK = multiprocessing.get_context("fork")
PROGRAM = os.path.join(HERE, "replaced_calls.py")
LOOK = ("scale", "growth_count", "gradient/w", "parameter/w", "state/w/exp_avg",
        "state/w/momentum_buffer")


def case(name, made, form):
    """A window, a skip, a save and load, another window: everything is seen after every step."""
    window = [backward(*LOOK, w=tensor([3.0, 4.0])), do("unscale", *LOOK),
              do("clip_norm", *LOOK, "norm", optimizers=["o"], limit=f32(1.0)),
              do("clip_value", *LOOK, optimizers=["o"], limit=f32(0.125)),
              do("step", *LOOK, "stepped"), do("update", *LOOK), do("zero_grad", *LOOK)]
    skip = [backward(w=tensor(["7f800000", 1.0])), do("step", *LOOK, "stepped"), do("update"),
            do("zero_grad")]
    steps = [scaler(interval=3), made(form=form), *window, *skip, *window, do("save_load", *LOOK),
             *window]
    return {"id": name, "steps": steps}


CASES = [case(f"{kind}/{form}", made, form) for form in ("loop", "foreach", "fused")
         for kind, made in (("sgd", lambda form: optimizer(form=form, momentum=0.5)),
                            ("adam", adam),
                            ("adamw", lambda form: adam("adamw", form=form)))]


def answers(patch=None):
    """The answers to all cases, from a process of its own where torch is patched."""
    def work(sink):
        if patch:
            patch()
        sink.send({one["id"]: play(TorchSession(one), one) for one in CASES})

    source, sink = FORK.Pipe(duplex=False)
    child = FORK.Process(target=work, args=(sink,))
    child.start()
    sink.close()
    try:
        return source.recv()
    finally:
        child.join()


class Replaced(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        prepare()  # once, before any fork; with one thread forking is safe

    def test_every_replacement_shows(self):
        right = answers()
        for got in right.values():
            for answer in got:
                self.assertNotIn("raised", answer)
        self.assertGreater(len(REPLACEMENTS), 15)
        for name, patch in REPLACEMENTS.items():
            with self.subTest(name):
                wrong = answers(patch)
                # torch's AdamW derives from Adam.
                concerned = {"SGD": ["sgd"], "Adam": ["adam", "adamw"], "AdamW": ["adamw"]}.get(
                    name.split(".")[0], ["sgd", "adam", "adamw"])
                for one, got in right.items():
                    self.assertEqual(wrong[one] != got, one.split("/")[0] in concerned, one)

    def test_as_a_subject(self):
        listed = subprocess.run([sys.executable, PROGRAM, "--list"], capture_output=True,
                                text=True, check=True).stdout.split()
        self.assertEqual(listed, list(REPLACEMENTS))
        replies, err, status = talk({"hello": {"protocol": 1}}, {"run": CASES[0]}, {"stop": {}},
                                    command=(PROGRAM, "GradScaler.update"))
        self.assertEqual((err, status), ("", 0))
        wrong = answers(REPLACEMENTS["GradScaler.update"])
        self.assertEqual(replies[1], {"case": CASES[0]["id"], "answers": wrong[CASES[0]["id"]]})

    def test_an_unknown_name(self):
        done = subprocess.run([sys.executable, PROGRAM, "GradScaler.jump"], capture_output=True)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
