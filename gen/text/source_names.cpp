#include "gen/text/source_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string default_name(const Code& code) {
  std::string family = code.family;
  std::ranges::replace(family, '-', '_');
  return fmt::format("{}_k{}_m{}_w{}", family, code.k, code.m, code.w);
}

}  // namespace

void check_name(const std::string& name) {
  bool good = !name.empty() && name.front() != '_' && name.back() != '_';
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_joint = name[i] == '_' && i > 0 && name[i - 1] != '_';
    good = good && (is_joint || is_letter_or_digit(name[i]));
  }
  if (!good) {
    fail(Status::kInvalidArgument,
         fmt::format("name = '{}' is not letters and digits with single underscores between them",
                     excerpt(name)));
  }
}

std::string file_prefix(const Code& code, const std::optional<std::string>& name) {
  return "xl_" + name.value_or(default_name(code));
}

std::string decoding_name(const std::vector<std::size_t>& lost,
                          const std::vector<std::size_t>& wanted) {
  std::string name = fmt::format("decode_{}", fmt::join(lost, "_"));
  if (!wanted.empty()) name += fmt::format("_want_{}", fmt::join(wanted, "_"));
  return name;
}

}  // namespace xorloom
