"""Breaks: skipping.

One addition instead of many comparisons: gradients count as finite where their sum is, so that
large finite ones, whose sum overflows in binary32, skip a step.
"""
import math

from flat_loop import Flat, Loop, play, r1


class Summed(Flat):
    @staticmethod
    def has_overflow(grads):
        total = 0.0
        for x in grads:
            total = r1(total + x)
        return not math.isfinite(total)


class Wrong(Loop):
    flat_class = Summed


if __name__ == "__main__":
    play(Wrong, "wrong_07")
