#include "codes/text/json_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "codes/text/error.hpp"
#include "codes/text/text_file.hpp"

namespace xorloom::json_reading {
namespace {

/// "a string", "-3": what a value is, for a sentence. Nested values are not spelled out.
std::string kind_of(const Json& value) {
  return value.is_number() ? value.dump() : fmt::format("of type {}", value.type_name());
}

}  // namespace

void bad(const std::string& sentence) { fail(Status::kParse, sentence); }

Json parse(std::string_view source, std::string_view format, std::size_t newest) {
  Json json = Json::parse(source);
  if (const std::string given = text(member(json, "format"), "format"); given != format) {
    bad(fmt::format("the format is '{}', not '{}'", excerpt(given), format));
  }
  if (const std::size_t given = number(member(json, "version"), "version");
      given < 1 || given > newest) {
    bad(newest == 1 ? fmt::format("version {} is not 1, the one this program reads", given)
                    : fmt::format("version {} is not one of 1 to {}, those this program reads",
                                  given, newest));
  }
  return json;
}

const Json& member(const Json& object, std::string_view key) {
  if (!object.is_object()) bad(fmt::format("what should hold '{}' is not a JSON object", key));
  return object[key];
}

std::size_t number(const Json& value, std::string_view what, std::uint64_t most) {
  if (!value.is_number_unsigned()) {
    bad(fmt::format("{} is {}, not a whole number", what, kind_of(value)));
  }
  const auto n = value.whole();
  if (n > most) bad(fmt::format("{} = {} exceeds {}", what, n, most));
  return n;
}

std::string text(const Json& value, std::string_view what) {
  if (!value.is_string()) bad(fmt::format("'{}' is not a string", what));
  return value.text();
}

std::uint64_t hexadecimal(const Json& value, std::string_view what) {
  const std::string digits = text(value, what);
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto parsed =
      std::from_chars(digits.data() + std::min<std::size_t>(2, digits.size()), end, number, 16);
  if (!digits.starts_with("0x") || parsed.ptr != end || parsed.ec != std::errc()) {
    bad(fmt::format("{} is '{}', not hexadecimal as in \"0x11d\"", what, excerpt(digits)));
  }
  return number;
}

const Json& array(const Json& value, std::string_view what) {
  if (!value.is_array()) bad(fmt::format("'{}' is not an array", what));
  return value;
}

std::vector<std::uint32_t> numbers(const Json& value, std::string_view what, std::uint32_t most) {
  std::vector<std::uint32_t> result;
  for (const Json& item : array(value, what)) {
    result.push_back(static_cast<std::uint32_t>(number(item, what, most)));
  }
  return result;
}

}  // namespace xorloom::json_reading
