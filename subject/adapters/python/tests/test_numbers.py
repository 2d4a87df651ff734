"""The numbers of the helper against Python's own struct, fractions, and a search."""
import math
import os
import random
import struct
import sys
import unittest
from array import array
from fractions import Fraction

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from ampcheck import numbers
from ampcheck.numbers import FORMATS

SHORT = [form for form in FORMATS.values() if form.width <= 16]
RUNS = 2000


def value(bits, name):
    """A finite pattern as a fraction, None for inf and NaN. Shares nothing with `decode`."""
    form = FORMATS[name]
    sign = -1 if bits >> (form.width - 1) else 1
    exponent = (bits >> form.fraction_bits) % (1 << form.exponent_bits)
    fraction = Fraction(bits % (1 << form.fraction_bits), 1 << form.fraction_bits)
    top = (1 << form.exponent_bits) - 1
    if exponent == top and (form.has_infinity or bits % (1 << form.fraction_bits)
                            == (1 << form.fraction_bits) - 1):
        return None
    bias = top // 2
    if exponent == 0:
        return sign * fraction * Fraction(2) ** (1 - bias)
    return sign * (1 + fraction) * Fraction(2) ** (exponent - bias)


def as_fraction(decoded):
    _, sign, m, e = decoded
    return (-1) ** sign * m * Fraction(2) ** e


def encode_fraction(x, name):
    """`encode` of a dyadic fraction."""
    e = x.denominator.bit_length() - 1
    return numbers.encode(int(x < 0), abs(x.numerator), -e, name)


def any_pattern(rng, name):
    """Patterns of every kind: uniform bits, small exponents, ends of the range, specials."""
    form = FORMATS[name]
    mask = (1 << form.width) - 1
    kind = rng.randrange(6)
    if kind == 0:
        near = rng.choice((0, form.max_finite, form.overflow, 1 << form.fraction_bits))
        return (near + rng.randrange(-2, 3)) & mask
    if kind == 1:  # few significant bits
        return rng.getrandbits(form.width) & ~((1 << (form.fraction_bits * 2 // 3)) - 1) & mask
    if kind == 2:  # around 1
        bits = (form.bias << form.fraction_bits) + rng.randrange(-40, 40)
        return bits | rng.getrandbits(1) << (form.width - 1)
    return rng.getrandbits(form.width)


class Decode(unittest.TestCase):
    def test_every_short_pattern_is_the_fraction(self):
        for form in SHORT:
            for bits in range(1 << form.width):
                decoded = numbers.decode(bits, form.name)
                expected = value(bits, form.name)
                if expected is None:
                    self.assertIn(decoded[0], ("inf", "nan"))
                else:
                    self.assertEqual(decoded[0], "finite")
                    self.assertEqual(as_fraction(decoded), expected)

    def test_every_16_bit_pattern_is_what_struct_says(self):
        for bits in range(1 << 16):
            half = struct.unpack("<e", struct.pack("<H", bits))[0]
            brain = struct.unpack("<f", struct.pack("<I", bits << 16))[0]
            for name, expected in (("binary16", half), ("bfloat16", brain)):
                got = numbers.to_float({"format": name, "bits": f"{bits:04x}"})
                self.assertTrue(got == expected or (got != got and expected != expected))

    def test_float8_specials(self):
        for bits, kind in ((0x7e, "finite"), (0x7f, "nan"), (0xff, "nan"), (0xfe, "finite")):
            self.assertEqual(numbers.decode(bits, "float8_e4m3fn")[0], kind)
        self.assertEqual(as_fraction(numbers.decode(0x7e, "float8_e4m3fn")), 448)
        for bits, kind in ((0x7b, "finite"), (0x7c, "inf"), (0x7d, "nan")):
            self.assertEqual(numbers.decode(bits, "float8_e5m2")[0], kind)


class Encode(unittest.TestCase):
    def test_short_patterns_come_back(self):
        for form in SHORT:
            for bits in range(1 << form.width):
                kind, sign, m, e = numbers.decode(bits, form.name)
                if kind == "finite":
                    self.assertEqual(numbers.encode(sign, m, e, form.name), bits)

    def test_ties_and_their_neighbours(self):
        """Between any two neighbours: a hair below the middle, the middle, and a hair above."""
        hair = Fraction(1, 1 << 200)
        for form in SHORT:
            step = 1 if form.width == 8 else 41
            for bits in range(0, form.max_finite, step):
                low, high = value(bits, form.name), value(bits + 1, form.name)
                middle = (low + high) / 2
                even = bits + (bits & 1)
                self.assertEqual(encode_fraction(middle - hair, form.name), bits)
                self.assertEqual(encode_fraction(middle, form.name), even)
                self.assertEqual(encode_fraction(middle + hair, form.name), bits + 1)

    def test_the_threshold_of_overflow(self):
        hair = Fraction(1, 1 << 200)
        for form in FORMATS.values():
            last = value(form.max_finite, form.name)
            half_ulp = (last - value(form.max_finite - 1, form.name)) / 2
            tie = form.overflow if form.max_finite & 1 else form.max_finite
            self.assertEqual(encode_fraction(last + half_ulp - hair, form.name), form.max_finite)
            self.assertEqual(encode_fraction(last + half_ulp, form.name), tie)
            self.assertEqual(encode_fraction(last + half_ulp + hair, form.name), form.overflow)
            self.assertEqual(numbers.encode(0, 1, 5000, form.name), form.overflow)
            self.assertEqual(numbers.encode(1, 1, -5000, form.name), 1 << (form.width - 1))

    def test_float8_is_the_nearest_of_all_patterns(self):
        rng = random.Random(1)
        for name in ("float8_e4m3fn", "float8_e5m2"):
            finite = [(value(b, name), b) for b in range(128) if value(b, name) is not None]
            for _ in range(500):
                x = Fraction(rng.getrandbits(20), 1 << rng.randrange(14, 36))
                if x > finite[-1][0]:
                    continue
                nearest = min(finite, key=lambda pair: (abs(pair[0] - x), pair[1] & 1))
                self.assertEqual(encode_fraction(x, name), nearest[1], x)

    def test_one_rounding_only(self):
        trap = 1 + Fraction(1, 1 << 11) + Fraction(1, 1 << 40)
        self.assertEqual(encode_fraction(trap, "binary16"), 0x3c01)  # by binary32 it is 3c00
        trap = 1 + Fraction(1, 1 << 8) + Fraction(1, 1 << 40)
        self.assertEqual(encode_fraction(trap, "bfloat16"), 0x3f81)
        self.assertEqual(numbers.product(0x46d86558, "binary32", 0x1f2f, "binary16", "binary16"),
                         0x5a13)

    def test_struct_rounds_alike(self):
        rng = random.Random(2)
        for _ in range(RUNS):
            x = rng.uniform(-1, 1) * 2.0 ** rng.randrange(-40, 16)
            (bits,) = struct.unpack("<H", struct.pack("<e", x))
            self.assertEqual(numbers.from_float(x, "binary16")["bits"], f"{bits:04x}")
            x *= 2.0 ** rng.randrange(-110, 110)
            (bits,) = struct.unpack("<I", struct.pack("<f", x))
            self.assertEqual(numbers.from_float(x, "binary32")["bits"], f"{bits:08x}")


class Products(unittest.TestCase):
    def test_the_short_cut_is_the_integers(self):
        rng = random.Random(3)
        taken = 0
        for name in FORMATS:
            for s_format in FORMATS:
                for _ in range(60):
                    s = any_pattern(rng, s_format)
                    values = array(FORMATS[name].code,
                                   [any_pattern(rng, name) for _ in range(rng.choice((1, 3, 9)))])
                    got = numbers.products(s, s_format, values, name, name)
                    self.assertEqual(got.typecode, FORMATS[name].code)
                    for c, product in zip(values, got):
                        self.assertEqual(product, numbers.product(s, s_format, c, name, name))
                    taken += numbers._fast_products(s, s_format, values, name) is not None
        self.assertGreater(taken, 300)

    def test_finite_products_are_the_rounded_fraction(self):
        rng = random.Random(4)
        for _ in range(RUNS):
            s_format, c_format, out = (rng.choice(list(FORMATS)) for _ in range(3))
            s, c = any_pattern(rng, s_format), any_pattern(rng, c_format)
            exact = value(s, s_format), value(c, c_format)
            if None not in exact and exact[0] * exact[1] != 0:
                got = numbers.product(s, s_format, c, c_format, out)
                self.assertEqual(got, encode_fraction(exact[0] * exact[1], out))

    def test_specials(self):
        def half(s, c):
            return numbers.product(s, "binary32", c, "binary16", "binary16")
        inf, minus_one, one, zero = 0x7f800000, 0xbf800000, 0x3f800000, 0
        self.assertEqual(half(inf, 0x3c00), 0x7c00)
        self.assertEqual(half(inf, 0xbc00), 0xfc00)
        self.assertEqual(half(minus_one, 0x7c00), 0xfc00)
        self.assertEqual(half(inf, 0x0000), 0x7e00)
        self.assertEqual(half(zero, 0xfc00), 0x7e00)
        self.assertEqual(half(minus_one, 0x0000), 0x8000)
        self.assertEqual(half(0x7fc00000, 0x3c00), 0x7e00)
        for payload in (0x7c01, 0xfe37, 0x7fff):  # signalling ones too
            for s in (inf, minus_one, one, zero, 0x7fc12345):
                self.assertEqual(half(s, payload), payload)


class Conversions(unittest.TestCase):
    def test_widening_is_exact_and_comes_back(self):
        for form in SHORT:
            values = array(form.code, range(0, 1 << form.width, 1 if form.width == 8 else 11))
            for wide in FORMATS:
                if wide == form.name or not numbers.fits(form.name, wide):
                    continue
                widened = numbers.convert(values, form.name, wide)
                for bits, other in zip(values, widened):
                    self.assertEqual(value(bits, form.name), value(other, wide))
                if form.has_infinity:
                    self.assertEqual(numbers.convert(widened, wide, form.name), values)

    def test_what_fits(self):
        self.assertTrue(numbers.fits("binary16", "binary32"))
        self.assertTrue(numbers.fits("float8_e5m2", "binary16"))
        self.assertFalse(numbers.fits("binary16", "bfloat16"))
        self.assertFalse(numbers.fits("bfloat16", "binary16"))
        self.assertFalse(numbers.fits("binary32", "binary16"))

    def test_patterns_as_floats_come_back(self):
        for form in SHORT:
            patterns = array(form.code, range(0, 1 << form.width, 1 if form.width == 8 else 3))
            tensor = numbers.pack(patterns, form.name, [len(patterns)])
            floats = numbers.to_floats(tensor)
            for bits, x in zip(patterns, floats):
                exact = value(bits, form.name)
                if exact is not None:
                    self.assertEqual(Fraction(x), exact)
                    self.assertEqual(math.copysign(1, x) < 0, bits >> (form.width - 1) == 1)
                else:
                    self.assertEqual(math.isinf(x), numbers.decode(bits, form.name)[0] == "inf")
                    self.assertFalse(math.isfinite(x))
            back = numbers.unpack(numbers.from_floats(floats, form.name, [len(floats)]))
            for bits, again in zip(patterns, back):
                if numbers.decode(bits, form.name)[0] == "nan":  # a signalling one becomes quiet
                    self.assertEqual(numbers.decode(again, form.name)[0], "nan")
                else:
                    self.assertEqual(again, bits)

    def test_floats_are_rounded_once(self):
        rng = random.Random(6)
        for name, form in FORMATS.items():
            middles = [Fraction(value(bits, name) + value(bits + 1, name)) / 2 for bits in
                       (rng.randrange(form.max_finite) for _ in range(100)) if name != "binary64"]
            floats = [float(x) for x in middles]  # exact: a middle has one bit more than the format
            floats += [math.nextafter(x, way) for x in floats for way in (-math.inf, math.inf)]
            floats += [rng.uniform(-1, 1) * 2.0 ** rng.randrange(-160, 160) for _ in range(300)]
            floats += [0.0, -0.0, -1e-300, 1e300]
            expected = [encode_fraction(Fraction(x), name) if x else
                        (math.copysign(1, x) < 0) << (form.width - 1) for x in floats]
            tensor = numbers.from_floats(floats, name, [len(floats)])
            self.assertEqual(list(numbers.unpack(tensor)), expected)
            for x, y in zip(numbers.rounded(floats, name), numbers.to_floats(tensor)):
                self.assertTrue(x == y or (x != x and y != y))

    def test_infinities_and_nan_as_floats(self):
        for name, form in FORMATS.items():
            tensor = numbers.from_floats([math.inf, -math.inf, math.nan], name, [3])
            kinds = [numbers.decode(bits, name)[0] for bits in numbers.unpack(tensor)]
            self.assertEqual(kinds, ["inf", "inf", "nan"] if form.has_infinity else ["nan"] * 3)

    def test_scalars(self):
        for x in (0.0, -0.0, 1e-6, 5e-324, -1.7976931348623157e308, float("inf")):
            back = numbers.to_float(numbers.from_float(x))
            self.assertEqual(struct.pack("d", back), struct.pack("d", x))


class Messages(unittest.TestCase):
    def test_written_and_read(self):
        rng = random.Random(5)
        for name, form in FORMATS.items():
            for count in (0, 1, 2, 255, 256, 257):
                values = array(form.code, [rng.getrandbits(form.width) for _ in range(count)])
                kept = array(form.code, values)
                tensor = numbers.pack(values, name, [count])
                self.assertEqual(values, kept)
                self.assertEqual("data" in tensor, count >= 256)
                self.assertEqual(numbers.unpack(tensor), values)

    def test_the_page_says_most_significant_first_in_bits_and_last_in_data(self):
        self.assertEqual(numbers.pack([0x3c00, 1], "binary16", [2])["bits"], "3c00 0001")
        read = numbers.unpack({"format": "binary16", "shape": [2], "data": "ADwBAA=="})
        self.assertEqual(list(read), [0x3c00, 1])

    def test_a_tensor_without_a_shape_is_one_element(self):
        self.assertEqual(list(numbers.unpack({"format": "binary16", "shape": [], "bits": "3c00"})),
                         [0x3c00])

    def test_malformed(self):
        for field, tensor in (
                ("format", {"format": "half", "shape": [1], "bits": "3c00"}),
                ("bits", {"format": "binary16", "shape": [1], "bits": "3c0"}),
                ("bits", {"format": "binary16", "shape": [1], "bits": "3c0g"}),
                ("bits", {"format": "binary16", "shape": [1], "bits": 3}),
                ("shape", {"format": "binary16", "shape": [3], "bits": "3c00 3c00"}),
                ("data", {"format": "binary16", "shape": [1], "data": "A"})):
            with self.assertRaisesRegex(ValueError, f"^{field}: "):
                numbers.unpack(tensor)
        with self.assertRaisesRegex(ValueError, "^bits: "):
            numbers.unpack_scalar({"format": "binary32", "bits": "3f80"})

    def test_integers(self):
        self.assertEqual(numbers.integer("9007199254740993"), 9007199254740993)
        self.assertEqual(numbers.integer(-100), -100)
        for wrong in (True, 1.0, None):
            with self.assertRaises(ValueError):
                numbers.integer(wrong)


if __name__ == "__main__":
    unittest.main()
