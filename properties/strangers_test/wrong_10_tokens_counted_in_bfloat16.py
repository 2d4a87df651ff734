"""Breaks: tokens.

The tokens that count are counted by summing a mask that has the format of the model, bfloat16:
beyond 256 one more token is lost.
"""
from scripted_loop import counts, cut, main


def count_in_bfloat16(ranks, ignored):
    total = 0.0
    for token in (t for rank in ranks for micro in rank for t in micro if counts(t, ignored)):
        total = cut(total + token.times, "bfloat16")
    return total


if __name__ == "__main__":
    main("wrong_10", count_of=count_in_bfloat16)
