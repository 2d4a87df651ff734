"""The adapter of a training loop in plain Python: an example to copy.

    ampcheck run "process:python3 plain_loop.py"

What is judged is `plain_training.py`. The adapter turns the steps of a case into calls of it, shows
what they made, and computes nothing. Whoever judges code of their own has that file already, and
writes this one.
"""
import os
import pickle
import sys

# Copies of these files elsewhere need the folder of the package on PYTHONPATH instead.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import plain_training as training
from ampcheck import numbers
from ampcheck.protocol import Session, library, serve

HELLO = {
    "name": "plain_loop", "version": "1", "language": "python", "profiles": ["tokens"],
    "operations": ["scaler", "optimizer", "backward", "own_product", "token_window", "unscale",
                   "clip_norm", "clip_value", "step", "update", "zero_grad", "save_load",
                   "observe", "misuse", "class_weights", "shift", "master_weights",
                   "schedule", "recipe", "recipe_accumulate", "recipe_weight_decay",
                   "recipe_warm_up", "recipe_linear_lr"],
    "forms": {"sgd": ["loop"], "adam": ["loop"], "adamw": ["loop"]},
    "formats": {
        "loss": ["binary16", "bfloat16", "binary32"],
        "coefficient": ["float8_e4m3fn", "float8_e5m2", "binary16", "bfloat16", "binary32"],
        "parameter": ["binary16", "bfloat16", "binary32"],
    },
    "policy": {  # what the code above does where right implementations differ
        "unscale": "division", "unscale_format": "binary32", "output_format": "gradient",
        "scale_format": "binary32", "factor_format": "binary32", "growth_rule": "n",
        "growth_limit": "refuse", "floor": numbers.from_float(training.Scaler.FLOOR),
        "accumulation": "scaled", "update_at": "window", "norm_input": "unscaled",
        "norm_algorithm": "sum_of_squares", "clip_formula": "quotient",
        "clip_epsilon": numbers.from_float(0.0), "unneeded_clip": "identity",
        "step_arithmetic": "separate",
    },
}


class PlainLoop(Session):
    """What stands in `library()` is judged: an exception of it is an answer, any other a fault of
    the adapter."""

    most_ranks = 1024  # all have the same weights, so that one copy will do

    def __init__(self, case):
        super().__init__(case)
        self.loss_scaler, self.optimizers, self.parameters, self.owner = None, {}, {}, {}

    def scaler(self, step):
        settings = [numbers.to_float(step[name])
                    for name in ("init_scale", "growth_factor", "backoff_factor")]
        with library():
            self.loss_scaler = training.Scaler(*settings, numbers.integer(step["growth_interval"]),
                                      step.get("enabled", True))

    def optimizer(self, step):
        for one in step["parameters"]:
            if "same_as" in one:
                made = self.parameters[one["same_as"]]
            else:
                initial = one["initial"]
                made = training.Parameter(numbers.to_floats(initial), initial["format"],
                                          initial["shape"])
            self.parameters[one["name"]] = made
        names = [one["name"] for one in step["parameters"]]
        owned = [self.parameters[name] for name in names]
        settings = {"lr": 0.0, **{k: numbers.to_float(x) for k, x in step["hyper"].items()}}
        with library():
            if step["kind"] == "sgd":
                made = training.Sgd(owned, **settings,
                                    master_weights=step.get("master_weights", False))
            else:
                made = training.Adam(owned, **settings, decoupled=step["kind"] == "adamw")
            made.schedule = [numbers.to_float(rate) for rate in step.get("schedule", ())]
        self.optimizers[step["name"]] = made
        self.owner.update(dict.fromkeys(names, made))

    def backward(self, step):
        coefficients = [
            (self.parameters[one["parameter"]], numbers.to_floats(one["values"]),
             one.get("format", one["values"]["format"])) for one in step["coefficients"]]
        loss_format, divide = step["loss"]["format"], numbers.integer(step.get("divide", 1))
        with library():
            loss, seed, cotangent = training.backward(
                self.loss_scaler, numbers.to_float(step["loss"]), coefficients, loss_format, divide)
        self.made.update(loss=numbers.from_float(loss, loss_format),
                         seed=numbers.from_float(seed, loss_format),
                         cotangent=numbers.from_float(cotangent, loss_format))

    def token_window(self, step):
        parameter = self.parameters[step["parameter"]]
        n = len(parameter.values)

        ignored = numbers.integer(step.get("ignore_index", -100))
        averages = step.get("reducer", "mean") == "mean"
        weights = step.get("class_weights")
        weights = None if weights is None else numbers.to_floats(weights)

        def tokens(given):
            c = numbers.to_floats(given["coefficients"])
            labels = list(map(numbers.integer, given["labels"]))
            if numbers.integer(step.get("shift", 0)):
                with library():
                    labels = training.next_labels(labels, numbers.integer(given.get("rows", 1)),
                                                  ignored)
            return list(zip(
                labels, map(numbers.integer, given["times"]), numbers.to_floats(given["losses"]),
                [c[t * n:(t + 1) * n] for t in range(len(labels))]))

        ranks = [[tokens(micro_batch) for micro_batch in rank] for rank in step["ranks"]]
        with library():
            loss = training.backward_tokens(self.loss_scaler, parameter, ranks, ignored, averages,
                                            weights)
        self.made["loss"] = numbers.from_float(loss)

    def unscale(self, step):
        optimizer = self.optimizers[step["optimizer"]]
        with library():
            self.loss_scaler.unscale(optimizer)
        self.made["found_non_finite"] = self.loss_scaler.found.get(optimizer, False)

    def clip_norm(self, step):
        optimizers, limit = [self.optimizers[o] for o in step["optimizers"]], step["limit"]
        with library():
            norm = training.clip_norm(self.loss_scaler, optimizers, numbers.to_float(limit))
        self.made["norm"] = numbers.from_float(norm)

    def clip_value(self, step):
        optimizers, limit = [self.optimizers[o] for o in step["optimizers"]], step["limit"]
        with library():
            training.clip_value(self.loss_scaler, optimizers, numbers.to_float(limit))

    def step(self, step):
        optimizer = self.optimizers[step["optimizer"]]
        with library():
            self.made["stepped"] = self.loss_scaler.step(optimizer)
        self.made["found_non_finite"] = self.loss_scaler.found.get(optimizer, False)

    def update(self, step):
        with library():
            self.loss_scaler.update()

    def zero_grad(self, step):
        optimizer = self.optimizers[step["optimizer"]]
        with library():
            optimizer.zero_grad(step.get("to_none", True))

    def save_load(self, step):
        # Pickled together, because names that shared a tensor have to share it afterwards.
        everything = self.loss_scaler, self.optimizers, self.parameters, self.owner
        with library():
            everything = pickle.loads(pickle.dumps(everything))
        self.loss_scaler, self.optimizers, self.parameters, self.owner = everything

    def recipe(self, step):
        count = {name: numbers.integer(step[name])
                 for name in ("nominal_batch", "batch", "warm_up", "micro_batches", "epochs",
                              "base_batch", "step") if name in step}
        batch, nominal = count["batch"], count.get("nominal_batch")
        with library():
            if step["recipe"] == "accumulate":
                self.made["accumulate"] = training.micro_batches(nominal, batch)
            elif step["recipe"] == "weight_decay":
                self.made["weight_decay"] = numbers.from_float(training.scaled_weight_decay(
                    numbers.to_float(step["weight_decay"]), nominal, batch))
            elif step["recipe"] == "warm_up":
                self.made["window_ends"] = training.window_ends(
                    nominal, batch, count["warm_up"], count["micro_batches"],
                    count.get("epochs", 1))
            else:
                self.made["learning_rate"] = numbers.from_float(training.scaled_rate(
                    numbers.to_float(step["lr"]), count["base_batch"], batch, count["warm_up"],
                    count["step"]))

    def look(self, name):
        value, ranks = self._look(*name.split("/")), self.case.get("ranks", 1)
        return value if ranks == 1 else [value] * ranks

    def _look(self, kind, parameter=None, slot=None):
        if kind == "scale":
            return numbers.from_float(self.loss_scaler.scale)
        if kind == "growth_count":
            return self.loss_scaler.growth_count
        if parameter is None:
            return self.made.get(kind)
        p = self.parameters[parameter]
        if kind == "parameter":
            return numbers.from_floats(p.values, p.format, p.shape)
        if kind == "master":
            return None if p.master is None else numbers.from_floats(p.master, "binary32", p.shape)
        if kind == "gradient":
            if p.gradient is None:
                return {"unit": p.unit}
            return {**numbers.from_floats(p.gradient, "binary32", p.shape), "unit": p.unit}
        value = self.owner[parameter].state[p].get(slot)
        if value is None:
            return None
        values, shape = ([value], []) if slot == "step" else (value, p.shape)
        return numbers.from_floats(values, "binary32", shape)


if __name__ == "__main__":
    serve(HELLO, PlainLoop)
