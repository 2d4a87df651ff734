// What it costs to play a case through a process, and the share of JSON in that.
#include <benchmark/benchmark.h>

#include "subject/answer_json.hpp"
#include "subject/case_json.hpp"
#include "subject/process_subject.hpp"

namespace {

using namespace ampcheck;
using namespace ampcheck::subject;

// Sixteen steps, about 1.5 kB: two windows of two micro-batches.
Case small_case(std::string id) {
  const Scalar one{&reference::binary32, 0x3f800000}, scale{&reference::binary32, 0x47800000};
  const Tensor w{&reference::binary16, {4}, {0x3c00, 1, 0xfc00, 0x8000}};
  Case made{std::move(id), "scaling/linear", 1, 1, {}};
  made.steps.push_back({MakeScaler{scale, one, one, 2, true}, {"scale"}});
  made.steps.push_back({MakeOptimizer{"a", {}, {}, {{"lr", one}}, {{"w", w, ""}}}, {}});
  for (int window = 0; window < 2; ++window) {
    for (const bool last : {false, true})
      made.steps.push_back({Backward{one, {{"w", w}}, 2, last, false}, {"seed"}});
    made.steps.push_back({Unscale{"a"}, {"found_non_finite", "gradient/w"}});
    made.steps.push_back({ClipNorm{{"a"}, one}, {"norm"}});
    made.steps.push_back({TakeStep{"a"}, {"stepped", "parameter/w"}});
    made.steps.push_back({Update{}, {"scale", "growth_count"}});
    made.steps.push_back({ZeroGrad{"a", true}, {}});
  }
  return made;
}

std::vector<Answer> small_answers(const Case& one) {
  const Scalar scale{&reference::binary32, 0x47800000};
  const Tensor w{&reference::binary16, {4}, {0x3c00, 1, 0xfc00, 0x8000}};
  std::vector<Answer> answers(one.steps.size());
  for (std::size_t i = 0; i < answers.size(); ++i)
    for (const std::string& name : one.steps[i].observe) {
      Value value = scale;
      if (name == "growth_count") value = std::int64_t{1};
      if (name == "stepped" || name == "found_non_finite") value = true;
      if (name.starts_with("gradient/")) value = ObservedTensor{w, Unit::unscaled};
      if (name.starts_with("parameter/")) value = ObservedTensor{w, Unit::none};
      answers[i].observed[name] = {value};
    }
  return answers;
}

void WriteCase(benchmark::State& state) {
  const Case one = small_case("scaling/linear-17");
  for (auto _ : state) benchmark::DoNotOptimize(dump_case(one));
  state.counters["bytes"] = static_cast<double>(dump_case(one).size());
}
BENCHMARK(WriteCase)->Unit(benchmark::kMicrosecond);

void ReadCase(benchmark::State& state) {
  const std::string text = dump_case(small_case("scaling/linear-17"));
  for (auto _ : state) benchmark::DoNotOptimize(parse_case(text));
}
BENCHMARK(ReadCase)->Unit(benchmark::kMicrosecond);

void ReadAnswers(benchmark::State& state) {
  const Case one = small_case("scaling/linear-17");
  const std::string text = dump_answers(one, small_answers(one));
  for (auto _ : state) benchmark::DoNotOptimize(parse_answers(text, one));
  state.counters["bytes"] = static_cast<double>(text.size());
}
BENCHMARK(ReadAnswers)->Unit(benchmark::kMicrosecond);

// A subject that parses every case and gives always the same answers: what is left is the
// transport.
void PlayThroughPython(benchmark::State& state) {
  std::vector<Case> cases;
  for (int i = 0; i < 1000; ++i) cases.push_back(small_case(std::to_string(i)));
  Command command{{"python3", "-S", "-c", R"(
import json, sys
sys.stdin.buffer.readline()
print('{"hello":{"name":"trivial","version":"1","language":"python","operations":[],"formats":{},"profiles":[],"policy":{}}}', flush=True)
answers = sys.argv[1]
for line in sys.stdin.buffer:
    message = json.loads(line)
    if "run" not in message: break
    sys.stdout.write('{"case":"' + message["run"]["id"] + '","answers":' + answers + '}\n')
    sys.stdout.flush()
)",
                   dump_answers(cases[0], small_answers(cases[0]))},
                  {},
                  {}};
  ProcessOptions options;
  options.in_flight = static_cast<std::size_t>(state.range(0));
  ProcessSubject subject(command, options);
  for (auto _ : state) {
    std::size_t drawn = 0, answered = 0;
    subject.play(
        [&] { return drawn < cases.size() ? &cases[drawn++] : nullptr; },
        [&](const Case&, const Reply& reply) { answered += reply.kind == Reply::Kind::answered; });
    if (answered != cases.size()) state.SkipWithError("a case was not answered");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(cases.size()));
}
BENCHMARK(PlayThroughPython)->Arg(1)->Arg(8)->Arg(32)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
