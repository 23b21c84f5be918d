#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "equations/files/equation_file.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// Proved equations that the user gave in a file, with a checked plan for cores if the file has
/// one.
struct GivenEquations {
  std::optional<Code> code;  ///< nullopt: the file is for a bare layout
  EquationFile file;
};

/// True if `text` is equations, as text or as JSON.
bool holds_equations(std::string_view text);

/// Adds --equations FILE, which makes SPEC optional. `what` begins the sentence of its help.
void add_given_equations(Command& command, std::string& path, const std::string& what);

/// Reads a file of one set of equations, or several as --front writes them. Proves them for the
/// code that the file names, else for the first of `codes` for which they hold.
///
/// Errors: throws kParse, naming the file, if it is damaged or its equations or plan do not hold;
///         if they hold for no code, the error for the first one.
std::vector<EquationFile> equation_files(const std::string& path,
                                         const std::vector<const Code*>& codes);

/// Reads a file, as equation_files(), for the code that it names, else for `spec` ("": no code).
///
/// Errors: as equation_files(); throws kInvalidArgument if the file names another code than `spec`.
std::vector<EquationFile> given_sets(const std::string& path, const std::string& spec,
                                     const Options& options);

/// Like given_sets(), with the code.
///
/// Errors: also throws kInvalidArgument if the file has several sets.
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

/// Reads a 0/1 matrix from a file, or from standard input ("-").
///
/// Errors: throws kParse, naming the file and what it holds, if that is something else.
BitMatrix read_matrix_file(const std::string& path);

/// Throws kInvalidArgument if one of `options`, which control how equations are made, is given.
void refuse_with_equations(const Command& command, std::initializer_list<const char*> options);

}  // namespace xorloom::cli
