#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace xorloom::test {

inline constexpr const char* kWorkedExample = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";
inline constexpr const char* kIterative = XORLOOM_EXAMPLES "/paper_iterative.txt";

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What `xorloom report` prints as JSON.
inline nlohmann::json report(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "report");
  arguments.insert(arguments.end(), {"--format", "json"});
  return nlohmann::json::parse(xorloom(arguments).out);
}

}  // namespace xorloom::test
