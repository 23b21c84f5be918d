#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/worked_example.hpp"

namespace xorloom::test {

inline constexpr const char* kIterative = XORLOOM_EXAMPLES "/paper_iterative.txt";

/// Returns the JSON output of `xorloom report`.
inline nlohmann::json report(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "report");
  arguments.insert(arguments.end(), {"--format", "json"});
  return nlohmann::json::parse(xorloom(arguments).out);
}

}  // namespace xorloom::test
