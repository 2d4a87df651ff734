#include "properties/built_in.hpp"
#include "subject/floating_point.hpp"

namespace ampcheck::properties {
namespace {

struct MasksByMultiplying : subject::Textbook {
  void token_window(const subject::TokenWindow& window) override {
    Textbook::token_window(window);
    std::vector<double>& gradient = variable(window.parameter).gradient.values;
    for (const auto& rank : window.ranks)
      for (const subject::TokenMicroBatch& micro_batch : rank)
        for (std::size_t i = 0; i < micro_batch.coefficients.bits.size(); ++i)
          if (!is_counted(micro_batch.labels[i / gradient.size()], window.ignore_index))
            gradient[i % gradient.size()] +=
                0 * subject::to_double(micro_batch.coefficients.bits[i],
                                       *micro_batch.coefficients.format);
  }
};

AMPCHECK_MUTANT(MasksByMultiplying, "masks-by-multiplying", "tokens",
                "takes ignored tokens out by multiplying them with 0, so that inf becomes NaN");

}  // namespace
}  // namespace ampcheck::properties
