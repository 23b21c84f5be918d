#include "runtime/shards/shard_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "runtime/files/pending_file.hpp"

namespace xorloom {
namespace {

constexpr std::string_view kPrefix = "xorloom-";
constexpr std::string_view kExtension = ".shard";
constexpr std::string_view kJournalExtension = ".journal";
constexpr std::string_view kHexadecimal = "0123456789abcdef";
constexpr std::size_t kDigits = 2 * SetId::kBytes;
constexpr std::size_t kGenerationDigits = 16;
constexpr std::size_t kRandomDigits = 16;  // in a hidden name

bool is_made_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

/// Strips ".", the suffix and the random digits from a hidden name; false if `name` is not hidden.
bool uncover(std::string_view& name) {
  const std::size_t tail = kHiddenSuffix.size() + kRandomDigits;
  if (name.size() <= 1 + tail || !name.starts_with('.')) return false;
  const std::string_view end = name.substr(name.size() - tail);
  if (!end.starts_with(kHiddenSuffix)) return false;
  if (!is_made_of(end.substr(kHiddenSuffix.size()), kHexadecimal)) return false;
  name = name.substr(1, name.size() - 1 - tail);
  return true;
}

}  // namespace

std::string shard_name(const SetId& set, std::uint32_t location, std::uint32_t locations) {
  const std::size_t digits = fmt::format("{}", locations - 1).size();
  return fmt::format("{}{}-{:0{}}{}", kPrefix, to_string(set), location, digits, kExtension);
}

std::optional<ShardName> parse_shard_name(std::string_view name) {
  ShardName parsed;
  parsed.is_temporary = uncover(name);
  if (!name.starts_with(kPrefix) || !name.ends_with(kExtension)) return std::nullopt;
  if (name.size() <= kPrefix.size() + kDigits + 1 + kExtension.size()) return std::nullopt;
  const auto set = set_id_of(name.substr(kPrefix.size(), kDigits));
  std::string_view location = name.substr(kPrefix.size() + kDigits);
  location.remove_suffix(kExtension.size());
  if (!set || !location.starts_with('-') || !is_made_of(location.substr(1), "0123456789")) {
    return std::nullopt;
  }
  parsed.set = *set;
  return parsed;
}

bool is_shard_name_of(std::string_view name, const SetId& set, std::uint32_t location) {
  const std::optional<ShardName> parsed = parse_shard_name(name);
  if (!parsed || parsed->is_temporary || parsed->set != set) return false;
  std::string_view digits = name.substr(kPrefix.size() + kDigits + 1);
  digits.remove_suffix(kExtension.size());
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return digits == fmt::format("{}", location);
}

std::string journal_name(const SetId& set, std::uint64_t generation) {
  return fmt::format("{}{}-{:0{}x}{}", kPrefix, to_string(set), generation, kGenerationDigits,
                     kJournalExtension);
}

std::optional<ShardName> parse_journal_name(std::string_view name) {
  ShardName parsed;
  parsed.is_temporary = uncover(name);
  const std::size_t length =
      kPrefix.size() + kDigits + 1 + kGenerationDigits + kJournalExtension.size();
  if (name.size() != length || !name.starts_with(kPrefix)) return std::nullopt;
  if (!name.ends_with(kJournalExtension)) return std::nullopt;
  const auto set = set_id_of(name.substr(kPrefix.size(), kDigits));
  const std::string_view generation = name.substr(kPrefix.size() + kDigits, 1 + kGenerationDigits);
  if (!set || !generation.starts_with('-')) return std::nullopt;
  if (!is_made_of(generation.substr(1), kHexadecimal)) return std::nullopt;
  parsed.set = *set;
  return parsed;
}

bool is_pending_shard(const std::filesystem::path& path) {
  const auto name = parse_shard_name(path.filename().string());
  return name && name->is_temporary;
}

}  // namespace xorloom
