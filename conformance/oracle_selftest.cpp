// Plays the three oracles of the reference against each other, on all cores.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/output.hpp"
#include "conformance/progress.hpp"
#include "reference/oracle_comparison.hpp"

namespace ampcheck::conformance {
namespace {

using Json = nlohmann::ordered_json;
using reference::OraclePart;
using reference::OracleTally;

// Units are handed out one by one. The tallies are added in the order of the units, so that what is
// shown does not depend on the number of threads.
OracleTally compare_all(const OraclePart& part) {
  std::vector<OracleTally> tallies(static_cast<std::size_t>(part.units));
  std::atomic<std::int64_t> next = 0;
  std::mutex mutex;
  std::int64_t done = 0;
  std::exception_ptr error;
  Progress progress;
  const auto work = [&] {
    for (std::int64_t unit; (unit = next++) < part.units;) {
      try {
        tallies[static_cast<std::size_t>(unit)] = part.compare(unit);
      } catch (...) {
        const std::lock_guard lock(mutex);
        error = std::current_exception();
        next = part.units;
        return;
      }
      const std::lock_guard lock(mutex);
      progress.show(++done, part.units);
    }
  };
  {
    std::vector<std::jthread> threads;
    const unsigned count = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < count; ++i) threads.emplace_back(work);
  }
  if (error) std::rethrow_exception(error);
  OracleTally total;
  for (const OracleTally& tally : tallies) total.add(tally);
  return total;
}

}  // namespace

int oracle_selftest_command(const SelftestOptions& options) {
  Json rows = Json::array();
  std::int64_t comparisons = 0, disagreements = 0;
  double seconds = 0;
  for (const OraclePart& part : reference::oracle_parts(options.every, options.seed)) {
    const auto start = std::chrono::steady_clock::now();
    const OracleTally tally = compare_all(part);
    const double taken =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    print(stderr, "{}: {} comparisons, {} disagreements, {:.1f} s\n", part.name, tally.comparisons,
          tally.disagreements, taken);
    rows.push_back({{"part", part.name},
                    {"comparisons", tally.comparisons},
                    {"disagreements", tally.disagreements},
                    {"seconds", taken},
                    {"first", tally.first}});
    comparisons += tally.comparisons;
    disagreements += tally.disagreements;
    seconds += taken;
  }
  const bool agree = disagreements == 0 && comparisons > 0;
  if (options.json) {
    print("{}\n", Json{{"every", options.every},
                       {"seed", options.seed},
                       {"parts", rows},
                       {"comparisons", comparisons},
                       {"disagreements", disagreements},
                       {"seconds", seconds}}
                      .dump());
    return agree ? kConforms : kDoesNotConform;
  }
  print("{:<24} {:>14} {:>14} {:>10}\n", "part", "comparisons", "disagreements", "seconds");
  const auto line = [](const std::string& name, std::int64_t compared, std::int64_t different,
                       double taken) {
    print("{:<24} {:>14} {:>14} {:>10.1f}\n", name, compared, different, taken);
  };
  for (const Json& row : rows) {
    line(row["part"].get<std::string>(), row["comparisons"].get<std::int64_t>(),
         row["disagreements"].get<std::int64_t>(), row["seconds"].get<double>());
    for (const Json& one : row["first"]) print("  {}\n", one.get<std::string>());
  }
  line("all", comparisons, disagreements, seconds);
  return agree ? kConforms : kDoesNotConform;
}

}  // namespace ampcheck::conformance
