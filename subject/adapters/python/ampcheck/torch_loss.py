"""A loss whose gradient is known: loss + Σ c·(p - stop_gradient(p)), for torch's autograd.

What reaches a parameter's accumulator is RN_F(s·c), F the format of the delivery, c the coefficients and s the
cotangent that really comes back; torch's own autograd adds it. The products are made by integers
because torch's cast of a binary64 to 16 bits rounds twice.
"""
import torch

from ampcheck import numbers
from ampcheck.protocol import adapter
from ampcheck.torch_tensors import NAMES, from_patterns, patterns


class Gradient:
    """Where the gradient of one parameter comes from.

    coefficients: a tensor of a message; delivered_in: F, by default the format of the coefficients.
    ValueError where F is wider than the parameter's format.
    """

    def __init__(self, coefficients, parameter, delivered_in=None):
        self.given = coefficients["format"]
        self.format = delivered_in or self.given
        self.target = NAMES[parameter.dtype]
        self.shape = parameter.shape
        if list(self.shape) != coefficients["shape"]:
            raise ValueError(f"shape: {coefficients['shape']} is not the parameter's")
        self.values = numbers.unpack(coefficients)
        if not numbers.fits(self.format, self.target):
            raise ValueError(f"format: {self.format} does not fit into {self.target}")

    def scaled_by(self, s, s_format):
        made = numbers.products(s, s_format, self.values, self.given, self.format)
        widened = numbers.convert(made, self.format, self.target)
        return from_patterns(widened, self.target, self.shape)


class Coefficients(torch.autograd.Function):
    """loss -> loss; leaves the cotangent that comes back in `made`, a dict."""

    @staticmethod
    def forward(ctx, loss, made, gradients, *parameters):
        ctx.made, ctx.gradients = made, gradients
        return loss.clone()

    @staticmethod
    def backward(ctx, cotangent):
        with adapter():
            ctx.made["cotangent"] = cotangent
            (s,), s_format = patterns(cotangent), NAMES[cotangent.dtype]
            return (None, None, None, *(g.scaled_by(s, s_format) for g in ctx.gradients))


class Tap(torch.autograd.Function):
    """loss -> loss; leaves the cotangent where the scaler sees the loss in `made`."""

    @staticmethod
    def forward(ctx, loss, made):
        ctx.made = made
        return loss.clone()

    @staticmethod
    def backward(ctx, cotangent):
        ctx.made["seed"] = cotangent
        return cotangent, None
