#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace xorloom {

/// A language that source is written in: the words and the frame of a file in which it differs from
/// others. All but the public functions of a file is its own.
///
/// In the frame {name} is what all names begin with, or the namespace.
struct Language {
  const char* target;           ///< as `xorloom emit --target` takes it: "c++"
  const char* name;             ///< "C++17"
  const char* restrict_word;    ///< of a pointer
  const char* constant;         ///< what a constant begins with
  const char* function;         ///< what a function begins with, with a blank if it is anything
  const char* inline_function;  ///< the same of a short one
  const char* std;              ///< what names of the standard library begin with
  const char* include;          ///< a standard header, {header} in C without ".h"
  const char* public_name;      ///< what a {function} is called outside of the file
  const char* declared_name;    ///< what it is called where it is declared
  const char* after_parameters;

  /// Around all functions, and around those that are the file's own.
  const char* open;
  const char* close;
  const char* open_own;
  const char* close_own;

  /// The constants {num_chunks} and {chunk_multiple} of a header, and what stands around them and
  /// all functions.
  const char* constants;
  const char* header_open;
  const char* header_close;
  const char* header_suffix;  ///< of the guard

  std::string includes(std::initializer_list<const char*> headers) const;
  /// The head of a public function, with what follows it.
  std::string signature(const std::string& file, const std::string& called,
                        const std::string& tail) const;
};

/// A piece of a frame with the name of a file, and of a function where one is called.
std::string framed(const char* frame, const std::string& file, const std::string& function = "");

/// All of them, the default first.
std::span<const Language> languages();

/// Errors: throws kInvalidArgument if none has that target.
const Language& language_of(std::string_view target);

}  // namespace xorloom
