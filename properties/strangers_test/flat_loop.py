"""A training loop over flat buffers, in the manner of Apex and Megatron: one list an optimizer.

All gradients of an optimizer are one list of binary32 numbers, and so is its momentum. Unscaling
waits for a clip, if one comes, and a norm is taken of scaled gradients and multiplied by 1/S.
The schedule is Megatron's: a hysteresis of two overflows, and a scale of at least 1. Weights are in
binary16, bfloat16 or binary32. SGD only, and every parameter has a gradient.
"""
import json
import math
import os
import sys
from array import array

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../subject/adapters/python"))
from ampcheck import numbers
from ampcheck.protocol import Session, Unsupported, library, serve

LEAST_SCALE = 1.0


def r32(values):
    return array("f", values).tolist()


def r1(value):
    return array("f", [value])[0]


class Flat:
    """An optimizer: its parameters one after the other."""

    def __init__(self, hyper):
        self.hyper = hyper
        self.layout = []  # of each tensor: name, format, shape, where it begins, where it ends
        self.weights, self.grads, self.momentum = [], None, None
        self.unit, self.overflow, self.checked = "cleared", False, False

    def append(self, name, form, shape, values):
        begin = len(self.weights)
        self.weights += values
        self.layout.append((name, form, shape, begin, len(self.weights)))

    def span(self, name):
        return next((begin, end) for n, _, _, begin, end in self.layout if n == name)

    def accumulate(self, name, values):
        if self.grads is None:
            self.grads = [0.0] * len(self.weights)
        begin, end = self.span(name)
        self.grads[begin:end] = self.sum(self.grads[begin:end], values)

    @staticmethod
    def sum(so_far, values):
        return r32(map(float.__add__, so_far, values))

    def clear(self, to_none):
        self.grads = None if to_none or self.grads is None else [0.0] * len(self.grads)
        self.unit, self.overflow, self.checked = "cleared", False, False

    def check(self):
        """What `unscale` does at once: it looks for inf and NaN."""
        self.overflow, self.checked = self.has_overflow(self.grads), True

    @staticmethod
    def has_overflow(grads):
        return not all(map(math.isfinite, grads))


def divide_out(flat, scale):
    """What `unscale` leaves to the clip that follows."""
    if flat.unit == "scaled":
        inverse = 1.0 / scale
        flat.grads = r32(x * inverse for x in flat.grads)
        flat.unit = "unscaled"


def norm_of(lists, scale):
    """Of scaled gradients, in binary64 until the end."""
    return math.sqrt(math.fsum(x * x for xs in lists for x in xs)) * (1.0 / scale)


def clip_to_norm(flats, scale, limit, norm_of):
    finite = all(math.isfinite(x) for flat in flats for x in flat.grads)
    unscaled = all(flat.unit == "unscaled" for flat in flats)  # a clip came before
    norm = (norm_of([flat.grads for flat in flats], 1.0 if unscaled else scale)
            if finite else math.nan)
    if math.isfinite(r1(norm)):  # beyond binary32 limit/inf would clear the gradients
        norm = r1(norm)
    for flat in flats:
        divide_out(flat, scale)
        if norm > limit:
            factor = r1(limit / norm)
            flat.grads = r32(x * factor for x in flat.grads)
    return norm if finite else None


def clip_to_value(flats, scale, limit):
    for flat in flats:
        divide_out(flat, scale)
        for i, x in enumerate(flat.grads):
            if x > limit and x != math.inf:
                flat.grads[i] = limit
            elif x < -limit and x != -math.inf:
                flat.grads[i] = -limit


def step(flat, scale, enabled):
    if enabled:
        if not flat.checked:
            flat.check()
        divide_out(flat, scale)
        # 1/S > 1 makes an inf of a number that is large enough.
        flat.overflow = flat.overflow or not all(map(math.isfinite, flat.grads))
        if flat.overflow:
            return False
    sgd(flat, flat.grads, **flat.hyper)
    return True


def sgd(flat, direction, lr, momentum=0.0, dampening=0.0, weight_decay=0.0):
    if weight_decay:
        direction = r32(map(float.__add__, direction, r32(weight_decay * w for w in flat.weights)))
    if momentum:
        if flat.momentum is not None:
            kept = r1(1.0 - dampening)
            direction = r32(map(float.__add__, r32(momentum * b for b in flat.momentum),
                                r32(kept * d for d in direction)))
        flat.momentum = direction
    moved = r32(w - u for w, u in zip(flat.weights, r32(lr * d for d in direction)))
    for _, form, _, begin, end in flat.layout:
        flat.weights[begin:end] = numbers.rounded(moved[begin:end], form)


class LossScale:
    HYSTERESIS = 2

    def __init__(self, value, up, down, interval):
        self.value, self.up, self.down, self.interval = value, up, down, interval
        self.left, self.clean = self.HYSTERESIS, 0

    def update(self, overflow):
        if overflow:
            self.clean = 0
            self.left -= 1
            if self.left <= 0:
                self.value = max(r1(self.value * self.down), min(self.value, LEAST_SCALE))
            return
        self.clean += 1
        if self.clean == self.interval:
            grown = r1(self.value * self.up)
            self.clean, self.left = 0, self.HYSTERESIS
            self.value = grown if grown < math.inf else self.value


HELLO = {
    "name": "flat_loop", "version": "1", "language": "python", "profiles": ["loop"],
    "operations": ["scaler", "optimizer", "backward", "unscale", "clip_norm", "clip_value", "step",
                   "update", "zero_grad", "save_load", "observe"],
    "forms": {"sgd": ["loop"]},
    "formats": {"loss": ["binary32"], "coefficient": ["binary16", "bfloat16", "binary32"],
                "parameter": ["binary16", "bfloat16", "binary32"]},
    "limits": {"missing_gradients": False, "elements": 255},
    "policy": {
        "unscale": "reciprocal_binary64", "unscale_format": "binary64",
        "output_format": "binary32", "scale_format": "binary32", "factor_format": "binary32",
        "growth_rule": "n", "growth_limit": "refuse", "hysteresis": "2",
        "floor": numbers.from_float(LEAST_SCALE), "accumulation": "scaled",
        "update_at": "window", "norm_input": "scaled", "norm_algorithm": "sum_of_squares",
        "clip_formula": "quotient", "clip_epsilon": numbers.from_float(0.0, "binary32"),
        "unneeded_clip": "identity", "step_arithmetic": "separate",
    },
}


class Loop(Session):
    """The adapter. A mistake replaces one of these."""

    flat_class, scale_class = Flat, LossScale
    norm_of, take = staticmethod(norm_of), staticmethod(step)

    def __init__(self, case):
        super().__init__(case)
        self.flats, self.loss_scale, self.enabled = {}, None, True

    def holder(self, parameter):
        return next(f for f in self.flats.values() if any(n == parameter for n, *_ in f.layout))

    def later(self, step, operations):
        """The number of the first later step of this window that does what `step` leaves undone."""
        steps, name = self.case["steps"], step["optimizer"]
        here = next(i for i, s in enumerate(steps) if s is step)
        for i in range(here + 1, len(steps)):
            op = steps[i]["op"]
            if op in operations and name in steps[i].get("optimizers", [steps[i].get("optimizer")]):
                return i
            if op in ("update", "zero_grad"):
                return None
        return None

    def scaler(self, step):
        self.enabled = step.get("enabled", True)
        value, up, down = (r1(numbers.to_float(step[k]))
                           for k in ("init_scale", "growth_factor", "backoff_factor"))
        with library():
            self.loss_scale = self.scale_class(value if self.enabled else 1.0, up, down,
                                               numbers.integer(step["growth_interval"]))

    def optimizer(self, step):
        hyper = {"lr": 0.0, **{k: r1(numbers.to_float(x)) for k, x in step["hyper"].items()}}
        flat = self.flats[step["name"]] = self.flat_class(hyper)
        for one in step["parameters"]:
            if "same_as" in one:
                raise Unsupported("a buffer holds a parameter once")
            initial = one["initial"]
            flat.append(one["name"], initial["format"], initial["shape"],
                        numbers.to_floats(initial))

    def backward(self, step):
        scale, form = self.loss_scale.value, step["loss"]["format"]
        cotangent = r1(scale / numbers.integer(step.get("divide", 1)))
        for one in step["coefficients"]:
            values = numbers.rounded([cotangent * x for x in numbers.to_floats(one["values"])],
                                     one.get("format", one["values"]["format"]))
            flat = self.holder(one["parameter"])
            with library():
                flat.accumulate(one["parameter"], values)
            flat.unit = "scaled" if self.enabled else "unscaled"
        self.made.update(seed=numbers.from_float(scale, form),
                         cotangent=numbers.from_float(cotangent, form))
        return {"by": "adapter"}

    def unscale(self, step):
        flat = self.flats[step["optimizer"]]
        if flat.grads is None or not self.enabled:
            return {}
        later = self.later(step, ("clip_norm", "clip_value"))
        with library():
            flat.check()
            if later is None:
                divide_out(flat, self.loss_scale.value)
        self.made["found_non_finite"] = flat.overflow
        return {} if later is None else {"with": later}

    def clip_norm(self, step):
        limit = r1(numbers.to_float(step["limit"]))
        flats = [self.flats[o] for o in step["optimizers"] if self.flats[o].grads is not None]
        with library():
            norm = clip_to_norm(flats, self.loss_scale.value, limit, self.norm_of)
        self.made["norm"] = None if norm is None else numbers.from_float(norm, "binary32")

    def clip_value(self, step):
        limit = r1(numbers.to_float(step["limit"]))
        flats = [self.flats[o] for o in step["optimizers"] if self.flats[o].grads is not None]
        with library():
            clip_to_value(flats, self.loss_scale.value, limit)

    def step(self, step):
        flat = self.flats[step["optimizer"]]
        with library():
            self.made["stepped"] = self.take(flat, self.loss_scale.value, self.enabled)
        self.made["found_non_finite"] = flat.overflow

    def update(self, step):
        with library():
            if self.enabled:
                self.loss_scale.update(any(f.overflow for f in self.flats.values()))

    def zero_grad(self, step):
        with library():
            self.flats[step["optimizer"]].clear(step.get("to_none", True))

    def save_load(self, step):
        with library():
            text = json.dumps([vars(self.loss_scale), [
                {"weights": f.weights, "momentum": f.momentum} for f in self.flats.values()]])
            scale, flats = json.loads(text)
            vars(self.loss_scale).update(scale)
            for flat, saved in zip(self.flats.values(), flats):
                flat.clear(True)
                vars(flat).update(saved)

    def look(self, name):
        kind, *rest = name.split("/")
        if kind == "scale":
            return numbers.from_float(self.loss_scale.value, "binary32")
        if kind == "growth_count":
            return self.loss_scale.clean
        if not rest:
            return self.made.get(kind)
        flat = self.holder(rest[0])
        form, shape, begin, end = next(x[1:] for x in flat.layout if x[0] == rest[0])
        if kind == "parameter":
            return numbers.from_floats(flat.weights[begin:end], form, shape)
        if kind == "gradient":
            return {"unit": "cleared"} if flat.grads is None else {
                **numbers.from_floats(flat.grads[begin:end], "binary32", shape), "unit": flat.unit}
        return None if flat.momentum is None else numbers.from_floats(flat.momentum[begin:end],
                                                                     "binary32", shape)


def play(session=Loop, name="flat_loop"):
    serve({**HELLO, "name": name}, session)


if __name__ == "__main__":
    play()
