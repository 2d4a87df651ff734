"""torch.nn.utils.clip_grad_norm_ clears gradients whose norm overflows. Seen in 2.13.0.

Squares are summed in the gradients' own format: those of (1, 2^64) overflow in binary32 although the
norm, 2^64, is a number of it. The factor is max_norm/inf = 0, every gradient becomes 0, and since all
of them were finite the scaler takes the step, without a word. Right is the clipped gradient, a skip,
or an error, which `error_if_nonfinite` gives and is off by default.
Exit status: 1 where the fault is present, else 0.
"""
import sys

import torch

parameter = torch.nn.Parameter(torch.zeros(2))
optimizer, scaler = torch.optim.SGD([parameter], lr=0.5), torch.amp.GradScaler("cpu", init_scale=1.0)
scaler.scale(parameter @ torch.tensor([1.0, 2.0**64])).backward()
scaler.unscale_(optimizer)
norm = torch.nn.utils.clip_grad_norm_([parameter], 1.0)
scaler.step(optimizer)
moved = parameter.tolist()
print(f"gradient (1, 2^64) clipped to 1: observed norm {norm.item()} and parameters {moved}, "
      "right: 2^64 and [-2.7e-20, -0.5], or an error")
sys.exit(moved[1] == 0)
