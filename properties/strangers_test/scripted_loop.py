"""A training loop as one script of functions, with windows of tokens, over the bare protocol.

It writes and reads its own numbers, from bits to Python's floats and back, and keeps a checkpoint
as text. The scale is in binary64, and so is its reciprocal, which gradients are multiplied by; it
stays between 2^-24 and 2^24. Gradients and arithmetic are in binary32, weights in binary16,
bfloat16 or binary32.
"""
import json
import math
import sys
from types import SimpleNamespace

# Of each format the bits of the exponent and of the fraction.
FORMATS = {"binary16": (5, 10), "bfloat16": (8, 7), "binary32": (8, 23), "binary64": (11, 52),
           "float8_e5m2": (5, 2)}
LOWEST, HIGHEST = 2.0**-24, 2.0**24


# ---- numbers ----------------------------------------------------------------------------------
def float_of(bits, form):
    exponent_bits, fraction_bits = FORMATS[form]
    bias, top = (1 << exponent_bits - 1) - 1, (1 << exponent_bits) - 1
    sign = -1.0 if bits >> exponent_bits + fraction_bits else 1.0
    exponent = bits >> fraction_bits & top
    fraction = bits & (1 << fraction_bits) - 1
    if exponent == top:
        return math.nan if fraction else sign * math.inf
    if exponent:
        fraction |= 1 << fraction_bits
    return sign * math.ldexp(fraction, max(exponent, 1) - bias - fraction_bits)


def cut(x, form="binary32"):
    """Rounded to the format; Python's round() is to nearest, ties to even."""
    if form == "binary64" or x == 0 or not math.isfinite(x):
        return x
    exponent_bits, fraction_bits = FORMATS[form]
    bias = (1 << exponent_bits - 1) - 1
    quantum = max(math.frexp(x)[1] - 1, 1 - bias) - fraction_bits
    rounded = math.copysign(math.ldexp(abs(round(math.ldexp(x, -quantum))), quantum), x)
    return rounded if abs(rounded) < 2.0**(bias + 1) else math.copysign(math.inf, x)


def bits_of(x, form):
    exponent_bits, fraction_bits = FORMATS[form]
    bias, top = (1 << exponent_bits - 1) - 1, (1 << exponent_bits) - 1
    sign = (math.copysign(1.0, x) < 0) << exponent_bits + fraction_bits
    x = abs(cut(x, form))
    if x != x:
        return top << fraction_bits | 1 << fraction_bits - 1
    if x == math.inf:
        return sign | top << fraction_bits
    exponent = max(math.frexp(x)[1] - 1, 1 - bias) if x else 1 - bias
    whole = int(math.ldexp(x, fraction_bits - exponent))
    # The hidden bit counts as one more binade; subnormal numbers have none.
    return sign | whole + (exponent + bias - 1 << fraction_bits)


def read(value):
    form = value["format"]
    return [float_of(int(word, 16), form) for word in value["bits"].split()]


def scalar(x, form="binary32"):
    return {"format": form, "bits": format(bits_of(x, form), f"0{1 + sum(FORMATS[form]) >> 2}x")}


def tensor(xs, shape, form="binary32"):
    words = " ".join(scalar(x, form)["bits"] for x in xs)
    return {"format": form, "shape": shape, "bits": words}


# ---- the loop ---------------------------------------------------------------------------------
# What is kept of a case is a dictionary of plain dictionaries, so that a checkpoint is JSON.
def new_scale(init, up, down, interval, enabled):
    return {"value": init if enabled else 1.0, "up": up, "down": down, "interval": interval,
            "count": 0, "enabled": enabled, "found": {}}


def receive(world, name, values):
    """Adds one gradient to what a parameter has."""
    p = world["parameters"][name]
    if p["unit"] == "cleared":
        p["gradient"] = list(values)
    else:
        p["gradient"] = [cut(a + b) for a, b in zip(p["gradient"], values)]
    p["unit"] = "scaled" if world["scale"]["enabled"] else "unscaled"


def counts(token, ignored):
    return token.label != ignored


def count_of(ranks, ignored):
    return sum(t.times for rank in ranks for micro in rank for t in micro if counts(t, ignored))


def token_gradient(world, name, ranks, ignored, averaged):
    """The gradient of all tokens' mean loss, and that loss."""
    parts, n = world["code"], len(world["parameters"][name]["value"])
    total = parts.count_of(ranks, ignored)
    undone = len(ranks) if averaged else 1
    reduced, loss = [0.0] * n, 0.0
    for rank in ranks:
        mine = [0.0] * n
        for micro in rank:
            for t in micro:
                share = parts.share(t, total, ignored)
                if share is not None:
                    factor = world["scale"]["value"] * share * undone
                    mine = [m + factor * c for m, c in zip(mine, t.coefficients)]
                    loss += share * t.loss
        reduced = [r + cut(m) for r, m in zip(reduced, mine)]
    return [cut(r / undone) for r in reduced], loss


def share_of(token, total, ignored):
    return token.times / total if token.times and counts(token, ignored) else None


def owned(world, optimizers):
    names = [n for o in optimizers for n in world["optimizers"][o]["owns"]]
    return [p for n, p in world["parameters"].items()
            if n in names and p["unit"] != "cleared"]


def non_finite(world, optimizer):
    return any(not math.isfinite(x) for p in owned(world, [optimizer]) for x in p["gradient"])


def unscale(world, optimizer):
    scale = world["scale"]
    if scale["enabled"]:
        inverse = 1.0 / scale["value"]
        for p in owned(world, [optimizer]):
            if p["unit"] == "scaled":
                p["gradient"] = [cut(x * inverse) for x in p["gradient"]]
                p["unit"] = "unscaled"
        scale["found"][optimizer] = world["code"].non_finite(world, optimizer)


def clip_norm(world, optimizers, limit):
    gradients = [p["gradient"] for p in owned(world, optimizers)]
    norm = math.sqrt(sum(x * x for g in gradients for x in g))
    if limit < norm < math.inf:
        for p in owned(world, optimizers):
            p["gradient"] = [cut(x * (limit / norm)) for x in p["gradient"]]
    return norm


def clip_value(world, optimizers, limit):
    for p in owned(world, optimizers):
        p["gradient"] = [math.copysign(limit, x) if limit < abs(x) < math.inf else x
                         for x in p["gradient"]]


def step(world, optimizer):
    """False where the step is skipped."""
    scale = world["scale"]
    if scale["enabled"] and optimizer not in scale["found"]:
        world["code"].unscale(world, optimizer)
    if scale["found"].get(optimizer):
        return False
    o = world["optimizers"][optimizer]
    for p in owned(world, [optimizer]):
        world["code"].move(p, o["kind"], o["hyper"])
    return True


def move(p, kind, hyper):
    lr, decay = hyper.get("lr", 0.0), hyper.get("weight_decay", 0.0)
    d, old, state = p["gradient"], p["value"], p["state"]
    if kind == "adamw":
        old = [cut(w - lr * decay * w) for w in old]
    elif decay:
        d = [cut(g + cut(decay * w)) for g, w in zip(d, old)]
    if kind == "sgd":
        momentum, rest = hyper.get("momentum", 0.0), cut(1 - hyper.get("dampening", 0.0))
        if momentum:
            if state:
                d = [cut(cut(momentum * b) + cut(rest * g))
                     for b, g in zip(state["momentum_buffer"], d)]
            state["momentum_buffer"] = d
    else:
        d = adam_direction(d, state, hyper["beta1"], hyper["beta2"], hyper["eps"])
    p["value"] = [cut(cut(w - cut(lr * x)), p["format"]) for w, x in zip(old, d)]


def adam_direction(d, state, b1, b2, eps):
    """Everything in binary64, save what is kept."""
    t = state["step"] = state.get("step", 0) + 1
    m = state["exp_avg"] = [cut(b1 * m + (1 - b1) * g)
                            for m, g in zip(state.get("exp_avg", [0.0] * len(d)), d)]
    v = state["exp_avg_sq"] = [cut(b2 * v + (1 - b2) * g * g)
                               for v, g in zip(state.get("exp_avg_sq", [0.0] * len(d)), d)]
    below = [cut(math.sqrt(x / (1 - b2**t)) + eps) for x in v]
    return [cut(x / (1 - b1**t) / y) if y else x * math.inf for x, y in zip(m, below)]


def update(world):
    scale = world["scale"]
    if not scale["enabled"]:
        return
    if any(scale["found"].values()):
        scale["value"] = max(scale["value"] * scale["down"], min(scale["value"], LOWEST))
        scale["count"] = 0
    else:
        scale["count"] += 1
        if scale["count"] == scale["interval"]:
            scale["value"] = min(scale["value"] * scale["up"], max(scale["value"], HIGHEST))
            scale["count"] = 0
    scale["found"] = {}


def clear(world, optimizer, to_none):
    for p in (world["parameters"][n] for n in world["optimizers"][optimizer]["owns"]):
        p["gradient"] = None if to_none or p["gradient"] is None else [0.0] * len(p["gradient"])
        p["unit"] = "cleared"


def checkpoint(world):
    """Text, with as many digits of a number as bring it back."""
    return json.dumps({k: v for k, v in world.items() if k != "code"})


def restore(text, code):
    world = {**json.loads(text), "code": code}
    for p in world["parameters"].values():
        p.update(gradient=None, unit="cleared")
    return world


CODE = {f.__name__: f for f in (count_of, non_finite, unscale, clip_norm, clip_value, step, move,
                                update, clear, checkpoint)}
CODE["share"] = share_of

# ---- the protocol -----------------------------------------------------------------------------
HELLO = {
    "name": "scripted_loop", "version": "1", "language": "python", "profiles": ["tokens"],
    "operations": ["scaler", "optimizer", "backward", "token_window", "unscale", "clip_norm",
                   "clip_value", "step", "update", "zero_grad", "save_load", "observe"],
    "forms": {"sgd": ["loop"], "adam": ["loop"], "adamw": ["loop"]},
    "limits": {"elements": 255},  # more could come as `data`
    "formats": {"loss": ["binary16", "bfloat16", "binary32"],
                "coefficient": ["float8_e5m2", "binary16", "bfloat16", "binary32"],
                "parameter": ["binary16", "bfloat16", "binary32"]},
    "policy": {
        "unscale": "reciprocal_binary64", "unscale_format": "binary64",
        "output_format": "binary32", "scale_format": "binary64", "factor_format": "binary64",
        "growth_rule": "n", "growth_limit": "refuse", "floor": scalar(LOWEST),
        "ceiling": scalar(HIGHEST), "accumulation": "scaled", "update_at": "window",
        "norm_input": "unscaled", "norm_algorithm": "sum_of_squares", "clip_formula": "quotient",
        "clip_epsilon": scalar(0.0), "unneeded_clip": "identity", "step_arithmetic": "separate",
    },
}


def tokens_of(micro, n):
    coefficients = read(micro["coefficients"])
    return [SimpleNamespace(label=int(label), times=int(times), loss=loss,
                            coefficients=coefficients[t * n:t * n + n])
            for t, (label, times, loss) in enumerate(zip(micro["labels"], micro["times"],
                                                         read(micro["losses"])))]


def act(world, s, single=cut):
    """Does a step. Returns what it alone has made."""
    op, code = s["op"], world["code"]
    if op == "scaler":
        numbers = [read(s[k])[0] for k in ("init_scale", "growth_factor", "backoff_factor")]
        world["scale"] = new_scale(*numbers, int(s["growth_interval"]), s.get("enabled", True))
    elif op == "optimizer":
        hyper = {k: single(read(v)[0]) for k, v in s["hyper"].items()}
        world["optimizers"][s["name"]] = {"kind": s["kind"], "hyper": hyper,
                                          "owns": [p["name"] for p in s["parameters"]]}
        for p in s["parameters"]:
            world["parameters"][p["name"]] = {
                "value": read(p["initial"]), "format": p["initial"]["format"],
                "shape": p["initial"]["shape"], "gradient": None, "unit": "cleared", "state": {}}
    elif op == "backward":
        form = s["loss"]["format"]
        seed = cut(world["scale"]["value"], form)
        arriving = cut(seed / int(s.get("divide", 1)), form)
        for c in s["coefficients"]:
            delivered = c.get("format", c["values"]["format"])
            receive(world, c["parameter"], [cut(arriving * x, delivered)
                                            for x in read(c["values"])])
        return {"seed": scalar(seed, form), "cotangent": scalar(arriving, form)}
    elif op == "token_window":
        n = len(world["parameters"][s["parameter"]]["value"])
        ranks = [[tokens_of(micro, n) for micro in rank] for rank in s["ranks"]]
        gradient, loss = token_gradient(world, s["parameter"], ranks,
                                        int(s.get("ignore_index", -100)),
                                        s.get("reducer", "mean") == "mean")
        receive(world, s["parameter"], gradient)
        return {"loss": scalar(loss)}
    elif op == "unscale":
        code.unscale(world, s["optimizer"])
        return {"found_non_finite": world["scale"]["found"].get(s["optimizer"], False)}
    elif op == "clip_norm":
        return {"norm": scalar(code.clip_norm(world, s["optimizers"], single(read(s["limit"])[0])),
                               "binary64")}
    elif op == "clip_value":
        code.clip_value(world, s["optimizers"], single(read(s["limit"])[0]))
    elif op == "step":
        taken = code.step(world, s["optimizer"])
        return {"stepped": taken,
                "found_non_finite": world["scale"]["found"].get(s["optimizer"], False)}
    elif op == "update":
        code.update(world)
    elif op == "zero_grad":
        code.clear(world, s["optimizer"], s.get("to_none", True))
    elif op == "save_load":
        world.update(restore(code.checkpoint(world), code))
    return {}


def look(world, name, made):
    kind, *rest = name.split("/")
    if kind == "scale":
        return scalar(world["scale"]["value"], "binary64")
    if kind == "growth_count":
        return world["scale"]["count"]
    if not rest:
        return made.get(kind)
    p = world["parameters"][rest[0]]
    if kind == "parameter":
        return tensor(p["value"], p["shape"], p["format"])
    if kind == "gradient":
        return {"unit": p["unit"]} if p["gradient"] is None else {
            **tensor(p["gradient"], p["shape"]), "unit": p["unit"]}
    value = p["state"].get(rest[1])
    if value is None:
        return None
    return tensor([value], []) if rest[1] == "step" else tensor(value, p["shape"])


def play(case, code):
    world = {"code": SimpleNamespace(**code), "scale": None, "optimizers": {}, "parameters": {}}
    ranks, answers = int(case.get("ranks", 1)), []
    for s in case["steps"]:
        if any("same_as" in p for p in s.get("parameters", ())):
            answers.append({"unsupported": "two names of a parameter"})
            continue
        made = act(world, s)
        seen = {name: look(world, name, made) for name in s.get("observe", ())}
        answers.append(seen if ranks == 1 else {k: [v] * ranks for k, v in seen.items()})
    return answers


def main(name="scripted_loop", **changed):
    code = {**CODE, **changed}
    for line in sys.stdin:
        message = json.loads(line)
        if "hello" in message:
            answer = {"hello": {**HELLO, "name": name}}
        elif "run" in message:
            case = message["run"]
            answer = {"case": case["id"], "answers": play(case, code)}
        elif "stop" in message:
            break
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
