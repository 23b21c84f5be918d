#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xorloom {

/// Reads generated source token by token. The text has to outlive the words that are taken from it.
class SourceTokens {
 public:
  void read(std::string_view text);
  bool is_at_end() const { return rest_.empty(); }

  /// A name or a number: letters, digits and underscores.
  std::string_view word();
  /// A whole number, or one with 0x in front of it.
  std::uint64_t number();
  /// Skips `token` if it comes next, whatever follows. True if it was there.
  bool take(std::string_view token);
  void expect(std::string_view token);
  /// Skips `token` if it comes next and no letter, digit or underscore follows. True if it was
  /// there.
  bool take_word(std::string_view token);

  /// Throw kInternal: the source does not compute its equations. bad_here() also quotes the text
  /// that comes next.
  [[noreturn]] void bad(const std::string& what) const;
  [[noreturn]] void bad_here(const std::string& what) const;

 private:
  void skip_blanks();

  std::string_view rest_;
};

}  // namespace xorloom
