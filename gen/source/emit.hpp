#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A program of a code and what its function is called: "encode", "decode_0_3".
struct NamedProgram {
  std::string name;
  Program program;
};

/// What programs that are written for a code are over: bits on packets, its symbols on words.
inline Over over_of(const Code& code) {
  return code.arrangement == Arrangement::kWord ? Over::kSymbols : Over::kBits;
}

/// Throws kInvalidArgument unless a name stays good whatever it is joined with by an underscore, in
/// C and in C++: letters and digits with single underscores between them.
void check_name(const std::string& name);

/// The same for the names of programs and that of their file, if one is given. Throws
/// kInvalidArgument, too, if there is no program, or if two have one name: they are `what`.
void check_names(std::span<const NamedProgram> programs, const std::optional<std::string>& name,
                 const char* what);

/// What the names of a file begin with, or its namespace: "xl_" and the given name, or one made of
/// the code.
std::string file_prefix(const Code& code, const std::optional<std::string>& name);

/// What rebuilds lost locations, or only those that are wanted: "decode_0_3", "decode_0_3_want_0".
std::string decoding_name(const std::vector<std::size_t>& lost,
                          const std::vector<std::size_t>& wanted);

/// Throws unless the elements of a program are what lies in the memory of its code: bits in
/// packets, symbols in words. `what` is written for it: "source".
///
/// Errors: throws kUnsupported for a program on packets that is no XOR program, kInvalidArgument
///         for one on words over another field than the code's.
void check_program_of(const Code& code, const Program& program, const std::string& what);

struct SourceOptions {
  std::string target = "c++";         ///< the language: see gen/source/language.hpp
  std::optional<std::string> name{};  ///< none: by the code, as in cauchy_good_k10_m4_w8
  std::size_t part_operands = 1536;   ///< the most per function, or one equation of 256
};

/// One source file that computes programs on the chunks of a code, and needs none of ours: function
/// xl_NAME_encode in C, xl_NAME::encode in C++, for a program named encode.
///
/// On packets the programs are XOR programs over bits. On words they are over the code's symbols
/// (Over::kSymbols), and the file holds them in several forms, of which it takes the fastest that
/// the processor has.
///
/// The comment at the top of the file says what the functions take and do. They are straight lines
/// of loads, sums and stores over one vector of each packet or sub-chunk; what was written, with
/// the constants that it multiplies by, is read back and compared with the equations and the field.
/// The programs are taken to be proved.
///
/// Errors: throws kUnsupported for a program with more temporaries between its functions, or on
///         words with more cells, than fit the stack, on words for one of more than kMaxDirectXors
///         operands; kInvalidArgument for an unknown language, for names that cannot stand in
///         identifiers or are given twice; those of check_program_of; kInternal if what was written
///         is not what the equations say.
/// Cost:   that of the proof of a program, several times.
std::string emit_source(const Code& code, std::span<const NamedProgram> programs,
                        const SourceOptions& options = {});

/// The header of such a file: the functions, how many chunks there are (num_chunks) and what
/// chunk_bytes is a multiple of (chunk_multiple). A header of C may be included from C++, too.
///
/// Errors: as emit_source, but for what is wrong with the programs themselves.
std::string emit_header(const Code& code, std::span<const NamedProgram> programs,
                        const SourceOptions& options = {});

}  // namespace xorloom
