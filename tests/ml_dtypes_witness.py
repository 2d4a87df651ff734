#!/usr/bin/env python3
"""Compares the reference's short formats with ml_dtypes, which shares no code with it.

    cmake --build build/release --target converted
    python3 -m venv /tmp/witness && /tmp/witness/bin/pip install ml_dtypes
    /tmp/witness/bin/python tests/ml_dtypes_witness.py build/release/tests/converted

All patterns' values, and the conversions of about a million patterns of binary32: every number of the
format, every midpoint, what lies beside both, and every 4099th pattern. Needs a network, so it is no test.

Where the reference refuses, ml_dtypes must give NaN, or a zero in a format without NaN. A fault of
ml_dtypes 0.6.0 is known, see known_fault.
"""

import math
import subprocess
import sys

import ml_dtypes
import numpy

FORMATS = {"binary16": numpy.float16} | {
    name: getattr(ml_dtypes, name)
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz",
                 "float8_e8m0fnu", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn")}
REFUSED = 0xFFFFFFFF


def known_fault(name, bits):
    """ml_dtypes rounds a binary32 just above 2^-127, which is subnormal there, up to 2^-126 (so does PyTorch).

    The tie, 0x00600000, is 1.5 times 2^-127, and from there on up is right.
    """
    return (name == "float8_e8m0fnu") & (bits > 0x00400000) & (bits < 0x00600000)


def number(text):
    return math.nan if "nan" in text else float.fromhex(text)


def same(a, b):
    """Elementwise: equal with equal signs, or both NaN."""
    return (numpy.isnan(a) & numpy.isnan(b)) | ((a == b) & (numpy.signbit(a) == numpy.signbit(b)))


def inputs(values):
    finite = numpy.unique(values[numpy.isfinite(values)])
    with numpy.errstate(over="ignore"):
        places = numpy.concatenate([finite, (finite[1:] + finite[:-1]) / 2,
                                    finite[-1:] * 2, finite[:1] * 2]).astype(numpy.float32)
    beside = places.view(numpy.uint32)[:, None] + numpy.arange(-2, 3, dtype=numpy.int64)[None, :]
    slice_ = numpy.arange(0, 1 << 32, 4099, dtype=numpy.int64)
    special = [0, 1, 0x7F800000, 0x7FC00000, 0x7F7FFFFF, 0x007FFFFF, 0x00800000]
    special += [bits | 0x80000000 for bits in special]
    return numpy.unique(numpy.concatenate([beside.ravel() & 0xFFFFFFFF, slice_, special])).astype(numpy.uint32)


def compare(program, name, theirs):
    lines = subprocess.run([program, "values", name], capture_output=True, text=True, check=True).stdout.split()
    values = numpy.array([number(line) for line in lines])
    patterns = numpy.arange(len(values), dtype=numpy.uint16 if len(values) > 256 else numpy.uint8)
    with numpy.errstate(invalid="ignore"):
        decoded = patterns.view(theirs).astype(numpy.float64)
    wrong_values = numpy.flatnonzero(~same(decoded, values))

    bits = inputs(values)
    output = subprocess.run([program, "numbers", name], input=bits.tobytes(), capture_output=True, check=True)
    ours = numpy.frombuffer(output.stdout, numpy.uint32)
    with numpy.errstate(all="ignore"):
        converted = bits.view(numpy.float32).astype(theirs)
    other = converted.view(patterns.dtype).astype(numpy.uint32)
    value = converted.astype(numpy.float64)
    refused = ours == REFUSED
    nan = numpy.isnan(value) & numpy.isnan(values[numpy.where(refused, 0, ours)])
    agreed = numpy.where(refused, numpy.isnan(value) | (value == 0), (ours == other) | nan)
    known = ~agreed & known_fault(name, bits)
    wrong = numpy.flatnonzero(~agreed & ~known)
    print(f"{name}: {len(values)} patterns, {len(wrong_values)} values differ; {len(bits)} conversions, "
          f"{len(wrong)} differ, {int(known.sum())} by a known fault of ml_dtypes, {int(refused.sum())} refused")
    for i in wrong[:5]:
        print(f"  {int(bits[i]):08x}: ml_dtypes {int(other[i]):x}, the reference {int(ours[i]):x}")
    return len(wrong_values) + len(wrong) == 0


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(f"ml_dtypes {ml_dtypes.__version__}, numpy {numpy.__version__}")
    agreed = [compare(sys.argv[1], name, theirs) for name, theirs in FORMATS.items()]
    sys.exit(0 if all(agreed) else 1)


if __name__ == "__main__":
    main()
