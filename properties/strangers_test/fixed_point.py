"""Numbers without floating point: an integer counts units of 2^-149, the least of binary32.

What an integer cannot be is one of four words: '-0', 'inf', '-inf' and 'nan'. Sums and products of
integers are exact; the functions called nearest… round a quotient or its root, once.
"""
from math import isqrt

UNIT = 149
ONE = 1 << UNIT
# Of each format the exponent of its least number, the bits of its fraction and of its exponent.
FORMATS = {"binary16": (-24, 10, 5), "bfloat16": (-133, 7, 8), "binary32": (-149, 23, 8),
           "float8_e5m2": (-16, 2, 5), "binary64": (-1074, 52, 11)}


def is_finite(x):
    return isinstance(x, int) or x == "-0"


def whole(x):
    return 0 if x == "-0" else x


def is_negative(x):
    return x[0] == "-" if isinstance(x, str) else x < 0


def negative(x):
    if isinstance(x, int):
        return -x if x else "-0"
    return {"-0": 0, "inf": "-inf", "-inf": "inf", "nan": "nan"}[x]


def quantum_of(exponent, form):
    """How many units the last bit of a number counts that has this many units."""
    least, fraction_bits, _ = FORMATS[form]
    return max(exponent - fraction_bits, least + UNIT)


def nearest(above, below, form, zero=0):
    """above/below of integers, below > 0, rounded to nearest and to even. `zero`: an exact 0."""
    if above == 0:
        return zero
    size = abs(above)
    exponent = size.bit_length() - below.bit_length()  # of the quotient, or one more
    if (size < below << exponent) if exponent >= 0 else (size << -exponent < below):
        exponent -= 1
    quantum = quantum_of(exponent, form)
    kept, rest = divmod(size, below << quantum)
    rest *= 2
    kept += rest > below << quantum or (rest == below << quantum and kept & 1)
    return signed(above < 0, kept << quantum, form)


def nearest_binary(above, shift, form):
    """above/2^shift, rounded in the same way."""
    size = abs(above)
    quantum = quantum_of(size.bit_length() - 1 - shift, form)
    cut = quantum + shift
    kept = size >> cut
    if cut:
        rest, half = size & (1 << cut) - 1, 1 << cut - 1
        kept += rest > half or (rest == half and kept & 1)
    return signed(above < 0, kept << quantum, form)


def signed(is_minus, size, form):
    if size >> UNIT + (1 << FORMATS[form][2] - 1):
        return "-inf" if is_minus else "inf"
    return ("-0" if size == 0 else -size) if is_minus else size


def nearest_root(above, below, form):
    """The root of above/below, rounded once."""
    extra = 2 * UNIT  # bits: more than a tie has, and whether others follow
    digits, rest = divmod(above << 2 * extra, below)
    root = isqrt(digits)
    return nearest_binary(2 * root + bool(rest or root * root != digits), extra + 1, form)


def times(x, y, form):
    if isinstance(x, int) and isinstance(y, int) and x and y:
        return nearest_binary(x * y, UNIT, form)
    minus = is_negative(x) != is_negative(y)
    if x == "nan" or y == "nan":
        return "nan"
    if is_finite(x) and is_finite(y):
        return "-0" if minus else 0
    if whole(x) == 0 or whole(y) == 0:
        return "nan"
    return "-inf" if minus else "inf"


def total(xs):
    """The exact sum."""
    if all(type(x) is int for x in xs):
        return sum(xs)
    words = {x for x in xs if not is_finite(x)}
    if words:
        return "nan" if len(words) > 1 else words.pop()
    return "-0" if all(x == "-0" for x in xs) else sum(map(whole, xs))


def rounded(x, form):
    return nearest_binary(x, 0, form) if isinstance(x, int) and x else x


def over(x, y, form):
    """x/y of a positive y."""
    if not is_finite(x) or whole(x) == 0:
        return x
    return nearest(x << UNIT, y, form)


# ---- bits -------------------------------------------------------------------------------------
def of_bits(text, form):
    least, fraction_bits, exponent_bits = FORMATS[form]
    bits, top = int(text, 16), (1 << exponent_bits) - 1
    minus = bits >> fraction_bits + exponent_bits
    exponent, fraction = bits >> fraction_bits & top, bits & (1 << fraction_bits) - 1
    if exponent == top:
        return "nan" if fraction else "-inf" if minus else "inf"
    if exponent:
        fraction |= 1 << fraction_bits
        exponent -= 1
    shift = exponent + least + UNIT
    if shift < 0:  # of binary64: it has numbers between the units
        return nearest_binary(-fraction if minus else fraction, -shift, "binary32")
    return signed(minus, fraction << shift, form)


def to_bits(x, form):
    least, fraction_bits, exponent_bits = FORMATS[form]
    infinity = (1 << exponent_bits) - 1 << fraction_bits
    sign = 1 << fraction_bits + exponent_bits if is_negative(x) else 0
    if not is_finite(x):
        bits = infinity | 1 << fraction_bits - 1 if x == "nan" else sign | infinity
    else:
        quanta = abs(whole(x)) >> least + UNIT
        binade = max(quanta.bit_length() - 1 - fraction_bits, 0)
        # The hidden bit of a normal number adds 1 to the exponent.
        bits = sign | (quanta >> binade) + (binade << fraction_bits)
    return f"{bits:0{(1 + fraction_bits + exponent_bits) // 4}x}"


def scalar_of(value):
    """A setting, in binary32."""
    return rounded(of_bits(value["bits"], value["format"]), "binary32")


def elements_of(value):
    return [of_bits(text, value["format"]) for text in value["bits"].split()]


def to_scalar(x, form):
    return {"format": form, "bits": to_bits(x, form)}


def to_tensor(xs, shape, form):
    return {"format": form, "shape": shape, "bits": " ".join(to_bits(x, form) for x in xs)}
