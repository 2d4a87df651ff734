"""Breaks: scaling.

The reciprocal of the scale is computed once and kept, and only growth computes it anew: after the
scale backed off, gradients are unscaled with a factor that belongs to the scale before.
"""
from class_loop import GradScaler, Loop, play


class KeepsInverse(GradScaler):
    def __init__(self, *settings):
        super().__init__(*settings)
        self.kept = super().inverse()

    def inverse(self):
        return self.kept

    def grow(self):
        super().grow()
        self.kept = super().inverse()


class Wrong(Loop):
    scaler_class = KeepsInverse


if __name__ == "__main__":
    play(Wrong, "wrong_01")
