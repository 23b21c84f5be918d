#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A program of a code, and the name of its function: "encode", "decode_0_3".
struct NamedProgram {
  std::string name;
  Program program;
};

/// Domain of the programs that are written for a code: bits on packets, symbols on words.
inline Over over_of(const Code& code) {
  return code.arrangement == Arrangement::kWord ? Over::kSymbols : Over::kBits;
}

/// Throws kInvalidArgument unless a name is valid in C and in C++, also if underscores join it with
/// others: letters and digits with single underscores between them.
void check_name(const std::string& name);

/// Applies check_name() to the names of programs and of their file, if it has one. Also throws
/// kInvalidArgument if there is no program, or if two programs have the same name. `what` denotes
/// them in messages: "functions".
void check_names(std::span<const NamedProgram> programs, const std::optional<std::string>& name,
                 const char* what);

/// Prefix of the names of a file, or its namespace: "xl_" and the given name, or a name made of the
/// code.
std::string file_prefix(const Code& code, const std::optional<std::string>& name);

/// Name of the function that rebuilds lost locations, or only those in `wanted`: "decode_0_3",
/// "decode_0_3_want_0".
std::string decoding_name(const std::vector<std::size_t>& lost,
                          const std::vector<std::size_t>& wanted);

/// Throws unless the elements of a program are what lies in the memory of its code: bits in
/// packets, symbols in words. `what` denotes the text in messages: "source".
///
/// Errors: throws kUnsupported for a program on packets that is no XOR program, kInvalidArgument
///         for one on words over another field than the code's.
void check_program_of(const Code& code, const Program& program, const std::string& what);

struct SourceOptions {
  std::string target = "c++";         ///< the language: see gen/source/language.hpp
  std::optional<std::string> name{};  ///< nullopt: named after the code: cauchy_good_k10_m4_w8
  std::size_t part_operands = 1536;   ///< most operands per function, or an equation of up to 256
};

/// Writes a source file that computes programs on the chunks of a code and needs nothing of
/// Xorloom: function xl_NAME_encode in C, xl_NAME::encode in C++, for a program named encode.
///
/// On packets the programs are XOR programs over bits. On words they are over the code's symbols
/// (Over::kSymbols), and the file has them in several forms. It runs the fastest form that the
/// processor has.
///
/// The comment at the top of the file says what the functions take and do. They are straight lines
/// of loads, sums and stores over one vector of each packet or sub-chunk. The text, with the
/// constants that it multiplies by, is read back and compared with the equations and the field.
///
/// Precondition: the programs are proved.
///
/// Errors: throws kUnsupported for a program with more temporaries between its functions, or on
///         words with more cells, than fit the stack, on words for one of more than kMaxDirectXors
///         operands; kInvalidArgument for an unknown language, for names that are invalid or given
///         twice; those of check_program_of; kInternal if the text does not compute the equations.
/// Cost:   that of the proof of a program, several times.
std::string emit_source(const Code& code, std::span<const NamedProgram> programs,
                        const SourceOptions& options = {});

/// Writes the header of such a file: the functions, the number of chunks (num_chunks) and the
/// number that must divide chunk_bytes (chunk_multiple). A header of C may be included from C++,
/// too.
///
/// Errors: as emit_source, except those about the programs themselves.
std::string emit_header(const Code& code, std::span<const NamedProgram> programs,
                        const SourceOptions& options = {});

}  // namespace xorloom
