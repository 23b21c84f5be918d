#include "gen/source/language.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "codes/text/error.hpp"

namespace xorloom {

extern const Language kCpp, kC;

namespace {

constexpr std::array kLanguages = {&kCpp, &kC};

}  // namespace

std::span<const Language* const> languages() { return kLanguages; }

const Language& language_of(std::string_view target) {
  std::vector<std::string_view> targets;
  for (const Language* language : kLanguages) {
    if (language->target == target) return *language;
    targets.emplace_back(language->target);
  }
  fail(Status::kInvalidArgument,
       fmt::format("target = '{}' is not {}", excerpt(target), fmt::join(targets, " or ")));
}

std::string in_capitals(std::string name) {
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return name;
}

}  // namespace xorloom
