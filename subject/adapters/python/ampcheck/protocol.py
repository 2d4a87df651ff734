"""The wire protocol, for subjects in Python: JSON lines on standard input and output.

A subject derives from `Session` and calls `serve(hello, Session)`. The helper keeps the protocol's
two streams to itself, so that a library that prints or reads cannot break them, and turns every
exception into an answer: one that comes out of `with library():` into `raised`, every other into
an `error` of its case.
"""
import gc
import json
import os
import sys

from ampcheck.messages import OPERATIONS, malformed

MAX_LINE = 16 << 20  # bytes, the end of the line not counted
_MAX_TEXT = 500  # characters of an exception's text that are sent
_READ = 1 << 20


class Unsupported(Exception):
    """An operation, or a setting of it, that the subject does not offer; the text tells why."""


class Raised(Exception):
    """What the library under test raised; the cause is the exception itself."""


class library:
    """Stands around calls into the library under test, and around nothing else.

        with library():
            optimizer.step()
    """

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        ours = getattr(error, "_ampcheck_ours", False)
        if isinstance(error, Exception) and not isinstance(error, Unsupported) and not ours:
            raise Raised from error


class adapter:
    """Stands around the adapter's own code where the library calls it, inside of `library`."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is not None:
            error._ampcheck_ours = True


class Session:
    """One case: derive from this, with one method for each operation that the subject offers.

    A method takes its step, the JSON object of PROTOCOL.md §3, and returns nothing, or what stands
    in the answer beside the observations: `{"by": "adapter"}`, `{"with": 7}`. What the step alone
    has made (`norm`, `seed`, `stepped`, …) it leaves in `self.made`, which is empty at its start.
    """

    most_ranks = 1  # cases of more ranks are answered `unsupported`
    offered = {}  # operation: method, for this class

    def __init_subclass__(cls):
        cls.offered = {name: getattr(cls, name) for name in OPERATIONS if hasattr(cls, name)}

    def __init__(self, case):
        self.case = case
        self.made = {}

    def look(self, name):
        """The value of an observation as JSON, after the action of a step; None: cannot be shown.

        With several ranks it is a list of a value for each.
        """
        return self.made.get(name)

    def observe(self, step):
        """The step `observe` has no action."""


def play(session, case):
    """The answers to all steps of a case, in order."""
    ranks = case.get("ranks", 1)
    if ranks != 1 and ranks > session.most_ranks:
        return [{"unsupported": f"{ranks} ranks"}] * len(case["steps"])
    answers = []
    offered, made, look = session.offered, session.made, session.look
    for step in case["steps"]:
        method = offered.get(step["op"])
        if method is None:
            answers.append({"unsupported": f"no operation {step['op']}"})
            continue
        made.clear()
        try:
            answer = method(session, step) or {}
            if "observe" in step:
                for name in step["observe"]:
                    answer[name] = look(name)
        except Raised as wrapper:
            error = wrapper.__cause__
            answer = {"raised": {"type": type(error).__name__, "text": str(error)[:_MAX_TEXT]}}
        except Unsupported as error:
            answer = {"unsupported": str(error)}
        answers.append(answer)
    return answers


_streams = None


def take_streams():
    """Keeps standard input and output for the protocol: (descriptor to read, one to write).

    From now on the library under test reads nothing there, and what it prints goes to standard
    error. Call it before the library is imported where the import may print.
    """
    global _streams
    if _streams is None:
        sys.stdout.flush()
        _streams = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
    return _streams


# Bytes are decoded first: the json module is slow at guessing an encoding.
_decode = json.JSONDecoder().decode
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def serve(hello, session_factory):
    """Answers messages until `stop`, the end of input, or until nobody reads the answers.

    hello: the object of PROTOCOL.md §5. session_factory: called with each case, gives its Session.
    """
    source, sink = take_streams()
    gc.freeze()  # what the library has loaded is no garbage: collections need not look at it
    for line in _lines(source):
        reply = _answer(line, hello, session_factory)
        if reply is _STOP:
            return
        if reply is not None and not _write(sink, reply):
            return


_STOP = object()


def _answer(line, hello, session_factory):
    """The reply to one line: an object, None where there is none, or _STOP."""
    try:
        message = _decode(line.decode())
    except (ValueError, RecursionError) as error:
        return {"case": None, "error": f"not JSON: {error}"}
    if not isinstance(message, dict):
        return {"case": None, "error": "a message must be an object"}
    if "run" in message:
        case = message["run"]
        try:
            return {"case": case["id"], "answers": play(session_factory(case), case)}
        except Exception as error:
            return _error(case, error)
    if "hello" in message:
        return {"hello": hello}
    if "stop" in message:
        return _STOP
    return None  # a message of a later protocol


def _error(case, error):
    name = case.get("id") if isinstance(case, dict) else None
    fault = malformed(case)
    text = f"malformed case: {fault}" if fault else f"{type(error).__name__}: {error}"
    return {"case": name, "error": text[:_MAX_TEXT]}


def _lines(source):
    """Complete lines of a descriptor, read in large blocks so that several cases may wait."""
    begun = []
    while True:
        block = os.read(source, _READ)
        if not block:
            return
        if b"\n" not in block:
            begun.append(block)
            continue
        lines = b"".join((*begun, block)).split(b"\n")
        begun = [lines.pop()]
        for line in lines:
            if line:
                yield line


def _write(sink, reply):
    """Writes a reply as one line; False where nobody reads any more."""
    try:
        data = _encode(reply).encode()
    except (TypeError, ValueError) as error:  # something in an answer is no JSON
        data = _encode({"case": reply.get("case"), "error": f"the answer: {error}"}).encode()
    if len(data) > MAX_LINE:
        data = _encode({"case": reply.get("case"), "error": "the answer exceeds 16 MiB"}).encode()
    data += b"\n"
    try:
        while data:
            data = data[os.write(sink, data):]
    except BrokenPipeError:
        return False
    return True
