"""On CUDA a finite binary64 gradient beyond the range of binary32 skips its step. Seen in 2.11.0.

The kernel that looks for inf and NaN looks at the gradient rounded to binary32; on the CPU it does
not. Right is a step by -2^-30·2^128.
Exit status: 1 where the fault is present, 2 without a GPU, else 0.
"""
import sys

import torch

if not torch.cuda.is_available():
    sys.exit(2)
parameter = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64, device="cuda"))
optimizer = torch.optim.SGD([parameter], lr=2.0**-30)
scaler = torch.amp.GradScaler("cuda", init_scale=1.0)
scaler.scale((parameter * 2.0**128).sum()).backward()
scaler.step(optimizer)
print(f"gradient {parameter.grad.item().hex()}, parameter: observed {parameter.item().hex()}, "
      f"right: {(-2.0**98).hex()}")
sys.exit(parameter.item() == 0)
