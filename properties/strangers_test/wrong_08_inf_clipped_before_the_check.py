"""Breaks: skipping.

Gradients are looked at when the step is taken. By then a clip to a value has made the limit of
every inf, and the step is taken with it.
"""
import math

from class_loop import GradScaler, Loop, array, play


class ChecksLate(GradScaler):
    def unscale_(self, optimizer):
        inverse = self.inverse()
        for tensor in optimizer.params:
            if tensor.has_grad() and tensor.unit == "scaled":
                tensor.grad = array("f", [x * inverse for x in tensor.grad])
                tensor.unit = "unscaled"

    def step(self, optimizer):
        self.unscale_(optimizer)
        if self.enabled:
            self.found_inf[optimizer.key] = not all(
                math.isfinite(x) for t in optimizer.params if t.has_grad() for x in t.grad)
            if self.found_inf[optimizer.key]:
                return False
        optimizer.step()
        return True


class Wrong(Loop):
    scaler_class = ChecksLate


if __name__ == "__main__":
    play(Wrong, "wrong_08")
