"""Numbers as ampcheck sends them: patterns of bits, never decimal.

A scalar is `{"format", "bits"}`, a tensor `{"format", "shape", "bits" or "data"}`. In Python a
tensor's elements are an `array` of unsigned integers, one pattern an element, row-major.

Every function that rounds does so once, to nearest even, from the exact value. Overflow gives
infinity, or NaN in a format without infinities (float8_e4m3fn). Malformed input is a ValueError
whose text names the field.

Source of the formats: IEEE 754-2019; OCP 8-bit Floating Point Specification 1.0 for the float8s.
"""
import base64
import binascii
import math
import struct
import sys
from array import array
from typing import NamedTuple

_LITTLE = sys.byteorder == "little"
_CODES = {8: "B", 16: "H", 32: "I", 64: "Q"}
# From this many elements on a tensor is sent as base64.
DATA_FROM = 256


class NumberFormat(NamedTuple):
    name: str
    width: int  # bits, sign included
    exponent_bits: int
    fraction_bits: int
    has_infinity: bool = True

    @property
    def code(self):
        """The typecode of an `array` of patterns."""
        return _CODES[self.width]

    @property
    def bias(self):
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def quantum(self):
        """Exponent of the smallest subnormal."""
        return 1 - self.bias - self.fraction_bits

    @property
    def magnitude_mask(self):
        return (1 << (self.width - 1)) - 1

    @property
    def exponent_mask(self):
        return self.magnitude_mask & ~((1 << self.fraction_bits) - 1)

    @property
    def overflow(self):
        """The pattern that a number too large becomes: infinity, or NaN where there is none."""
        return self.exponent_mask if self.has_infinity else self.magnitude_mask

    @property
    def max_finite(self):
        return self.overflow - 1

    @property
    def nan(self):
        """A quiet NaN."""
        quiet = self.exponent_mask | 1 << (self.fraction_bits - 1)
        return quiet if self.has_infinity else self.magnitude_mask


FORMATS = {
    row.name: row
    for row in (
        NumberFormat("binary16", 16, 5, 10),
        NumberFormat("bfloat16", 16, 8, 7),
        NumberFormat("binary32", 32, 8, 23),
        NumberFormat("binary64", 64, 11, 52),
        NumberFormat("float8_e4m3fn", 8, 4, 3, has_infinity=False),
        NumberFormat("float8_e5m2", 8, 5, 2),
    )
}


def number_format(name):
    """The format of this name, which may also be a NumberFormat already."""
    if isinstance(name, NumberFormat):
        return name
    try:
        return FORMATS[name]
    except (KeyError, TypeError):
        raise ValueError(f"format: {name!r} is no number format") from None


# ---- one number -------------------------------------------------------------------------------
def decode(bits, name):
    """A pattern as (kind, sign, m, e): 'finite' has the value (-1)^sign · m · 2^e.

    The kinds are 'finite', 'inf' and 'nan'; of a NaN, m is the payload.
    """
    form = number_format(name)
    sign, magnitude = bits >> (form.width - 1), bits & form.magnitude_mask
    fraction = magnitude & ((1 << form.fraction_bits) - 1)
    if magnitude > form.max_finite:
        kind = "inf" if form.has_infinity and magnitude == form.overflow else "nan"
        return kind, sign, fraction, 0
    exponent = magnitude >> form.fraction_bits
    if exponent == 0:
        return "finite", sign, fraction, form.quantum
    return "finite", sign, fraction | 1 << form.fraction_bits, exponent - 1 + form.quantum


def encode(sign, m, e, name):
    """The pattern of (-1)^sign · m · 2^e, m ≥ 0, rounded once."""
    form = number_format(name)
    top = sign << (form.width - 1)
    if m == 0:
        return top
    # The result is a multiple of 2^(shift + e): of the quantum of its binade.
    shift = max(m.bit_length() - 1 - form.fraction_bits + e, form.quantum) - e
    if shift > 0:
        kept, rest, half = m >> shift, m & ((1 << shift) - 1), 1 << (shift - 1)
        kept += rest > half or (rest == half and kept & 1)
    else:
        kept = m << -shift
    # The hidden bit of `kept` adds 1 to the exponent field, and so does a carry out of rounding.
    magnitude = kept + (shift + e - form.quantum << form.fraction_bits)
    return top | min(magnitude, form.overflow)


def product(s, s_format, c, c_format, out):
    """RN_out(s·c) of two patterns. A NaN c is delivered as it is: sign and payload are kept."""
    s_kind, s_sign, s_m, s_e = decode(s, s_format)
    c_kind, c_sign, c_m, c_e = decode(c, c_format)
    form = number_format(out)
    sign = s_sign ^ c_sign
    if s_kind == c_kind == "finite":
        return encode(sign, s_m * c_m, s_e + c_e, form)
    if c_kind == "nan":
        return _same_nan(c, number_format(c_format), form)
    if s_kind == "nan" or (s_kind == "finite" and s_m == 0) or (c_kind == "finite" and c_m == 0):
        return form.nan
    return sign << (form.width - 1) | form.overflow


def _same_nan(bits, source, target):
    """A NaN in another format: the payload's leading bits are kept, where any are left."""
    if source == target:
        return bits
    top = bits >> (source.width - 1) << (target.width - 1)
    if not (source.has_infinity and target.has_infinity):
        return top | target.nan
    payload = bits & ((1 << source.fraction_bits) - 1)
    shift = target.fraction_bits - source.fraction_bits
    payload = payload << shift if shift >= 0 else payload >> -shift
    return top | target.exponent_mask | (payload or 1 << (target.fraction_bits - 1))


# ---- many numbers -----------------------------------------------------------------------------
# What Python can multiply exactly: a product of two of these is exact in a binary64.
_SHORT = ("binary16", "bfloat16", "binary32")


def products(s, s_format, values, c_format, out):
    """RN_out(s·c) for every pattern c of `values`; an array of patterns.

    Common formats are computed by Python's own floats, which a test proves equal to `product`.
    """
    form = number_format(out)
    if c_format == out and (s_format in _SHORT or out == "binary64"):
        fast = _fast_products(s, s_format, values, out)
        if fast is not None:
            return fast
    return array(form.code, [product(s, s_format, c, c_format, form) for c in values])


def _fast_products(s, s_format, values, name):
    """As `products` with one format, or None where the short cut does not hold."""
    if name == "binary32":
        floats = array("f", values.tobytes())
    elif name == "binary64":
        floats = array("d", values.tobytes())
    elif name == "binary16":
        floats = struct.unpack(f"{len(values)}e", values.tobytes())
    else:
        return None
    kind, sign, m, e = decode(s, s_format)
    if kind != "finite":
        return None
    factor = math.ldexp(m, e)
    factor = -factor if sign else factor  # so that -0 keeps its sign
    exact = [factor * c for c in floats]
    # A NaN anywhere makes the sum NaN, and a NaN's payload may not pass through arithmetic.
    total = sum(exact)
    if total != total:
        return None
    if name == "binary16":
        try:
            return array("H", struct.pack(f"{len(exact)}e", *exact))
        except OverflowError:  # `e` refuses what rounds to infinity
            return None
    return array("I" if name == "binary32" else "Q",
                 array("f" if name == "binary32" else "d", exact).tobytes())


def convert(values, source, target):
    """Patterns of one format as patterns of another, each rounded once."""
    if source == target:
        return values
    source, target = number_format(source), number_format(target)
    one = source.bias << source.fraction_bits
    return array(target.code, [product(one, source, v, source, target) for v in values])


def rounded(values, name):
    """Python floats as Python floats, each rounded once to the format."""
    return _floats(_patterns(values, name), name)


def _floats(values, name):
    if name == "binary16":
        return list(struct.unpack(f"{len(values)}e", values.tobytes()))
    if name == "bfloat16":  # the upper half of a binary32
        values, name = array("I", [v << 16 for v in values]), "binary32"
    if name == "binary32":
        return array("f", values.tobytes()).tolist()
    return array("d", convert(values, name, "binary64").tobytes()).tolist()


def _patterns(floats, name):
    if name == "binary32":  # array("f") rounds to nearest even, and to infinity without complaint
        return array("I", array("f", floats).tobytes())
    return convert(array("Q", array("d", floats).tobytes()), "binary64", name)


def fits(source, target):
    """True where every number of format `source` is a number of format `target`."""
    narrow, wide = number_format(source), number_format(target)
    return (narrow.fraction_bits <= wide.fraction_bits and narrow.quantum >= wide.quantum
            and narrow.bias <= wide.bias)


# ---- the fields of a message ------------------------------------------------------------------
def unpack(tensor):
    """The patterns of a tensor of a message: an array of as many as its shape says."""
    form = number_format(tensor["format"])
    try:
        if "data" in tensor:
            raw = base64.b64decode(tensor["data"], validate=True)
            little = True
        else:
            raw = bytes.fromhex(tensor["bits"])
            little = False
        values = array(form.code, raw)
    except (binascii.Error, ValueError, TypeError):
        raise ValueError(f"{'data' if 'data' in tensor else 'bits'}: no {form.name} patterns"
                         ) from None
    if little != _LITTLE:
        values.byteswap()
    if len(values) != math.prod(tensor["shape"]):
        raise ValueError(f"shape: {tensor['shape']} does not hold {len(values)} elements")
    return values


def pack(values, name, shape):
    """Patterns as a tensor of a message."""
    form = number_format(name)
    values = array(form.code, values)
    result = {"format": form.name, "shape": list(shape)}
    little = len(values) >= DATA_FROM
    if little != _LITTLE:
        values.byteswap()
    if little:
        result["data"] = base64.b64encode(values.tobytes()).decode()
    else:
        # With one element bytes.hex() puts no separator, and with none it gives "".
        result["bits"] = values.tobytes().hex(" ", form.width // 8)
    return result


def to_floats(tensor):
    """The elements of a tensor of a message as Python floats: exact in every format."""
    return _floats(unpack(tensor), tensor["format"])


def from_floats(values, name, shape):
    """Python floats as a tensor of a message, each rounded once where the format is narrower."""
    return pack(_patterns(values, name), name, shape)


def unpack_scalar(scalar):
    """The pattern of a scalar of a message."""
    form = number_format(scalar["format"])
    text = scalar["bits"]
    try:
        if len(text) == form.width // 4:
            return int(text, 16)
    except (ValueError, TypeError):
        pass
    raise ValueError(f"bits: {text!r} is no {form.name} pattern")


def pack_scalar(bits, name):
    """A pattern as a scalar of a message."""
    form = number_format(name)
    return {"format": form.name, "bits": f"{bits:0{form.width // 4}x}"}


def to_float(scalar):
    """The value of a scalar of a message as a Python float: exact in every format."""
    kind, sign, m, e = decode(unpack_scalar(scalar), scalar["format"])
    value = math.ldexp(m, e) if kind == "finite" else float(kind)
    return -value if sign else value


def from_float(value, name="binary64"):
    """A Python float as a scalar of a message, rounded once where the format is narrower."""
    (bits,) = struct.unpack("Q", struct.pack("d", value))
    return pack_scalar(convert(array("Q", [bits]), "binary64", name)[0], name)


def integer(value):
    """An integer of a message, which is a decimal string where it is beyond ±2^53."""
    if isinstance(value, str):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError(f"{value!r} is no integer")
