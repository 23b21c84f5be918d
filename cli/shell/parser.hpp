#pragma once

#include <string>

#include "cli/shell/command.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {

/// What a command line asks for.
struct Call {
  enum class Kind { kRun, kHelp, kWholeHelp, kVersion, kWrong };
  Kind kind = Kind::kRun;
  const Command* command = nullptr;  ///< the one that was named, else the program
  std::string sentence;              ///< of a kWrong: what is wrong
  Status status = Status::kOk;       ///< of a kWrong: what kind of error that is
};

/// Reads a command line into the options of a program and of its commands. It is the one place that
/// knows the library that parses; no sentence of that library reaches a person unread.
///
/// Errors: none are thrown; the call is kWrong if an option refuses its value.
Call parse(Command& program, int argc, const char* const* argv);

}  // namespace xorloom::cli
