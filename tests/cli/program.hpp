#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/has.hpp"

namespace xorloom::test {

/// Result of a run of the program.
struct Outcome {
  int status;  ///< the exit status, or minus the signal that ended it
  std::string out;
  std::string err;
};

/// Redirections of the program's streams.
struct Streams {
  std::string in{};            ///< standard input
  std::string out_path{};      ///< a file, such as /dev/full
  bool closed_reader = false;  ///< standard output is a pipe whose reader is gone
};

/// Runs the program that was built beside the test.
Outcome xorloom(const std::vector<std::string>& arguments, const Streams& streams = {});

/// CPU seconds of all programs that have ended. Clock time would depend on other processes.
long seconds_of_programs();

/// A signal and the moment at which it ends a run of the program, unless the run is over by then.
struct Ending {
  int signal;
  std::chrono::microseconds after{};  ///< since the start, or since `once` holds
  std::function<bool()> once{};       ///< polled, if set
  /// CPU time that the run must have used first. Unlike clock time, it does not pass while a busy
  /// machine runs others.
  std::chrono::milliseconds computed{};
};

/// Runs xorloom-lab.
Outcome xorloom_lab(const std::vector<std::string>& arguments);

/// Runs the program and ends it.
Outcome xorloom_ended(const std::vector<std::string>& arguments, const Ending& ending);

/// Runs the program in a directory, with more variables in its environment ("NAME=value"). After a
/// minute it is killed.
Outcome xorloom_in(const std::filesystem::path& directory,
                   const std::vector<std::string>& arguments,
                   const std::vector<std::string>& variables);

/// True if the program was built with a sanitizer, which allocates and begins threads by itself.
inline bool is_sanitized() {
#ifdef XORLOOM_IS_SANITIZED
  return true;
#else
  return false;
#endif
}

/// Runs a line of shell with $xorloom and $lab as the programs, in a directory.
Outcome shell(const std::string& line, const std::filesystem::path& directory);

/// Checks a refusal: "xorloom: error: <sentence>", or the same from xorloom-lab, is the first line
/// on standard error; the status is 2, or 4 if the system refuses ("cannot read …"); standard
/// output is empty. Returns what differs; empty: nothing.
std::string not_refused(const Outcome& outcome, std::string_view sentence);

/// The columns of the widest line.
std::size_t widest_line(std::string_view text);

void write_file(const std::string& path, std::string_view content);
std::string read_file(const std::string& path);

/// The example of each family, in the order of `xorloom codes`, which prints them.
std::vector<std::string> family_examples();

/// Seeded bytes.
std::string random_bytes(std::size_t size, std::uint32_t seed);

}  // namespace xorloom::test
