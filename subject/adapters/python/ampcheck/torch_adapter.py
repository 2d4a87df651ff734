"""torch as a subject: torch.amp.GradScaler, torch.optim and torch.nn.utils.clip_grad_*.

On the CPU, or with AMPCHECK_TORCH_DEVICE=cuda on a GPU.

    python -m ampcheck torch

The adapter translates between messages and torch's calls, and computes nothing itself but what
PROTOCOL.md §3 asks of `backward`. Needs torch 2.13 (requirements/torch.txt).
"""
import io

if __name__ == "__main__":
    from ampcheck.protocol import take_streams

    take_streams()  # before torch can print

import torch

from ampcheck import numbers
from ampcheck.protocol import Session, Unsupported, library, serve
from ampcheck.torch_loss import Coefficients, Gradient, Tap
from ampcheck.torch_tensors import DEVICE, DTYPES, from_message, to_message, to_scalar

_FORMS = ["loop", "foreach", "fused"]
_ALL = list(DTYPES)
# ValueError: Attempting to unscale FP16 gradients; fused optimizers unscale by themselves. On CUDA
# the kernel that checks them all has no bfloat16.
_CHECKED = [name for name in DTYPES if DEVICE == "cpu" or name != "bfloat16"]
_UNSCALED = [name for name in _CHECKED if name != "binary16"]

HELLO = {
    "name": "torch" if DEVICE == "cpu" else f"torch on {DEVICE}",
    "version": torch.__version__,
    "language": "python",
    "operations": ["scaler", "optimizer", "backward", "unscale", "clip_norm", "clip_value", "step",
                   "update", "zero_grad", "save_load", "observe", "misuse"],
    # An optimizer's found_inf before `step`, and whether a fused one was told to skip.
    "private": ["GradScaler._found_inf_per_device"],
    # clip_grad_norm_ takes any p; these are some.
    "norms": [*(numbers.from_float(p, "binary32") for p in (1.0, 2.0, 3.0)), "inf"],
    "forms": {"sgd": _FORMS, "adam": _FORMS, "adamw": _FORMS},
    "formats": {
        "loss": _ALL, "coefficient": _ALL, "parameter": _ALL,
        "unscale": _UNSCALED,
        "step/loop": _UNSCALED, "step/foreach": _UNSCALED, "step/fused": _CHECKED,
        "clip_norm": _ALL, "clip_value": _ALL,
    },
    "profiles": ["scaler", "loop"],
    "policy": {
        "unscale": "either",  # fused optimizers divide, everything else multiplies by RN32(1/S)
        "unscale_format": "binary32",
        "output_format": "gradient",
        "scale_format": "binary32",
        "factor_format": "binary64",
        "growth_rule": "n",
        "growth_limit": "refuse",
        "accumulation": "scaled",
        "update_at": "window",
        "norm_input": "unscaled",
        "norm_algorithm": "of_tensor_norms",
        "norm_format": "gradient",
        "clip_formula": "reciprocal_product",
        "clip_epsilon": numbers.from_float(1e-6),
        "unneeded_clip": "multiplies",
        "step_arithmetic": "either",
        "accumulator": "parameter",
    },
    "limits": {"missing_gradients": True},
}

# Per kind: the class, and its keyword arguments that have the names of hyper-parameters.
_OPTIMIZERS = {
    "sgd": ("SGD", ("lr", "momentum", "dampening", "weight_decay")),
    "adam": ("Adam", ("lr", "eps", "weight_decay")),
    "adamw": ("AdamW", ("lr", "eps", "weight_decay")),
}


class _Optimizer:
    """An optimizer of torch, with what is needed to build it once more.

    owned: names of its parameters; several may stand for one tensor.
    """

    def __init__(self, step, owned):
        class_name, numeric = _OPTIMIZERS[step["kind"]]
        hyper = {name: numbers.to_float(value) for name, value in step["hyper"].items()}
        self.settings = {name: hyper.get(name, 0.0) for name in numeric}
        if "beta1" in hyper:
            self.settings["betas"] = hyper["beta1"], hyper["beta2"]
        form = step.get("form", "loop")
        self.settings["foreach"], self.settings["fused"] = form == "foreach", form == "fused"
        self.make, self.fused, self.owned = getattr(torch.optim, class_name), form == "fused", owned

    def build(self, parameters):
        self.optimizer = self.make([parameters[name] for name in self.owned], **self.settings)
        self.optimizer.register_step_post_hook(self._called)
        self.called = False

    def _called(self, *_):
        self.called = True


class TorchSession(Session):
    def __init__(self, case):
        super().__init__(case)
        self.grad_scaler = None
        self.optimizers = {}
        self.tensors = {}  # parameter name -> tensor
        self.first_name = {}  # parameter name -> the name that its tensor was made under
        self.units = {}  # first name -> unit of its gradient

    # ---- making ----
    def scaler(self, step):
        self.settings = {name: numbers.to_float(step[name])
                         for name in ("init_scale", "growth_factor", "backoff_factor")}
        self.settings["growth_interval"] = numbers.integer(step["growth_interval"])
        self.settings["enabled"] = step.get("enabled", True)
        with library():
            self.grad_scaler = torch.amp.GradScaler(DEVICE, **self.settings)

    def optimizer(self, step):
        owned = [parameter["name"] for parameter in step["parameters"]]
        for parameter in step["parameters"]:
            name, same_as = parameter["name"], parameter.get("same_as")
            self.first_name[name] = self.first_name[same_as] if same_as else name
            self.tensors[name] = (self.tensors[same_as] if same_as else
                                  torch.nn.Parameter(from_message(parameter["initial"])))
        made = _Optimizer(step, owned)
        with library():
            made.build(self.tensors)
        self.optimizers[step["name"]] = made

    # ---- the loop ----
    def backward(self, step):
        if step.get("own_product", False):
            raise Unsupported("own_product")
        given = step["coefficients"]
        names = [one["parameter"] for one in given]
        parameters = [self.tensors[name] for name in names]
        gradients = [Gradient(one["values"], p, one.get("format")) for one, p in zip(given, parameters)]
        divide = numbers.integer(step.get("divide", 1))
        loss = from_message(step["loss"]).requires_grad_()
        with library():
            loss = Coefficients.apply(loss, self.made, gradients, *parameters)
            if divide != 1:
                loss = loss / divide
            self._scaler().scale(Tap.apply(loss, self.made)).backward()
        self._set_units(names, self._unit_after_backward)
        return {"by": "adapter"} if divide != 1 else None

    def unscale(self, step):
        made = self._made(step["optimizer"])
        with library():
            self._scaler().unscale_(made.optimizer)
        self._set_units(made.owned, "unscaled")
        self.made["found_non_finite"] = self._found(made)

    def clip_norm(self, step):
        limit = numbers.to_float(step["limit"])
        p = step.get("p", 2.0)
        norm_type = numbers.to_float(p) if isinstance(p, dict) else float(p)
        with library():
            norm = torch.nn.utils.clip_grad_norm_(self._owned_by(step["optimizers"]), limit,
                                                  norm_type)
        self.made["norm"] = norm

    def clip_value(self, step):
        limit = numbers.to_float(step["limit"])
        with library():
            torch.nn.utils.clip_grad_value_(self._owned_by(step["optimizers"]), limit)

    def step(self, step):
        made = self._made(step["optimizer"])
        made.called = False
        with library():
            self._scaler().step(made.optimizer)
        found = self._found(made)
        # A fused optimizer is always called, and told by a tensor to do nothing.
        stepped = made.called and not (made.fused and found)
        if stepped or not made.fused:  # a fused one that does nothing does not unscale either
            self._set_units(made.owned, "unscaled")
        self.made.update(stepped=stepped, found_non_finite=found)

    def update(self, step):
        with library():
            self._scaler().update()

    def zero_grad(self, step):
        made = self._made(step["optimizer"])
        to_none = step.get("to_none", True)
        with library():
            made.optimizer.zero_grad(set_to_none=to_none)
        self._set_units(made.owned, "cleared")

    def save_load(self, step):
        """Through torch.save and torch.load in memory; every object is built anew."""
        with library():
            file = io.BytesIO()
            own = {name: t.detach() for name, t in self.tensors.items()
                   if self.first_name[name] == name}
            torch.save({"scaler": self._scaler().state_dict(), "parameters": own,
                        "optimizers": {name: made.optimizer.state_dict()
                                       for name, made in self.optimizers.items()}}, file)
            file.seek(0)
            saved = torch.load(file)
            own = {name: torch.nn.Parameter(t) for name, t in saved["parameters"].items()}
            self.tensors = {name: own[first] for name, first in self.first_name.items()}
            self.grad_scaler = torch.amp.GradScaler(DEVICE, **self.settings)
            self.grad_scaler.load_state_dict(saved["scaler"])
            for name, made in self.optimizers.items():
                made.build(self.tensors)
                made.optimizer.load_state_dict(saved["optimizers"][name])
        self.units.clear()

    # ---- looking ----
    def look(self, name):
        kind, _, rest = name.partition("/")
        if kind == "gradient":
            gradient = self.tensors[rest].grad
            if gradient is None:
                return {"unit": "cleared"}
            shown = to_message(gradient)
            shown["unit"] = self.units.get(self.first_name[rest], "unknown")
            return shown
        if kind == "parameter":
            return to_message(self.tensors[rest])
        if kind == "state":
            return self._state(*rest.split("/", 1))
        if kind == "scale":
            return numbers.from_float(float(self._scaler().get_scale()))
        if kind == "growth_count":
            return self._scaler().state_dict().get("_growth_tracker")
        value = self.made.get(name)
        return to_scalar(value) if isinstance(value, torch.Tensor) else value

    # What torch has refused to make is missing from here on.
    def _scaler(self):
        if self.grad_scaler is None:
            raise Unsupported("there is no scaler")
        return self.grad_scaler

    def _made(self, name):
        if name not in self.optimizers:
            raise Unsupported(f"there is no optimizer {name}")
        return self.optimizers[name]

    def _state(self, name, slot):
        for made in self.optimizers.values():
            if name in made.owned:
                value = made.optimizer.state.get(self.tensors[name], {}).get(slot)
                return to_message(value) if isinstance(value, torch.Tensor) else None
        return None

    def _found(self, made):
        """Whether the scaler has found an inf or NaN in an optimizer's gradients; None: unknown."""
        if not self.grad_scaler.is_enabled():
            return None
        found = self.grad_scaler._found_inf_per_device(made.optimizer)
        return any(bool(flag) for flag in found.values())

    def _owned_by(self, optimizers):
        """Parameters of several optimizers, each tensor once, as Module.parameters() gives them."""
        owned = [self.tensors[p] for name in optimizers for p in self._made(name).owned]
        return list(dict.fromkeys(owned))

    def _set_units(self, names, unit):
        for name in names:
            first = self.first_name[name]
            self.units[first] = unit(first) if callable(unit) else unit

    def _unit_after_backward(self, first):
        if not self.grad_scaler.is_enabled():
            return "unscaled"
        # A scaled gradient added to one that was unscaled is neither.
        mixed = self.units.get(first) in ("unscaled", "unknown")
        return "unknown" if mixed else "scaled"


def prepare():
    torch.set_num_threads(1)  # the tensors are small
    # torch imports half of itself at the first optimizer: seconds that belong to no case.
    torch.optim.SGD([torch.nn.Parameter(torch.zeros(1, device=DEVICE))]).zero_grad()


def main():
    prepare()
    serve(HELLO, TorchSession)


if __name__ == "__main__":
    main()
