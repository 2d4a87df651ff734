"""Fractions to patterns of a format and back, rounded to nearest, ties to even; nothing of it comes from
the reference."""
import math
import struct
from fractions import Fraction as Q

#          bits of exponent, of fraction
FORMATS = {"binary16": (5, 10), "bfloat16": (8, 7), "binary32": (8, 23), "binary64": (11, 52)}


def bits_of(x, form):
    """The pattern of x, a fraction, +-math.inf or nan, rounded to nearest, ties to even."""
    exponent_bits, fraction_bits = FORMATS[form]
    top = 1 << (exponent_bits + fraction_bits)
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    if isinstance(x, float):
        if math.isnan(x):
            return infinity | (1 << (fraction_bits - 1))
        return infinity | (top if x < 0 else 0)
    sign, x = (top, -x) if x < 0 else (0, Q(x))
    least = 2 - (1 << (exponent_bits - 1))  # exponent of the smallest normal number
    # 2^length <= x < 2^(length+2).
    length = x.numerator.bit_length() - x.denominator.bit_length() - 1
    exponent = max(least, length) if x else least
    if x >= Q(2) ** (exponent + 1):
        exponent += 1
    quantum = Q(2) ** (exponent - fraction_bits)
    units = x / quantum
    whole = units.numerator // units.denominator
    rest = units - whole
    if rest > Q(1, 2) or (rest == Q(1, 2) and whole % 2):
        whole += 1
    # A subnormal has the biased exponent 0 and no hidden bit; carries come out right by themselves.
    magnitude = ((exponent - least) << fraction_bits) + whole
    return sign | min(magnitude, infinity)


def value(bits, form):
    exponent_bits, fraction_bits = FORMATS[form]
    sign = -1 if bits >> (exponent_bits + fraction_bits) else 1
    biased = (bits >> fraction_bits) & ((1 << exponent_bits) - 1)
    fraction = bits & ((1 << fraction_bits) - 1)
    assert biased != (1 << exponent_bits) - 1, "not finite"
    hidden = 1 << fraction_bits if biased else 0
    least = 2 - (1 << (exponent_bits - 1))
    return sign * Q(hidden + fraction) * Q(2) ** (least + max(biased, 1) - 1 - fraction_bits)


def rn(x, form="binary32"):
    """x rounded to a format."""
    bits = bits_of(x, form)
    infinity = ((1 << FORMATS[form][0]) - 1) << FORMATS[form][1]
    if bits & ((1 << sum(FORMATS[form])) - 1) == infinity:
        return math.inf if not bits >> sum(FORMATS[form]) else -math.inf
    return value(bits, form)


def root(x, form="binary32"):
    """The square root of x, rounded: exact to 2^-200 of itself, and no square root lies on a tie."""
    scale = 400
    return rn(Q(math.isqrt(int(x * Q(2) ** (2 * scale))), 2 ** scale), form)


def hexadecimal(bits, form):
    return f"{bits:0{(1 + sum(FORMATS[form])) // 4}x}"


def scalar(x, form="binary32"):
    return {"format": form, "bits": hexadecimal(bits_of(x, form), form)}


def tensor(xs, form="binary32"):
    return {"format": form, "shape": [len(xs)],
            "bits": " ".join(hexadecimal(bits_of(x, form), form) for x in xs)}


def gradient(xs, unit, form="binary32"):
    return {**tensor(xs, form), "unit": unit}


def self_test():
    """The rounding against the machine's own, where it has the format."""
    for numerator in range(-2000, 2000, 7):
        for shift in (0, 20, 140, 150, 160):
            x = Q(numerator, 3 * 2 ** shift)
            assert bits_of(x, "binary64") == struct.unpack("<Q", struct.pack("<d", float(x)))[0]
            exact = Q(numerator * 2 ** 14 + 1, 2 ** (shift % 100 + 14))
            assert bits_of(exact, "binary32") == struct.unpack("<I", struct.pack("<f", float(exact)))[0]
            small = Q(numerator, 2 ** (shift % 28))
            if abs(small) < 65520:
                half = struct.unpack("<H", struct.pack("<e", float(small)))[0]
                assert bits_of(small, "binary16") == half
    for form, (exponent_bits, fraction_bits) in FORMATS.items():
        for bits in (1, 5, 1 << fraction_bits, (1 << fraction_bits) + 3, 3 << (fraction_bits + 1)):
            assert bits_of(value(bits, form), form) == bits
