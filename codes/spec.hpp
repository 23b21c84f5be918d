#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codes/field/field.hpp"

namespace xorloom {

/// No bound at all, for numbers whose range is checked where it is known.
inline constexpr std::size_t kAnyNumber = static_cast<std::size_t>(-1);

/// The largest matrix a code may have, in symbols.
inline constexpr std::size_t kMaxSymbols = std::size_t{1} << 24;

/// What a spec may ask for. A spec from a file may be a stranger's, and gets lower limits.
struct SpecLimits {
  bool opens_files = true;            ///< what follows "file:" may be a path, not just JSON
  bool finds_promises = true;         ///< find out a promise that is not given, in seconds
  std::size_t symbols = kMaxSymbols;  ///< of the matrix; hidden cells may have four times as many
  /// Symbols that are added up while the matrix is made, and bits of it where it lies in packets.
  std::uint64_t operations = ~std::uint64_t{0};
  std::size_t number = kAnyNumber;  ///< the largest value of a number other than packet_bytes
};

/// Throws kInvalidArgument if a matrix of that many rows and columns exceeds the limit of symbols.
/// `what` names it in the sentence.
void check_symbols(const SpecLimits& limits, std::size_t rows, std::size_t columns,
                   const std::string& what);

/// Throws kInvalidArgument if that many operations exceed their limit.
void check_operations(const SpecLimits& limits, std::uint64_t operations);

/// A code spec, FAMILY:key=value,…, taken apart: "rs:k=10,m=4" is {"rs", {{"k","10"},{"m","4"}}}.
/// The first values may be numbers without their keys, those of k, m and w: "rs:10,4" is the same.
/// What follows "file:" is a path or JSON, and is left whole.
class Spec {
 public:
  /// Errors: throws kParse if the text does not have that form or names a key twice.
  explicit Spec(std::string_view text, const SpecLimits& limits = {});

  const std::string& family() const { return family_; }
  const std::vector<std::pair<std::string, std::string>>& values() const { return values_; }

  const SpecLimits& limits() const { return limits_; }

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
  std::size_t number(std::string_view key, std::size_t lowest, std::size_t highest);
  std::size_t number_or(std::string_view key, std::size_t lowest, std::size_t highest,
                        std::size_t otherwise);

  /// A field over key "poly", or over the default polynomial of w. w = 1 is refused.
  Field field(std::size_t w);

  /// The symbols of a field that a key gives, in order ("4+5+6"), or none without the key.
  std::optional<std::vector<Field::Symbol>> symbols(std::string_view key, const Field& field) const;

  /// Says which value a key has, given or not, in the canonical spec. Numbers and fields that are
  /// read say so themselves.
  void settle(std::string_view key, std::string value);

  /// "rs:k=10,m=4,w=8,…": the family and the settled values, in the order of these keys.
  std::string canonical(std::string_view keys) const;

 private:
  SpecLimits limits_;
  std::string family_;
  std::string text_;
  std::vector<std::pair<std::string, std::string>> values_;
  std::map<std::string, std::string, std::less<>> settled_;
};

}  // namespace xorloom
