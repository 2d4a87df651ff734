"""Breaks: skipping.

A checkpoint has the scale as text of six digits, which are not enough for most scales from 2^20 on,
nor for most that are no power of two.
"""
from scripted_loop import checkpoint, main


def short_checkpoint(world):
    scale = {**world["scale"], "value": float(f"{world['scale']['value']:g}")}
    return checkpoint({**world, "scale": scale})


if __name__ == "__main__":
    main("wrong_09", checkpoint=short_checkpoint)
