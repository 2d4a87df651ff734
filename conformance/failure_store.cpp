#include "conformance/failure_store.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>

#include "conformance/atomic_file.hpp"
#include "conformance/exit_code.hpp"
#include "conformance/fault_json.hpp"
#include "properties/check_case.hpp"
#include "properties/engine.hpp"
#include "reference/training_window.hpp"
#include "subject/case_json.hpp"
#include "subject/in_process.hpp"
#include "subject/json_reader.hpp"
#include "subject/json_text.hpp"
#include "subject/malformed_json.hpp"
#include "subject/names.hpp"

namespace ampcheck::conformance {

namespace fs = std::filesystem;

namespace {

// What it does not pass blames the right, too.
bool textbook_passes(const subject::Case& one) {
  const properties::Clause* clause = properties::find_clause(one.clause);
  if (clause == nullptr) return false;
  // It steps alike whatever the form, and offers one.
  subject::Hello hello = subject::Textbook::hello();
  for (auto& [kind, forms] : hello.forms)
    forms.assign(std::begin(subject::kOptimizerForms), std::end(subject::kOptimizerForms));
  subject::InProcess textbook(std::move(hello),
                              [] { return std::make_unique<subject::Textbook>(); });
  return properties::run_case(textbook, *clause, one).verdict == properties::Verdict::pass;
}

}  // namespace

FailureStore::FailureStore(const fs::path& folder, const std::string& subject) {
  std::string name = subject;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.') c = '-';
  folder_ = folder / name;
}

fs::path FailureStore::path_of(std::string_view clause) const {
  std::string name(clause);
  std::replace(name.begin(), name.end(), '/', '.');
  return folder_ / (name + ".json");
}

std::vector<subject::Case> FailureStore::load(std::vector<std::string>& unusable) const {
  std::error_code ignored;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder_, ignored))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<subject::Case> cases;
  for (const fs::path& file : files) {
    try {
      cases.push_back(load_case(file));
      if (!textbook_passes(cases.back())) {
        cases.pop_back();
        unusable.push_back(file.string() + ": not a case that a right implementation passes");
      }
    } catch (const Exit& error) {
      unusable.emplace_back(error.what());
    }
  }
  return cases;
}

fs::path FailureStore::save(const properties::ClauseReport& report) const {
  const properties::Failure& failure = *report.failure;
  nlohmann::ordered_json expected;
  expected["clause"] = report.clause->id;
  expected["verdict"] = name_of(report.verdict);
  if (failure.fault) {
    add_fault(expected, *failure.fault);
  } else {
    expected["reason"] = failure.reason;
  }
  nlohmann::ordered_json envelope;
  envelope["case"] = nlohmann::ordered_json::parse(subject::dump_case(failure.shrunk));
  envelope["expected"] = std::move(expected);
  const fs::path path = path_of(report.clause->id);
  write_file(path,
             envelope.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  return path;
}

void FailureStore::clear(std::string_view clause) const {
  std::error_code ignored;
  fs::remove(path_of(clause), ignored);
}

subject::Case load_case(const fs::path& path) {
  const std::string text = read_file(path);
  try {
    const subject::JsonDocument document(text, path.string());
    const subject::JsonReader whole(document);
    whole.expect_object("a case, or an envelope {\"case\":…,\"expected\":…}");
    const auto inside = whole.find("case");
    subject::Case loaded = subject::read_case(inside ? *inside : whole);
    properties::check_case(loaded);
    return loaded;
  } catch (const subject::MalformedJson& error) {
    const std::string what = error.what();
    throw Exit(kUsage, what.starts_with(path.string()) ? what : path.string() + ": " + what);
  } catch (const reference::BadSession& error) {
    throw Exit(kUsage, path.string() + ": " + error.what());
  }
}

}  // namespace ampcheck::conformance
