#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xorloom {

class Json;

/// What becomes a JSON array: a vector, a span, an array.
template <typename Range>
concept JsonItems = !std::same_as<Range, Json> && requires(const Range& range) {
  range.begin();
  range.end();
}
&&!std::convertible_to<const Range&, std::string_view>;

/// A JSON value. The members of an object keep the order in which they were added. Only json.cpp
/// includes the library that reads and writes JSON, since that library takes seconds to compile.
///
///   Json json{{"k", 5}, {"lost", lost}, {"sites", Json::array()}};
///   json["sites"].push_back({{"cells", 3}});
class Json {
 public:
  struct Member;
  struct Given;

  /// How strings are written that are not plain ASCII.
  enum class Strings {
    kUtf8,      ///< as they are; bytes that are not UTF-8 are refused
    kReplaced,  ///< as they are; U+FFFD for bytes that are not UTF-8
    kAscii      ///< escaped; bytes that are not UTF-8 are refused
  };

  Json() noexcept = default;  ///< null
  Json(std::nullptr_t) noexcept {}
  Json(double number) noexcept : kind_(Kind::kReal) { value_.real = number; }
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(std::string_view text);
  Json(const std::string& text) : Json(std::string_view(text)) {}
  /// An object. A key that is given twice keeps its first place and its last value.
  Json(std::initializer_list<Given> members);

  template <std::integral Number>
  Json(Number number) noexcept {
    if constexpr (std::same_as<Number, bool>) {
      kind_ = Kind::kBool;
      value_.truth = number;
    } else if constexpr (std::signed_integral<Number>) {
      kind_ = Kind::kSigned;
      value_.with_sign = number;
    } else {
      kind_ = Kind::kUnsigned;
      value_.whole = number;
    }
  }

  template <JsonItems Range>
  Json(const Range& range) : Json(array()) {
    for (const auto& item : range) push_back(item);
  }

  Json(const Json& other);
  Json(Json&& other) noexcept
      : kind_(std::exchange(other.kind_, Kind::kNull)), value_(other.value_) {}
  Json& operator=(Json other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(value_, other.value_);
    return *this;
  }
  ~Json() {
    if (kind_ >= Kind::kString) release();
  }

  static Json array(std::initializer_list<Json> items = {});

  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_number() const { return kind_ >= Kind::kSigned && kind_ <= Kind::kReal; }
  bool is_number_unsigned() const { return kind_ == Kind::kUnsigned; }
  bool is_string() const { return kind_ == Kind::kString; }
  bool is_array() const { return kind_ == Kind::kArray; }
  bool is_object() const { return kind_ == Kind::kObject; }
  /// "null", "boolean", "number", "string", "array" or "object".
  const char* type_name() const;

  /// A value of another type throws kParse.
  std::uint64_t whole() const;  ///< a number that is_number_unsigned
  double real() const;          ///< any number
  const std::string& text() const;

  /// Items of an array or members of an object; other values have none.
  std::size_t size() const;

  /// The items of an array; other values have none.
  const Json* begin() const;
  const Json* end() const;
  /// Throws kParse if this is no array or has no such item.
  const Json& operator[](std::size_t index) const;
  /// Null becomes an array.
  void push_back(Json item);

  /// The members of an object; other values have none.
  const std::vector<Member>& items() const;
  /// Null if there is no such member.
  const Json* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  /// Throws kParse if there is no such member.
  const Json& operator[](std::string_view key) const;
  /// Adds a member if there is none. Null becomes an object.
  Json& operator[](std::string_view key);
  /// Adds the members of an object; a key that is there already gets the new value.
  void update(Json other);

  /// On one line, or on many if indent is 0 or more: each level is indented by that many spaces
  /// more than the one around it. Throws kInvalidArgument for bytes that are refused.
  std::string dump(int indent = -1, Strings strings = Strings::kUtf8) const;

  /// The deepest that arrays and objects may be nested in a text.
  static constexpr std::size_t kMaxDepth = 100;

  /// Of a key that an object has twice the last value counts. Throws kParse.
  static Json parse(std::string_view text);

 private:
  class Reader;
  struct Writer;

  /// In an order that is_number and the destructor depend on.
  enum class Kind : std::uint8_t {
    kNull,
    kBool,
    kSigned,
    kUnsigned,
    kReal,
    kString,
    kArray,
    kObject
  };

  /// Sixteen bytes a value with its kind: long arrays of numbers are common.
  union Value {
    bool truth;
    std::int64_t with_sign;
    std::uint64_t whole;
    double real;
    std::string* text;
    std::vector<Json>* items;
    std::vector<Member>* members;
  };

  std::vector<Json>& to_array();
  std::vector<Member>& to_object();
  void release() noexcept;

  Kind kind_ = Kind::kNull;
  Value value_{};
};

struct Json::Member {
  std::string key;
  Json value;
};

/// A member as an initializer list has it. The value is moved out of the list, whose elements are
/// const.
struct Json::Given {
  std::string_view key;
  mutable Json value;
};

}  // namespace xorloom
