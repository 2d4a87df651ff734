"""The torch adapter with one call of torch replaced by one that does wrong.

    replaced_calls.py --list    names of the replacements, one a line
    replaced_calls.py NAME      serves the adapter, as a subject, with that call replaced

Shows that the adapter's answers are torch's: whatever operation is replaced, the verdict of a
check must change. Needs torch (requirements/torch.txt).
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
if __name__ == "__main__":
    from ampcheck.protocol import take_streams

    if sys.argv[1:] != ["--list"]:
        take_streams()  # before torch can print

import torch

from ampcheck import torch_adapter

REPLACEMENTS = {}


def replaces(owner, attribute, name=None):
    """Registers a replacement: called with the original and the arguments of each call."""
    def register(wrong):
        def patch():
            original = getattr(owner, attribute)
            setattr(owner, attribute, lambda *args, **more: wrong(original, *args, **more))
        patch.__doc__ = wrong.__doc__
        REPLACEMENTS[name or f"{owner.__name__}.{attribute}"] = patch
        return wrong
    return register


Scaler = torch.amp.GradScaler


@replaces(Scaler, "__init__")
def _(original, self, device, init_scale, **more):
    """The scaler starts with twice the scale."""
    original(self, device, init_scale=2 * init_scale, **more)


@replaces(Scaler, "scale")
def _(original, self, outputs):
    """The loss is scaled twice as much."""
    return 2 * original(self, outputs)


@replaces(Scaler, "unscale_")
def _(original, self, optimizer):
    """Gradients are halved once more."""
    original(self, optimizer)
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            if parameter.grad is not None:
                parameter.grad.mul_(0.5)


@replaces(Scaler, "step")
def _(original, self, optimizer):
    """The optimizer steps once more, inf or not."""
    original(self, optimizer)
    optimizer.step()


@replaces(Scaler, "update")
def _(original, self):
    """The scale is doubled at every update."""
    original(self)
    if self.is_enabled():
        original(self, new_scale=2.0 * self.get_scale())


@replaces(Scaler, "state_dict")
def _(original, self):
    """The saved growth count is one more."""
    state = original(self)
    if state:
        state["_growth_tracker"] += 1
    return state


@replaces(Scaler, "load_state_dict")
def _(original, self, state_dict):
    """Half of the scale is loaded."""
    if state_dict:
        state_dict = {**state_dict, "scale": 0.5 * state_dict["scale"]}
    original(self, state_dict)


@replaces(torch.optim.Optimizer, "load_state_dict")
def _(original, self, state_dict):
    """Moments and step counts are not loaded."""
    original(self, {**state_dict, "state": {}})


@replaces(torch.optim.Optimizer, "zero_grad")
def _(original, self, set_to_none=True):
    """Gradients stay."""


@replaces(torch.nn.utils, "clip_grad_norm_", "clip_grad_norm_")
def _(original, parameters, max_norm):
    """Clips to twice the norm, and tells half of it."""
    return original(parameters, 2 * max_norm) * 0.5


@replaces(torch.nn.utils, "clip_grad_value_", "clip_grad_value_")
def _(original, parameters, clip_value):
    """Clips to twice the limit."""
    original(parameters, 2 * clip_value)


@replaces(torch.Tensor, "backward", "Tensor.backward")
def _(original, self):
    """Each gradient is accumulated twice."""
    original(self, retain_graph=True)
    original(self)


@replaces(torch, "save", "torch.save")
def _(original, saved, file):
    """Parameters are saved one too large."""
    moved = {name: tensor + 1 for name, tensor in saved["parameters"].items()}
    original({**saved, "parameters": moved}, file)


def _step_of(kind):
    @replaces(kind, "step")
    def _(original, self, closure=None):
        """Parameters move by one on top of the step."""
        original(self, closure)
        with torch.no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    parameter.add_(1.0)

    @replaces(kind, "__init__")
    def _(original, self, parameters, **settings):
        """The learning rate is doubled."""
        original(self, parameters, **{**settings, "lr": 2 * settings.get("lr", 0.0)})


for _kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
    _step_of(_kind)


def main(arguments):
    if arguments == ["--list"]:
        print("\n".join(REPLACEMENTS))
        return 0
    if len(arguments) != 1 or arguments[0] not in REPLACEMENTS:
        print(f"usage: replaced_calls.py --list | NAME: one of {', '.join(REPLACEMENTS)}",
              file=sys.stderr)
        return 2
    REPLACEMENTS[arguments[0]]()
    torch_adapter.main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
