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

/// Proved equations that the user gave in a file, with a checked plan for cores if the file has
/// one.
struct GivenEquations {
  std::optional<Code> code;  ///< nullopt: the file is for a bare layout
  EquationFile file;
};

/// Adds --equations FILE, which makes SPEC optional. `what` begins the sentence of its help.
void add_given_equations(Command& command, std::string& path, const std::string& what);

/// Reads a file and proves its equations for the code that the file names, else for `code` (may be
/// null).
///
/// Errors: throws kParse, naming the file, if it is damaged or its equations or plan do not hold.
EquationFile equation_file(const std::string& path, const Code* code);

/// Reads a file and proves its equations for the code that the file names, else for the first of
/// `codes` for which they hold.
///
/// Errors: if they hold for no code, throws the error for the first one.
EquationFile equation_file(const std::string& path, const std::vector<const Code*>& codes);

/// Reads a file and proves its equations for the code that the file names, else for `spec` ("": no
/// code).
///
/// Errors: as equation_file(); throws kInvalidArgument if the file names another code than `spec`.
GivenEquations given_equations(const std::string& path, const std::string& spec,
                               const Options& options);

/// Like given_equations(), for callers that run the equations.
///
/// Errors: also throws kInvalidArgument if there is no code, or if the equations are over bits and
///         the code is on words, or the reverse.
GivenEquations runnable_equations(const std::string& path, const std::string& spec,
                                  const Options& options);

/// Locations that `program` rebuilds, ascending; empty if it encodes.
///
/// Errors: throws kInvalidArgument if it computes only part of a location or of the redundancy.
std::vector<std::size_t> locations_rebuilt(const Code& code, const Program& program,
                                           const std::string& path);

/// Throws kInvalidArgument if one of `options`, which control how equations are made, is given.
void refuse_with_equations(const Command& command, std::initializer_list<const char*> options);

}  // namespace xorloom::cli
