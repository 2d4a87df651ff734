"""A training loop in classes that mirror PyTorch's: GradScaler, SGD, Adam, clip_grad_norm_.

It multiplies by a reciprocal, takes the norm of the tensors' norms, adds an epsilon to it and
multiplies by the clamped coefficient whether that is needed or not. Weights are in binary32.
"""
import copy
import math
import os
import sys
from array import array

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../subject/adapters/python"))
from ampcheck import numbers
from ampcheck.protocol import Session, library, serve


def single(value):
    return array("f", [value])[0]


class Tensor:
    def __init__(self, data, shape):
        self.data, self.shape, self.grad, self.unit = array("f", data), shape, None, "cleared"

    def has_grad(self):
        return self.grad is not None and self.unit != "cleared"


class GradScaler:
    SMALLEST = 2.0**-100  # from here on backing off stops

    def __init__(self, init_scale, growth_factor, backoff_factor, growth_interval, enabled):
        self.scale = single(init_scale) if enabled else 1.0
        self.growth_factor, self.backoff_factor = single(growth_factor), single(backoff_factor)
        self.growth_interval, self.growth_tracker = growth_interval, 0
        self.enabled = enabled
        self.found_inf = {}  # id of an optimizer: whether it has one, from unscaling to update

    def inverse(self):
        return single(1.0 / self.scale)

    def accumulate(self, tensors_and_gradients):
        for tensor, gradient in tensors_and_gradients:
            tensor.unit = "scaled" if self.enabled else "unscaled"
            if tensor.grad is None:
                tensor.grad = array("f", gradient)
            else:
                tensor.grad = array("f", map(float.__add__, tensor.grad, gradient))

    def unscale_(self, optimizer):
        if not self.enabled:
            return
        if optimizer.key in self.found_inf:
            raise RuntimeError("unscale_() has already been called since the last update()")
        found, inverse = False, self.inverse()
        for tensor in optimizer.params:
            if tensor.has_grad():
                found = found or not all(map(math.isfinite, tensor.grad))
                if tensor.unit == "scaled":
                    tensor.grad = array("f", [x * inverse for x in tensor.grad])
                    tensor.unit = "unscaled"
                # An inverse above 1 makes an inf of a large gradient.
                found = found or not all(map(math.isfinite, tensor.grad))
        self.found_inf[optimizer.key] = found

    def step(self, optimizer):
        if self.enabled and optimizer.key not in self.found_inf:
            self.unscale_(optimizer)
        if self.enabled and self.found_inf[optimizer.key]:
            return False
        optimizer.step()
        return True

    def update(self):
        if not self.enabled:
            return
        if any(self.found_inf.values()):
            self.back_off()
        else:
            self.growth_tracker += 1
            if self.growth_tracker >= self.growth_interval:
                self.grow()
        self.found_inf = {}

    def back_off(self):
        lower = single(self.scale * self.backoff_factor)
        if lower >= self.SMALLEST:
            self.scale = lower
        elif self.scale > self.SMALLEST:
            self.scale = self.SMALLEST
        self.growth_tracker = 0

    def grow(self):
        higher = single(self.scale * self.growth_factor)
        # The reciprocal of a scale above 2^126 is subnormal: no scale grows beyond.
        self.scale = higher if higher <= 2.0**126 else max(self.scale, 2.0**126)
        self.growth_tracker = 0


class Optimizer:
    def __init__(self, key, params, settings):
        self.key, self.params, self.settings = key, params, settings
        self.state = [{} for _ in params]

    def zero_grad(self, set_to_none):
        for tensor in self.params:
            tensor.unit = "cleared"
            tensor.grad = None if set_to_none or tensor.grad is None else self.zeroed(tensor.grad)

    @staticmethod
    def zeroed(gradient):
        return array("f", bytes(4 * len(gradient)))

    def step(self):
        for tensor, state in zip(self.params, self.state):
            if tensor.has_grad():
                self.move(tensor, state, **self.settings)


class SGD(Optimizer):
    @staticmethod
    def move(tensor, state, lr, momentum=0.0, dampening=0.0, weight_decay=0.0):
        direction = tensor.grad
        if weight_decay:
            direction = [single(d + single(weight_decay * p))
                         for d, p in zip(direction, tensor.data)]
        if momentum:
            buffer = state.get("momentum_buffer")
            kept = single(1.0 - dampening)
            direction = state["momentum_buffer"] = array("f", direction if buffer is None else [
                single(momentum * b) + single(kept * d) for b, d in zip(buffer, direction)])
        for i, d in enumerate(direction):
            tensor.data[i] -= single(lr * d)


class Adam(Optimizer):
    decoupled = False

    def move(self, tensor, state, lr, beta1, beta2, eps, weight_decay=0.0):
        n = len(tensor.data)
        m = state.setdefault("exp_avg", array("f", bytes(4 * n)))
        v = state.setdefault("exp_avg_sq", array("f", bytes(4 * n)))
        t = state["step"] = state.get("step", 0) + 1
        bias1, bias2 = single(1.0 - beta1**t), single(math.sqrt(1.0 - beta2**t))
        step_size = single(lr / bias1)
        for i, g in enumerate(tensor.grad):
            if weight_decay and self.decoupled:
                tensor.data[i] *= single(1.0 - single(lr * weight_decay))
            elif weight_decay:
                g = single(g + single(weight_decay * tensor.data[i]))
            m[i] = single(beta1 * m[i]) + single(single(1.0 - beta1) * g)
            v[i] = single(beta2 * v[i]) + single(single(1.0 - beta2) * single(g * g))
            below = single(single(single(math.sqrt(v[i])) / bias2) + eps)
            if below:
                tensor.data[i] -= single(step_size * single(m[i] / below))
            elif m[i]:
                tensor.data[i] = -math.copysign(math.inf, m[i])
            else:
                tensor.data[i] = math.nan


class AdamW(Adam):
    decoupled = True


EPSILON = single(1e-6)


def norm(xs):
    """In binary64, where squares of binary32 numbers neither vanish nor overflow."""
    return math.sqrt(sum(x * x for x in xs))


def total_norm(tensors):
    total = norm([norm(t.grad) for t in tensors])
    return total if math.isinf(single(total)) else single(total)


def clip_grad_norm_(optimizers, limit):
    tensors = [t for o in optimizers for t in o.params if t.has_grad()]
    total = total_norm(tensors)
    # A norm beyond binary32 is left in binary64: limit/inf would clear the gradients.
    divisor = total if math.isinf(single(total)) else single(total + EPSILON)
    coefficient = min(single(limit / divisor), 1.0)
    for tensor in tensors:
        tensor.grad = array("f", [x * coefficient for x in tensor.grad])
    return total


def clip_grad_value_(optimizers, limit):
    for tensor in (t for o in optimizers for t in o.params if t.has_grad()):
        tensor.grad = array("f", [x if math.isnan(x) else min(max(x, -limit), limit)
                                  for x in tensor.grad])


HELLO = {
    "name": "class_loop", "version": "1", "language": "python", "profiles": ["loop"],
    "operations": ["scaler", "optimizer", "backward", "unscale", "clip_norm", "clip_value", "step",
                   "update", "zero_grad", "save_load", "observe"],
    "forms": {"sgd": ["loop"], "adam": ["loop"], "adamw": ["loop"]},
    "formats": {"loss": ["binary32", "binary16"], "coefficient": ["binary16", "binary32"],
                "parameter": ["binary32"]},
    "policy": {
        "unscale": "reciprocal_binary32", "unscale_format": "binary32",
        "output_format": "gradient", "scale_format": "binary32", "factor_format": "binary32",
        "growth_rule": "n", "growth_limit": "refuse", "accumulation": "scaled",
        "update_at": "window", "norm_input": "unscaled", "norm_algorithm": "of_tensor_norms",
        "clip_formula": "quotient", "clip_epsilon": numbers.from_float(EPSILON, "binary32"),
        "unneeded_clip": "multiplies", "step_arithmetic": "separate",
        "floor": numbers.from_float(GradScaler.SMALLEST),
        "ceiling": numbers.from_float(2.0**126),
    },
}


class Loop(Session):
    """The adapter. A mistake replaces one of these."""

    classes = {"sgd": SGD, "adam": Adam, "adamw": AdamW}
    scaler_class = GradScaler
    norm_clip = staticmethod(clip_grad_norm_)

    def __init__(self, case):
        super().__init__(case)
        self.all = {"optimizers": {}, "tensors": {}}

    def optimizers(self, step):
        return [self.all["optimizers"][name] for name in step["optimizers"]]

    def scaler(self, step):
        settings = [numbers.to_float(step[k])
                    for k in ("init_scale", "growth_factor", "backoff_factor")]
        with library():
            self.all["scaler"] = self.scaler_class(
                *settings, numbers.integer(step["growth_interval"]), step.get("enabled", True))

    def optimizer(self, step):
        tensors = self.all["tensors"]
        for one in step["parameters"]:
            tensors[one["name"]] = tensors[one["same_as"]] if "same_as" in one else Tensor(
                numbers.to_floats(one["initial"]), one["initial"]["shape"])
        settings = {"lr": 0.0, **{k: single(numbers.to_float(x)) for k, x in step["hyper"].items()}}
        names = [one["name"] for one in step["parameters"]]
        with library():
            self.all["optimizers"][step["name"]] = self.classes[step["kind"]](
                step["name"], [tensors[name] for name in names], settings)
        self.all["optimizers"][step["name"]].names = names

    def backward(self, step):
        scaler, form = self.all["scaler"], step["loss"]["format"]
        seed, = numbers.rounded([scaler.scale], form)
        cotangent, = numbers.rounded([seed / numbers.integer(step.get("divide", 1))], form)
        given = [(self.all["tensors"][c["parameter"]],
                  numbers.rounded([cotangent * x for x in numbers.to_floats(c["values"])],
                                  c.get("format", c["values"]["format"])))
                 for c in step["coefficients"]]
        with library():
            scaler.accumulate(given)
        self.made.update(seed=numbers.from_float(seed, form),
                         cotangent=numbers.from_float(cotangent, form))
        return {"by": "adapter"}

    def unscale(self, step):
        optimizer = self.all["optimizers"][step["optimizer"]]
        with library():
            self.all["scaler"].unscale_(optimizer)
        self.made["found_non_finite"] = self.all["scaler"].found_inf.get(optimizer.key)

    def clip_norm(self, step):
        limit = single(numbers.to_float(step["limit"]))
        with library():
            total = self.norm_clip(self.optimizers(step), limit)
        self.made["norm"] = numbers.from_float(total, "binary32")

    def clip_value(self, step):
        limit = single(numbers.to_float(step["limit"]))
        with library():
            clip_grad_value_(self.optimizers(step), limit)

    def step(self, step):
        optimizer = self.all["optimizers"][step["optimizer"]]
        with library():
            self.made["stepped"] = self.all["scaler"].step(optimizer)
        self.made["found_non_finite"] = self.all["scaler"].found_inf.get(optimizer.key)

    def update(self, step):
        with library():
            self.all["scaler"].update()

    def zero_grad(self, step):
        with library():
            self.all["optimizers"][step["optimizer"]].zero_grad(step.get("to_none", True))

    def save_load(self, step):
        for tensor in self.all["tensors"].values():  # gradients are not saved
            tensor.grad, tensor.unit = None, "cleared"
        with library():
            self.all = copy.deepcopy(self.all)

    def look(self, name):
        kind, *rest = name.split("/")
        if kind == "scale":
            return numbers.from_float(self.all["scaler"].scale, "binary32")
        if kind == "growth_count":
            return self.all["scaler"].growth_tracker
        if not rest:
            return self.made.get(kind)
        tensor = self.all["tensors"][rest[0]]
        if kind == "parameter":
            return numbers.from_floats(tensor.data, "binary32", tensor.shape)
        if kind == "gradient":
            return {"unit": "cleared"} if tensor.grad is None else {
                **numbers.from_floats(tensor.grad, "binary32", tensor.shape), "unit": tensor.unit}
        for optimizer in self.all["optimizers"].values():
            if rest[0] in optimizer.names:
                value = optimizer.state[optimizer.names.index(rest[0])].get(rest[1])
                if rest[1] == "step" and value is not None:
                    return numbers.from_floats([value], "binary32", [])
                return None if value is None else numbers.from_floats(value, "binary32",
                                                                      tensor.shape)
        return None


def play(session=Loop, name="class_loop"):
    serve({**HELLO, "name": name}, session)


if __name__ == "__main__":
    play()
