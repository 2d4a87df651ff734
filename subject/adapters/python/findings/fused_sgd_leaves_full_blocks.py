"""A fused SGD on the CPU leaves parameters in binary16 and bfloat16 as they are. Seen in 2.13.0.

All elements but those of a last block of fewer than 16: of 40 the first 32 stay, of 16 all do. Right
is p - lr·g for each: 1 - 0.5·1. Exit status: 1 where the fault is present, else 0.
"""
import sys

import torch

unmoved = 0
for dtype in (torch.float16, torch.bfloat16):
    parameter = torch.nn.Parameter(torch.ones(40, dtype=dtype))
    parameter.grad = torch.ones_like(parameter)
    torch.optim.SGD([parameter], lr=0.5, fused=True).step()
    still = int((parameter == 1).sum())
    print(f"{dtype}, 40 elements: observed {still} unmoved, right: 0")
    unmoved += still
sys.exit(unmoved != 0)
