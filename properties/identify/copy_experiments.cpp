#include "properties/clause.hpp"
#include "properties/generators/masters.hpp"
#include "properties/identify/experiments.hpp"

namespace ampcheck::properties::identify {
namespace {

using namespace reference;

constexpr std::size_t kCopies = 64;

}  // namespace

// A step from 1 to 5/4 and 9/4 of an ulp above and below: of 128 copies that are rounded by chance
// one at least goes the longer way, but for once in 10^15 times.
std::vector<Experiment> copy_experiments() {
  std::vector<Experiment> all;
  for (const NumberFormat* f : {&binary16, &bfloat16}) {
    const int ulp = -f->fraction_bits;
    std::vector<std::uint64_t> gradient;
    for (std::size_t i = 0; i < kCopies; ++i)
      for (const std::int64_t quarters : {-5, 9}) gradient.push_back(dyadic(quarters, ulp, *f));
    const std::vector<std::uint64_t> ones(gradient.size(), power_of_two(0, *f));
    CaseBuilder builder;
    builder.scaler({})
        .optimizer(master_sgd({{"w", vector(ones, *f), ""}}, -2))
        .backward({{"w", vector(std::move(gradient), *f)}})
        .step("o")
        .observe({"parameter/w"});
    all.push_back({"copies of masters in " + std::string(f->name),
                   {"copy_rounding"},
                   builder.done(),
                   kParameter});
  }
  return all;
}

}  // namespace ampcheck::properties::identify
