#include "codes/spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "codes/text/error.hpp"
#include "codes/text/split.hpp"

namespace xorloom {
namespace {

/// Parses a whole number in decimal or, after 0x, hexadecimal; a number above 64 bits gives the
/// largest. nullopt: not a number.
std::optional<std::uint64_t> parse_number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  return error == std::errc{} ? value : std::numeric_limits<std::uint64_t>::max();
}

bool is_negative_number(std::string_view text) {
  return text.starts_with('-') && parse_number(text.substr(1)).has_value();
}

/// Keys of the first values if these have none: cauchy-good:10,4,8.
constexpr std::array<std::string_view, 3> kFirstKeys = {"k", "m", "w"};

/// True if `values` have the first keys, in order.
bool are_in_order(const std::vector<std::pair<std::string, std::string>>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].first != kFirstKeys[i]) return false;
  }
  return true;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Suffix of messages about limits that hold only for specs from untrusted files.
const char* bound_of(bool is_of_strangers) {
  return is_of_strangers ? ", the bound for a code that a shard names; option allow_large lifts it"
                         : "";
}

}  // namespace

void check_symbols(const SpecLimits& limits, std::size_t rows, std::size_t columns,
                   const std::string& what) {
  if (rows <= limits.symbols / std::max<std::size_t>(1, columns)) return;
  fail(Status::kInvalidArgument, "{} exceeds {}{}", what, limits.symbols,
       bound_of(limits.symbols < kMaxSymbols));
}

void check_operations(const SpecLimits& limits, std::uint64_t operations) {
  if (operations <= limits.operations) return;
  fail(Status::kInvalidArgument,
       "making its matrix takes {} operations or more, which exceeds {}{}", operations,
       limits.operations, bound_of(true));
}

Spec::Spec(std::string_view text, const SpecLimits& limits) : limits_(limits) {
  const std::size_t colon = text.find(':');
  family_ = text.substr(0, colon);
  if (family_.empty()) {
    fail(Status::kParse,
         "code spec '{}' does not begin with a family name; a spec looks like "
         "cauchy-good:k=10,m=4,w=8",
         excerpt(text));
  }
  if (colon == std::string_view::npos) return;
  std::string_view rest = text.substr(colon + 1);
  if (family_ == "file") {
    text_ = rest;
    return;
  }
  if (rest.empty()) return;
  for (bool is_last = false; !is_last;) {
    const std::string_view item = rest.substr(0, rest.find(','));
    is_last = item.size() == rest.size();
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    if (values_.size() < kFirstKeys.size() && are_in_order(values_) && is_number(item)) {
      values_.emplace_back(kFirstKeys[values_.size()], item);
      continue;
    }
    if (is_number(item)) {
      fail(Status::kParse,
           "'{}' in code spec '{}' needs its key: only the first values, of k, m and w, go without",
           excerpt(item), excerpt(text));
    }
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == item.size()) {
      fail(Status::kParse, "'{}' in code spec '{}' is not of the form key=value", excerpt(item),
           excerpt(text));
    }
    const std::string_view key = item.substr(0, equals);
    if (find(key))
      fail(Status::kParse, "code spec '{}' gives '{}' twice", excerpt(text), excerpt(key));
    values_.emplace_back(key, item.substr(equals + 1));
  }
}

std::optional<std::string_view> Spec::find(std::string_view key) const {
  for (const auto& [name, value] : values_) {
    if (name == key) return value;
  }
  return std::nullopt;
}

std::size_t Spec::number(std::string_view key, std::size_t lowest, std::size_t highest) {
  const auto text = find(key);
  if (!text) fail(Status::kInvalidArgument, "{} needs {}=…", family_, key);
  const auto value = parse_number(*text);
  const bool negative = is_negative_number(*text);
  if (key != "packet_bytes") highest = std::min(highest, limits_.number);
  if (!value && !negative) {
    fail(Status::kParse, "{} = '{}' is not a whole number", key, excerpt(*text));
  }
  if (lowest == highest && (negative || *value != lowest)) {
    fail(Status::kInvalidArgument, "{} = {} is not {}", key, excerpt(*text), lowest);
  }
  if (negative || *value < lowest || *value > highest) {
    fail(Status::kInvalidArgument, "{} = {} is not one of {} to {}", key, excerpt(*text), lowest,
         highest);
  }
  settle(key, fmt::format("{}", *value));
  return *value;
}

std::size_t Spec::number_or(std::string_view key, std::size_t lowest, std::size_t highest,
                            std::size_t otherwise) {
  if (find(key)) return number(key, lowest, highest);
  settle(key, fmt::format("{}", otherwise));
  return otherwise;
}

Field Spec::field(std::size_t w) {
  if (w < 2 || default_polynomial(w) == 0) {
    fail(Status::kInvalidArgument, "w = {} is not one of 2 to 16 or 32", w);
  }
  const auto text = find("poly");
  const auto polynomial = text ? parse_number(*text) : default_polynomial(w);
  if (!polynomial) {
    fail(Status::kParse, "poly = '{}' is not a number such as {:#x}", excerpt(*text),
         default_polynomial(w));
  }
  settle("poly", fmt::format("{:#x}", *polynomial));
  return Field(w, *polynomial);
}

std::optional<std::vector<Field::Symbol>> Spec::symbols(std::string_view key,
                                                        const Field& field) const {
  const auto text = find(key);
  if (!text) return std::nullopt;
  std::vector<Field::Symbol> result;
  std::string_view rest = *text;
  for (;;) {
    const std::string_view item = rest.substr(0, rest.find('+'));
    const auto value = parse_number(item);
    if (!value) {
      fail(Status::kParse, "{} = '{}' is not a list of whole numbers such as 1+2+3", key,
           excerpt(*text));
    }
    if (*value >= field.size()) {
      fail(Status::kInvalidArgument, "{} holds {}, which is not below 2^w = {}", key, excerpt(item),
           field.size());
    }
    result.push_back(static_cast<Field::Symbol>(*value));
    if (item.size() == rest.size()) return result;
    rest.remove_prefix(item.size() + 1);
  }
}

void Spec::settle(std::string_view key, std::string value) {
  settled_.insert_or_assign(std::string(key), std::move(value));
}

std::string Spec::canonical(std::string_view keys) const {
  std::string text = family_;
  char separator = ':';
  for (const std::string_view key : split(keys, ' ')) {
    const auto found = settled_.find(key);
    if (found == settled_.end()) continue;
    text += fmt::format("{}{}={}", std::exchange(separator, ','), key, found->second);
  }
  return text;
}

}  // namespace xorloom
