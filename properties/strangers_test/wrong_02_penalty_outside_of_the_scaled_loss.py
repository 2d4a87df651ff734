"""Breaks: scaling.

The L2 penalty is added to the loss after the loss was scaled: its gradient arrives without the
scale, is divided by it with all others, and the weights decay S times too slowly.
"""
from flat_loop import Flat, Loop, play, r32


class Penalized(Flat):
    def __init__(self, hyper):
        super().__init__({k: x for k, x in hyper.items() if k != "weight_decay"})
        self.penalty = hyper.get("weight_decay", 0.0)
        self.has_penalty = set()

    def accumulate(self, name, values):
        super().accumulate(name, values)
        if self.penalty and name not in self.has_penalty:  # of a window's first micro-batch
            self.has_penalty.add(name)
            begin, end = self.span(name)
            super().accumulate(name, r32(self.penalty * w for w in self.weights[begin:end]))

    def clear(self, to_none):
        super().clear(to_none)
        self.has_penalty = set()


class Wrong(Loop):
    flat_class = Penalized


if __name__ == "__main__":
    play(Wrong, "wrong_02")
