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

/// No bound, for numbers whose range is checked later.
inline constexpr std::size_t kAnyNumber = static_cast<std::size_t>(-1);

/// Most symbols of a code's matrix.
inline constexpr std::size_t kMaxSymbols = std::size_t{1} << 24;

/// Limits of what a spec may ask for. A spec from an untrusted file gets lower limits.
struct SpecLimits {
  bool opens_files = true;            ///< the text after "file:" may be a path, not only JSON
  bool finds_promises = true;         ///< search for a promise that is not given; takes seconds
  std::size_t symbols = kMaxSymbols;  ///< of the matrix; rows of hidden cells: four times as many
  /// Most symbols that are added while the matrix is made, and most bits of the matrix on packets.
  std::uint64_t operations = ~std::uint64_t{0};
  std::size_t number = kAnyNumber;  ///< largest value of a number other than packet_bytes
};

/// Throws kInvalidArgument if a rows x columns matrix exceeds limits.symbols. `what` names it in
/// the message.
void check_symbols(const SpecLimits& limits, std::size_t rows, std::size_t columns,
                   const std::string& what);

/// Throws kInvalidArgument if `operations` exceeds limits.operations.
void check_operations(const SpecLimits& limits, std::uint64_t operations);

/// A code spec, FAMILY:key=value,…, taken apart: "rs:k=10,m=4" is {"rs", {{"k","10"},{"m","4"}}}.
/// The first values may be numbers without keys, for k, m and w in this order: "rs:10,4" is the
/// same spec. The text after "file:" is a path or JSON, and is not split.
class Spec {
 public:
  /// Errors: throws kParse if the text does not have that form or names a key twice.
  explicit Spec(std::string_view text, const SpecLimits& limits = {});

  const std::string& family() const { return family_; }
  const std::vector<std::pair<std::string, std::string>>& values() const { return values_; }

  const SpecLimits& limits() const { return limits_; }

  /// The text after "file:"; empty for other families.
  std::string_view text() const { return text_; }

  /// Gives `key` a value. Shape: the spec does not give `key`.
  void add(std::string key, std::string value) {
    values_.emplace_back(std::move(key), std::move(value));
  }

  /// The value of `key`; nullopt if the spec does not give it.
  std::optional<std::string_view> find(std::string_view key) const;

  /// The value of `key` as a number; number_or() returns `otherwise` if the key is missing. Errors:
  /// throw kInvalidArgument with the value and the bound if it is outside lowest…highest, or if
  /// number() finds no key; kParse if the value is not a whole number.
  std::size_t number(std::string_view key, std::size_t lowest, std::size_t highest);
  std::size_t number_or(std::string_view key, std::size_t lowest, std::size_t highest,
                        std::size_t otherwise);

  /// The field over the polynomial of key "poly", or over the default polynomial of w. w = 1 is
  /// refused.
  Field field(std::size_t w);

  /// The list of symbols that `key` gives, in order ("4+5+6"); nullopt without the key.
  std::optional<std::vector<Field::Symbol>> symbols(std::string_view key, const Field& field) const;

  /// Sets the value of `key`, given or not, in the canonical spec. Calls of number(), number_or()
  /// and field() do so themselves.
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
