"""How released scalers move the scale: the overflows that they absorb, their lag, floors and ceilings.

Each is written down as its source has it, and shares nothing with the reference."""
import math
from fractions import Fraction as Q

from exact_rounding import bits_of, hexadecimal, scalar
from steps import backward, scaler, sgd, take, update, zero_grad


def walk(pattern, initial, rule):
    scales = [Q(initial)]
    for window in pattern:
        scales.append(rule(scales[-1], window == "x"))
    return scales[1:]


class Megatron:  # every inf takes one off, only growth fills up
    def __init__(self):
        self.left, self.clean = 2, 0

    def __call__(self, s, bad):
        self.clean = 0 if bad else self.clean + 1
        self.left -= bad
        if bad:
            return s / 2 if self.left <= 0 else s
        if self.clean < 3:
            return s
        self.left, self.clean = 2, 0
        return s * 2


class Apex(Megatron):
    def __call__(self, s, bad):
        if not bad:
            self.left = 2
        return super().__call__(s, bad)


class Paddle(Apex):
    def __call__(self, s, bad):
        after = super().__call__(s, bad)
        if after < s:
            self.left = 2
        return after


def schedules(innocent, other):
    # The scale after each window ('x': with an infinity), and the place of the one that a twin gets wrong.
    def schedule(name, sentence, policy, pattern, initial, scales, at, guilty, strict, interval=3, raises=False):
        steps = [scaler(initial, interval=interval), sgd([Q(0)])]
        for window, after in zip(pattern, scales):
            steps += [backward([math.inf if window == "x" else Q(0)]), take(), update(scale=scalar(after)),
                      zero_grad()]
        if raises:
            steps += [backward([math.inf]), take(),
                      update(raised={"type": "RuntimeError", "text": "already at the minimum"})]
        wrong = other(4 + 4 * at, "scale", hexadecimal(bits_of(guilty, "binary32"), "binary32"))
        innocent(name, "skipping/update-rule", sentence, policy, steps,
                 [wrong] + [{"policy": declared} for declared in strict])

    pattern = "xoxxooo"
    schedule("A2g", "Megatron and ColossalAI with hysteresis 2: the first overflow leaves the scale, and only growth "
             "makes up for it", {"hysteresis": "2"}, pattern, Q(1024), walk(pattern, 1024, Megatron()), 0, Q(512),
             [{"hysteresis": "1"}, {"hysteresis_refill": "clean_step"}])
    schedule("A2h", "Apex's kernel with hysteresis 2: every clean step makes up for an overflow",
             {"hysteresis": "2", "hysteresis_refill": "clean_step"}, "xoxxxoo", Q(1024),
             walk("xoxxxoo", 1024, Apex()), 2, Q(512),
             [{"hysteresis_refill": "growth"}, {"hysteresis_refill": "clean_step_and_back_off"}])
    schedule("A2i", "Paddle, two infs to a back-off: the count of infs restarts at a back-off",
             {"hysteresis": "2", "hysteresis_refill": "clean_step_and_back_off"}, "xxxxx", Q(1024),
             walk("xxxxx", 1024, Paddle()), 2, Q(256), [{"hysteresis_refill": "clean_step"}])
    at_once = walk("xoxxoo", 1024, lambda s, bad: s / 2 if bad else s)
    lagging = [Q(1024)] + at_once[:-1]
    schedule("A2j", "MXNet uses a new scale one window late", {"scale_lag": "1"}, "xoxxoo", Q(1024), lagging, 0, Q(512),
             [{"scale_lag": "0"}])
    schedule("A2k", "jmp and MindSpore take max(S/2, 1): an overflow lifts a scale that started below",
             {"floor": scalar(Q(1))}, "x", Q(1, 4), [Q(1)], 0, Q(1, 8), [{"floor": "none"}])
    schedule("A2l", "Apex takes min(2·S, 2^24): growth lowers a scale that started above",
             {"ceiling": scalar(Q(2 ** 24))}, "o", Q(2 ** 26), [Q(2 ** 24)], 0, Q(2 ** 27), [{"ceiling": "none"}],
             interval=1)
    schedule("A2m", "DeepSpeed raises on an overflow at its smallest scale",
             {"floor": scalar(Q(1)), "at_floor": "raise"}, "x", Q(2), [Q(1)], 0, Q(2), [{"at_floor": "hold"}],
             raises=True)
    schedule("A2n", "fairseq raises in the place of a back-off to its smallest scale",
             {"floor": scalar(Q(1)), "at_floor": "raise_on_reaching"}, "x", Q(4), [Q(2)], 0, Q(4),
             [{"at_floor": "raise"}], raises=True)
