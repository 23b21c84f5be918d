#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {

class Json;

/// A range that becomes a JSON array: a vector, a span, an array.
template <typename Range>
concept JsonItems = !std::same_as<Range, Json> && requires(const Range& range) {
  range.begin();
  range.end();
}
&&!std::convertible_to<const Range&, std::string_view>;

/// A JSON value. The members of an object keep the order in which they were added. Only json.cpp
/// includes the JSON library, since it takes seconds to compile.
///
///   Json json{{"k", 5}, {"lost", lost}, {"sites", Json::array()}};
///   json["sites"].push_back({{"cells", 3}});
class Json {
 public:
  struct Member;
  struct Given;

  /// Output of strings that are not plain ASCII.
  enum class Strings {
    kUtf8,      ///< as they are; bytes that are not UTF-8 are refused
    kReplaced,  ///< as they are; U+FFFD for bytes that are not UTF-8
    kAscii      ///< escaped; bytes that are not UTF-8 are refused
  };

  Json() noexcept = default;  ///< null
  Json(std::nullptr_t) noexcept {}
  Json(double number) noexcept : value_(number) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(std::string_view text) : value_(std::in_place_type<Text>, std::string(text)) {}
  Json(const std::string& text) : Json(std::string_view(text)) {}
  /// An object. A key that is given twice keeps its first place and its last value.
  Json(std::initializer_list<Given> members);

  template <std::integral Number>
  Json(Number number) noexcept : value_(std::in_place_type<Kept<Number>>, number) {}

  template <JsonItems Range>
  Json(const Range& range) : Json(array()) {
    for (const auto& item : range) push_back(item);
  }

  Json(const Json& other) = default;
  Json(Json&& other) noexcept = default;
  /// `other` may be a part of this value.
  Json& operator=(Json other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Json() = default;

  static Json array(std::initializer_list<Json> items = {});

  bool is_null() const { return is<std::nullptr_t>(); }
  bool is_number() const { return is<std::int64_t>() || is<std::uint64_t>() || is<double>(); }
  bool is_number_unsigned() const { return is<std::uint64_t>(); }
  bool is_string() const { return is<Text>(); }
  bool is_array() const { return is<Items>(); }
  bool is_object() const { return is<Members>(); }
  /// "null", "boolean", "number", "string", "array" or "object".
  const char* type_name() const;

  /// Throw kParse if the value has another type.
  std::uint64_t whole() const;  ///< if is_number_unsigned()
  double real() const;          ///< if is_number()
  const std::string& text() const;

  /// Number of items of an array or members of an object; 0 for other values.
  std::size_t size() const;

  /// The items of an array; empty for other values.
  const Json* begin() const;
  const Json* end() const;
  /// Throws kParse if this is not an array or has no such item.
  const Json& operator[](std::size_t index) const;
  /// Appends an item. Null becomes an array first.
  void push_back(Json item);

  /// The members of an object; empty for other values.
  const std::vector<Member>& items() const;
  /// The value of member `key`; nullptr if there is none.
  const Json* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  /// Throws kParse if there is no such member.
  const Json& operator[](std::string_view key) const;
  /// The value of member `key`, which is added if there is none. Null becomes an object first.
  Json& operator[](std::string_view key);
  /// Adds the members of an object. A key that exists gets the new value.
  void update(Json other);

  /// Writes the value on one line; if indent >= 0, on several lines, each level indented by
  /// `indent` more spaces. Throws kInvalidArgument for bytes that `strings` refuses.
  std::string dump(int indent = -1, Strings strings = Strings::kUtf8) const;

  /// Most levels of nested arrays and objects in a text.
  static constexpr std::size_t kMaxDepth = 100;

  /// Parses a text. If an object has a key twice, the last value counts. Errors: throws kParse.
  static Json parse(std::string_view text);

 private:
  class Reader;
  struct Writer;

  /// A value on the heap that is copied with its owner.
  template <typename T>
  class Boxed {
   public:
    Boxed() : Boxed(T()) {}
    explicit Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
    Boxed(const Boxed& other) : Boxed(*other) {}
    Boxed(Boxed&& other) noexcept = default;
    Boxed& operator=(Boxed other) noexcept {
      value_ = std::move(other.value_);
      return *this;
    }
    T& operator*() const { return *value_; }
    T* operator->() const { return value_.get(); }

   private:
    std::unique_ptr<T> value_;  ///< null only after a move
  };
  using Text = Boxed<std::string>;
  using Items = Boxed<std::vector<Json>>;
  using Members = Boxed<std::vector<Member>>;

  /// Sixteen bytes per value, kind included, since long arrays of numbers are common.
  using Value =
      std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, Text, Items, Members>;

  /// The type that stores a number of an integral type.
  template <std::integral Number>
  using Kept = std::conditional_t<
      std::same_as<Number, bool>, bool,
      std::conditional_t<std::signed_integral<Number>, std::int64_t, std::uint64_t>>;

  template <typename Kind>
  bool is() const {
    return std::holds_alternative<Kind>(value_);
  }
  /// Returns the value as a Kind; null becomes an empty Kind first. Throws kParse if it is of
  /// another kind: "… is not WANTED".
  template <typename Kind>
  auto& become(const char* wanted);

  Value value_ = nullptr;
};

struct Json::Member {
  std::string key;
  Json value;
};

/// A member in an initializer list. `value` is mutable to be moved out of the list, whose elements
/// are const.
struct Json::Given {
  std::string_view key;
  mutable Json value;
};

/// Reading JSON from outside: each function throws kParse with the key if the value is not as
/// expected.
namespace json_reading {

/// Default bound of numbers.
inline constexpr std::size_t kMaxNumber = std::size_t{1} << 24;

/// Throws kParse with a sentence that is formatted from values.
template <typename... Values>
[[noreturn]] void bad(fmt::format_string<Values...> sentence, Values&&... values) {
  fail(Status::kParse, sentence, std::forward<Values>(values)...);
}

/// Throws kParse unless `json` is an object whose format is `format` and whose version is 1 to
/// `newest`.
void check_format(const Json& json, std::string_view format, std::size_t newest);

/// Parses an object and checks it with check_format.
Json parse(std::string_view source, std::string_view format, std::size_t newest);

const Json& member(const Json& object, std::string_view key);
std::size_t number(const Json& value, std::string_view what, std::uint64_t most = kMaxNumber);
std::string text(const Json& value, std::string_view what);
/// A string such as "0x11d".
std::uint64_t hexadecimal(const Json& value, std::string_view what);

const Json& array(const Json& value, std::string_view what);

/// An array of numbers.
std::vector<std::uint32_t> numbers(const Json& value, std::string_view what,
                                   std::uint32_t most = kMaxNumber);

}  // namespace json_reading

}  // namespace xorloom
