#include "gen/text/source_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

void SourceTokens::read(std::string_view text) {
  rest_ = text;
  skip_blanks();
}

void SourceTokens::skip_blanks() {
  rest_.remove_prefix(std::min(rest_.size(), rest_.find_first_not_of(" \n")));
}

std::string_view SourceTokens::word() {
  const auto end = std::ranges::find_if_not(rest_, is_of_word);
  const std::string_view word(rest_.begin(), end);
  if (word.empty()) bad_here("no name");
  rest_.remove_prefix(word.size());
  skip_blanks();
  return word;
}

std::uint64_t SourceTokens::number() {
  std::string_view digits = word();
  const int base = digits.starts_with("0x") ? 16 : 10;
  if (base == 16) digits.remove_prefix(2);
  if (base == 10 && digits.size() > 1 && digits.front() == '0') bad_here("an octal number");
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) bad_here("no number");
  return value;
}

bool SourceTokens::take(std::string_view token) {
  if (!rest_.starts_with(token)) return false;
  rest_.remove_prefix(token.size());
  skip_blanks();
  return true;
}

bool SourceTokens::take_word(std::string_view token) {
  const bool goes_on = rest_.size() > token.size() && is_of_word(rest_[token.size()]);
  return !goes_on && take(token);
}

void SourceTokens::expect(std::string_view token) {
  if (!take(token)) bad_here(fmt::format("no '{}'", token));
}

void SourceTokens::bad(const std::string& what) const {
  fail(Status::kInternal, "the source that was written is not that of its equations: {}", what);
}

void SourceTokens::bad_here(const std::string& what) const {
  bad(fmt::format("{} before '{}'", what, rest_.substr(0, 40)));
}

}  // namespace xorloom
