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
namespace {

std::string front_text(std::span<const EquationFile> front) {
  const std::size_t cores = front.front().plan->cores;
  std::string text =
      fmt::format("# front on {} core{}\n# steps  XORs\n", cores, cores == 1 ? "" : "s");
  for (const EquationFile& file : front) {
    text += fmt::format("# {:5}  {:4}\n", makespan(*file.plan), xors(file.program));
  }
  for (const EquationFile& file : front) {
    text += '\n';
    text += write_text(file);
  }
  return text;
}

}  // namespace

void add_equation_format(CLI::App& app, std::string& format) {
  add_choice(app, "--format", format, {"text", "json", "dot"},
             "text to read, json to load again, dot for Graphviz; not given: text");
}

void check_equation_format(const std::string& format, std::size_t cores) {
  if (cores != 0 && format == "dot") {
    fail(Status::kInvalidArgument, "--cores adds a plan, which --format dot cannot show");
  }
}

std::string in_format(std::span<const EquationFile> files, bool is_front,
                      const std::string& format) {
  if (is_front) return format == "json" ? write_front_json(files) : front_text(files);
  if (format == "json") return write_json(files.front());
  if (format == "dot") return write_dot(files.front());
  return write_text(files.front());
}

}  // namespace xorloom::cli
