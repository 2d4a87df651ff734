"""Breaks: clipping.

Optimizers that are clipped together are each clipped to the limit by their own norm. The norm that
is reported is that of all of them.
"""
from class_loop import Loop, clip_grad_norm_, norm, play, single


def clip_one_by_one(optimizers, limit):
    return single(norm([clip_grad_norm_([optimizer], limit) for optimizer in optimizers]))


class Wrong(Loop):
    norm_clip = staticmethod(clip_one_by_one)


if __name__ == "__main__":
    play(Wrong, "wrong_03")
