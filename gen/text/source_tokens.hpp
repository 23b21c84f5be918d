#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xorloom {

/// Generated source, token by token, for those who read back what was written. The text has to
/// outlive what was taken from it.
class SourceTokens {
 public:
  void read(std::string_view text);
  bool is_at_end() const { return rest_.empty(); }

  /// A name or a number: letters, digits and underscores.
  std::string_view word();
  /// A whole number, or one with 0x in front of it.
  std::uint64_t number();
  /// Whether the text goes on with a token, which is then behind.
  bool take(std::string_view token);
  void expect(std::string_view token);
  /// Whether the text goes on with a token that no letter, digit or underscore follows.
  bool take_word(std::string_view token);

  /// Throw kInternal: the source is not that of its equations. The latter says before what.
  [[noreturn]] void bad(const std::string& what) const;
  [[noreturn]] void bad_here(const std::string& what) const;

 private:
  void skip_blanks();

  std::string_view rest_;
};

}  // namespace xorloom
