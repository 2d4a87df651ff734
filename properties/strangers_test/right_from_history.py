"""Right: a loop that keeps no state and has no floating point.

What it shows after a step is a function of the steps so far: a scale of the updates, a gradient of
the micro-batches since it was cleared, a parameter of the steps taken. Numbers are exact, and
rounded once where they are shown: sums of micro-batches, clipped gradients, the mean of tokens.
"""
import json
import sys

from fixed_point import (ONE, UNIT, elements_of, is_finite, nearest, nearest_binary, nearest_root,
                         negative, over, rounded, scalar_of, times, to_scalar, to_tensor, total,
                         whole)

F = "binary32"
LEAST_SCALE, LARGEST_SCALE = 1, ONE << 126  # units: 2^-149, and 2^126


class History:
    def __init__(self, case):
        self.steps = case["steps"]
        self.ranks = case.get("ranks", 1)
        self.shapes, self.owner, self.hyper, self.kind, self.start = {}, {}, {}, {}, {}
        self.owns = {}
        for s in self.steps:
            if s["op"] == "optimizer":
                self.kind[s["name"]] = s["kind"]
                self.hyper[s["name"]] = {k: scalar_of(x) for k, x in s["hyper"].items()}
                self.owns[s["name"]] = [p["name"] for p in s["parameters"]]
                for p in s["parameters"]:
                    self.owner[p["name"]] = s["name"]
                    self.shapes[p["name"]] = p["initial"]["shape"], p["initial"]["format"]
                    self.start[p["name"]] = elements_of(p["initial"])
        self.made = next(s for s in self.steps if s["op"] == "scaler")
        self.enabled = self.made.get("enabled", True)
        self.up, self.down = (scalar_of(self.made[k])
                              for k in ("growth_factor", "backoff_factor"))
        self.memory = {}

    def ask(self, what, *about):
        key = what.__name__, about
        if key not in self.memory:
            self.memory[key] = what(*about)
        return self.memory[key]

    # ---- the scale: its value, and clean updates since it moved ---------------------------------
    def scale(self, t):
        return self.ask(self._scale, t)

    def _scale(self, t):
        if t == 0:
            return (scalar_of(self.made["init_scale"]) if self.enabled else ONE), 0
        value, clean = self.scale(t - 1)
        if self.steps[t - 1]["op"] != "update" or not self.enabled:
            return value, clean
        if any(self.found(o, t - 1) for o in self.kind):
            return max(times(value, self.down, F), min(value, LEAST_SCALE)), 0
        if clean + 1 < int(self.made["growth_interval"]):
            return value, clean + 1
        higher = times(value, self.up, F)
        return (value if higher == "inf" or higher > LARGEST_SCALE else higher), 0

    # ---- gradients ------------------------------------------------------------------------------
    def arrived(self, name, t):
        """Exact sums of what came since the gradient was cleared, or None."""
        return self.ask(self._arrived, name, t)

    def _arrived(self, name, t):
        s = self.steps[t - 1] if t else {"op": "nothing"}
        if t == 0 or s["op"] == "save_load":
            return None
        before = self.arrived(name, t - 1)
        if s["op"] == "zero_grad" and s["optimizer"] == self.owner[name]:
            return None
        if s["op"] == "backward":
            for c in s["coefficients"]:
                if c["parameter"] == name:
                    form = c.get("format", c["values"]["format"])
                    new = [times(self.cotangent(t)[1], x, form) for x in elements_of(c["values"])]
                    return new if before is None else [total(pair) for pair in zip(before, new)]
        if s["op"] == "token_window" and s["parameter"] == name:
            return self.mean_of_tokens(t)[0]
        return before

    def cotangent(self, t):
        """The seed of a micro-batch, and what a division leaves of it."""
        s = self.steps[t - 1]
        form = s["loss"]["format"]
        seed = rounded(self.scale(t)[0], form)
        divide = int(s.get("divide", 1))
        return seed, nearest(seed, divide, form) if is_finite(seed) else seed

    def mean_of_tokens(self, t):
        return self.ask(self._mean_of_tokens, t)

    def _mean_of_tokens(self, t):
        s = self.steps[t - 1]
        n = len(self.start[s["parameter"]])
        gradients, losses, count = [[] for _ in range(n)], [], 0
        for micro in (m for rank in s["ranks"] for m in rank):
            c, loss = elements_of(micro["coefficients"]), elements_of(micro["losses"])
            for i, (label, copies) in enumerate(zip(micro["labels"], map(int, micro["times"]))):
                if int(label) != int(s.get("ignore_index", -100)) and copies:
                    count += copies
                    losses.append(many(copies, loss[i]))
                    for j in range(n):
                        gradients[j].append(many(copies, c[i * n + j]))
        scale = self.scale(t)[0]
        return ([mean(total(g), scale, count) for g in gradients],
                mean(total(losses), ONE, count))

    def gradient(self, name, t):
        """Its unit and its elements."""
        return self.ask(self._gradient, name, t)

    def _gradient(self, name, t):
        s = self.steps[t - 1] if t else {"op": "save_load"}
        if s["op"] == "save_load":
            return "cleared", None
        unit, xs = before = self.gradient(name, t - 1)
        op, mine = s["op"], self.owner[name]
        if op == "zero_grad" and s["optimizer"] == mine:
            keeps = xs is not None and not s.get("to_none", True)
            return "cleared", [0] * len(xs) if keeps else None
        if op == "token_window" and s["parameter"] == name or op == "backward" and any(
                c["parameter"] == name for c in s["coefficients"]):
            return ("scaled" if self.enabled else "unscaled",
                    [rounded(x, F) for x in self.arrived(name, t)])
        if op in ("unscale", "step") and s["optimizer"] == mine and unit == "scaled":
            return "unscaled", [over(x, self.scale(t)[0], F) for x in xs]
        if op in ("clip_norm", "clip_value") and mine in s["optimizers"] and unit != "cleared":
            limit = scalar_of(s["limit"])
            return unit, self.to_norm(xs, limit, t) if op == "clip_norm" else [
                x if not is_finite(x) or abs(whole(x)) <= limit else limit if x > 0 else -limit
                for x in xs]
        return before

    def live(self, optimizers, t):
        return [xs for o in optimizers for unit, xs in (
            self.gradient(name, t) for name in self.owns[o]) if unit != "cleared"]

    def squares(self, t):
        """The sum before a clip, or None where that is no number."""
        return self.ask(self._squares, t)

    def _squares(self, t):
        xs = [x for g in self.live(self.steps[t - 1]["optimizers"], t - 1) for x in g]
        return sum(whole(x)**2 for x in xs) if all(map(is_finite, xs)) else None

    def to_norm(self, xs, limit, t):
        """limit·x/norm, rounded once."""
        squares = self.squares(t)
        if squares is None or squares <= limit * limit:
            return xs
        sizes = (x if not whole(x) else nearest_root((x * limit)**2, squares, F) for x in xs)
        return [size if x == "-0" or x >= 0 else negative(size) for x, size in zip(xs, sizes)]

    # ---- skipping and steps ---------------------------------------------------------------------
    def found(self, optimizer, t):
        """Whether it has an inf or NaN, once it has been looked for; None before."""
        return self.ask(self._found, optimizer, t)

    def _found(self, optimizer, t):
        s = self.steps[t - 1] if t else {"op": "update"}
        if s["op"] == "update" or not self.enabled:
            return None
        before = self.found(optimizer, t - 1)
        if s["op"] in ("unscale", "step") and s["optimizer"] == optimizer and before is None:
            return not all(is_finite(x) for xs in self.live([optimizer], t) for x in xs)
        return before

    def parameter(self, name, t):
        """Its elements and its optimizer's state."""
        return self.ask(self._parameter, name, t)

    def _parameter(self, name, t):
        if t == 0:
            return self.start[name], {}
        s, before = self.steps[t - 1], self.parameter(name, t - 1)
        if s["op"] != "step" or s["optimizer"] != self.owner[name]:
            return before
        unit, gradient = self.gradient(name, t)
        if unit == "cleared" or self.found(self.owner[name], t):
            return before
        return sgd(*before, gradient, self.hyper[self.owner[name]], self.shapes[name][1])

    # ---- what is shown --------------------------------------------------------------------------
    def look(self, name, t):
        s, (kind, *about) = self.steps[t - 1], name.split("/")
        if kind == "scale":
            return to_scalar(self.scale(t)[0], F)
        if kind == "growth_count":
            return self.scale(t)[1]
        if kind in ("seed", "cotangent"):
            return to_scalar(self.cotangent(t)[kind == "cotangent"], s["loss"]["format"])
        if kind == "found_non_finite":
            return bool(self.found(s["optimizer"], t))
        if kind == "stepped":
            return not self.found(s["optimizer"], t)
        if kind == "norm":
            squares = self.squares(t)
            return None if squares is None else to_scalar(nearest_root(squares, 1, F), F)
        if kind == "loss":
            return to_scalar(rounded(self.mean_of_tokens(t)[1], F), F) if (
                s["op"] == "token_window") else None
        shape, form = self.shapes[about[0]]
        if kind == "parameter":
            return to_tensor(self.parameter(about[0], t)[0], shape, form)
        if kind == "gradient":
            unit, xs = self.gradient(about[0], t)
            return {"unit": unit} if xs is None else {**to_tensor(xs, shape, F), "unit": unit}
        state = self.parameter(about[0], t)[1].get(about[1])
        return None if state is None else to_tensor(state, shape, F)


def many(copies, x):
    """Integers, so that no number of copies is too large."""
    return copies * x if isinstance(x, int) else x


def mean(amount, scale, count):
    """scale·amount/count, rounded once."""
    if not is_finite(amount) or whole(amount) == 0:
        return amount
    return nearest(amount * scale, count << UNIT, F)


def fused(a, x, y):
    """a·x + y of numbers, rounded once."""
    if all(isinstance(n, int) for n in (a, x, y)):
        exact = a * x + (y << UNIT)
        if exact:
            return nearest_binary(exact, UNIT, F)
    return rounded(total([times(a, x, F), y]), F)


def sgd(weights, state, direction, hyper, form):
    decay, momentum = hyper.get("weight_decay", 0), hyper.get("momentum", 0)
    if decay:
        direction = [fused(decay, w, d) for w, d in zip(weights, direction)]
    if momentum:
        if state:
            kept = rounded(ONE - whole(hyper.get("dampening", 0)), F)
            direction = [fused(momentum, m, times(kept, d, F))
                         for m, d in zip(state["momentum_buffer"], direction)]
        state = {"momentum_buffer": direction}
    minus_lr = negative(hyper.get("lr", 0))
    moved = [fused(minus_lr, d, w) for w, d in zip(weights, direction)]
    return [rounded(w, form) for w in moved], state


HELLO = {
    "name": "right_from_history", "version": "1", "language": "python", "profiles": ["tokens"],
    "operations": ["scaler", "optimizer", "backward", "token_window", "unscale", "clip_norm",
                   "clip_value", "step", "update", "zero_grad", "save_load", "observe"],
    "forms": {"sgd": ["loop"]}, "limits": {"elements": 255},
    "formats": {"loss": ["binary16", "bfloat16", "binary32"],
                "coefficient": ["float8_e5m2", "binary16", "bfloat16", "binary32"],
                "parameter": ["binary16", "bfloat16", "binary32"]},
    "policy": {
        "unscale": "division", "unscale_format": "binary32", "output_format": "binary32",
        "scale_format": "binary32", "factor_format": "binary32", "growth_rule": "n",
        "growth_limit": "refuse", "floor": to_scalar(LEAST_SCALE, F),
        "ceiling": to_scalar(LARGEST_SCALE, F), "accumulation": "scaled",
        "update_at": "window", "norm_input": "unscaled", "norm_algorithm": "sum_of_squares",
        "clip_formula": "exact", "clip_epsilon": to_scalar(0, F), "unneeded_clip": "identity",
        "step_arithmetic": "fused",
    },
}


def answers(case):
    if any("same_as" in p for s in case["steps"] for p in s.get("parameters", ())):
        return [{"unsupported": "two names of a parameter"}] * len(case["steps"])
    history = History(case)
    for t, s in enumerate(case["steps"], 1):
        seen = {name: history.look(name, t) for name in s.get("observe", ())}
        # What nobody looked at is asked for now, so that no answer has far to go back.
        for name in history.owner:
            history.parameter(name, t)
        history.scale(t)
        yield seen if history.ranks == 1 else {k: [v] * history.ranks for k, v in seen.items()}


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if "hello" in message:
            print(json.dumps({"hello": HELLO}), flush=True)
        elif "run" in message:
            case = message["run"]
            print(json.dumps({"case": case["id"], "answers": list(answers(case))}), flush=True)
        else:
            break
