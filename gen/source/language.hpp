#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xorloom {

struct Dialect;

/// What a header says.
struct HeaderText {
  std::string name;     ///< what all names begin with, or the namespace
  std::string comment;  ///< at the top
  std::size_t num_chunks;
  std::size_t chunk_multiple;
  struct Function {
    std::string name;
    std::string comment;
  };
  std::vector<Function> functions{};
};

/// A language that source is written in: the words and the frame of a file in which it differs from
/// others, and its dialects. All but the public functions of a file is its own.
struct Language {
  const char* target;           ///< as `xorloom emit --target` takes it: "c++"
  const char* name;             ///< "C++17"
  const char* restrict_word;    ///< of a pointer
  const char* constant;         ///< what a constant begins with
  const char* function;         ///< what a function begins with, with a blank if it is anything
  const char* inline_function;  ///< the same of a short one
  const char* std;              ///< what names of the standard library begin with

  /// Lines that include standard headers, named as in C without ".h".
  std::string (*include)(std::span<const char* const> headers);
  /// What a public function is called outside of the file.
  std::string (*public_name)(const std::string& name, const std::string& function);
  /// The head of a public function, with what follows it.
  std::string (*signature)(const std::string& name, const std::string& function,
                           const std::string& tail);
  /// Around all functions, and around those that are the file's own.
  std::string (*open)(const std::string& name);
  std::string (*close)(const std::string& name);
  const char* open_own;
  const char* close_own;
  /// A whole header; null where the language has none.
  std::string (*header)(const HeaderText& text);

  const Dialect* packets;  ///< how programs on packets are written; null if they are not
  const Dialect* words;    ///< the same on words
};

/// All of them, the default first.
std::span<const Language* const> languages();

/// Errors: throws kInvalidArgument if none has that target.
const Language& language_of(std::string_view target);

/// A name in capitals: "XL_DISKS".
std::string in_capitals(std::string name);

}  // namespace xorloom
