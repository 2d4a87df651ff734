"""Breaks: accumulation.

Gradients that are to become zeros are multiplied by zero, which leaves a NaN, and makes one of an
inf: after a skipped step no window is clean any more.
"""
from array import array

from class_loop import SGD, Adam, AdamW, Loop, play


class TimesZero:
    @staticmethod
    def zeroed(gradient):
        return array("f", [0.0 * x for x in gradient])


class ZeroedSGD(TimesZero, SGD):
    pass


class ZeroedAdam(TimesZero, Adam):
    pass


class ZeroedAdamW(TimesZero, AdamW):
    pass


class Wrong(Loop):
    classes = {"sgd": ZeroedSGD, "adam": ZeroedAdam, "adamw": ZeroedAdamW}


if __name__ == "__main__":
    play(Wrong, "wrong_05")
