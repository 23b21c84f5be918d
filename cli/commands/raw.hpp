#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

// The raw form of a file: one stripe of bare chunk files in a directory, made in memory.

/// What encode --raw was asked for.
struct RawEncoding {
  std::string file;       ///< "-" for standard input
  std::string directory;  ///< of the chunk files
  std::string spec;
  std::string equations;        ///< a file of those that encode; empty: they are made
  std::size_t chunk_bytes = 0;  ///< 0 for the smallest that holds the file
  bool replace = false;         ///< chunk files that are there already
  Options run;
};

/// Writes a file as chunk files and notes how that went.
///
/// Errors: throws kInvalidArgument if the file does not fit the chunks asked for or the memory of
///         this machine, is one of the chunk files, or the directory cannot be written; kIo.
void encode_raw(const RawEncoding& encoding);

/// What decode --raw was asked for.
struct RawDecoding {
  std::string directory;  ///< of the chunk files
  std::string output;     ///< "-" for standard output
  std::string spec;
  std::size_t length = 0;  ///< bytes of the file
  Options run;
};

/// Writes the file whose chunk files are in a directory and notes how that went.
///
/// Errors: throws kInvalidArgument if the chunk files are not those of such a file, or the output
///         has the name of one; kDamaged if too many are missing; kIo.
void decode_raw(const RawDecoding& decoding);

/// What repair --raw was asked for.
struct RawRepair {
  std::string directory;  ///< of the chunk files
  std::string spec;
  bool deep = false;  ///< those that are wrong, too
  /// If deep: at most this many chunks are wrong. None: wrong chunks are named, and nothing is
  /// written.
  std::optional<std::size_t> assume_wrong{};
  Options run;
};

/// Writes the chunk files that are missing in a directory, or wrong, and notes how that went. Keeps
/// a copy of those that are wrong: keep_chunk_file.
///
/// Errors: throws kInvalidArgument if the chunk files are not those of such a code, or the
///         directory cannot be written; kDamaged if too many are missing, or redundancy cannot tell
///         which are wrong, with as many as assume_wrong says; kIo. Throws RecoverableDamage if any
///         are wrong and assume_wrong is not given.
void repair_raw(const RawRepair& repair);

/// What verify --raw was asked for.
struct RawVerification {
  std::string directory;  ///< of the chunk files
  std::string spec;
  bool as_json = false;
  Options run;
};

/// Says which chunk files are missing or wrong.
///
/// Errors: throws kInvalidArgument if the chunk files are not those of such a code; kDamaged if too
///         many are missing, or redundancy cannot tell which are wrong; kIo. Throws
///         RecoverableDamage if any are missing or wrong.
void verify_raw(const RawVerification& verification);

/// The one directory that --raw takes. Errors: throws kInvalidArgument if there are several.
const std::string& only_directory(const std::vector<std::string>& directories);

/// Throws kInvalidArgument unless an option is given that --raw cannot do without:
/// "--raw needs --length".
void need_for_raw(bool given, const char* option);

/// Throws kInvalidArgument if an option is given that means something to --raw alone:
/// "--length needs --raw".
void refuse_without_raw(bool given, const char* option);

/// Throws kInvalidArgument if an option is given that means nothing to --raw: "--set is not for
/// --raw".
void refuse_for_raw(bool given, const char* option);

}  // namespace xorloom::cli
