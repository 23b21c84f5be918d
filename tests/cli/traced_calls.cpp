#include "tests/cli/traced_calls.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <sstream>

#include "tests/support/sample.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// Why calls cannot be made to fail here; empty if they can.
std::string why_no_faults() {
#ifdef XORLOOM_IS_SANITIZED
  return "a sanitized program is not to be traced";
#else
  const Outcome outcome = shell(
      "command -v strace >/dev/null || { echo strace is not installed; exit 1; }\n"
      "strace -f -qq -o /dev/null -e trace=fsync -e inject=fsync:error=EIO true || "
      "echo strace may not trace here",
      "/");
  return outcome.out;
#endif
}

}  // namespace

bool can_inject() {
  static const std::string why = why_no_faults();
  if (!why.empty()) MESSAGE("SKIPPED: " << why);
  return why.empty();
}

Outcome traced(const std::vector<std::string>& arguments, const std::string& options) {
  return shell(fmt::format("exec strace -f -qq {} $xorloom {}", options, fmt::join(arguments, " ")),
               "/");
}

std::map<std::string, std::vector<std::size_t>> calls(const std::vector<std::string>& arguments,
                                                      const std::vector<std::string>& directories,
                                                      const std::vector<std::string>& names) {
  const TemporaryFolder folder;
  const std::string log = folder / "log";
  REQUIRE(traced(arguments, fmt::format("-o {} -e trace={}", log, fmt::join(names, ","))).status ==
          0);
  std::map<std::string, std::vector<std::size_t>> numbers;
  std::map<std::string, std::size_t> made;
  std::istringstream lines(read_file(log));
  for (std::string line; std::getline(lines, line);) {
    // A line is "PID NAME(ARGUMENTS) = RESULT", or says that a call goes on.
    const std::string begin = line.substr(0, line.find('('));
    const std::string name = begin.substr(begin.find_last_of(' ') + 1);
    if (begin.size() == line.size() || std::ranges::find(names, name) == names.end()) continue;
    const std::size_t number = ++made[name];
    const bool is_inside = std::ranges::any_of(directories, [&](const std::string& directory) {
      return line.find('"' + directory) != std::string::npos;
    });
    if (is_inside || line.find('"') == std::string::npos || name == "pwritev")
      numbers[name].push_back(number);
  }
  REQUIRE(!numbers.empty());
  return numbers;
}

std::vector<Fault> faults(const std::vector<std::size_t>& numbers, std::size_t round,
                          const std::vector<Failing>& ways) {
  std::vector<Fault> all;
  if (std::getenv("XORLOOM_EVERY_CALL") != nullptr) {
    for (const std::size_t number : numbers) {
      for (const Failing how : ways) all.push_back({number, how});
    }
    return all;
  }
  const std::vector<std::size_t> some = sample(numbers, ways.size());
  if (some.empty()) return all;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    // From the last call on, no more fails than once.
    const std::size_t early = some.size() < 3 ? 0 : round % 2;
    const std::size_t place = ways[i] == Failing::kFromNow ? early : round + i;
    all.push_back({some[place % some.size()], ways[i]});
  }
  return all;
}

void check_ending(const Outcome& outcome, Failing how) {
  CAPTURE(outcome.err);
  if (how == Failing::kKilled) {
    CHECK(outcome.status == -SIGKILL);
  } else if (outcome.status != 0) {
    CHECK(outcome.status == 4);
    CHECK(outcome.err.find("xorloom: error: ") != std::string::npos);
  }
}

std::string fault(const std::string& call, std::size_t number, Failing how) {
  const std::string what = how == Failing::kKilled ? "signal=KILL"
                           : number % 2 == 0       ? "error=ENOSPC"
                                                   : "error=EIO";
  return fmt::format("-o /dev/null -e trace={0} -e inject={0}:{1}:when={2}{3}", call, what, number,
                     how == Failing::kFromNow ? "+" : "");
}

}  // namespace xorloom::test
