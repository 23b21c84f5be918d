#include "cli/report/report_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <tuple>
#include <utility>

#include "cli/measuring/level_speeds.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {
namespace {

using Goal = ReportFigure::Goal;

/// The largest count that a double holds exactly.
constexpr std::size_t kMostCount = std::size_t{1} << 53;

constexpr std::size_t kVersion = 1;

/// A member of the JSON, its label for readers, and which change of it is better.
struct Described {
  const char* key;
  const char* label;
  Goal goal;
};

constexpr Described kSetCounts[] = {
    {"xors", "XORs", Goal::kLess},
    {"lower_bound", "lower bound of XORs", Goal::kNone},
    {"multiplications", "multiplications", Goal::kLess},
    {"direct_xors", "direct XORs", Goal::kNone},
    {"equations", "equations", Goal::kNone},
    {"output_bits", "bits computed", Goal::kNone},
    {"longest_equation", "longest equation, in XORs", Goal::kNone},
    {"longest_path", "longest path, in XORs", Goal::kNone},
    {"critical_path", "critical path, in XORs", Goal::kNone},
    {"temporaries", "temporaries", Goal::kNone},
    {"peak_live", "values alive at once", Goal::kNone},
};

constexpr Described kPlanCounts[] = {
    {"makespan", "steps", Goal::kLess},
    {"atomic_makespan", "atomic steps", Goal::kLess},
    {"moves", "moves", Goal::kNone},
};

constexpr Described kReadCounts[] = {
    {"read", "cells read", Goal::kLess},
    {"locations", "locations read", Goal::kNone},
    {"left", "cells left to read", Goal::kNone},
    {"rebuilt", "cells rebuilt", Goal::kNone},
};

constexpr Described kTileCounts[] = {
    {"data_bytes", "bytes of data per tile", Goal::kNone},
    {"bytes", "bytes moved per tile", Goal::kNone},
    {"instructions", "instructions", Goal::kNone},
    {"loads", "loads", Goal::kNone},
    {"stores", "stores", Goal::kNone},
    {"multiplications", "multiplications", Goal::kNone},
    {"code_bytes", "bytes of code", Goal::kNone},
};

/// A JSON value and its path in the file, such as "sets[2].code", for error messages.
class Place {
 public:
  Place(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}

  Place operator[](const char* key) const {
    if (!json_.is_object()) bad("an object");
    const Json* const found = json_.find(key);
    if (found == nullptr) {
      json_reading::bad("{} has no '{}'", path_.empty() ? "the report" : path_, key);
    }
    return {*found, below(key)};
  }

  /// The member `key`; nullopt if there is no such member, or if it is null.
  std::optional<Place> find(const char* key) const {
    if (!json_.is_object()) bad("an object");
    const Json* const found = json_.find(key);
    if (found == nullptr || found->is_null()) return std::nullopt;
    return Place(*found, below(key));
  }

  std::vector<Place> items() const {
    if (!json_.is_array()) bad("an array");
    std::vector<Place> items;
    for (const Json& item : json_) {
      items.emplace_back(item, fmt::format("{}[{}]", path_, items.size()));
    }
    return items;
  }

  std::size_t count(std::size_t most = kMostCount) const {
    return json_reading::number(json_, path_, most);
  }

  double speed() const {
    const double value = json_.is_number() ? json_.real() : -1;
    if (!std::isfinite(value) || value < 0) bad("a number from 0");
    return value;
  }

  std::string text() const {
    if (!json_.is_string()) bad("a string");
    return json_.text();
  }

  std::string text(std::initializer_list<std::string_view> words) const {
    std::string given = text();
    std::string known;
    for (const std::string_view word : words) {
      if (given == word) return given;
      known += fmt::format("{}'{}'", known.empty() ? "" : " or ", word);
    }
    json_reading::bad("{} is '{}', not {}", path_, excerpt(given), known);
  }

 private:
  std::string below(const char* key) const {
    return path_.empty() ? key : fmt::format("{}.{}", path_, key);
  }

  [[noreturn]] void bad(const char* wanted) const {
    const std::string value =
        json_.is_number() ? json_.dump() : fmt::format("of type {}", json_.type_name());
    json_reading::bad("{} is {}, not {}", path_.empty() ? "the report" : path_, value, wanted);
  }

  const Json& json_;
  std::string path_;
};

class SetReader {
 public:
  explicit SetReader(const Place& set) : set_(set) {}

  ReportedSet read() {
    const std::optional<Place> over = set_.find("over");
    result_.name = {set_["code"]["spec"].text(), set_["source"].text(),
                    set_["style"].text({"direct", "iterative"}),
                    over ? over->text({"bits", "symbols"}) : "bits"};
    counts(set_, kSetCounts, {}, {}, "");
    for (const Place& plan : set_["on_cores"].items()) on_cores(plan);
    if (const auto reads = set_.find("reads")) counts(*reads, kReadCounts, {}, {}, "what is read");
    for (const Place& run : set_["runs"].items()) this->run(run);
    return std::move(result_);
  }

 private:
  /// Adds a figure for each member of `known` that `of` has. Only "xors" is required.
  template <std::size_t n>
  void counts(const Place& of, const Described (&known)[n], const ReportFigure::Name& where,
              const std::string& suffix, const std::string& group) {
    if (&known[0] == &kSetCounts[0]) of["xors"].count();
    for (const Described& each : known) {
      const std::optional<Place> value = of.find(each.key);
      if (!value) continue;
      ReportFigure::Name name = where;
      name.figure = each.key;
      result_.figures.push_back({name, each.label + suffix, group, each.goal, false,
                                 static_cast<double>(value->count())});
    }
  }

  void speed(const Place& value, const ReportFigure::Name& name, std::string label,
             const char* group, Goal goal) {
    result_.figures.push_back({name, std::move(label), group, goal, true, value.speed()});
  }

  void on_cores(const Place& plan) {
    const std::size_t cores = plan["cores"].count(json_reading::kMaxNumber);
    const ReportFigure::Name where{"", cores};
    // On one core, steps equal XORs.
    if (cores > 1) {
      counts(plan, kPlanCounts, where, fmt::format(" on {} cores", cores),
             fmt::format("plans for {} cores", cores));
    }
    if (const auto value = plan.find("measured_data_gb_per_s")) {
      speed(*value, {"measured_data_gb_per_s", cores},
            fmt::format("GB/s on {}, measured", counted(cores, "thread")), "measured speeds",
            Goal::kMore);
    }
  }

  void run(const Place& run) {
    const std::string isa = run["isa"].text();
    counts(run["tile"], kTileCounts, {"", 0, isa}, ", " + isa, "runs with " + isa);
    for (const auto& [key, word, goal] :
         {std::tuple("predicted_data_gb_per_s", "predicted", Goal::kNone),
          std::tuple("measured_data_gb_per_s", "measured", Goal::kMore)}) {
      const std::optional<Place> speeds = run.find(key);
      if (!speeds) continue;
      const char* const group = goal == Goal::kMore ? "measured speeds" : "predicted speeds";
      for (const NamedLevel& level : kNamedLevels) {
        const std::optional<Place> value = speeds->find(level.key);
        if (!value) continue;
        speed(*value, {key, 0, isa, level.key},
              fmt::format("{} GB/s in {}, {}", isa, level.name, word), group, goal);
      }
    }
  }

  const Place& set_;
  ReportedSet result_{};
};

std::string search_text(const Place& search) {
  std::string text =
      fmt::format("effort {}, seed {}", search["effort"].text(), search["seed"].count());
  if (const auto steps = search.find("steps"))
    text += ", " + counted(steps->count(), "try", "tries");
  if (const auto seconds = search.find("seconds")) text += fmt::format(", {} s", seconds->count());
  return text;
}

ReportFile report_of(const std::string& source) {
  const Json json = json_reading::parse(source, "xorloom-report", kVersion);
  const Place top(json, "");
  ReportFile report{};
  if (const auto program = top.find("program")) report.program = program->text();
  if (const auto search = top.find("search")) report.search = search_text(*search);
  report.machine = top["machine"].text();
  const auto share = top.find("processor_share");
  report.processor_share = share ? std::min(share->speed(), 1.0) : 1;
  const Place caches = top["caches"];
  report.caches = {caches["l1"].count(), caches["l2"].count(), caches["l3"].count()};
  const auto locations_of = [](const Place& list) {
    std::vector<std::size_t> locations;
    for (const Place& each : list.items()) {
      locations.push_back(each.count(json_reading::kMaxNumber));
    }
    return locations;
  };
  report.erased = locations_of(top["erased"]);
  if (const auto updated = top.find("updated")) report.updated = locations_of(*updated);
  for (const Place& set : top["sets"].items()) report.sets.push_back(SetReader(set).read());
  if (report.sets.empty()) json_reading::bad("sets is empty: a report has one set or more");
  return report;
}

}  // namespace

ReportFile read_report(const std::string& path) {
  const std::string text = read_text(path, kMostReportBytes);
  try {
    ReportFile report = report_of(text);
    report.name = input_name(path);
    return report;
  } catch (const Error& error) {
    if (error.kind() != Status::kParse) throw;
    fail(Status::kParse, input_name(path) + ": " + error.what());
  }
}

}  // namespace xorloom::cli
