#pragma once

#include <span>
#include <string>

namespace xorloom {

enum class Language { kC, kCpp };  ///< C11, C++17

/// The words in which the two languages differ. Functions and constants of a file are its own:
/// static in C, in a nameless namespace in C++.
struct LanguageWords {
  bool is_c;
  const char* name;             ///< "C11"
  const char* restrict_word;    ///< of a pointer
  const char* constant;         ///< what a constant begins with
  const char* function;         ///< what a function begins with, with a blank if it is anything
  const char* inline_function;  ///< the same of a short one
  const char* std;              ///< what names of the standard library begin with
};

const LanguageWords& words_of(Language language);

/// #include lines of standard headers: "stdint" is <stdint.h> or <cstdint>.
std::string include_lines(const LanguageWords& language, std::span<const char* const> headers);

}  // namespace xorloom
