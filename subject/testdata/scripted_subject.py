"""A subject for tests of the transport: what it does with a case stands in the case's clause.

Arguments: how it says hello (fine, exit, garbage, silent, flood, wrong, chatty), and `reversed` where it shall answer
what it finds waiting in reverse order.
"""

import json
import os
import select
import signal
import sys
import time

HELLO = {"name": "scripted", "version": "1", "language": "python", "operations": ["observe"], "formats": {},
         "profiles": [], "policy": {}}
answered = 0


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def say_hello(how):
    if how == "exit":
        sys.exit("I have no licence\nand no wish to start")
    elif how == "garbage":
        write("Welcome to my subject!\n")
    elif how == "silent":
        time.sleep(1000)
    elif how == "flood":
        while True:
            write("x" * 65536)
    elif how == "wrong":
        write(json.dumps({"hello": {**HELLO, "operations": ["frobnicate"]}}) + "\n")
    elif how == "chatty":
        write(json.dumps({"hello": HELLO}) + "\nready\n")
    elif how.startswith("once:"):  # the first start only
        with open(how[5:], "a+") as marks:
            marks.write("x")
            if marks.tell() > 1:
                sys.exit("never again")
        write(json.dumps({"hello": HELLO}) + "\n")
    elif how == "patient":
        write(json.dumps({"hello": {**HELLO, "case_seconds": 2}}) + "\n")
    else:
        write(json.dumps({"hello": HELLO}) + "\n")


def answer(case):
    global answered
    what = case["clause"]
    good = json.dumps({"case": case["id"], "answers": [{} for _ in case["steps"]]}) + "\n"
    if what == "crash":
        sys.stderr.write("about to fail\n")
        sys.stderr.flush()
        os._exit(3)
    elif what == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif what == "flood":
        while True:
            write("x" * 65536)
    elif what == "nonsense":
        write("Traceback (most recent call last):\n")
    elif what == "hang":
        time.sleep(1000)
    elif what == "close":
        os.close(1)
        time.sleep(1000)
    elif what == "stranger":
        write(good.replace(case["id"], "nobody"))
    elif what == "twice":
        write(good + good)
    elif what == "malformed":
        write(json.dumps({"case": case["id"], "answers": "none"}) + "\n")
    elif what == "error":
        write(json.dumps({"case": case["id"], "error": "no memory"}) + "\n")
    elif what == "used" and answered:  # breaks where another case went before
        os._exit(4)
    else:
        if what == "loud":
            sys.stderr.write("x" * 5_000_000 + "\nlast words\n")
            sys.stderr.flush()
        elif what == "slow":
            time.sleep(0.1)
        elif what == "slower":
            time.sleep(0.7)
        elif what == "large":
            good = good.replace("{}", json.dumps({"note": "x" * 3_000_000}))
        write(good)
        answered += 1
        if what == "quit":
            os._exit(0)


def main():
    arguments = sys.argv[1:] + ["fine"]
    backwards = "reversed" in arguments
    say_hello(arguments[0])
    waiting, rest, ended = [], b"", False
    while waiting or not ended:
        # Not through sys.stdin: its buffer would hide from select() what waits.
        if not ended and (not waiting or (backwards and select.select([0], [], [], 0.02)[0])):
            got = os.read(0, 1 << 16)
            ended = not got
            *whole, rest = (rest + got).split(b"\n")
            waiting += [json.loads(line) for line in whole]
            continue
        message = waiting.pop(-1 if backwards else 0)
        if "run" in message:
            answer(message["run"])
        elif "stop" in message:
            return


main()
