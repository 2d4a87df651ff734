// The command line: parses it, calls a command, and turns what goes wrong into one line and an exit
// code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "conformance/commands.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/output.hpp"
#include "properties/engine.hpp"
#include "subject/process_subject.hpp"

namespace {

using namespace ampcheck::conformance;

int dispatch(int argc, char** argv) {
  CLI::App app{"ampcheck judges implementations of mixed-precision training arithmetic"};
  app.set_version_flag("--version", AMPCHECK_VERSION);
  app.require_subcommand(1);

  RunOptions run;
  CLI::App* run_app = app.add_subcommand("run", "judge a subject");
  run_app->add_option("subject", run.subject, "textbook, torch, process:COMMAND, mutant:NAME, …")
      ->required();
  run_app->add_option("--clauses", run.clauses,
                      "only clauses whose id matches one of these globs: scaling/*,clipping/*");
  run_app->add_option("--level", run.level, "smoke, standard (default) or deep");
  const auto add_seed = [](CLI::App* to, std::uint64_t& seed) {
    return to->add_option_function<std::string>(
        "--seed", [&seed](const std::string& text) { seed = parse_seed(text); },
        "of the generators (default 1)");
  };
  add_seed(run_app, run.seed);
  run_app->add_option_function<std::string>(
      "--budget", [&run](const std::string& text) { run.budget_seconds = parse_budget(text); },
      "stop playing after this time, such as 60s");
  run_app->add_option_function<std::string>(
      "--shrink", [&run](const std::string& text) { run.shrink_seconds = parse_shrink(text); },
      "seconds to make each failing case smaller (default 5, 0: none)");
  run_app->add_option("--python", run.python,
                      "interpreter of an adapter, with the package to judge in its environment");
  run_app->add_option("--report", run.report, "folder for record.jsonl");
  run_app->add_option("--failures", run.failures, "folder for failing cases (default failures)");
  run_app->add_option("--messages", run.messages, "file for every message to and from a process");
  run_app->add_option("--policy", run.policy,
                      "file with a policy to go by, such as `identify --output` writes");
  run_app->add_flag("--strict", run.strict, "a broken SHOULD fails, too");
  run_app->add_flag("--json", run.json, "one JSON document on stdout");

  IdentifyOptions identify;
  CLI::App* identify_app = app.add_subcommand("identify", "find out a subject's policy");
  identify_app->add_option("subject", identify.subject, "as for run")->required();
  identify_app->add_option("--python", identify.python, "as for run");
  identify_app->add_option("--output", identify.output,
                           "file for the policy, as far as it is known");
  identify_app->add_option("--messages", identify.messages, "as for run");
  identify_app->add_flag("--json", identify.json, "one JSON document on stdout");

  ListOptions list;
  CLI::App* list_app = app.add_subcommand("list", "name the clauses, or the subjects");
  list_app->add_option("--clauses", list.clauses,
                       "only clauses whose id matches one of these globs: scaling/*,clipping/*");
  CLI::Option* subjects = list_app->add_flag("--subjects", list.subjects, "the subjects");
  CLI::Option* coverage =
      list_app
          ->add_flag("--coverage", list.coverage,
                     "how often the clauses' cases meet each situation of rounding")
          ->excludes(subjects);
  list_app->add_option("--level", list.level, "with --coverage: smoke, standard or deep")
      ->needs(coverage);
  add_seed(list_app, list.seed)->needs(coverage);
  list_app->add_flag("--json", list.json, "one JSON document on stdout");

  ExplainOptions explain;
  CLI::App* explain_app =
      app.add_subcommand("explain", "tell what a clause, case, mutant or control is");
  explain_app
      ->add_option("what", explain.what,
                   "clause, rule/slug#seed.index, mutant:NAME, control:NAME, file.json")
      ->required();
  explain_app->add_flag("--json", explain.json, "one JSON document on stdout");

  ReplayOptions replay;
  CLI::App* replay_app = app.add_subcommand("replay", "play one case of a file");
  replay_app->add_option("file", replay.file, "a case, or an envelope with one")->required();
  replay_app->add_option("subject", replay.subject, "as for run")->required();
  replay_app->add_option("--python", replay.python, "as for run");
  replay_app->add_flag("--json", replay.json, "one JSON document on stdout");

  SelftestOptions selftest;
  CLI::App* selftest_app =
      app.add_subcommand("selftest", "play the program's own mutants and controls");
  CLI::Option* full = selftest_app->add_flag(
      "--full", selftest.full,
      "the kill matrix: all clauses against all mutants, at standard level and with several seeds");
  selftest_app->add_option("--seeds", selftest.seeds, "with --full: how many (default 20)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000}))
      ->needs(full);
  selftest_app
      ->add_option("--control-cases", selftest.control_cases,
                   "with --full: cases of each control, over all seeds (default 1000000)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->needs(full);
  selftest_app->add_option("--matrix", selftest.matrix, "with --full: a file for the matrix")
      ->needs(full);
  CLI::Option* oracle = selftest_app->add_flag(
      "--oracle", selftest.oracle,
      "play the exact reference, the fast path and a second oracle against each other instead");
  selftest_app
      ->add_option("--every", selftest.every,
                   "with --oracle: every Nth input, 16 addends, 10^8/N random pairs (default 1: "
                   "all, which takes 35 minutes of a core)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{65536}))
      ->needs(oracle);
  oracle->excludes(full);
  add_seed(selftest_app, selftest.seed);
  selftest_app->add_flag("--json", selftest.json, "one JSON document on stdout");

  GoldenOptions golden;
  CLI::App* golden_app = app.add_subcommand("golden", "the golden vectors");
  golden_app->require_subcommand(1);
  CLI::App* golden_check =
      golden_app->add_subcommand("check", "compare the files with what the reference gives now");
  CLI::App* golden_write = golden_app->add_subcommand("write", "write the files anew");
  for (CLI::App* one : {golden_check, golden_write})
    one->add_option("folder", golden.folder, "default: the repository's golden/vectors");

  ServeOptions serve;
  CLI::App* serve_app =
      app.add_subcommand("serve", "be a subject that others can judge as a process");
  serve_app->add_option("subject", serve.subject, "textbook, mutant:NAME or control:NAME")
      ->required();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty())
      throw Exit(kUsage, "unknown command \"" + std::string(argv[1]) +
                             "\"; `ampcheck --help` names them all");
    throw Exit(kUsage, error.what());
  }
  if (*run_app) return run_command(run);
  if (*identify_app) return identify_command(identify);
  if (*list_app) return list.coverage ? coverage_command(list) : list_command(list);
  if (*explain_app) return explain_command(explain);
  if (*replay_app) return replay_command(replay);
  if (*golden_app) {
    golden.write = static_cast<bool>(*golden_write);
    return golden_command(golden);
  }
  if (*serve_app) return serve_command(serve);
  return selftest.oracle ? oracle_selftest_command(selftest) : selftest_command(selftest);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = dispatch(argc, argv);
    // Output that is lost (a full disk, a closed stream) must not look like a verdict.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Exit(kUsage, "standard output cannot be written");
    return code;
  } catch (const Exit& end) {
    print(stderr, "ampcheck: {}\n", end.what());
    return end.code;
  } catch (const ampcheck::subject::CannotRecord& error) {
    print(stderr, "ampcheck: {}\n", error.what());
    return kUsage;
  } catch (const std::exception& error) {
    print(stderr, "ampcheck: internal error: {}\n", error.what());
    return kInternalError;
  }
}
