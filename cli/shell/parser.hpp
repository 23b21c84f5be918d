#pragma once

#include <string>

#include "cli/shell/command.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {

/// Result of reading a command line.
struct Call {
  enum class Kind { kRun, kHelp, kWholeHelp, kVersion, kWrong };
  Kind kind = Kind::kRun;
  const Command* command = nullptr;  ///< the command that was named, else the program
  std::string sentence;              ///< kWrong: what is wrong
  Status status = Status::kOk;       ///< kWrong: the kind of error
};

/// Reads a command line into the options of `program` and of its commands. This is the only place
/// that knows the parsing library; its messages are rewritten here.
///
/// Errors: throws none; the call is kWrong if an option refuses its value.
Call parse(Command& program, int argc, const char* const* argv);

}  // namespace xorloom::cli
