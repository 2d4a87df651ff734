"""A subject for test_protocol.py: each operation does what a library or an adapter may do to us."""
import ctypes
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from ampcheck.protocol import Session, Unsupported, adapter, library, serve


class Loud(Session):
    def unscale(self, step):  # prints in every way, and reads what is not its own
        print("printed")
        os.write(1, b"written\n")
        ctypes.CDLL(None).printf(b"from C\n")
        ctypes.CDLL(None).fflush(None)
        self.made["found_non_finite"] = bool(sys.stdin.read() or os.read(0, 100))

    def step(self, step):
        self.made["stepped"] = True
        with library():
            raise KeyError("from the library")

    def clip_norm(self, step):
        with library():  # the library calls the adapter back
            with adapter():
                raise KeyError("from the adapter")

    def clip_value(self, step):
        with library():
            raise Unsupported("not in this version")

    def backward(self, step):
        self.made["loss"] = float(step["divide"])  # no value of the protocol, and NaN is no JSON
        return {"by": "adapter"}

    def update(self, step):
        return {"with": 0}

    def zero_grad(self, step):
        raise SystemExit(3)

    def look(self, name):
        return "x" * (17 << 20) if name == "parameter/huge" else super().look(name)


if __name__ == "__main__":
    serve({"name": "loud"}, Loud)
