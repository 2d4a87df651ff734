"""A training loop of pure functions over an immutable state, in the manner of Flax and optax.

Every micro-batch is unscaled as it comes and added to a sum of unscaled gradients. The schedule is
that of Flax's DynamicScale: the scale grows after N + 1 clean steps, no further than to the largest
finite number, and backs off no lower than to 2^-126. An inf or NaN skips every optimizer.
"""
import functools
import math
import os
import sys
from typing import NamedTuple, Optional

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../subject/adapters/python"))
from ampcheck import numbers
from ampcheck.protocol import Session, Unsupported, library, serve

LARGEST, FLOOR = float.fromhex("0x1.fffffep127"), 2.0**-126


def rounded(xs):
    return tuple(numbers.rounded(list(xs), "binary32"))


def finite(xs):
    return all(map(math.isfinite, xs))


class Scale(NamedTuple):
    value: float
    growth_factor: float
    backoff_factor: float
    interval: int
    enabled: bool
    clean_steps: int = 0


class Leaf(NamedTuple):
    """A parameter, the sum of its unscaled gradients, and its optimizer's state."""
    value: tuple
    shape: tuple
    gradient: Optional[tuple] = None
    fresh: bool = True  # nothing was added since the gradients were cleared
    bad: bool = False  # a gradient that was added, or their sum, was not finite
    slots: tuple = ()  # pairs of a name and a value


class State(NamedTuple):
    scale: Optional[Scale] = None
    leaves: tuple = ()  # pairs of a name and a Leaf
    rules: tuple = ()  # pairs of an optimizer's name and (kind, hyper-parameters, names of leaves)


def mapped(function, names, state):
    """The state with the function applied to these leaves."""
    return state._replace(leaves=tuple(
        (name, function(leaf) if name in names else leaf) for name, leaf in state.leaves))


def owned(state, optimizers):
    return frozenset(n for o, (_, _, names) in state.rules if o in optimizers for n in names)


# ---- micro-batches ----------------------------------------------------------------------------
def add(scale, arrived, leaf):
    """One micro-batch: unscaled, then added."""
    gradient = rounded(x / scale.value for x in arrived)
    total = gradient if leaf.fresh else rounded(map(float.__add__, leaf.gradient, gradient))
    return leaf._replace(gradient=total, fresh=False, bad=leaf.bad or not finite(total))


def cleared(to_none, leaf):
    gradient = None if to_none or leaf.gradient is None else (0.0,) * len(leaf.gradient)
    return leaf._replace(gradient=gradient, fresh=True, bad=False)


def any_bad(state):
    return any(leaf.bad for _, leaf in state.leaves if not leaf.fresh)


# ---- clips ------------------------------------------------------------------------------------
def global_norm(state, names):
    squares = (x * x for n, leaf in state.leaves if n in names and not leaf.fresh
               for x in leaf.gradient)
    root = math.sqrt(sum(squares))
    norm, = rounded([root])
    return root if math.isinf(norm) else norm  # beyond binary32 it clips in binary64


def clipped_to_norm(norm, limit, leaf):
    """As optax has it: the gradient over the norm, times the limit, where the limit is exceeded."""
    if norm < limit or leaf.fresh or not math.isfinite(norm):
        return leaf
    return leaf._replace(gradient=rounded(
        x * limit for x in rounded(x / norm for x in leaf.gradient)))


def clipped_to_value(limit, leaf):
    bound = lambda x: x if not math.isfinite(x) else sorted((-limit, x, limit))[1]
    return leaf if leaf.fresh else leaf._replace(gradient=tuple(map(bound, leaf.gradient)))


# ---- steps ------------------------------------------------------------------------------------
def combine(a, xs, b, ys):
    """a·x + b·y, each product and the sum rounded."""
    return rounded(map(float.__add__, rounded(a * x for x in xs), rounded(b * y for y in ys)))


def sgd(leaf, hyper):
    decay, momentum, lr = hyper["weight_decay"], hyper["momentum"], hyper["lr"]
    trace, = (v for n, v in leaf.slots if n == "momentum_buffer") if leaf.slots else (None,)
    decayed = combine(1.0, leaf.gradient, decay, leaf.value) if decay else leaf.gradient
    share, = rounded([1.0 - hyper["dampening"]])
    if momentum and trace:
        decayed = combine(momentum, trace, share, decayed)
    return leaf._replace(value=combine(1.0, leaf.value, -lr, decayed),
                         slots=(("momentum_buffer", decayed),) if momentum else ())


def adam(leaf, hyper, decoupled=False):
    decay, b1, b2, lr = (hyper[k] for k in ("weight_decay", "beta1", "beta2", "lr"))
    zeros = (0.0,) * len(leaf.value)
    slots = dict(leaf.slots) or {"exp_avg": zeros, "exp_avg_sq": zeros, "step": 0}
    count, g = slots["step"] + 1, leaf.gradient
    if decay and not decoupled:
        g = combine(1.0, g, decay, leaf.value)
    rest1, rest2, far1, far2 = rounded([1.0 - b1, 1.0 - b2, 1.0 - b1**count, 1.0 - b2**count])
    m = combine(b1, slots["exp_avg"], rest1, g)
    v = combine(b2, slots["exp_avg_sq"], rest2, rounded(x * x for x in g))
    roots = rounded(map(math.sqrt, rounded(x / far2 for x in v)))
    direction = rounded(quotient(x, y) for x, y in zip(
        rounded(x / far1 for x in m), rounded(r + hyper["eps"] for r in roots)))
    value = leaf.value
    if decay and decoupled:
        value = combine(1.0, value, -rounded([lr * decay])[0], value)
    return leaf._replace(value=combine(1.0, value, -lr, direction), slots=(
        ("exp_avg", m), ("exp_avg_sq", v), ("step", count)))


def quotient(x, y):
    return x / y if y else x * math.inf


RULES = {"sgd": sgd, "adam": adam, "adamw": functools.partial(adam, decoupled=True)}


def stepped(state, optimizer):
    """The next state, and whether the step was taken."""
    if state.scale.enabled and any_bad(state):
        return state, False
    kind, hyper, names = dict(state.rules)[optimizer]
    rule = RULES[kind]
    return mapped(lambda leaf: leaf if leaf.fresh else rule(leaf, hyper), names, state), True


# ---- the scale --------------------------------------------------------------------------------
def updated(scale, bad):
    if not scale.enabled:
        return scale
    if bad:
        lower, = rounded([scale.value * scale.backoff_factor])
        return scale._replace(value=max(lower, min(FLOOR, scale.value)), clean_steps=0)
    if scale.clean_steps == scale.interval:
        higher, = rounded([scale.value * scale.growth_factor])
        return scale._replace(value=min(higher, LARGEST), clean_steps=0)
    return scale._replace(clean_steps=scale.clean_steps + 1)


def saved(state):
    """Numbers as text: repr() gives as many digits as bring back the same number."""
    return repr(state._replace(leaves=tuple((n, cleared(True, leaf)) for n, leaf in state.leaves)))


def loaded(text):
    return eval(text, {"State": State, "Leaf": Leaf, "Scale": Scale, "inf": math.inf,
                       "nan": math.nan})


# ---- the adapter ------------------------------------------------------------------------------
HELLO = {
    "name": "functional_loop", "version": "1", "language": "python", "profiles": ["loop"],
    "operations": ["scaler", "optimizer", "backward", "unscale", "clip_norm", "clip_value", "step",
                   "update", "zero_grad", "save_load", "observe"],
    "forms": {"sgd": ["loop"], "adam": ["loop"], "adamw": ["loop"]},
    "limits": {"elements": 64},  # immutable leaves are copied often
    "formats": {"loss": ["binary16", "bfloat16", "binary32"],
                "coefficient": ["binary16", "bfloat16", "binary32"], "parameter": ["binary32"]},
    "policy": {
        "unscale": "division", "unscale_format": "binary32", "output_format": "binary32",
        "scale_format": "binary32", "factor_format": "binary32", "growth_rule": "n_plus_one",
        "growth_limit": "clamp", "floor": numbers.from_float(FLOOR, "binary32"),
        "accumulation": "unscaled", "update_at": "window", "skip_scope": "all",
        "norm_input": "unscaled", "norm_algorithm": "sum_of_squares",
        "clip_formula": "quotient", "clip_epsilon": numbers.from_float(0.0, "binary32"),
        "unneeded_clip": "identity", "step_arithmetic": "separate",
    },
}


class Loop(Session):
    """Keeps the state between the functions. A mistake replaces one of them."""

    add, clear, bad = staticmethod(add), staticmethod(cleared), staticmethod(any_bad)
    norm_clip, save, take = (staticmethod(f) for f in (clipped_to_norm, saved, stepped))
    next_scale = staticmethod(updated)

    def __init__(self, case):
        super().__init__(case)
        self.state = State()

    def scaler(self, step):
        enabled = step.get("enabled", True)
        scale, growth, backoff = rounded(numbers.to_float(step[k]) for k in (
            "init_scale", "growth_factor", "backoff_factor"))
        self.state = self.state._replace(scale=Scale(
            scale if enabled else 1.0, growth, backoff, numbers.integer(step["growth_interval"]),
            enabled))

    def optimizer(self, step):
        if any("same_as" in p for p in step["parameters"]):
            raise Unsupported("a leaf has one name")
        names = [p["name"] for p in step["parameters"]]
        leaves = tuple(Leaf(tuple(numbers.to_floats(p["initial"])), tuple(p["initial"]["shape"]))
                       for p in step["parameters"])
        hyper = dict.fromkeys(("lr", "momentum", "dampening", "weight_decay"), 0.0)
        hyper.update({k: rounded([numbers.to_float(x)])[0] for k, x in step["hyper"].items()})
        self.state = self.state._replace(
            leaves=self.state.leaves + tuple(zip(names, leaves)),
            rules=self.state.rules + ((step["name"], (step["kind"], hyper, names)),))

    def backward(self, step):
        form, divide = step["loss"]["format"], numbers.integer(step.get("divide", 1))
        seed, = numbers.rounded([self.state.scale.value], form)
        cotangent, = numbers.rounded([seed / divide], form)
        for c in step["coefficients"]:
            arrived = numbers.rounded([cotangent * x for x in numbers.to_floats(c["values"])],
                                      c.get("format", c["values"]["format"]))
            with library():
                self.state = mapped(functools.partial(self.add, self.state.scale, arrived),
                                    (c["parameter"],), self.state)
        self.made.update(seed=numbers.from_float(seed, form),
                         cotangent=numbers.from_float(cotangent, form))
        return {"by": "adapter"}

    def unscale(self, step):  # every micro-batch has been
        self.found(step)

    def found(self, step):
        if self.state.scale.enabled:
            names = owned(self.state, (step["optimizer"],))
            self.made["found_non_finite"] = any(
                leaf.bad for n, leaf in self.state.leaves if n in names and not leaf.fresh)

    def clip_norm(self, step):
        limit, = rounded([numbers.to_float(step["limit"])])
        names = owned(self.state, step["optimizers"])
        with library():
            norm = global_norm(self.state, names)
            self.state = mapped(functools.partial(self.norm_clip, norm, limit), names, self.state)
        self.made["norm"] = numbers.from_float(norm, "binary32")

    def clip_value(self, step):
        limit, = rounded([numbers.to_float(step["limit"])])
        with library():
            self.state = mapped(functools.partial(clipped_to_value, limit),
                                owned(self.state, step["optimizers"]), self.state)

    def step(self, step):
        with library():
            self.state, self.made["stepped"] = self.take(self.state, step["optimizer"])
        self.found(step)

    def update(self, step):
        with library():
            self.state = self.state._replace(
                scale=self.next_scale(self.state.scale, self.bad(self.state)))

    def zero_grad(self, step):
        with library():
            self.state = mapped(functools.partial(self.clear, step.get("to_none", True)),
                                owned(self.state, (step["optimizer"],)), self.state)

    def save_load(self, step):
        with library():
            self.state = loaded(self.save(self.state))

    def look(self, name):
        kind, *rest = name.split("/")
        if kind in ("scale", "growth_count"):
            scale = self.state.scale
            return numbers.from_float(scale.value, "binary32") if kind == "scale" else (
                scale.clean_steps)
        if not rest:
            return self.made.get(kind)
        leaf = dict(self.state.leaves)[rest[0]]
        if kind == "parameter":
            return numbers.from_floats(list(leaf.value), "binary32", leaf.shape)
        if kind == "gradient":
            unit = {"unit": "cleared" if leaf.fresh else "unscaled"}
            return unit if leaf.gradient is None else {
                **numbers.from_floats(list(leaf.gradient), "binary32", leaf.shape), **unit}
        value = dict(leaf.slots).get(rest[1])
        if value is None:
            return None
        return (numbers.from_floats([float(value)], "binary32", []) if rest[1] == "step" else
                numbers.from_floats(list(value), "binary32", leaf.shape))


def play(session=Loop, name="functional_loop"):
    serve({**HELLO, "name": name}, session)


if __name__ == "__main__":
    play()
