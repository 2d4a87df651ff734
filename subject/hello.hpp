// What a subject says of itself: what it offers, what it claims, and its legitimate choices.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "subject/case.hpp"
#include "subject/policy.hpp"
#include "subject/tensor.hpp"

namespace ampcheck::subject {

struct Limits {
  std::optional<Scalar> scale_min, scale_max;  // init_scale of a case stays inside
  bool powers_of_two = false;                  // only scales and factors 2^k
  std::optional<std::int64_t> tensors;         // per case
  std::optional<std::int64_t> elements;        // per tensor
  bool missing_gradients = true;               // parameters without a gradient are allowed
};

struct Hello {
  std::string name, version, language;
  std::vector<std::string> operations;  // step names, and words of names.hpp
  std::vector<std::string> composed;    // operations that the adapter composed itself
  std::vector<std::string> private_switches;
  // Which formats are taken, by what: "loss", "coefficient", "parameter", and, where an operation
  // takes fewer than "parameter" says, the operation ("unscale", "clip_norm") or operation/form
  // ("step/fused").
  std::map<std::string, std::vector<const NumberFormat*>> formats;
  std::map<std::string, std::vector<std::string>> forms;  // optimizer kind -> loop, foreach, fused
  std::vector<Scalar> norms = {ClipNorm{}.p};             // the p that clip_norm takes
  std::vector<std::string> profiles;                      // claimed: scaler, loop, tokens
  Policy policy;
  Limits limits;
  std::optional<std::int64_t> case_seconds;  // a time limit longer than the protocol's 10 s
};

}  // namespace ampcheck::subject
