"""The torch adapter with real torch: cases by hand, and what torch 2.13 is known to make of them.

Needs torch (requirements/torch.txt), and fails without it; that is why discovery does not find it.
"""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, ".."))
import torch

from ampcheck import messages, numbers
from ampcheck.protocol import play
from ampcheck.torch_adapter import HELLO, TorchSession
from ampcheck.torch_loss import Gradient
from test_protocol import talk

ADAPTER = ("-m", "ampcheck", "torch")
CLEARED = {"unit": "cleared"}


def f32(x):
    return numbers.from_float(x, "binary32")


def f64(x):
    return numbers.from_float(x)


def tensor(xs, form="binary32"):
    """A tensor of floats and of patterns in hexadecimal."""
    bits = " ".join(x if isinstance(x, str) else numbers.from_float(x, form)["bits"] for x in xs)
    return {"format": form, "shape": [len(xs)], "bits": bits}


def scaler(scale=8.0, interval=2, **more):
    return {"op": "scaler", "init_scale": f32(scale), "growth_factor": f64(2.0),
            "backoff_factor": f64(0.5), "growth_interval": interval, **more}


def optimizer(name="o", parameters=None, kind="sgd", form="loop", **hyper):
    parameters = parameters or {"w": tensor([0.0, 0.0])}
    return {"op": "optimizer", "name": name, "kind": kind, "form": form,
            "hyper": {"lr": f64(0.5), **{k: f64(v) for k, v in hyper.items()}},
            "parameters": [{"name": n, "same_as": p} if isinstance(p, str) else
                           {"name": n, "initial": p} for n, p in parameters.items()]}


def adam(kind="adam", **more):
    return optimizer(kind=kind, beta1=0.9, beta2=0.999, eps=1e-8, **more)


def backward(*observe, loss=None, divide=1, **coefficients):
    return {"op": "backward", "loss": loss or f32(1.0), "divide": divide, "observe": list(observe),
            "coefficients": [{"parameter": n, "values": c} for n, c in coefficients.items()]}


def do(op, *observe, **fields):
    if op in ("unscale", "step", "zero_grad"):
        fields.setdefault("optimizer", "o")
    return {"op": op, **fields, "observe": list(observe)}


def answers(*steps):
    case = {"id": "a", "clause": "c/d", "seed": 1, "ranks": 1, "steps": list(steps)}
    fault = messages.malformed(case)
    assert fault is None, fault
    return play(TorchSession(case), case)


def last(*steps):
    return answers(*steps)[-1]


def bits(shown):
    return shown["bits"]


class Backward(unittest.TestCase):
    def test_seed_cotangent_and_product(self):
        got = last(scaler(), optimizer(), backward("seed", "cotangent", "loss", "gradient/w",
                                                   w=tensor([2.0, "7f800000"])))
        self.assertEqual((bits(got["seed"]), bits(got["cotangent"])), ("41000000", "41000000"))
        self.assertIsNone(got["loss"])
        self.assertEqual(got["gradient/w"], {"format": "binary32", "shape": [2],
                                             "bits": "41800000 7f800000", "unit": "scaled"})

    def test_division_is_the_adapters(self):
        got = last(scaler(65536.0), optimizer(),
                   backward("seed", "cotangent", "gradient/w", divide=3, w=tensor([1.0, 2.0])))
        self.assertEqual(got["by"], "adapter")
        self.assertEqual((bits(got["seed"]), bits(got["cotangent"])), ("47800000", "46aaaaab"))
        self.assertEqual(bits(got["gradient/w"]), "46aaaaab 472aaaab")

    def test_a_short_loss_has_a_short_seed(self):
        loss = numbers.from_float(1.0, "binary16")
        got = last(scaler(65536.0), optimizer(),
                   backward("seed", "gradient/w", loss=loss, w=tensor([1.0, 2.0], "binary16")))
        self.assertEqual(got["seed"], {"format": "binary16", "bits": "7c00"})
        self.assertEqual(bits(got["gradient/w"]), "7f800000 7f800000")

    def test_short_products_are_rounded_and_then_widened(self):
        got = answers(scaler(4.0), optimizer(), backward(w=tensor(["7bff", "0001"], "binary16")),
                      backward("gradient/w", w=tensor([1.0, "0001"], "binary16")),
                      do("unscale", "found_non_finite", "gradient/w"))
        self.assertEqual(bits(got[3]["gradient/w"]), "7f800000 35000000")
        self.assertEqual(got[4]["found_non_finite"], True)
        self.assertEqual(bits(got[4]["gradient/w"]), "7f800000 34000000")

    def test_nan_payloads_and_signed_zeros_pass(self):
        made = optimizer(parameters={"w": tensor([0.0, 0.0, 0.0])})
        got = answers(scaler(1.0), made,
                      backward("gradient/w", w=tensor(["7fc12345", "80000000", "ffc00001"])),
                      backward("gradient/w", w=tensor([0.0, "80000000", 1.0])))
        for answer in got[2:]:
            self.assertEqual(bits(answer["gradient/w"]), "7fc12345 80000000 ffc00001")

    def test_every_format_of_parameters(self):
        for form in HELLO["formats"]["parameter"]:
            made = optimizer(parameters={"w": tensor([0.0], form)}, form="fused")
            got = answers(scaler(), made, backward("gradient/w", w=tensor([2.0], form)),
                          do("step", "stepped", "parameter/w"))
            self.assertEqual(numbers.unpack(got[2]["gradient/w"])[0],
                             numbers.unpack(tensor([16.0], form))[0])
            self.assertTrue(got[3]["stepped"])
            self.assertEqual(bits(got[3]["parameter/w"]), bits(tensor([-1.0], form)))

    def test_empty_tensors_and_many_elements(self):
        empty = {"format": "binary32", "shape": [0], "bits": ""}
        got = answers(scaler(4.0), optimizer(parameters={"w": empty}), backward(w=empty),
                      do("unscale", "found_non_finite"), do("step", "stepped", "parameter/w"))
        self.assertEqual(got[4], {"stepped": True, "parameter/w": empty})
        many = numbers.pack([0x3f800000] * 300, "binary32", [3, 100])
        got = last(scaler(1.0), optimizer(parameters={"w": many}), backward("gradient/w", w=many))
        self.assertEqual(got["gradient/w"], {**many, "unit": "scaled"})


class Steps(unittest.TestCase):
    def test_a_skip(self):
        """What the gradients are afterwards hangs on the form."""
        for form, left in (("loop", ("40000000 7f800000", "unscaled")),
                           ("foreach", ("40000000 7f800000", "unscaled")),
                           ("fused", ("41800000 7f800000", "scaled"))):
            got = answers(scaler(), optimizer(form=form), backward(w=tensor([2.0, "7f800000"])),
                          do("step", "stepped", "found_non_finite", "gradient/w", "parameter/w"),
                          do("update", "scale", "growth_count"))
            self.assertEqual((got[3]["stepped"], got[3]["found_non_finite"]), (False, True))
            self.assertEqual((bits(got[3]["gradient/w"]), got[3]["gradient/w"]["unit"]), left)
            self.assertEqual(bits(got[3]["parameter/w"]), "00000000 00000000")
            self.assertEqual(got[4], {"scale": f64(4.0), "growth_count": 0})

    def test_clean_steps_and_growth(self):
        window = (backward(w=tensor([2.0, 4.0])), do("step", "stepped", "parameter/w"),
                  do("update", "scale", "growth_count"), do("zero_grad", "gradient/w"))
        for form in ("loop", "foreach", "fused"):
            got = answers(scaler(), optimizer(form=form), *window, *window)
            self.assertEqual((got[3]["stepped"], bits(got[3]["parameter/w"])),
                             (True, "bf800000 c0000000"))
            self.assertEqual(got[4], {"scale": f64(8.0), "growth_count": 1})
            self.assertEqual(got[5], {"gradient/w": CLEARED})
            self.assertEqual(got[8], {"scale": f64(16.0), "growth_count": 0})

    def test_adam(self):
        for kind in ("adam", "adamw"):
            for form in ("loop", "foreach", "fused"):
                got = last(scaler(), adam(kind, form=form), backward(w=tensor([1.0, 2.0])),
                           do("step", "state/w/step", "state/w/exp_avg", "state/w/momentum_buffer"))
                self.assertEqual(got["state/w/step"],
                                 {"format": "binary32", "shape": [], "bits": "3f800000"})
                self.assertEqual(bits(got["state/w/exp_avg"]), "3dcccccd 3e4ccccd")
                self.assertIsNone(got["state/w/momentum_buffer"])

    def test_momentum_and_weight_decay_reach_torch(self):
        got = answers(scaler(), optimizer(parameters={"w": tensor([2.0])}, momentum=0.5,
                                          dampening=0.25, weight_decay=0.5),
                      do("observe", "state/w/momentum_buffer"),
                      backward(w=tensor([1.0])), do("step", "state/w/momentum_buffer"))
        self.assertEqual(got[2], {"state/w/momentum_buffer": None})
        self.assertEqual(bits(got[4]["state/w/momentum_buffer"]), "40000000")
        # AdamW's own default of weight_decay is not 0; what is absent must be.
        one = {"w": tensor([1.0])}
        plain, also = (last(scaler(), adam(kind, parameters=one), backward(w=tensor([1.0])),
                            do("step", "parameter/w")) for kind in ("adam", "adamw"))
        self.assertEqual(plain, also)

    def test_binary16(self):
        made = {"w": tensor([0.0, 0.0], "binary16")}
        for form in ("loop", "foreach"):
            got = last(scaler(), optimizer(parameters=made, form=form),
                       backward(w=tensor([2.0, 1.0], "binary16")), do("step"))
            self.assertEqual(got["raised"]["type"], "ValueError")
        got = answers(scaler(), adam(parameters=made, form="fused"),
                      backward(w=tensor([2.0, 1.0], "binary16")),
                      do("step", "stepped", "parameter/w", "state/w/exp_avg"))
        self.assertEqual(bits(got[3]["parameter/w"]), "b800 b800")
        self.assertEqual(bits(got[3]["state/w/exp_avg"]), "3266 2e66")
        got = last(scaler(), optimizer(parameters=made, form="fused"),
                   backward(w=tensor([2.0, 1.0], "binary16")), do("unscale"))
        self.assertEqual(got["raised"]["text"], "Attempting to unscale FP16 gradients.")

    def test_two_optimizers_and_a_shared_parameter(self):
        got = answers(scaler(), optimizer("a"), optimizer("b", {"v": tensor([0.0, 0.0])}),
                      backward(w=tensor([1.0, "7f800000"]), v=tensor([1.0, 2.0])),
                      do("unscale", "found_non_finite", optimizer="a"),
                      do("unscale", "found_non_finite", optimizer="b"),
                      do("step", "stepped", optimizer="a"), do("step", "stepped", optimizer="b"),
                      do("update", "scale", "parameter/w", "parameter/v"))
        self.assertEqual([got[k] for k in (4, 5, 6, 7)], [
            {"found_non_finite": True}, {"found_non_finite": False},
            {"stepped": False}, {"stepped": True}])
        self.assertEqual(bits(got[8]["parameter/v"]), "bf000000 bf800000")
        got = answers(scaler(), optimizer("a", {"w": tensor([0.0])}), optimizer("b", {"v": "w"}),
                      backward(w=tensor([1.0])), do("unscale", optimizer="a"),
                      do("unscale", "gradient/w", "gradient/v", optimizer="b"))
        self.assertEqual(bits(got[5]["gradient/w"]), "3e000000")  # torch unscales it twice
        self.assertEqual(got[5]["gradient/v"], got[5]["gradient/w"])

    def test_order_errors_are_raised_and_leave_state(self):
        got = answers(scaler(), optimizer(), do("update"), backward(w=tensor([1.0, 2.0])),
                      do("step", "stepped"), do("step"), do("unscale"),
                      do("observe", "parameter/w"), do("update", "scale"))
        self.assertEqual([got[k]["raised"]["type"] for k in (2, 5, 6)],
                         ["AssertionError", "RuntimeError", "RuntimeError"])
        self.assertEqual(bits(got[7]["parameter/w"]), "bf000000 bf800000")
        self.assertEqual(got[8], {"scale": f64(8.0)})

    def test_what_is_refused_is_missing_afterwards(self):
        got = answers(scaler(growth_factor=f64(0.5)), optimizer(lr=-1.0),
                      do("update", "scale"), do("step"), do("observe", "parameter/w"))
        self.assertEqual([got[k]["raised"]["type"] for k in (0, 1)],
                         ["AssertionError", "ValueError"])
        self.assertEqual(got[2:4], [{"unsupported": "there is no scaler"},
                                    {"unsupported": "there is no optimizer o"}])
        self.assertEqual(bits(got[4]["parameter/w"]), "00000000 00000000")

    def test_a_backward_after_unscale_mixes(self):
        got = last(scaler(), optimizer(), backward(w=tensor([1.0, 2.0])), do("unscale"),
                   backward("gradient/w", w=tensor([1.0, 2.0])))
        self.assertEqual((got["gradient/w"]["unit"], bits(got["gradient/w"])),
                         ("unknown", "41100000 41900000"))

    def test_zero_grad(self):
        got = answers(scaler(), optimizer(), backward(w=tensor([1.0, 2.0])),
                      do("zero_grad", "gradient/w", to_none=False), do("step", "stepped"))
        self.assertEqual((got[3]["gradient/w"]["unit"], bits(got[3]["gradient/w"])),
                         ("cleared", "00000000 00000000"))
        self.assertEqual(got[4], {"stepped": True})
        got = answers(scaler(), optimizer(), backward(w=tensor([1.0, 2.0])),
                      do("zero_grad", "gradient/w"), do("step"), do("update"))
        self.assertEqual(got[3], {"gradient/w": CLEARED})
        self.assertEqual([a["raised"]["type"] for a in got[4:]], ["AssertionError"] * 2)

    def test_disabled(self):
        got = answers(scaler(4.0, enabled=False), optimizer(),
                      backward("seed", "gradient/w", w=tensor([1.0, 2.0])),
                      do("unscale", "found_non_finite"), do("step", "stepped", "parameter/w"),
                      do("update", "scale", "growth_count"))
        self.assertEqual(bits(got[2]["seed"]), "3f800000")
        self.assertEqual(got[2]["gradient/w"]["unit"], "unscaled")
        self.assertEqual(got[3], {"found_non_finite": None})
        self.assertEqual((got[4]["stepped"], bits(got[4]["parameter/w"])),
                         (True, "bf000000 bf800000"))
        self.assertEqual(got[5], {"scale": f64(1.0), "growth_count": None})

    def test_a_parameter_without_a_gradient(self):
        got = answers(scaler(), optimizer(parameters={"w": tensor([0.0]), "v": tensor([1.0])}),
                      backward(w=tensor([1.0])), do("step", "gradient/v", "parameter/v"))
        self.assertEqual(got[3], {"gradient/v": CLEARED, "parameter/v": tensor([1.0])})


class Clips(unittest.TestCase):
    def test_norm(self):
        got = last(scaler(), optimizer(), backward(w=tensor([3.0, 4.0])), do("unscale"),
                   do("clip_norm", "norm", "gradient/w", optimizers=["o"], limit=f32(1.0)))
        self.assertEqual(bits(got["norm"]), "40a00000")
        self.assertEqual(bits(got["gradient/w"]), "3f199998 3f4cccca")
        self.assertEqual(got["gradient/w"]["unit"], "unscaled")

    def test_norm_of_another_p(self):
        for p, norm in ((f32(1.0), "40e00000"), (f32(2.0), "40a00000"), ("inf", "40800000")):
            got = last(scaler(), optimizer(), backward(w=tensor([3.0, -4.0])), do("unscale"),
                       do("clip_norm", "norm", optimizers=["o"], limit=f32(9.0), p=p))
            self.assertEqual(bits(got["norm"]), norm)

    def test_norm_of_several_optimizers_counts_a_shared_tensor_once(self):
        got = last(scaler(), optimizer("a", {"w": tensor([0.0])}), optimizer("b", {"v": "w"}),
                   optimizer("c", {"u": tensor([0.0])}),
                   backward(w=tensor([3.0]), u=tensor([4.0])), do("unscale", optimizer="a"),
                   do("unscale", optimizer="c"), do("clip_norm", "norm", limit=f32(9.0),
                                                    optimizers=["a", "b", "c"]))
        self.assertEqual(bits(got["norm"]), "40a00000")

    def test_value(self):
        got = last(scaler(), optimizer(), backward(w=tensor([3.0, -0.25])), do("unscale"),
                   do("clip_value", "norm", "gradient/w", optimizers=["o"], limit=f32(1.0)))
        self.assertEqual((got["norm"], bits(got["gradient/w"])), (None, "3f800000 be800000"))


class SaveLoad(unittest.TestCase):
    def test_nothing_is_lost(self):
        window = (backward(w=tensor([1.0, 2.0])), do("step"), do("update"), do("zero_grad"))
        look = do("observe", "scale", "growth_count", "state/w/step", "state/w/exp_avg",
                  "parameter/w", "parameter/v", "gradient/w")
        share = optimizer("b", {"v": "w"})
        for form in ("loop", "foreach", "fused"):
            start = (scaler(), adam(form=form), share)
            saved = answers(*start, *window, do("save_load"), look, *window, look)
            kept = answers(*start, *window, look, *window, look)
            self.assertEqual(saved[8], kept[7])
            self.assertEqual(saved[-1], kept[-1])
            self.assertEqual(saved[8]["growth_count"], 1)
            self.assertEqual(saved[8]["parameter/v"], saved[8]["parameter/w"])
            self.assertEqual(saved[8]["gradient/w"], CLEARED)

    def test_disabled(self):
        self.assertEqual(answers(scaler(enabled=False), optimizer(), do("save_load"))[2], {})


class Errors(unittest.TestCase):
    def error(self, *steps):
        replies, _, status = talk({"run": {"id": "a", "steps": list(steps)}}, command=ADAPTER)
        self.assertEqual(status, 0)
        return replies[0]["error"]

    def test_are_the_cases(self):
        self.assertIn("ValueError: format: binary32 does not fit into binary16",
                      self.error(scaler(), optimizer(parameters={"w": tensor([0.0], "binary16")}),
                                 backward(w=tensor([1.0]))))
        self.assertIn("steps[0].init_scale: is missing", self.error({"op": "scaler"}))
        self.assertIn("no float8_e5m2", self.error(optimizer(parameters={
            "w": tensor([0.0], "float8_e5m2")})))


    def test_a_fault_inside_of_torchs_autograd_is_ours(self):
        """torch calls the adapter back; what fails there must not be blamed on torch."""
        original = Gradient.scaled_by
        Gradient.scaled_by = lambda *_: 1 // 0
        try:
            with self.assertRaises(ZeroDivisionError):
                answers(scaler(), optimizer(), backward(w=tensor([1.0, 2.0])))
        finally:
            Gradient.scaled_by = original

    def test_not_offered(self):
        got = answers(scaler(), optimizer(), {**backward(w=tensor([1.0, 2.0])),
                                              "own_product": True}, do("observe", "gradient/w"))
        self.assertEqual(got[2], {"unsupported": "own_product"})
        self.assertEqual(got[3], {"gradient/w": CLEARED})
        self.assertNotIn("token_window", HELLO["operations"])


class Process(unittest.TestCase):
    def test_hello_and_cases(self):
        os.chdir(os.path.join(HERE, ".."))
        run = {"run": {"id": "b", "steps": [scaler(), optimizer(), backward(w=tensor([1.0, 2.0])),
                                            do("step", "parameter/w")]}}
        for command in (ADAPTER, ("-m", "ampcheck.torch_adapter")):
            replies, err, status = talk({"hello": {"protocol": 1}}, run, run, {"stop": {}},
                                        command=command)
            self.assertEqual(replies[0], {"hello": HELLO})
            self.assertEqual(bits(replies[2]["answers"][3]["parameter/w"]), "bf000000 bf800000")
            self.assertEqual((err, status), ("", 0))

    def test_what_hello_refuses_is_refused(self):
        """HELLO's formats, one by one: what it lists works, and all else raises."""
        for form in ("loop", "foreach", "fused"):
            for name in HELLO["formats"]["parameter"]:
                for op, key in (("step", f"step/{form}"), ("unscale", "unscale")):
                    got = last(scaler(), optimizer(parameters={"w": tensor([0.0], name)},
                                                   form=form),
                               backward(w=tensor([2.0], name)), do(op))
                    self.assertEqual("raised" not in got, name in HELLO["formats"][key],
                                     (form, name, op))


if __name__ == "__main__":
    os.chdir(os.path.join(HERE, ".."))  # for `-m ampcheck`
    unittest.main()
