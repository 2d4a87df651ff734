"""Steps of a case, each with what a subject answered to it."""
from fractions import Fraction as Q

from exact_rounding import scalar, tensor

def scaler(scale, growth=Q(2), backoff=Q(1, 2), interval=1000, form="binary32"):
    return {"op": "scaler", "init_scale": scalar(scale, form), "growth_factor": scalar(growth, "binary64"),
            "backoff_factor": scalar(backoff, "binary64"), "growth_interval": interval}, {}


def sgd(initial, lr=Q(1, 2), form="binary32", name="o", parameter="w", lr_form="binary64"):
    return {"op": "optimizer", "name": name, "kind": "sgd", "hyper": {"lr": scalar(lr, lr_form)},
            "parameters": [{"name": parameter, "initial": tensor(initial, form)}]}, {}


def backward(xs, form="binary32", delivered=None, last=True, divide=1, parameter="w", **seen):
    coefficients = {"parameter": parameter, "values": tensor(xs, form)}
    if delivered:
        coefficients["format"] = delivered
    return {"op": "backward", "loss": scalar(Q(1)), "coefficients": [coefficients], "divide": divide,
            "last": last}, seen


def step(op, fields=None, **seen):
    return {"op": op, **(fields or {})}, {name.replace("__", "/"): shown for name, shown in seen.items()}


def unscale(name="o", **seen):
    return step("unscale", {"optimizer": name}, **seen)


def take(name="o", **seen):
    return step("step", {"optimizer": name}, **seen)


def update(**seen):
    return step("update", **seen)


def zero_grad(name="o"):
    return step("zero_grad", {"optimizer": name})


def clip_norm(limit, **seen):
    return step("clip_norm", {"optimizers": ["o"], "limit": scalar(limit)}, **seen)
