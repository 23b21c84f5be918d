#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codes/text/json.hpp"

/// Reading JSON that comes from outside: each function throws kParse with a sentence that names the
/// key if the value is not what it should be.
namespace xorloom::json_reading {

/// The largest number that is read unless another bound is given.
inline constexpr std::size_t kMaxNumber = std::size_t{1} << 24;

/// Throws kParse.
[[noreturn]] void bad(const std::string& sentence);

/// An object that says it is of a format and of a version from 1 to the newest.
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

}  // namespace xorloom::json_reading
