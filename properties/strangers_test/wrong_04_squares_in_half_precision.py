"""Breaks: clipping.

The squares of a norm are in binary16, which has none of numbers from 256 on, and none of those
below 2^-12.
"""
import math

from flat_loop import Loop, numbers, play


def narrow_norm(lists, scale):
    squares = numbers.rounded([(x * (1.0 / scale))**2 for xs in lists for x in xs], "binary16")
    return math.sqrt(sum(squares))


class Wrong(Loop):
    norm_of = staticmethod(narrow_norm)


if __name__ == "__main__":
    play(Wrong, "wrong_04")
