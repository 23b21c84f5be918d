#include "codes/text/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

using Library = nlohmann::ordered_json;

/// The library's sentences begin with its own name and a number in brackets.
std::string sentence_of(const Library::exception& error) {
  const std::string_view what = error.what();
  return excerpt(what.substr(std::min(what.size(), what.find("] ") + 2)));
}

[[noreturn]] void wrong_type(const Json& json, const char* wanted) {
  fail(Status::kParse, fmt::format("JSON of type {} is not {}", json.type_name(), wanted));
}

Library::error_handler_t handler_of(Json::Strings strings) {
  return strings == Json::Strings::kReplaced ? Library::error_handler_t::replace
                                             : Library::error_handler_t::strict;
}

/// Of members with the same key the first keeps its place and gets the last one's value. Looking
/// each key up as it comes would take time that grows as the square of their number.
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

/// Makes a value of what the library reads, without the library's own values. The library calls the
/// functions by these names, and neither recurses.
class Json::Reader {
 public:
  bool null() { return take(nullptr); }
  bool boolean(bool truth) { return take(truth); }
  bool number_integer(std::int64_t number) { return take(number); }
  bool number_unsigned(std::uint64_t number) { return take(number); }
  bool number_float(double number, const std::string& /*as_written*/) { return take(number); }
  bool string(const std::string& text) { return take(text); }
  bool binary(const Library::binary_t& /*bytes*/) { return false; }  // no text has it

  bool start_array(std::size_t /*size*/) { return open(Kind::kArray); }
  bool start_object(std::size_t /*size*/) { return open(Kind::kObject); }
  bool key(const std::string& text) {
    open_.back()->value_.members->push_back({text, nullptr});
    return true;
  }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  bool end_object() {
    merge_repeated(*open_.back()->value_.members);
    open_.pop_back();
    return true;
  }

  [[noreturn]] bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                                const Library::exception& error) {
    fail(Status::kParse, fmt::format("not JSON: {}", sentence_of(error)));
  }

  Json root;

 private:
  /// Where the next value goes. An open array or object stays where it is in memory, since its
  /// parent grows only after it is closed.
  Json& place() {
    if (open_.empty()) return root;
    Json& parent = *open_.back();
    if (parent.kind_ == Kind::kObject) return parent.value_.members->back().value;
    return parent.value_.items->emplace_back();
  }

  bool take(Json value) {
    place() = std::move(value);
    return true;
  }

  bool open(Kind kind) {
    if (open_.size() == kMaxDepth) {
      fail(Status::kParse, fmt::format("JSON is nested deeper than {} levels", kMaxDepth));
    }
    Json& json = place();
    if (kind == Kind::kArray) {
      json.to_array();
    } else {
      json.to_object();
    }
    open_.push_back(&json);
    return true;
  }

  std::vector<Json*> open_;
};

/// Makes the library's value of one of ours, to be written.
struct Json::Writer {
  static Library value_of(const Json& json) {
    switch (json.kind_) {
      case Kind::kNull:
        return nullptr;
      case Kind::kBool:
        return json.value_.truth;
      case Kind::kSigned:
        return json.value_.with_sign;
      case Kind::kUnsigned:
        return json.value_.whole;
      case Kind::kReal:
        return json.value_.real;
      case Kind::kString:
        return *json.value_.text;
      case Kind::kArray:
        return array_of(*json.value_.items);
      case Kind::kObject:
        return object_of(*json.value_.members);
    }
    fail(Status::kInternal, "a JSON value of no type");
  }

  static Library array_of(const std::vector<Json>& items) {
    Library::array_t array;
    array.reserve(items.size());
    for (const Json& item : items) array.push_back(value_of(item));
    return array;
  }

  /// The keys differ, so none is looked up: the library would compare each with all before it.
  static Library object_of(const std::vector<Member>& members) {
    Library::object_t object;
    Library::object_t::Container& added = object;
    added.reserve(members.size());
    for (const auto& [key, value] : members) added.emplace_back(key, value_of(value));
    return object;
  }
};

Json::Json(std::string_view text) {
  value_.text = new std::string(text);
  kind_ = Kind::kString;
}

Json::Json(std::initializer_list<Given> members) : Json() {
  to_object().reserve(members.size());
  for (const Given& member : members) (*this)[member.key] = std::move(member.value);
}

Json::Json(const Json& other) {
  switch (other.kind_) {
    case Kind::kString:
      value_.text = new std::string(*other.value_.text);
      break;
    case Kind::kArray:
      value_.items = new std::vector<Json>(*other.value_.items);
      break;
    case Kind::kObject:
      value_.members = new std::vector<Member>(*other.value_.members);
      break;
    default:
      value_ = other.value_;
  }
  kind_ = other.kind_;
}

Json Json::array(std::initializer_list<Json> items) {
  Json json;
  json.to_array() = items;
  return json;
}

void Json::release() noexcept {
  switch (kind_) {
    case Kind::kString:
      delete value_.text;
      break;
    case Kind::kArray:
      delete value_.items;
      break;
    case Kind::kObject:
      delete value_.members;
      break;
    default:
      break;
  }
}

const char* Json::type_name() const {
  switch (kind_) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "boolean";
    case Kind::kString:
      return "string";
    case Kind::kArray:
      return "array";
    case Kind::kObject:
      return "object";
    default:
      return "number";
  }
}

std::uint64_t Json::whole() const {
  if (kind_ != Kind::kUnsigned) wrong_type(*this, "a whole number");
  return value_.whole;
}

double Json::real() const {
  switch (kind_) {
    case Kind::kSigned:
      return static_cast<double>(value_.with_sign);
    case Kind::kUnsigned:
      return static_cast<double>(value_.whole);
    case Kind::kReal:
      return value_.real;
    default:
      wrong_type(*this, "a number");
  }
}

const std::string& Json::text() const {
  if (kind_ != Kind::kString) wrong_type(*this, "a string");
  return *value_.text;
}

std::size_t Json::size() const {
  if (kind_ == Kind::kArray) return value_.items->size();
  return items().size();
}

const Json* Json::begin() const { return kind_ == Kind::kArray ? value_.items->data() : nullptr; }

const Json* Json::end() const {
  return kind_ == Kind::kArray ? value_.items->data() + value_.items->size() : nullptr;
}

const Json& Json::operator[](std::size_t index) const {
  if (kind_ != Kind::kArray) wrong_type(*this, "an array");
  if (index >= size()) {
    fail(Status::kParse, fmt::format("the JSON array has {} items, no item {}", size(), index));
  }
  return (*value_.items)[index];
}

void Json::push_back(Json item) { to_array().push_back(std::move(item)); }

const std::vector<Json::Member>& Json::items() const {
  static const std::vector<Member> none;
  return kind_ == Kind::kObject ? *value_.members : none;
}

const Json* Json::find(std::string_view key) const {
  const auto found = std::ranges::find(items(), key, &Member::key);
  return found != items().end() ? &found->value : nullptr;
}

const Json& Json::operator[](std::string_view key) const {
  const Json* const found = find(key);
  if (found == nullptr) fail(Status::kParse, fmt::format("the JSON has no '{}'", key));
  return *found;
}

Json& Json::operator[](std::string_view key) {
  std::vector<Member>& members = to_object();
  const auto found = std::ranges::find(members, key, &Member::key);
  if (found != members.end()) return found->value;
  members.push_back({std::string(key), nullptr});
  return members.back().value;
}

void Json::update(Json other) {
  to_object();
  for (Member& member : other.to_object()) (*this)[member.key] = std::move(member.value);
}

std::vector<Json>& Json::to_array() {
  if (kind_ == Kind::kNull) {
    value_.items = new std::vector<Json>;
    kind_ = Kind::kArray;
  }
  if (kind_ != Kind::kArray) wrong_type(*this, "an array");
  return *value_.items;
}

std::vector<Json::Member>& Json::to_object() {
  if (kind_ == Kind::kNull) {
    value_.members = new std::vector<Member>;
    kind_ = Kind::kObject;
  }
  if (kind_ != Kind::kObject) wrong_type(*this, "an object");
  return *value_.members;
}

std::string Json::dump(int indent, Strings strings) const {
  const bool is_ascii = strings == Strings::kAscii;
  try {
    return Writer::value_of(*this).dump(indent, ' ', is_ascii, handler_of(strings));
  } catch (const Library::exception& error) {
    fail(Status::kInvalidArgument, fmt::format("no JSON can say this: {}", sentence_of(error)));
  }
}

Json Json::parse(std::string_view text) {
  Reader reader;
  // All errors are thrown by the reader.
  static_cast<void>(Library::sax_parse(text, &reader));
  return std::move(reader.root);
}

}  // namespace xorloom
