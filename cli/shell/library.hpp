#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "codes/code.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/program.hpp"
#include "equations/request/request.hpp"

namespace xorloom::cli {

// A library is a directory of equations that took long to find, one file of JSON for each thing
// that can be asked for, with a name that says what: "cauchy-good_k=10_m=4_w=8_erase=0+3.json".
// Nothing in it is trusted: a file is proved when it is read.

/// What is looked for in a library.
struct LibraryEntry {
  std::string name;   ///< of the file
  const Code* code;   ///< null for a bare matrix; outlives the entry
  Request request;    ///< of the code
  Program direct;     ///< computes it: says what the outputs are, and the inputs unless it rebuilds
  std::size_t cores;  ///< of the plan, 0 for none
};

/// Equations do not depend on packet_bytes, and entries that differ in nothing else are one.
LibraryEntry library_entry(const Code& code, const Request& request, Program direct,
                           std::size_t cores);

/// The same of a bare matrix, which is named by its size and a checksum.
LibraryEntry library_entry(Program direct, std::size_t cores);

/// Makes the directory if there is none. Errors: throws kInvalidArgument if it cannot be one.
void open_library(const std::filesystem::path& directory);

/// The equations that a library has for an entry, proved, for the code as it was asked for; none if
/// it has no file for it.
///
/// Errors: throws kParse, naming the file, if that is damaged, does not hold or is of something
///         else.
std::optional<EquationFile> kept_equations(const std::filesystem::path& directory,
                                           const LibraryEntry& entry);

/// Whether equations of an entry are better than others: they read less, where reads come first,
/// then take fewer steps on the cores of the entry, then fewer XORs.
bool is_better(const EquationFile& equations, const EquationFile& others,
               const LibraryEntry& entry);

/// Keeps equations unless better ones have come to be there, which another program may have put
/// there. The file appears complete or not at all.
///
/// Errors: throws kIo, or kInvalidArgument if the directory cannot be written.
void keep_equations(const std::filesystem::path& directory, const LibraryEntry& entry,
                    const EquationFile& equations);

}  // namespace xorloom::cli
