#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"

namespace xorloom::test {

// Calls of the system that fail, or are the last a program makes; strace sees to that. With
// XORLOOM_EVERY_CALL=1 it is each call in turn, else a few of each name.

/// Whether calls can be made to fail here; says why the test is skipped if they cannot.
bool can_inject();

/// Runs the program under strace with some options.
Outcome traced(const std::vector<std::string>& arguments, const std::string& options);

/// The numbers of the calls of a name that the program makes in some directories, from 1. Of calls
/// that name no path all are meant.
std::vector<std::size_t> calls(const std::vector<std::string>& arguments,
                               const std::vector<std::string>& directories,
                               const std::string& name);

/// That many of them, or all if XORLOOM_EVERY_CALL is set.
std::vector<std::size_t> chosen(const std::vector<std::size_t>& numbers, std::size_t most);

enum class Failing {
  kOnce,     ///< the call fails
  kFromNow,  ///< so do all after it of the same name, those that would clean up too
  kKilled,   ///< the call is the last the program makes
};

/// Checks how a program ended that had a call fail: killed, done, or with a sentence and status 4.
void check_ending(const Outcome& outcome, Failing how);

/// The options that have a call of a name fail.
std::string fault(const std::string& call, std::size_t number, Failing how);

}  // namespace xorloom::test
