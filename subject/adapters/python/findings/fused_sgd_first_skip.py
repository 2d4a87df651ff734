"""A fused SGD with momentum that skips its first step keeps uninitialised momentum. In 2.13.0.

The buffer is made by torch.empty_like before the kernel, which does nothing on a skip; the next
step takes it for a real one. Right is a second step like a first: the buffer becomes the gradient,
1, without dampening. Observed is 0.5·(what memory held) + (1 - 0.5)·1: 0.5 where that was zeros.
Exit status: 1 where the fault is present, else 0.
"""
import sys

import torch


def buffer_after_a_skip(elements):
    parameter = torch.nn.Parameter(torch.zeros(elements))
    optimizer = torch.optim.SGD([parameter], lr=0.1, momentum=0.5, dampening=0.5, fused=True)
    scaler = torch.amp.GradScaler("cpu", init_scale=1.0)
    for gradient in (float("inf"), 1.0):
        scaler.scale((parameter * gradient).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    return optimizer.state[parameter]["momentum_buffer"]


buffer = buffer_after_a_skip(1000)
print(f"momentum after a skip and a gradient of 1: observed {sorted(set(buffer.tolist()))[:5]}, "
      "right: [1.0]")
sys.exit(not torch.equal(buffer, torch.ones_like(buffer)))
