#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace xorloom {

/// A language of generated source: the words and the frame of a file in which it differs from other
/// languages. Everything in a file except its public functions is private to it.
///
/// In the frame {name} is the prefix of all names, or the namespace.
struct Language {
  const char* target;           ///< as `xorloom emit --target` takes it: "c++"
  const char* name;             ///< "C++17"
  const char* restrict_word;    ///< qualifier of a pointer
  const char* constant;         ///< start of a constant
  const char* function;         ///< start of a function, with a blank if it is not empty
  const char* inline_function;  ///< start of a short function
  const char* std;              ///< prefix of names of the standard library
  const char* include;          ///< a standard header, {header} in C without ".h"
  const char* public_name;      ///< name of {function} outside of the file
  const char* declared_name;    ///< name of {function} in its declaration
  const char* after_parameters;

  /// Frames around all functions, and around those that are private to the file.
  const char* open;
  const char* close;
  const char* open_own;
  const char* close_own;

  /// The constants {num_chunks} and {chunk_multiple} of a header, and the frame around them and all
  /// functions.
  const char* constants;
  const char* header_open;
  const char* header_close;
  const char* header_suffix;  ///< suffix of the include guard

  std::string includes(std::initializer_list<const char*> headers) const;
  /// Head of a public function, followed by `tail`.
  std::string signature(const std::string& file, const std::string& called,
                        const std::string& tail) const;
};

/// A piece of a frame, with the name of a file and, if the piece has one, of a function.
std::string framed(const char* frame, const std::string& file, const std::string& function = "");

/// All languages, the default first.
std::span<const Language> languages();

/// Errors: throws kInvalidArgument if no language has that target.
const Language& language_of(std::string_view target);

}  // namespace xorloom
