"""Answers every step at once with nulls, and claims nothing: what the transport alone can do."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from ampcheck.messages import OPERATIONS
from ampcheck.protocol import Session, serve

HELLO = {
    "name": "null", "version": "1", "language": "python",
    "operations": sorted(OPERATIONS - {"token_window"}),
    "forms": {kind: ["loop", "foreach", "fused"] for kind in ("sgd", "adam", "adamw")},
    "formats": {what: ["binary16", "bfloat16", "binary32", "binary64"]
                for what in ("loss", "coefficient", "parameter")},
    "profiles": [],
    "policy": {
        "unscale": "division", "unscale_format": "binary32", "output_format": "gradient",
        "scale_format": "binary32", "factor_format": "binary32", "growth_rule": "n",
        "growth_limit": "refuse", "accumulation": "scaled", "update_at": "window",
        "norm_input": "unscaled", "norm_algorithm": "sum_of_squares", "clip_formula": "quotient",
        "clip_epsilon": {"format": "binary32", "bits": "00000000"}, "unneeded_clip": "identity",
        "step_arithmetic": "separate",
    },
}


def _nothing(self, step):
    return None


NullSession = type("NullSession", (Session,), {op: _nothing for op in HELLO["operations"]})

if __name__ == "__main__":
    serve(HELLO, NullSession)
