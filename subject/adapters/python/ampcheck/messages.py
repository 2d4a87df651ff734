"""What is wrong with a case: the first malformed field, in words.

Cases are not checked before they are played, for speed. Where playing one fails, `malformed` tells
whether the case is to blame, and names the field.
"""
from ampcheck import numbers


def _scalar(value):
    _object(value, {"format": _text, "bits": _text})
    _read(numbers.unpack_scalar, value)


def _tensor(value):
    _object(value, {"format": _text, "shape": _list_of(_integer),
                    "data" if "data" in value else "bits": _text})
    _read(numbers.unpack, value)


def _read(unpack, value):
    try:
        unpack(value)
    except ValueError as error:  # its text begins with the name of the field
        raise ValueError(f".{error}") from None


def _norm_order(value):
    if value != "inf":
        _scalar(value)


def _text(value):
    if not isinstance(value, str):
        raise ValueError("must be a string")


def _integer(value):
    numbers.integer(value)


def _boolean(value):
    if not isinstance(value, bool):
        raise ValueError("must be true or false")


def _list_of(check):
    def check_list(value):
        if not isinstance(value, list):
            raise ValueError("must be a list")
        for index, item in enumerate(value):
            _at(f"[{index}]", check, item)
    return check_list


def _map_of(check):
    def check_map(value):
        if not isinstance(value, dict):
            raise ValueError("must be an object")
        for name, item in value.items():
            _at(f".{name}", check, item)
    return check_map


def _one_of(*words):
    def check_word(value):
        if value not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
    return check_word


def _record(required, optional=None):
    return lambda value: _object(value, required, optional or {})


def _object(value, required, optional=None):
    if not isinstance(value, dict):
        raise ValueError("must be an object")
    for name, check in required.items():
        if name not in value:
            raise ValueError(f".{name}: is missing")
        _at(f".{name}", check, value[name])
    for name, check in (optional or {}).items():
        if name in value:
            _at(f".{name}", check, value[name])


def _at(place, check, value):
    """Runs a check, and puts the place before what it complains of."""
    try:
        check(value)
    except ValueError as error:
        text = str(error)
        raise ValueError(place + text if text[:1] in ".[" else f"{place}: {text}") from None


def _parameter(value):
    _object(value, {"name": _text})
    _object(value, {"same_as": _text} if "same_as" in value else {"initial": _tensor})


_OPTIMIZER = {"optimizer": _text}
_CLIP = {"optimizers": _list_of(_text), "limit": _scalar}

# Per operation the fields that must be there, and those that may be absent.
_STEPS = {
    "scaler": ({"init_scale": _scalar, "growth_factor": _scalar, "backoff_factor": _scalar,
                "growth_interval": _integer}, {"enabled": _boolean}),
    "optimizer": ({"name": _text, "kind": _one_of("sgd", "adam", "adamw"),
                   "hyper": _map_of(_scalar), "parameters": _list_of(_parameter)},
                  {"form": _one_of("loop", "foreach", "fused"), "master_weights": _boolean,
                   "schedule": _list_of(_scalar)}),
    "backward": ({"loss": _scalar,
                  "coefficients": _list_of(_record({"parameter": _text, "values": _tensor},
                                                       {"format": _text}))},
                 {"divide": _integer, "last": _boolean, "own_product": _boolean}),
    "token_window": ({"parameter": _text, "ranks": _list_of(_list_of(_record(
                         {"labels": _list_of(_integer), "times": _list_of(_integer),
                          "losses": _tensor, "coefficients": _tensor}, {"rows": _integer})))},
                     {"ignore_index": _integer, "reducer": _one_of("mean", "sum"),
                      "class_weights": _tensor, "shift": _integer}),
    "unscale": (_OPTIMIZER, {}),
    "clip_norm": (_CLIP, {"p": _norm_order}),
    "clip_value": (_CLIP, {}),
    "step": (_OPTIMIZER, {}),
    "update": ({}, {}),
    "zero_grad": (_OPTIMIZER, {"to_none": _boolean}),
    "save_load": ({}, {}),
    "recipe": ({"recipe": _one_of("accumulate", "weight_decay", "warm_up", "linear_lr"),
                "batch": _integer},
               {"nominal_batch": _integer, "weight_decay": _scalar, "warm_up": _integer,
                "micro_batches": _integer, "epochs": _integer, "base_batch": _integer,
                "lr": _scalar, "step": _integer}),
    "observe": ({}, {}),
}
# The operations of protocol 1.
OPERATIONS = frozenset(_STEPS)


def _step(value):
    _object(value, {"op": _text}, {"observe": _list_of(_text)})
    # An operation of a later protocol is no error: it is answered `unsupported`.
    required, optional = _STEPS.get(value["op"], ({}, {}))
    _object(value, required, optional)


def _references(steps):
    """That every optimizer and parameter was made by an earlier step."""
    optimizers, parameters = set(), set()

    def known(place, names, name):
        if name not in names:
            raise ValueError(f"{place}: nothing is called {name!r}")

    for index, step in enumerate(steps):
        place = f".steps[{index}]"
        for k, parameter in enumerate(step["parameters"] if step["op"] == "optimizer" else ()):
            if "same_as" in parameter:
                known(f"{place}.parameters[{k}].same_as", parameters, parameter["same_as"])
            parameters.add(parameter["name"])
        if step["op"] == "optimizer":
            optimizers.add(step["name"])
        elif "optimizer" in step:
            known(f"{place}.optimizer", optimizers, step["optimizer"])
        for name in step.get("optimizers", ()):
            known(f"{place}.optimizers", optimizers, name)
        if step["op"] == "token_window":
            known(f"{place}.parameter", parameters, step["parameter"])
        for k, one in enumerate(step["coefficients"] if step["op"] == "backward" else ()):
            known(f"{place}.coefficients[{k}].parameter", parameters, one["parameter"])
        for name in step.get("observe", ()):
            parts = name.split("/")
            if parts[0] in ("gradient", "parameter", "master", "state"):
                known(f"{place}.observe", parameters, parts[1] if len(parts) > 1 else "")


def malformed(case):
    """The first malformed field of a case, as 'steps[2].loss.bits: …', or None."""
    try:
        _object(case, {"id": _text, "steps": _list_of(_step)},
                {"clause": _text, "seed": _integer, "ranks": _integer})
        _references(case["steps"])
    except ValueError as error:
        return str(error).lstrip(".")
    return None
