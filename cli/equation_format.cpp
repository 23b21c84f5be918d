#include "cli/equation_format.hpp"

#include <fmt/format.h>

#include "cli/options.hpp"
#include "codes/error.hpp"
#include "equations/core_plan.hpp"
#include "equations/cost.hpp"
#include "equations/json.hpp"
#include "equations/text.hpp"
#include "gen/dot.hpp"

namespace xorloom::cli {

void add_equation_format(CLI::App& app, std::string& format) {
  add_choice(app, "--format", format, {"text", "json", "dot"},
             "text to read, json to load again, dot for Graphviz; not given: text");
}

void check_equation_format(const std::string& format, std::size_t cores) {
  if (cores != 0 && format == "dot") {
    fail(Status::kInvalidArgument, "--cores adds a plan, which --format dot cannot show");
  }
}

std::string in_format(const EquationFile& file, const std::string& format) {
  if (format == "json") return write_json(file);
  if (format == "dot") return write_dot(file);
  return write_text(file);
}

std::string front_in_format(std::span<const EquationFile> front, const std::string& format) {
  if (format == "json") return write_front_json(front);
  std::string text = fmt::format("# front on {} core{}\n# steps  XORs\n", front[0].plan->cores,
                                 front[0].plan->cores == 1 ? "" : "s");
  for (const EquationFile& file : front) {
    text += fmt::format("# {:5}  {:4}\n", makespan(*file.plan), cost(file.program).xors);
  }
  for (const EquationFile& file : front) {
    text += '\n';
    text += write_text(file);
  }
  return text;
}

}  // namespace xorloom::cli
