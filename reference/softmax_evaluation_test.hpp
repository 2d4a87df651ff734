// The forms of softmax cross-entropy that cross_entropy.hpp covers, computed in a format: with the
// machine's operations, and std::exp and std::log of a double rounded once more, which is far
// better than one unit in the last place.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/orders_test.hpp"

namespace ampcheck::reference {

class SoftmaxEvaluation {
 public:
  SoftmaxEvaluation(const Machine& m, const std::vector<double>& logits, int order)
      : m_(m), x_(logits), max_(*std::max_element(logits.begin(), logits.end())) {
    for (const double x : x_) e_.push_back(exp(m_.add(x, -max_)));
    s_ = sum_in_order(m_, e_, order);
    log_s_ = m_.narrow(m_.format() == binary32 ? std::log(static_cast<float>(s_)) : std::log(s_));
  }

  std::vector<double> losses(std::size_t label) const {
    const double x = x_[label];
    return {m_.add(log_s_, -m_.add(x, -max_)), m_.add(m_.add(max_, log_s_), -x)};
  }

  std::vector<double> gradients(std::size_t i, std::size_t label, double scale) const {
    const double d = m_.add(x_[i], -max_);
    std::vector<double> result;
    for (const double p : {m_.divide(e_[i], s_), m_.multiply(e_[i], m_.divide(1, s_)),
                           exp(m_.add(d, -log_s_)), exp(m_.add(x_[i], -m_.add(max_, log_s_)))}) {
      if (i != label) {
        result.push_back(m_.multiply(p, scale));
        continue;
      }
      result.push_back(m_.multiply(m_.add(p, -1), scale));
      result.push_back(m_.add(m_.multiply(p, scale), -scale));
      result.push_back(m_.fma(p, scale, -scale));
    }
    return result;
  }

 private:
  double exp(double x) const {
    return m_.narrow(m_.format() == binary32 ? std::exp(static_cast<float>(x)) : std::exp(x));
  }

  const Machine& m_;
  const std::vector<double>& x_;
  double max_, s_ = 0, log_s_ = 0;
  std::vector<double> e_;
};

}  // namespace ampcheck::reference
