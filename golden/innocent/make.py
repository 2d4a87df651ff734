#!/usr/bin/env python3
"""Right implementations that a careless judge blames, as cases with the answers that they give.

make.py writes A*.json beside itself, make.py --check compares. The bits are computed here with exact
fractions and one rounding routine, which shares nothing with the reference: each is what the
implementation in the sentence gives, operation by operation. A file is
  {"innocent": {id, sentence, source, guilty}, "policy": {…}, "case": {…}, "answers": […]}
and `guilty` lists changes (other bits in an answer, or other words in the policy) each of which must
turn the verdict into a failure; else the case could not tell.
"""
import json
import math
import pathlib
import sys
from fractions import Fraction as Q

sys.dont_write_bytecode = True
from exact_rounding import (bits_of, gradient, hexadecimal, rn, root, scalar, self_test,  # noqa: E402
                            tensor, value)
from schedules import schedules  # noqa: E402
from steps import backward, clip_norm, scaler, sgd, step, take, unscale, update, zero_grad  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
FLUSHED = Q(0)
POLICY = {"unscale": "division", "unscale_format": "binary32", "output_format": "gradient",
          "scale_format": "binary32", "factor_format": "binary64", "growth_rule": "n",
          "growth_limit": "refuse", "accumulation": "scaled", "update_at": "window",
          "norm_input": "unscaled", "norm_algorithm": "sum_of_squares", "clip_formula": "quotient",
          "clip_epsilon": scalar(Q(0), "binary64"), "unneeded_clip": "identity",
          "step_arithmetic": "separate"}
FILES = {}


def other(index, observation, bits=None, element=0, flip=False):
    """A guilty answer: other bits of an element, or the other boolean."""
    change = {"step": index, "observation": observation}
    return {**change, "flip": True} if flip else {**change, "element": element, "bits": bits}


def innocent(name, clause, sentence, policy, steps, guilty, source="F"):
    played, answers = [], []
    for step_, seen in steps:
        shown = [name for name in seen if name != "raised"]
        played.append({**step_, "observe": shown} if shown else step_)
        answers.append(seen)
    FILES[name] = {"innocent": {"id": name, "sentence": sentence, "source": source, "guilty": guilty},
                   "policy": {**POLICY, **policy},
                   "case": {"id": f"innocent-{name}", "clause": clause, "seed": 0, "ranks": 1, "steps": played},
                   "answers": answers}


def next_to(x, form="binary32", by=1):
    """The pattern some places away, as hexadecimal digits."""
    return hexadecimal(bits_of(x, form) + by, form)


F32 = lambda text: rn(Q(text))  # noqa: E731


def finite_gradients():
    g = value(0x6258d727, "binary32")  # 1e21
    adam = {"op": "optimizer", "name": "o", "kind": "adam",
            "hyper": {"lr": scalar(Q(1, 8), "binary64"), "beta1": scalar(Q(9, 10), "binary64"),
                      "beta2": scalar(Q(999, 1000), "binary64"), "eps": scalar(Q(1, 10 ** 8), "binary64")},
            "parameters": [{"name": "w", "initial": tensor([Q(1)])}]}
    assert rn(rn(Q(1, 1000)) * rn(g * g) if rn(g * g) != math.inf else math.inf) == math.inf
    innocent("A1a", "skipping/finite-never-skips",
             "Adam on a gradient of 1e21: its square overflows, the second moment becomes inf, the parameter "
             "stays, and the step was rightly taken",
             {}, [scaler(Q(1)), (adam, {}), backward([g]),
                  take(stepped=True, parameter__w=tensor([Q(1)]), state__w__exp_avg_sq=tensor([math.inf]))],
             [other(3, "stepped", flip=True)])
    large = rn(Q(3) * 10 ** 38)
    assert rn(2 * large) == math.inf
    innocent("A1b", "skipping/nothing-non-finite-gets-in",
             "A learning rate of 2 and a finite gradient of 3e38: the optimizer's own step overflows",
             {}, [scaler(Q(1)), sgd([Q(0), Q(0)], Q(2)), backward([large, Q(1)]),
                  take(stepped=True, parameter__w=tensor([-math.inf, Q(-2)]))],
             [other(3, "parameter/w", "ff7fffff"), other(3, "parameter/w", "7fc00000", 1)])
    big = rn(Q(2) * 10 ** 19)
    assert rn(4 * rn(big * big)) == math.inf
    innocent("A1c", "skipping/finite-never-skips",
             "Overflow is looked for in the norm: four gradients of 2e19 skip, four of 1 do not",
             {"finite_test": "norm"},
             [scaler(Q(1)), sgd([Q(0)] * 4, Q(1, 2 ** 30)), backward([big] * 4), take(stepped=False), update(),
              zero_grad(), backward([Q(1)] * 4), take(stepped=True)],
             [other(7, "stepped", flip=True), {"policy": {"finite_test": "elements"}}])


def moved_scales():
    def move(name, sentence, policy, scale, result, guilty, strict=None, clean=False, form="binary32", **factors):
        c = Q(0) if clean else math.inf
        innocent(name, "skipping/update-rule", sentence, policy,
                 [scaler(scale, interval=1, form=form, **factors), sgd([Q(0)]), backward([c]), take(),
                  update(scale=scalar(result, form))],
                 [other(4, "scale", guilty)] + ([{"policy": strict}] if strict else []))
    s, f = value(0x47c164d9, "binary32"), Q(*float.fromhex("0x1.6687fff3b6d59p-1").as_integer_ratio())
    twice = rn(rn(s * f, "binary64"))
    assert bits_of(twice, "binary32") == 0x47876ce2 and bits_of(s * f, "binary32") == 0x47876ce3
    move("A2a", "torch multiplies scale and factor in binary64 and then rounds to binary32: one pattern below "
         "the product rounded once", {}, s, twice, "47876ce1", backoff=f)
    third = rn(Q(3, 10), "binary64")
    narrow = rn(3 * rn(third))
    assert float(narrow) == 0.9000000357627869 and narrow != rn(3 * third)
    move("A2b", "JAX rounds the factor 0.3 to binary32 first: 3 becomes 0.90000004, not 0.9",
         {"factor_format": "binary32"}, Q(3), narrow, next_to(narrow), {"factor_format": "binary64"},
         backoff=third)
    move("A2c", "With a floor of 1 an overflow leaves the scale at 1", {"floor": scalar(Q(1))}, Q(1), Q(1),
         "3f000000", {"floor": "none"})
    move("A2d", "With a ceiling of 2^24 growth leaves the scale there", {"ceiling": scalar(Q(2 ** 24))},
         Q(2 ** 24), Q(2 ** 24), "4c000000", {"ceiling": "none"}, clean=True)
    move("A2e", "Growth beyond binary32 is clamped to its largest number", {"growth_limit": "clamp"},
         Q(2) ** 127, value(0x7f7fffff, "binary32"), "7f800000", {"growth_limit": "refuse"}, clean=True)
    tenth = rn(Q(11, 10), "binary64")
    wide = rn(3 * tenth, "binary64")
    move("A2f", "A scale kept in binary64 on the host is never rounded to binary32",
         {"scale_format": "binary64"}, Q(3), wide, next_to(wide, "binary64"), {"scale_format": "binary32"},
         clean=True, form="binary64", growth=tenth)


def clips():
    def clip(name, clause, sentence, policy, gs, limit, results, guilty, form="binary32", scale=Q(1)):
        innocent(name, clause, sentence, policy,
                 [scaler(scale), sgd([Q(0)] * len(gs), form=form), backward(gs, form), unscale(),
                  clip_norm(limit, gradient__w=gradient(results, "unscaled", form))], guilty)
    gs, limit = [F32("0.3"), F32("0.7")], Q(41)
    norm = root(rn(rn(gs[0] ** 2) + rn(gs[1] ** 2)))
    factor = rn(limit * min(rn(1 / norm), rn(1 / limit)))
    assert bits_of(factor, "binary32") == 0x3f7fffff
    results = [rn(g * factor) for g in gs]
    assert results[0] == Q(*float.fromhex("0x1.333332p-2").as_integer_ratio())
    clip("A3a", "clipping/unneeded-clip-keeps",
         "TensorFlow and Keras multiply by 41·min(1/norm, 1/41), which is not 1",
         {"clip_formula": "limit_minimum", "unneeded_clip": "multiplies"}, gs, limit, results,
         [other(4, "gradient/w", next_to(results[0], by=-4)), {"policy": {"unneeded_clip": "identity"}}])
    for name, gs, norm, shown in (("A3b", (15, 20), 25, (14.999999, 19.999998)),
                                  ("A3c", (5, 12), 13, (5.0, 12.000001))):
        results = [rn(rn(g * rn(Q(1, norm))) * norm) for g in gs]
        assert [f"{float(r):.8g}" for r in results] == [f"{x:.8g}" for x in shown], results
        clip(name, "clipping/unneeded-clip-keeps",
             f"optax, as XLA compiles it, multiplies {gs} by 1/{norm}, their norm, and then by {norm}, the limit",
             {"clip_formula": "reciprocal_product"},
             [Q(g) for g in gs], Q(norm), results,
             [other(4, "gradient/w", next_to(results[1], by=3), 1)])
    # Eight gradients whose norm in binary32, summed one after another, comes out above the limit.
    state = 1
    while True:
        gs = []
        for _ in range(8):
            state = state * 16807 % (2 ** 31 - 1)  # Lewis, Goodman & Miller 1969
            gs.append(rn(Q(state, 2 ** 31 - 1)))
        total = Q(0)
        for g in gs:
            total = rn(total + rn(g * g))
        norm, exact = root(total), sum(g * g for g in gs)
        limit = value(bits_of(norm, "binary32") - 1, "binary32")
        if exact < limit ** 2:
            break
    factor = rn(limit / norm)
    assert factor < 1
    clip("A3d", "clipping/unneeded-clip-keeps",
         "The norm of eight gradients, summed in binary32, lies above the limit though the exact one lies below",
         {}, gs, limit, [rn(g * factor) for g in gs],
         [other(4, "gradient/w", next_to(rn(gs[0] * factor), by=-4))])
    lost = value(1, "binary16")
    norm = root(rn(Q(9) + rn(lost * lost)))
    results = [rn(g * rn(1 / norm), "binary16") for g in (lost, Q(3))]
    assert results == [0, 1]
    clip("A10", "clipping/clipped-values", "In binary16 the smallest subnormal beside 3, clipped to 1, rounds to zero",
         {"accumulator": "parameter"}, [lost, Q(3)], Q(1), results,
         [other(4, "gradient/w", "0002"), other(4, "gradient/w", "3c01", 1)], "binary16")
    # fairseq and DeepSpeed: the norm of scaled gradients, times 1/S.
    gs = [rn(Q(11, 10)) / 2 ** 70, rn(Q(17, 10)) / 2 ** 70]
    s, limit = Q(2) ** 16, rn(Q(1)) / 2 ** 70
    scaled = [g * s for g in gs]
    norm = rn(root(rn(rn(scaled[0] ** 2) + rn(scaled[1] ** 2))) / s)
    results = [rn(g * rn(limit / norm)) for g in gs]
    clip("A9", "clipping/clipped-values",
         "The norm is that of the scaled gradients times 1/S, whose squares are normal; those of the unscaled "
         "ones are not", {"norm_input": "scaled"}, gs, limit, results,
         [other(4, "gradient/w", next_to(results[0], by=2 ** 20)), other(4, "gradient/w", "00000000", 1)], scale=s)
    limit, hundred = F32("0.05"), Q(100)
    back = rn(rn(hundred * limit) * rn(1 / hundred))
    assert float(back) == 0.04999999701976776 and float(limit) == 0.05000000074505806
    innocent("A15", "clipping/value-after-unscale",
             "The scaled gradient is compared with RN(S·limit), and unscaled by a reciprocal: 0.049999997 in the "
             "place of 0.05", {"unscale": "reciprocal_binary32"},
             [scaler(hundred), sgd([Q(0)] * 2), backward([Q(1), Q(1, 64)]), unscale(),
              step("clip_value", {"optimizers": ["o"], "limit": scalar(limit)},
                   gradient__w=gradient([back, Q(1, 64)], "unscaled"))],
             [other(4, "gradient/w", next_to(back, by=-1)), other(4, "gradient/w", next_to(limit)),
              other(4, "gradient/w", next_to(Q(1, 64)), 1), {"policy": {"unscale": "division"}}])


def unscaled_gradients():
    def once(name, sentence, policy, scale, c, x, result, guilty, parameter="binary32", delivered=None,
             shown=None, form="binary32", clause="scaling/any-scale-round-trip", c_form="binary32"):
        assert rn(scale * c, delivered or "binary32") == x, (name, float(scale * c), float(x))
        innocent(name, clause, sentence, policy,
                 [scaler(scale, form=form), sgd([Q(0)], form=parameter),
                  backward([c], c_form, delivered=delivered,
                           **{"gradient/w": gradient([x], "scaled", parameter)}),
                  unscale(gradient__w=gradient([result], "unscaled", shown or parameter))], guilty)
    s, x = value(0x473b87e4, "binary32"), value(0x6645, "binary16")
    inverse = rn(1 / s)
    narrow = rn(rn(x * inverse), "binary16")
    assert bits_of(narrow, "binary16") == 0x2848 and bits_of(x * inverse, "binary16") == 0x2847
    once("A6a", "torch's sharded scaler: the product with 1/S is rounded to binary32 and then stored in binary16",
         {"unscale": "reciprocal_binary32", "accumulator": "parameter"}, s, rn(x / s), x, narrow,
         [other(3, "gradient/w", "2849"), other(3, "gradient/w", "2846")], "binary16", "binary16")
    sixty = rn(60000 * rn(Q(1, 1000)))
    assert bits_of(sixty, "binary32") == 0x42700001
    once("A6b", "A reciprocal in binary32 makes 60.000004 of 60", {"unscale": "reciprocal_binary32"}, Q(1000),
         Q(60), Q(60000), sixty, [other(3, "gradient/w", "42700002"), {"policy": {"unscale": "division"}}],
         delivered="binary16")
    s = rn(Q(655373, 10), "binary64")  # 65537.3
    for k in range(1, 1000):  # the first gradient that tells 1/S from 1/RN32(S)
        c = Q(k)
        # What reaches the accumulator is the seed, S in binary32, times c.
        x = rn(rn(s) * c)
        result, with_rounded = rn(x * rn(1 / s, "binary64")), rn(x * rn(1 / rn(s), "binary64"))
        if result != with_rounded:
            break
    innocent("A6c", "scaling/any-scale-round-trip",
             "A scale of 65537.3 is kept in binary64 on the host, and so is its reciprocal; the loss sees it in binary32",
             {"scale_format": "binary64", "unscale": "reciprocal_binary64"},
             [scaler(s, form="binary64"), sgd([Q(0)]), backward([c], **{"gradient/w": gradient([x], "scaled")}),
              unscale(gradient__w=gradient([result], "unscaled"))],
             [other(3, "gradient/w", next_to(max(result, with_rounded), by=1)),
              other(3, "gradient/w", next_to(min(result, with_rounded), by=-2))])
    s, c = Q(3), value(0x3c01, "binary16")
    x = rn(3 * c, "binary16")
    assert bits_of(x, "binary16") == 0x4202 and f"{float(rn(x / 3)):.8g}" == "1.0013021"
    once("A6d", "Flax and jmp keep the unscaled gradient of a binary16 one in binary32",
         {"accumulator": "parameter", "output_format": "binary32"}, s, c, x, rn(x / 3),
         [other(3, "gradient/w", next_to(rn(x / 3)))], "binary16", "binary16", "binary32", c_form="binary16")
    once("A7a", "3·(1 + 2^-10) is no number of binary16, so the gradient comes back as 1.0013021", {}, s, c, x,
         rn(x / 3), [other(3, "gradient/w", next_to(rn(x / 3))), other(3, "gradient/w", "3f802000")],
         delivered="binary16", c_form="binary16")
    least = Q(1, 2 ** 24)
    once("A7b", "2^-26 under a scale of 3 is stored as 2^-24 and returns four thirds of itself", {}, s,
         Q(1, 2 ** 26), least, rn(least / 3), [other(3, "gradient/w", next_to(rn(least / 3))),
                                               other(3, "gradient/w", hexadecimal(bits_of(Q(1, 2 ** 26), "binary32"), "binary32"))],
         delivered="binary16")
    tiny = Q(1, 2 ** 130)
    once("A4a", "JAX and TensorFlow on a CPU flush subnormals of binary32", {"subnormals": "may_flush"}, Q(1), tiny,
         tiny, FLUSHED, [other(3, "gradient/w", "3f800000"), {"policy": {"subnormals": "kept"}}])
    first, second = rn(60000 * rn(Q(1, 1000))), Q(60)
    innocent("A13", "scaling/any-scale-round-trip",
             "torch multiplies with a reciprocal in one path and divides in another", {"unscale": "either"},
             [scaler(Q(1000)), sgd([Q(0)]), backward([Q(60)]), unscale(gradient__w=gradient([first], "unscaled")),
              take(), update(), zero_grad(), backward([Q(60)]), unscale(gradient__w=gradient([second], "unscaled"))],
             [other(3, "gradient/w", "42700002"), other(8, "gradient/w", "426fffff"),
              {"policy": {"unscale": "division"}}])


def skips():
    window = lambda c, **seen: [backward(c), take(**seen), update(), zero_grad()]  # noqa: E731
    tiny = Q(1, 2 ** 130)
    minus_zero = {"format": "binary32", "shape": [3], "bits": "80000000 00080000 3f800000"}
    made = sgd([Q(0)] * 3)
    made[0]["parameters"][0]["initial"] = minus_zero
    assert bits_of(tiny, "binary32") == 0x00080000
    innocent("A4b", "skipping/skip-leaves-no-trace",
             "optax adds updates of zero on a skipped step: -0 becomes +0, and a subnormal is flushed",
             {"subnormals": "may_flush"},
             [scaler(Q(8)), made] + window([math.inf, Q(1), Q(1)], stepped=False, parameter__w=tensor([Q(0), FLUSHED, Q(1)])),
             [other(3, "parameter/w", "3f800001", 2), other(3, "stepped", flip=True),
              {"policy": {"subnormals": "kept"}}])
    joint = [scaler(Q(8)), sgd([Q(0)], name="a", parameter="v"), sgd([Q(0)], name="b", parameter="w")]
    both = backward([math.inf], parameter="v")
    both[0]["coefficients"].append({"parameter": "w", "values": tensor([Q(1)])})
    innocent("A5b", "skipping/optimizers-independent", "One verdict for all optimizers", {"skip_scope": "all"},
             joint + [both, take("a", stepped=False),
                      take("b", stepped=False, parameter__v=tensor([Q(0)]), parameter__w=tensor([Q(0)]))],
             [other(5, "stepped", flip=True), other(5, "parameter/w", "bf000000"),
              {"policy": {"skip_scope": "optimizer"}}])
    s = Q(2) ** -127
    innocent("A8a", "skipping/scale-stays-usable",
             "A scale of 2^-128 can be divided by, though its reciprocal is infinite", {},
             [scaler(s), sgd([Q(0)]), backward([math.inf]), take(), update(scale=scalar(s / 2))],
             [other(4, "scale", "00000000"), other(4, "scale", "7f800000"),
              {"policy": {"unscale": "reciprocal_binary32"}}])
    s, x = Q(2) ** -128, rn(Q(1, 1000))
    c = rn(x / s)
    innocent("A8b", "skipping/nothing-non-finite-gets-in",
             "Scaled gradients of 0.001 and 0 under a scale of 2^-128 are divided by it, and the step is finite", {},
             [scaler(s), sgd([Q(0)] * 2), backward([c, Q(0)]), take(stepped=True, parameter__w=tensor([-c / 2, Q(0)]))],
             [other(3, "parameter/w", "ff800000"), other(3, "parameter/w", "7fc00000", 1)])


def sums():
    window = [scaler(Q(8)), sgd([Q(0)])]
    innocent("A5c", "accumulation/non-finite-micro-batch",
             "optax.MultiSteps drops a micro-batch with NaN, and sums 1 and 3 to 4",
             {"bad_micro_batch": "dropped"},
             window + [backward([Q(1)], last=False), backward([math.nan], last=False), backward([Q(3)]),
                       take(stepped=True, parameter__w=tensor([Q(-2)]))],
             [other(5, "stepped", flip=True), other(5, "parameter/w", "bf800000"),
              {"policy": {"bad_micro_batch": "poisons"}}])
    # Scales 8, 16: each micro-batch is divided by its own.
    seed = lambda s, last: backward([Q(1)], last=last, seed=scalar(s), scale=scalar(2 * s))  # noqa: E731
    innocent("A5a", "accumulation/constant-scale",
             "Apex unscales every micro-batch and updates the scale after each: 8, then 16, and the sum is 2",
             {"accumulation": "unscaled", "update_at": "micro_batch"},
             [scaler(Q(8), interval=1), sgd([Q(0)]), seed(Q(8), False), seed(Q(16), True),
              unscale(gradient__w=gradient([Q(2)], "unscaled")), take(), update(scale=scalar(Q(32)))],
             [other(4, "gradient/w", "40400000"), other(3, "scale", "41800000"),
              {"policy": {"update_at": "window"}}])
    quarter = rn(Q(1, 2 ** 26), "binary16")
    assert quarter == 0
    innocent("A12a", "accumulation/sum-of-micro-batches",
             "loss/4 before backward: 2^-24 in binary16 is delivered four times as 2^-26, which is zero", {},
             [scaler(Q(1)), sgd([Q(0)])] +
             [backward([Q(1, 2 ** 24)], "binary16", last=m == 3, divide=4,
                       **{"gradient/w": gradient([Q(0)], "scaled")}) for m in range(4)],
             [other(5, "gradient/w", "33800000"), other(2, "gradient/w", "32800000")])
    for name, result, sentence in (("A12b", math.inf, "(60000 + 60000) - 60000 is infinite in binary16"),
                                   ("A12c", Q(60000), "60000 + (60000 - 60000) is 60000 in binary16")):
        innocent(name, "accumulation/sum-of-micro-batches", sentence + ", and both orders are right",
                 {"accumulator": "parameter"},
                 [scaler(Q(1)), sgd([Q(0)], form="binary16"), backward([Q(60000)], "binary16", last=False),
                  backward([Q(60000)], "binary16", last=False),
                  backward([Q(-60000)], "binary16", **{"gradient/w": gradient([result], "scaled", "binary16")})],
                 [other(4, "gradient/w", hexadecimal(bits_of(Q(1), "binary16"), "binary16"))])
    lr, g = F32("0.1"), F32("3.3")
    p = rn(lr * g)
    residual = rn(p - lr * g)
    assert f"{float(residual):.4g}" in ("1.296e-08", "-1.296e-08"), float(residual)
    innocent("A14", "scaling/step-size-unchanged",
             "A fused multiply-add shows what the rounding of 0.1·3.3 left over; rounding the product first, 0",
             {"step_arithmetic": "fused"},
             [scaler(Q(8)), sgd([p], lr, lr_form="binary32"), backward([g]), take(parameter__w=tensor([residual]))],
             [other(3, "parameter/w", next_to(abs(residual), by=64))])


def tokens():
    n = 2 ** 24 + 1
    assert rn(Q(n)) == 2 ** 24
    result = rn(rn(Q(3)) / rn(Q(n)))
    micro = {"labels": [1, 1], "times": [1, n - 1], "losses": tensor([Q(3), Q(0)]),
             "coefficients": {**tensor([Q(3), Q(0)]), "shape": [2, 1]}}
    innocent("A11", "tokens/window-mean",
             "2^24 + 1 tokens, counted in integers and rounded once to binary32 for the division", {},
             [scaler(Q(1)), sgd([Q(0)]), ({"op": "token_window", "parameter": "w", "ranks": [[micro]]}, {}),
              unscale(gradient__w=gradient([result], "unscaled"))],
             # The bound is wide, since a token that is there 2^24 times may be added one by one.
             [other(3, "gradient/w", next_to(8 * result)), other(3, "gradient/w", next_to(-4 * result))])


def text(document):
    """One line a step and an answer, so that a difference can be read."""
    lines = lambda items: ",\n".join(json.dumps(item, separators=(",", ":")) for item in items)  # noqa: E731
    case = {key: entry for key, entry in document["case"].items() if key != "steps"}
    head = json.dumps(case, separators=(",", ":"))[:-1]
    about = json.dumps(document["innocent"], separators=(",", ":"), ensure_ascii=False)
    return (f'{{"innocent":{about},\n"policy":{json.dumps(document["policy"], separators=(",", ":"))},\n'
            f'"case":{head},"steps":[\n{lines(document["case"]["steps"])}\n]}},\n'
            f'"answers":[\n{lines(document["answers"])}\n]}}\n')


def main(arguments):
    self_test()
    for part in (finite_gradients, moved_scales, clips, unscaled_gradients, skips, sums, tokens):
        part()
    schedules(innocent, other)
    there = {path.stem for path in HERE.glob("*.json")}
    wrong = sorted(there - set(FILES))
    for name, document in FILES.items():
        path, wanted = HERE / f"{name}.json", text(document)
        found = path.read_text(encoding="utf-8") if path.exists() else None
        if found == wanted:
            continue
        if arguments == ["--check"]:
            wrong.append(name)
        else:
            path.write_text(wanted, encoding="utf-8")
    for name in wrong:
        print(f"{name}.json: not what make.py writes", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
