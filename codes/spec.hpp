#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codes/field.hpp"

namespace xorloom {

/// No bound at all, for numbers whose range is checked where it is known.
inline constexpr std::size_t kAnyNumber = static_cast<std::size_t>(-1);

/// A code spec, FAMILY:key=value,…, taken apart: "rs:k=10,m=4" is {"rs", {{"k","10"},{"m","4"}}}.
/// What follows "file:" is a path or JSON, and is left whole.
class Spec {
 public:
  /// Errors: throws kParse if the text does not have that form or names a key twice.
  explicit Spec(std::string_view text);

  const std::string& family() const { return family_; }
  const std::vector<std::pair<std::string, std::string>>& values() const { return values_; }

  /// What follows "file:"; empty for other families.
  std::string_view text() const { return text_; }

  /// Gives a key a value. Shape: the spec does not give it.
  void add(std::string key, std::string value) {
    values_.emplace_back(std::move(key), std::move(value));
  }

  /// The value of a key, or none if the spec does not give it.
  std::optional<std::string_view> find(std::string_view key) const;

  /// Errors of these: throw kInvalidArgument if a needed key is missing, the value is no number of
  /// the kind, or lies outside lowest…highest, with the value and the bound.
  std::size_t number(std::string_view key, std::size_t lowest, std::size_t highest) const;
  std::size_t number_or(std::string_view key, std::size_t lowest, std::size_t highest,
                        std::size_t otherwise) const;

  /// A field over key "poly", or over the default polynomial of w. w = 1 is refused.
  Field field(std::size_t w) const;

  /// The symbols of a field that a key gives, in order ("4+5+6"), or none without the key.
  std::optional<std::vector<Field::Symbol>> symbols(std::string_view key, const Field& field) const;

 private:
  std::string family_;
  std::string text_;
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace xorloom
