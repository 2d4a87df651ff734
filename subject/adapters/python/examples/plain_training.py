"""A training loop in plain Python, written as if ampcheck did not exist: a loss scaler, optimizers,
clips, micro-batches and windows of tokens. `plain_loop.py` is its adapter.

Weights are in binary16, bfloat16 or binary32, short ones with or without masters; gradients, state
and arithmetic in binary32. Left out are binary64, which this arithmetic would narrow, and foreach
and fused optimizers.
"""
import math
from array import array

from ampcheck import numbers

# Python computes in binary64, whose 53 bits are more than 2·24 + 2: its sum, product, quotient or
# root of binary32 numbers, rounded to binary32 afterwards, is that of binary32. This is why settings,
# too, are rounded to it.


def f32s(xs):
    return array("f", xs).tolist()


def f32(x):
    return f32s([x])[0]


def plus(xs, ys):
    return f32s([x + y for x, y in zip(xs, ys)])


def times(factor, xs):
    return f32s([factor * x for x in xs])


class Parameter:
    """Weights in their own format, and the gradient accumulated for them in binary32."""

    def __init__(self, values, storage_format, shape):
        self.values, self.format, self.shape = values, storage_format, shape
        self.master = None  # else what is stepped on, in binary32, and `values` are rounded from it
        self.gradient, self.unit = None, "cleared"

    def accumulate(self, gradient, unit):
        if self.unit not in ("cleared", unit):  # the sum would be neither
            raise RuntimeError(f"{unit} gradients cannot be added to {self.unit} ones")
        self.gradient = gradient if self.unit == "cleared" else plus(self.gradient, gradient)
        self.unit = unit


class Scaler:
    FLOOR = 2.0**-126  # below, the scale would lose bits, reach zero, and never grow again

    def __init__(self, init_scale, growth_factor, backoff_factor, growth_interval, enabled):
        if not (0 < init_scale < math.inf and 1 < growth_factor < math.inf and 0 < backoff_factor < 1
                and growth_interval >= 1):
            raise ValueError("settings that make no scale, or none that moves")
        self.scale = f32(init_scale) if enabled else 1.0
        self.growth_factor, self.backoff_factor = f32s([growth_factor, backoff_factor])
        self.growth_interval, self.growth_count, self.enabled = growth_interval, 0, enabled
        self.unit = "scaled" if enabled else "unscaled"  # of the gradients that it makes
        # Since the last update: optimizer -> whether its gradients had an inf or NaN; who stepped.
        self.found, self.stepped = {}, set()

    def unscale(self, optimizer):
        if optimizer in self.stepped:
            raise RuntimeError("an unscale of an optimizer after its step")
        if not self.enabled or optimizer in self.found:  # once a window
            return
        parameters = optimizer.with_gradient()
        for p in parameters:
            if p.unit == "scaled":  # else an optimizer that shares it was here before
                p.gradient, p.unit = f32s([x / self.scale for x in p.gradient]), "unscaled"
        # After dividing, since that hides no inf or NaN, and a division by S < 1 may make an inf.
        self.found[optimizer] = not all(math.isfinite(x) for p in parameters for x in p.gradient)

    def step(self, optimizer):
        """True where the step was taken, False where it was skipped."""
        if optimizer in self.stepped:
            raise RuntimeError("a second step of an optimizer before the update")
        if self.enabled:
            self.unscale(optimizer)
            self.stepped.add(optimizer)
            if self.found[optimizer]:
                return False
        optimizer.follow_schedule()
        optimizer.step()
        return True

    def update(self):
        if not self.enabled:
            return
        if not self.found:
            raise RuntimeError("an update before any optimizer was unscaled or stepped")
        if any(self.found.values()):
            # A scale that starts below the floor is not raised to it.
            self.scale = max(f32(self.scale * self.backoff_factor), min(self.scale, self.FLOOR))
            self.growth_count = 0
        else:
            self.growth_count += 1
            if self.growth_count == self.growth_interval:
                grown = f32(self.scale * self.growth_factor)
                self.scale = grown if math.isfinite(grown) else self.scale
                self.growth_count = 0
        self.found, self.stepped = {}, set()


class Optimizer:
    schedule = ()  # of learning rates, one a step that is taken, the last for all that follow
    steps_taken = 0

    def __init__(self, parameters):
        self.parameters = list(dict.fromkeys(parameters))  # one with two names moves once
        self.state = {p: {} for p in self.parameters}

    def with_gradient(self):
        return [p for p in self.parameters if p.unit != "cleared"]

    def zero_grad(self, to_none):
        for p in self.parameters:
            p.gradient = None if to_none or p.gradient is None else [0.0] * len(p.gradient)
            p.unit = "cleared"

    def follow_schedule(self):
        if self.schedule:
            self.lr = f32(self.schedule[min(self.steps_taken, len(self.schedule) - 1)])
            self.steps_taken += 1

    def move(self, p, values, direction):
        moved = plus(values, times(-self.lr, direction))
        if p.master is not None:
            p.master = moved
        p.values = numbers.rounded(moved, p.format)


class Sgd(Optimizer):
    def __init__(self, parameters, lr, momentum=0.0, dampening=0.0, weight_decay=0.0,
                 master_weights=False):
        super().__init__(parameters)
        for p in self.parameters if master_weights else ():
            p.master = p.values
        self.lr, self.momentum, self.weight_decay = f32s([lr, momentum, weight_decay])
        self.share = f32(1 - f32(dampening))

    def step(self):
        for p in self.with_gradient():
            d, state = p.gradient, self.state[p]
            values = p.values if p.master is None else p.master
            if self.weight_decay:
                d = plus(d, times(self.weight_decay, values))
            if self.momentum:
                if state:
                    m = times(self.momentum, state["momentum_buffer"])
                    d = plus(m, times(self.share, d))
                state["momentum_buffer"] = d
            self.move(p, values, d)


class Adam(Optimizer):
    def __init__(self, parameters, lr, beta1, beta2, eps, weight_decay=0.0, decoupled=False):
        super().__init__(parameters)
        self.lr, self.beta1, self.beta2, self.eps = f32s([lr, beta1, beta2, eps])
        self.weight_decay, self.decoupled = f32(weight_decay), decoupled  # decoupled: AdamW

    def step(self):
        for p in self.with_gradient():
            g, values, state = p.gradient, p.values, self.state[p]
            if not state:
                state.update(exp_avg=[0.0] * len(g), exp_avg_sq=[0.0] * len(g), step=0)
            if self.weight_decay and self.decoupled:
                values = plus(values, times(-f32(self.lr * self.weight_decay), values))
            elif self.weight_decay:
                g = plus(g, times(self.weight_decay, values))
            m = plus(times(self.beta1, state["exp_avg"]), times(f32(1 - self.beta1), g))
            v = plus(times(self.beta2, state["exp_avg_sq"]),
                      times(f32(1 - self.beta2), f32s([x * x for x in g])))
            t = state["step"] + 1
            state.update(exp_avg=m, exp_avg_sq=v, step=t)
            rest1, rest2 = f32s([1 - self.beta1**t, 1 - self.beta2**t])
            roots = f32s([math.sqrt(x) for x in f32s([x / rest2 for x in v])])
            pairs = zip(f32s([x / rest1 for x in m]), f32s([x + self.eps for x in roots]))
            # Python refuses what is inf or NaN in binary32: a division by zero.
            self.move(p, values, f32s([x / y if y else x * math.inf for x, y in pairs]))


def backward(scaler, loss, coefficients, loss_format, divide):
    """Adds the gradients of S·L/divide, L = Σ c·p. Returns the loss as its user is told it, before
    anything is done to it, and the cotangents around the division.

    coefficients: triples of a parameter, its c, and the format in which S·c arrives.
    """
    seed, = numbers.rounded([scaler.scale], loss_format)
    cotangent, = numbers.rounded([seed / divide], loss_format)
    for p, c, arrives_in in coefficients:
        p.accumulate(numbers.rounded([cotangent * x for x in c], arrives_in), scaler.unit)
    return loss, seed, cotangent


def next_labels(labels, rows, ignored):
    """What the positions of a batch of texts of equal length predict: the last one nothing."""
    length = len(labels) // rows
    return [labels[t + 1] if (t + 1) % length else ignored for t in range(len(labels))]


def backward_tokens(scaler, parameter, ranks, ignored, averages, weights=None):
    """Adds a window's gradient, the same on every rank. Returns the mean loss of its tokens.

    ranks[r][m]: a micro-batch, as tuples of label, number of tokens, loss and coefficients.
    averages: the ranks' gradients are averaged, not added.
    weights: of the classes; a token of weight 2 is worth two of weight 1.
    """
    ranks = [[token for micro_batch in rank for token in micro_batch if token[0] != ignored]
             for rank in ranks]
    # Over the whole window, before its first backward: a mean of the micro-batches' means would
    # favour the tokens of short ones.
    def weight(label):
        return 1 if weights is None else weights[label]

    count = sum(copies * weight(label) for rank in ranks for label, copies, _, _ in rank) or 1
    # Averaging divides by the number of ranks, which has no place in a mean over tokens.
    undone = len(ranks) if averages else 1
    cotangent = f32(scaler.scale * undone / count)
    total = [0.0] * len(parameter.values)
    for rank in ranks:
        gradient = [0.0] * len(total)
        for label, copies, _, c in rank:
            gradient = plus(gradient, times(f32(cotangent * weight(label)) * copies, c))
        total = plus(total, gradient)
    parameter.accumulate(f32s([x / undone for x in total]), scaler.unit)
    return sum(copies * weight(label) * loss
               for rank in ranks for label, copies, loss, _ in rank) / count


def micro_batches(nominal, batch):
    """How many micro-batches of this size make a window of the nominal one."""
    return max(1, round(nominal / batch))


def scaled_weight_decay(weight_decay, nominal, batch):
    return weight_decay * batch * micro_batches(nominal, batch) / nominal


def window_ends(nominal, batch, warm_up, in_epoch, epochs):
    """The micro-batches after which the optimizer steps, while windows grow to the nominal size."""
    ends, held = [], 0
    for i in range(in_epoch * epochs):
        held += 1
        asked = max(1, round(1 + (nominal / batch - 1) * min(i, warm_up) / warm_up))
        if held >= asked or (i + 1) % in_epoch == 0:
            ends.append(i)
            held = 0
    return ends


def scaled_rate(lr, base_batch, batch, warm_up, step):
    return lr + (lr * batch / base_batch - lr) * min(step, warm_up) / warm_up


def to_clip(scaler, optimizers, limit):
    """The parameters that have a gradient, each once. They are unscaled: a limit speaks of that."""
    if not limit >= 0:
        raise ValueError("a limit is a number that is not negative")
    for optimizer in optimizers:
        scaler.unscale(optimizer)
    return list(dict.fromkeys(p for o in optimizers for p in o.with_gradient())), f32(limit)


def clip_norm(scaler, optimizers, limit):
    """Returns the norm before clipping."""
    parameters, limit = to_clip(scaler, optimizers, limit)
    # In binary64 the squares of binary32 numbers neither overflow nor vanish.
    root = math.sqrt(sum(x * x for p in parameters for x in p.gradient))
    # A norm beyond binary32 has to clip, too: limit/inf would clear the gradients.
    norm = f32(root) if math.isfinite(f32(root)) else root
    if limit < norm < math.inf:
        for p in parameters:
            p.gradient = times(f32(limit / norm), p.gradient)
    return norm


def clip_value(scaler, optimizers, limit):
    parameters, limit = to_clip(scaler, optimizers, limit)
    for p in parameters:  # inf and NaN stay: nothing may hide them
        p.gradient = [math.copysign(limit, x) if limit < abs(x) < math.inf else x
                      for x in p.gradient]
