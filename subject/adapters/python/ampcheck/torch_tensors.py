"""Tensors of torch from patterns of bits and back; NaN payloads survive both ways.

They live on DEVICE: the CPU, or what AMPCHECK_TORCH_DEVICE names, such as cuda.
"""
import os
from array import array

import torch

from ampcheck import numbers

DTYPES = {"binary16": torch.float16, "bfloat16": torch.bfloat16,
          "binary32": torch.float32, "binary64": torch.float64}
DEVICE = os.environ.get("AMPCHECK_TORCH_DEVICE", "cpu")
NAMES = {dtype: name for name, dtype in DTYPES.items()}
_PATTERNS = {2: torch.uint16, 4: torch.uint32, 8: torch.uint64}  # by bytes an element


def from_patterns(values, name, shape):
    """An array of patterns as a tensor."""
    if not values:  # frombuffer takes no empty buffer
        return torch.empty(shape, dtype=DTYPES[name], device=DEVICE)
    return torch.frombuffer(bytearray(values), dtype=DTYPES[name]).reshape(shape).to(DEVICE)


def from_message(tensor):
    """A tensor, or a scalar, of a message."""
    name = tensor["format"]
    if name not in DTYPES:
        raise ValueError(f"format: torch's CPU optimizers have no {name}")
    if "shape" not in tensor:
        pattern = numbers.unpack_scalar(tensor)
        return from_patterns(array(numbers.FORMATS[name].code, [pattern]), name, ())
    return from_patterns(numbers.unpack(tensor), name, tensor["shape"])


def patterns(tensor):
    """The patterns of a tensor, as a list of unsigned integers."""
    flat = tensor.detach().cpu()
    if flat.dim() != 1:
        flat = flat.reshape(-1)
    return flat.view(_PATTERNS[flat.element_size()]).tolist()


def to_message(tensor):
    return numbers.pack(patterns(tensor), NAMES[tensor.dtype], tensor.shape)


def to_scalar(tensor):
    return numbers.pack_scalar(patterns(tensor)[0], NAMES[tensor.dtype])
