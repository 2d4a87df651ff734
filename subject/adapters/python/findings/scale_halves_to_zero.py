"""torch.amp.GradScaler halves its scale until it is 0, and then spoils the weights. Seen in 2.13.0.

Nothing bounds the back-off: 166 overflows in a row bring the scale from 2^16 to 0. Long before, at
2^-128, its reciprocal is infinite in binary32: clean gradients unscale to inf and NaN, nothing is
flagged because only scaled values are checked, and the step is taken. Right is to stop in time, at
2^-127 at the latest, or to raise an error. At 2^-128 the true gradients are finite, (1e-3·2^128, 0):
a right step moves the parameters by 0.1 times that, and one that is skipped moves nothing.
Exit status: 1 where the fault is present, else 0.
"""
import sys

import torch


def scale_after(overflows):
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer, scaler = torch.optim.SGD([parameter], lr=0.1), torch.amp.GradScaler("cpu")
    for _ in range(overflows):
        scaler.scale(parameter.sum() * float("inf")).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    return scaler.get_scale()


def step_at(scale, scaled):
    parameter = torch.nn.Parameter(torch.zeros(len(scaled)))
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=scale)
    scaler.scale(torch.ones(()))  # makes the scale
    parameter.grad = torch.tensor(scaled)
    scaler.step(optimizer)
    return parameter.tolist()


zero = scale_after(166)
moved = step_at(2.0**-128, [1e-3, 0.0])
print(f"scale after 166 overflows: observed {zero}, right: above 0, or an error")
print(f"parameters at scale 2^-128, scaled gradients (1e-3, 0): observed {moved}, "
      "right: [-3.4e+34, 0.0], a skip, or an error")
sys.exit(zero == 0 or not all(map(torch.isfinite, torch.tensor(moved))))
