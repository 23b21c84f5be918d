#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace xorloom::test {

// Calls of the system that fail, or are the last a program makes; strace sees to that. With
// XORLOOM_EVERY_CALL=1 each call has each way to fail, else a few of each name have one.

/// Whether calls can be made to fail here; says why the test is skipped if they cannot.
bool can_inject();

/// Runs the program under strace with some options.
Outcome traced(const std::vector<std::string>& arguments, const std::string& options);

/// The numbers of the calls that the program makes in some directories, from 1, by the name of the
/// call. Of calls that name no path all are meant.
std::map<std::string, std::vector<std::size_t>> calls(const std::vector<std::string>& arguments,
                                                      const std::vector<std::string>& directories,
                                                      const std::vector<std::string>& names);

enum class Failing {
  kOnce,     ///< the call fails
  kFromNow,  ///< so do all after it of the same name, those that would clean up too
  kKilled,   ///< the call is the last the program makes
};

/// A call of some name, and the way in which it fails.
struct Fault {
  std::size_t number;
  Failing how;
};

/// The faults that calls of a name have. Each way is tried once: at the first call, the middle one
/// or the last, and in the next round at the next of them; kFromNow not at the last. With
/// XORLOOM_EVERY_CALL it is each way at each call.
std::vector<Fault> faults(const std::vector<std::size_t>& numbers, std::size_t round,
                          const std::vector<Failing>& ways = {Failing::kOnce, Failing::kKilled,
                                                              Failing::kFromNow});

/// Checks how a program ended that had a call fail: killed, done, or with a sentence and status 4.
void check_ending(const Outcome& outcome, Failing how);

/// The options that have a call of a name fail.
std::string fault(const std::string& call, std::size_t number, Failing how);

}  // namespace xorloom::test
