#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "codes/code.hpp"
#include "equations/files/equation_file.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// Equations from a file, in place of those that a command would make: proved, and with a plan for
/// cores that was checked, if the file has one.
struct GivenEquations {
  std::optional<Code> code;  ///< none for a bare layout
  EquationFile file;
};

/// --equations FILE, and then SPEC need not be given. `what` begins the help's sentence.
void add_given_equations(Command& command, std::string& path, const std::string& what);

/// Reads a file, whose equations are proved for the code that it names, else for `code`, if any.
///
/// Errors: throws kParse, naming the file, if it is damaged or its equations or plan do not hold.
EquationFile equation_file(const std::string& path, const Code* code);

/// The same for the code that it names, else for the first of several codes that they hold for.
///
/// Errors: those for the first code, if they hold for none.
EquationFile equation_file(const std::string& path, const std::vector<const Code*>& codes);

/// The same for the code that it names, else for that of a spec; an empty spec is none.
///
/// Errors: those of equation_file; throws kInvalidArgument if the spec is of another code than the
///         file names.
GivenEquations given_equations(const std::string& path, const std::string& spec,
                               const Options& options);

/// The same where a code is needed. Errors: throws kInvalidArgument if there is none, too, or if
/// the equations are over bits and the code lies in words, or the other way round.
GivenEquations runnable_equations(const std::string& path, const std::string& spec,
                                  const Options& options);

/// The locations that equations rebuild; none if they encode.
///
/// Errors: throws kInvalidArgument if they compute a part of what either takes.
std::vector<std::size_t> locations_rebuilt(const Code& code, const Program& program,
                                           const std::string& path);

/// Throws kInvalidArgument if an option is given that says how equations are to be made.
void refuse_with_equations(const Command& command, std::initializer_list<const char*> options);

}  // namespace xorloom::cli
