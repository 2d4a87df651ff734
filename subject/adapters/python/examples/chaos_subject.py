"""Goes wrong on some cases, always on the same ones, and answers all others with nulls.

    chaos_subject.py [--crash P] [--flood P] [--nonsense P] [--hang P] [--noise P] [--error P]

Each option is the share of cases, 0 to 1, on which that happens:
  crash     the process ends
  flood     a line without an end
  nonsense  a line that is no answer
  hang      no answer at all
  noise     megabytes on standard error, then a right answer
  error     the adapter itself fails

A case's fate hangs on a hash of its id alone, so a case that is played again meets it again.
"""
import argparse
import hashlib
import os
import sys
import time

from null_subject import HELLO, NullSession

from ampcheck.protocol import serve, take_streams


def crash():
    os._exit(1)


def flood():
    _, sink = take_streams()
    while True:
        os.write(sink, b"x" * 65536)


def nonsense():
    _, sink = take_streams()
    os.write(sink, b"Loading checkpoint shards: 100%\n")


def hang():
    time.sleep(24 * 60 * 60)


def noise():
    for _ in range(64):
        sys.stderr.write("a warning that nobody reads\n" * 2341)  # 64 KiB each time


def error():
    raise RuntimeError("the adapter's own fault")


FATES = (crash, flood, nonsense, hang, noise, error)


def fate(case_id, shares):
    """What happens on a case: one of FATES, or None. shares: name of a fate -> its share."""
    digest = hashlib.sha256(case_id.encode()).digest()
    place = int.from_bytes(digest[:8], "big") / 2**64
    for happening in FATES:
        place -= shares[happening.__name__]
        if place < 0:
            return happening
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for happening in FATES:
        parser.add_argument(f"--{happening.__name__}", type=float, default=0.0, metavar="P")
    shares = vars(parser.parse_args())

    def session(case):
        happening = fate(case["id"], shares)
        if happening is not None:
            happening()
        return NullSession(case)

    serve({**HELLO, "name": "chaos"}, session)


if __name__ == "__main__":
    main()
