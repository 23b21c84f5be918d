#include "cli/service/questions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string_view>

#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kMostSpecBytes = 4096;
constexpr std::size_t kMostValueBytes = 1024;

constexpr QuestionKey kEquationKeys[] = {
    {"spec", "the code: rs:k=10,m=4"},
    {"erase", "the locations that are lost: 0-2,5"},
    {"want", "those of them to rebuild; else all"},
    {"update", "the data locations that change"},
    {"rows", "the rows to compute; else all"},
    {"over", "bits or symbols"},
    {"reads", "any or min: the fewest bytes read"},
    {"style", "direct or iterative: from the store and a search"},
    {"cores", "a plan for that many cores"},
    {"format", "json, text, svg or dot; else json"}};

constexpr QuestionKey kCodeKeys[] = {{"spec", "the code: rs:k=10,m=4"},
                                     {"format", "text, json or svg; else text"}};

constexpr QuestionPath kPaths[] = {
    {"/v1/equations", "equations", "equations, plans, their costs and pictures", kEquationKeys},
    {"/v1/codes", "codes", "what a code is and survives, and its picture", kCodeKeys}};

struct Format {
  std::string_view name;
  const char* type;
};

constexpr std::array kFormats = {
    Format{"json", "application/json"}, Format{"text", "text/plain; charset=utf-8"},
    Format{"svg", "image/svg+xml"}, Format{"dot", "text/vnd.graphviz; charset=utf-8"}};

/// The first of kFormats are those of codes, too.
constexpr std::size_t kCodeFormats = 3;

/// Refuses specs that name a file or could be read as an option.
void check_spec(const std::string& spec) {
  if (spec.empty()) fail(Status::kInvalidArgument, "spec is missing: spec=rs:k=10,m=4");
  if (spec.size() > kMostSpecBytes) {
    fail(Status::kInvalidArgument, fmt::format("spec has {} bytes, more than the {} that a service "
                                               "takes",
                                               spec.size(), kMostSpecBytes));
  }
  if (spec.starts_with("file:")) {
    fail(Status::kInvalidArgument, "a service opens no file: give the spec of a family, not file:");
  }
  const bool is_plain =
      std::ranges::all_of(spec, [](unsigned char c) { return c > ' ' && c < 127; });
  if (spec.starts_with('-') || !is_plain) {
    fail(Status::kInvalidArgument, fmt::format("'{}' is no spec of a code", excerpt(spec)));
  }
}

}  // namespace

std::string Question::key() const { return fmt::format("{}", fmt::join(arguments, "\n")); }

std::span<const QuestionPath> question_paths() { return kPaths; }

Question question_of(const QuestionPath& path, const HttpRequest& request, const std::string& store,
                     std::size_t search_seconds) {
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : request.query) {
    if (std::ranges::find(path.keys, key, [](const QuestionKey& known) {
          return std::string_view(known.name);
        }) == path.keys.end()) {
      std::vector<const char*> names;
      for (const QuestionKey& known : path.keys) names.push_back(known.name);
      fail(Status::kInvalidArgument, fmt::format("{} has no key '{}': it has {}", path.path,
                                                 excerpt(key), fmt::join(names, ", ")));
    }
    if (key != "spec" && value.size() > kMostValueBytes) {
      fail(Status::kInvalidArgument,
           fmt::format("{} has {} bytes, more than {}", key, value.size(), kMostValueBytes));
    }
    if (key != "spec" && value.empty()) {
      fail(Status::kInvalidArgument, fmt::format("{} has no value: leave it out", key));
    }
    if (!values.emplace(key, value).second) {
      fail(Status::kInvalidArgument, fmt::format("{} is given twice", key));
    }
  }
  check_spec(values["spec"]);
  const bool is_equations = std::string_view(path.command) == "equations";
  values.emplace("format", is_equations ? "json" : "text");
  const auto formats = std::span(kFormats).first(is_equations ? kFormats.size() : kCodeFormats);
  const auto format = std::ranges::find(formats, values["format"], &Format::name);
  if (format == formats.end()) {
    fail(Status::kInvalidArgument,
         fmt::format("format = '{}' is not {}", excerpt(values["format"]),
                     is_equations ? "json, text, svg or dot" : "json, text or svg"));
  }
  Question question{{path.command, values["spec"], "--quiet"}, {}, format->type};
  for (const auto& [key, value] : values) {
    if (key != "spec") question.arguments.push_back(fmt::format("--{}={}", key, value));
  }
  if (values.contains("style") && values["style"] == "iterative") {
    question.arguments.push_back("--store=" + (store.empty() ? "shipped" : store));
    question.search = question.arguments;
    question.arguments.emplace_back("--effort=fast");
    question.search.emplace_back("--effort=max");
    question.search.push_back(fmt::format("--seconds={}", search_seconds));
    if (search_seconds == 0) question.search.clear();
  }
  return question;
}

}  // namespace xorloom::cli
