"""torch.amp.GradScaler applies an inf that its own unscaling makes. Seen in 2.13.0.

It looks for inf and NaN in scaled gradients only. Below a scale of 1, unscaling makes numbers
larger: 3e38 at a scale of 0.25 is 1.2e39, infinite in binary32. Right is to skip the step, since no
non-finite gradient may reach a parameter. Exit status: 1 where the fault is present, else 0.
"""
import sys

import torch

parameter = torch.nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([parameter], lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=0.25)
scaler.scale(torch.ones(()))  # makes the scale
parameter.grad = torch.tensor([3e38])
scaler.step(optimizer)
print(f"parameter at scale 0.25, scaled gradient 3e38: observed {parameter.item()}, right: 0.0")
sys.exit(not torch.isfinite(parameter).item())
