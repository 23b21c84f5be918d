#include "codes/text/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>

namespace xorloom {
namespace {

using Library = nlohmann::ordered_json;

/// The message of an error of the library, without its prefix: the library's name and a number in
/// brackets.
std::string sentence_of(const Library::exception& error) {
  const std::string_view what = error.what();
  return excerpt(what.substr(std::min(what.size(), what.find("] ") + 2)));
}

[[noreturn]] void wrong_type(const Json& json, const char* wanted) {
  fail(Status::kParse, "JSON of type {} is not {}", json.type_name(), wanted);
}

Library::error_handler_t handler_of(Json::Strings strings) {
  return strings == Json::Strings::kReplaced ? Library::error_handler_t::replace
                                             : Library::error_handler_t::strict;
}

/// Merges members of equal keys: the first keeps its place and gets the last value. Sorts, since
/// looking up each key as it comes would take quadratic time.
void merge_repeated(std::vector<Json::Member>& members) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) -> std::string_view { return members[i].key; });
  std::vector<bool> is_repeated(members.size());
  std::size_t first = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (members[order[i]].key != members[order[first]].key) {
      first = i;
      continue;
    }
    members[order[first]].value = std::move(members[order[i]].value);
    is_repeated[order[i]] = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (is_repeated[i]) continue;
    if (kept != i) members[kept] = std::move(members[i]);
    ++kept;
  }
  members.resize(kept);
}

}  // namespace

/// SAX handler of the library: makes a Json directly. Names of functions are those that the library
/// calls. Neither recurses.
class Json::Reader {
 public:
  bool null() { return take(nullptr); }
  bool boolean(bool truth) { return take(truth); }
  bool number_integer(std::int64_t number) { return take(number); }
  bool number_unsigned(std::uint64_t number) { return take(number); }
  bool number_float(double number, const std::string& /*as_written*/) { return take(number); }
  bool string(const std::string& text) { return take(text); }
  bool binary(const Library::binary_t& /*bytes*/) { return false; }  // texts have no binary values

  bool start_array(std::size_t /*size*/) { return open(Items()); }
  bool start_object(std::size_t /*size*/) { return open(Members()); }
  bool key(const std::string& text) {
    members_of(*open_.back()).push_back({text, nullptr});
    return true;
  }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  bool end_object() {
    merge_repeated(members_of(*open_.back()));
    open_.pop_back();
    return true;
  }

  /// `read`: number of bytes read, the end of the text counting as one. `token`: the last bytes
  /// read.
  [[noreturn]] bool parse_error(std::size_t read, const std::string& token,
                                const Library::exception& /*error*/) {
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      fail(Status::kParse, "not JSON: the text is empty");
    }
    const std::string_view before = text_.substr(0, read - std::min<std::size_t>(read, 1));
    const std::size_t line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
    if (read > text_.size()) {
      fail(Status::kParse, "not JSON: the text ends at line {}, column {}, before the JSON does",
           line, column);
    }
    const std::string word = token.substr(token.find_last_of(" \t\r\n") + 1);
    fail(Status::kParse, "not JSON: line {}, column {}: '{}' cannot stand here", line,
         column - std::min(column, word.size()) + 1, excerpt(word, 40));
  }

  explicit Reader(std::string_view text) : text_(text) {}

  Json root;

 private:
  std::string_view text_;

  static std::vector<Member>& members_of(Json& object) { return *std::get<Members>(object.value_); }

  /// The place of the next value. Pointers to open arrays and objects stay valid, since a parent
  /// grows only after its child is closed.
  Json& place() {
    if (open_.empty()) return root;
    Json& parent = *open_.back();
    if (parent.is_object()) return members_of(parent).back().value;
    return std::get<Items>(parent.value_)->emplace_back();
  }

  bool take(Json value) {
    place() = std::move(value);
    return true;
  }

  bool open(Value empty) {
    if (open_.size() == kMaxDepth) {
      fail(Status::kParse, "JSON is nested deeper than {} levels", kMaxDepth);
    }
    Json& json = place();
    json.value_ = std::move(empty);
    open_.push_back(&json);
    return true;
  }

  std::vector<Json*> open_;
};

/// Converts a Json to a value of the library, to write it.
struct Json::Writer {
  Library operator()(const Json& json) const { return std::visit(*this, json.value_); }

  Library operator()(const auto& plain) const { return plain; }

  Library operator()(const Text& text) const { return *text; }

  Library operator()(const Items& items) const {
    Library::array_t array;
    array.reserve(items->size());
    for (const Json& item : *items) array.push_back((*this)(item));
    return array;
  }

  /// Appends without look-up, since keys differ: the library would compare each key with all
  /// before.
  Library operator()(const Members& members) const {
    Library::object_t object;
    Library::object_t::Container& added = object;
    added.reserve(members->size());
    for (const auto& [key, value] : *members) added.emplace_back(key, (*this)(value));
    return object;
  }
};

template <typename Kind>
auto& Json::become(const char* wanted) {
  if (is_null()) value_.emplace<Kind>();
  if (!is<Kind>()) wrong_type(*this, wanted);
  return *std::get<Kind>(value_);
}

Json::Json(std::initializer_list<Given> members) {
  become<Members>("an object").reserve(members.size());
  for (const Given& member : members) (*this)[member.key] = std::move(member.value);
}

Json Json::array(std::initializer_list<Json> items) {
  Json json;
  json.value_.emplace<Items>(std::vector<Json>(items));
  return json;
}

const char* Json::type_name() const {
  constexpr std::array kNames = {"null",   "boolean", "number", "number",
                                 "number", "string",  "array",  "object"};
  static_assert(kNames.size() == std::variant_size_v<Value>);
  return kNames[value_.index()];
}

std::uint64_t Json::whole() const {
  if (!is_number_unsigned()) wrong_type(*this, "a whole number");
  return std::get<std::uint64_t>(value_);
}

double Json::real() const {
  if (const auto* number = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*number);
  if (const auto* number = std::get_if<double>(&value_)) return *number;
  wrong_type(*this, "a number");
}

const std::string& Json::text() const {
  if (!is_string()) wrong_type(*this, "a string");
  return *std::get<Text>(value_);
}

std::size_t Json::size() const {
  return is_array() ? std::get<Items>(value_)->size() : items().size();
}

const Json* Json::begin() const { return is_array() ? std::get<Items>(value_)->data() : nullptr; }

const Json* Json::end() const { return is_array() ? begin() + size() : nullptr; }

const Json& Json::operator[](std::size_t index) const {
  if (!is_array()) wrong_type(*this, "an array");
  if (index >= size()) {
    fail(Status::kParse, "the JSON array has {} items, no item {}", size(), index);
  }
  return begin()[index];
}

void Json::push_back(Json item) { become<Items>("an array").push_back(std::move(item)); }

const std::vector<Json::Member>& Json::items() const {
  static const std::vector<Member> none;
  return is_object() ? *std::get<Members>(value_) : none;
}

const Json* Json::find(std::string_view key) const {
  const auto found = std::ranges::find(items(), key, &Member::key);
  return found != items().end() ? &found->value : nullptr;
}

const Json& Json::operator[](std::string_view key) const {
  const Json* const found = find(key);
  if (found == nullptr) fail(Status::kParse, "the JSON has no '{}'", key);
  return *found;
}

Json& Json::operator[](std::string_view key) {
  std::vector<Member>& members = become<Members>("an object");
  const auto found = std::ranges::find(members, key, &Member::key);
  if (found != members.end()) return found->value;
  members.push_back({std::string(key), nullptr});
  return members.back().value;
}

void Json::update(Json other) {
  become<Members>("an object");
  for (Member& member : other.become<Members>("an object")) {
    (*this)[member.key] = std::move(member.value);
  }
}

std::string Json::dump(int indent, Strings strings) const {
  const bool is_ascii = strings == Strings::kAscii;
  try {
    return Writer{}(*this).dump(indent, ' ', is_ascii, handler_of(strings));
  } catch (const Library::exception& error) {
    fail(Status::kInvalidArgument, "no JSON can say this: {}", sentence_of(error));
  }
}

Json Json::parse(std::string_view text) {
  Reader reader(text);
  // The reader throws all errors.
  static_cast<void>(Library::sax_parse(text, &reader));
  return std::move(reader.root);
}

namespace json_reading {
namespace {

/// Describes a value in a message: a number as it is, "-3", else its type, "of type string".
std::string kind_of(const Json& value) {
  return value.is_number() ? value.dump() : fmt::format("of type {}", value.type_name());
}

}  // namespace

void check_format(const Json& json, std::string_view format, std::size_t newest) {
  if (json.is_object() && !json.contains("format")) {
    bad("the JSON has no 'format', which is '{}' in such a file", format);
  }
  if (const std::string given = text(member(json, "format"), "format"); given != format) {
    bad("the format is '{}', not '{}'", excerpt(given), format);
  }
  if (const std::size_t given = number(member(json, "version"), "version");
      given < 1 || given > newest) {
    bad("version {} is not {}", given,
        newest == 1 ? "1, the one this program reads"
                    : fmt::format("one of 1 to {}, those this program reads", newest));
  }
}

Json parse(std::string_view source, std::string_view format, std::size_t newest) {
  Json json = Json::parse(source);
  check_format(json, format, newest);
  return json;
}

const Json& member(const Json& object, std::string_view key) {
  if (!object.is_object()) bad("what should hold '{}' is not a JSON object", key);
  return object[key];
}

std::size_t number(const Json& value, std::string_view what, std::uint64_t most) {
  if (!value.is_number_unsigned()) {
    bad("{} is {}, not a whole number", what, kind_of(value));
  }
  const auto n = value.whole();
  if (n > most) bad("{} = {} exceeds {}", what, n, most);
  return n;
}

std::string text(const Json& value, std::string_view what) {
  if (!value.is_string()) bad("'{}' is not a string", what);
  return value.text();
}

std::uint64_t hexadecimal(const Json& value, std::string_view what) {
  const std::string digits = text(value, what);
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto parsed =
      std::from_chars(digits.data() + std::min<std::size_t>(2, digits.size()), end, number, 16);
  if (!digits.starts_with("0x") || parsed.ptr != end || parsed.ec != std::errc()) {
    bad("{} is '{}', not hexadecimal as in \"0x11d\"", what, excerpt(digits));
  }
  return number;
}

const Json& array(const Json& value, std::string_view what) {
  if (!value.is_array()) bad("'{}' is not an array", what);
  return value;
}

std::vector<std::uint32_t> numbers(const Json& value, std::string_view what, std::uint32_t most) {
  std::vector<std::uint32_t> result;
  for (const Json& item : array(value, what)) {
    result.push_back(static_cast<std::uint32_t>(number(item, what, most)));
  }
  return result;
}

}  // namespace json_reading

}  // namespace xorloom
