#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

// The raw form of a file: one stripe of bare chunk files in a directory, coded in memory.

/// Options of encode --raw.
struct RawEncoding {
  std::string file;       ///< "-": standard input
  std::string directory;  ///< directory of the chunk files
  std::string spec;
  std::string equations;        ///< path of equations that encode; "": none are given
  std::size_t chunk_bytes = 0;  ///< 0: the smallest that holds the file
  bool replace = false;         ///< replace existing chunk files
  Options run;
};

/// Encodes a file into chunk files, and notes the result.
///
/// Errors: throws kInvalidArgument if the file does not fit the chunks or the memory, is one of the
///         chunk files, or chunk files exist and `replace` is false; kIo if the directory cannot be
///         written.
void encode_raw(const RawEncoding& encoding);

/// Options of decode --raw.
struct RawDecoding {
  std::string directory;  ///< directory of the chunk files
  std::string output;     ///< "-": standard output
  std::string spec;
  std::size_t length = 0;  ///< bytes of the file
  Options run;
};

/// Decodes the file from chunk files, and notes the result.
///
/// Errors: throws kInvalidArgument if the chunk files do not fit the code and the length, or the
///         output is one of them; kDamaged if too many are missing; kIo.
void decode_raw(const RawDecoding& decoding);

/// Options of repair --raw.
struct RawRepair {
  std::string directory;  ///< directory of the chunk files
  std::string spec;
  bool deep = false;  ///< also rebuild chunk files that disagree with the others (--deep)
  /// With `deep`: at most this many chunks are wrong. nullopt: wrong chunks are only reported.
  std::optional<std::size_t> assume_wrong{};
  Options run;
};

/// Rebuilds missing and, with `deep`, wrong chunk files, and notes the result. Keeps a copy of each
/// wrong one: see keep_chunk_file().
///
/// Errors: throws kInvalidArgument if the chunk files do not fit the code; kDamaged if too many are
///         missing, or redundancy cannot tell which are wrong under `assume_wrong`; kIo. Throws
///         RecoverableDamage if some are wrong and `assume_wrong` is not given.
void repair_raw(const RawRepair& repair);

/// Options of verify --raw.
struct RawVerification {
  std::string directory;  ///< directory of the chunk files
  std::string spec;
  std::string format = "text";  ///< or json or html
  Options run;
};

/// Reports which chunk files are missing or wrong.
///
/// Errors: throws kInvalidArgument if the chunk files do not fit the code; kDamaged if too many are
///         missing, or redundancy cannot tell which are wrong; kIo. Throws RecoverableDamage if
///         some are missing or wrong.
void verify_raw(const RawVerification& verification);

/// The only one of `directories`. Errors: throws kInvalidArgument if there are several.
const std::string& only_directory(const std::vector<std::string>& directories);

/// Throws kInvalidArgument, "--raw needs --length", unless an option that --raw needs is given.
void need_for_raw(bool given, const char* option);

/// Throws kInvalidArgument, "--length needs --raw", if an option is given that only --raw has.
void refuse_without_raw(bool given, const char* option);

/// Throws kInvalidArgument, "--set does not go with --raw", if an option is given that --raw does
/// not take.
void refuse_for_raw(bool given, const char* option);

}  // namespace xorloom::cli
