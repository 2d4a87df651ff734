"""Breaks: accumulation.

Whether gradients are finite is noted at every micro-batch, and each note replaces the one before:
an inf or NaN in any but the last micro-batch is stepped with.
"""
from functional_loop import Loop, add, finite, play


def add_and_forget(scale, arrived, leaf):
    return add(scale, arrived, leaf)._replace(bad=not finite(x / scale.value for x in arrived))


class Wrong(Loop):
    add = staticmethod(add_and_forget)


if __name__ == "__main__":
    play(Wrong, "wrong_06")
