#include "runtime/wisdom/wisdom.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <system_error>
#include <vector>

#include "runtime/engine/plan_options.hpp"
#include "runtime/files/cache_directory.hpp"
#include "runtime/files/cached_files.hpp"
#include "runtime/wisdom/shipped_wisdom.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 24;
/// What names end in, by the operands of an XOR, from two on.
constexpr std::array<std::string_view, 2> kEnds = {"-2.wisdom", "-3.wisdom"};

/// Files are in folders by the first digit of their names, each of which is bounded by itself.
constexpr std::size_t kFolders = 16;

/// Some bytes are the one record of a key.
std::optional<WisdomRecord> record_of(const std::vector<std::uint8_t>& bytes,
                                      const WisdomKey& key) {
  std::optional<WisdomRecord> record = first_record(bytes);
  if (record && record->bytes.size() == bytes.size() && record->key == key) return record;
  return std::nullopt;
}

}  // namespace

Wisdom::Wisdom(std::string_view place) : is_on_(place != kOff) {
  if (!is_on_) return;
  directory_ = place;
  if (!directory_.empty()) return;
  directory_ = user_cache_directory();
  if (!directory_.empty()) directory_ /= "wisdom";
}

fs::path Wisdom::path_of(const WisdomKey& key) const {
  const std::string name = fmt::format("{:016x}{}", key.map, kEnds.at(key.operands - 2));
  return directory_ / name.substr(0, 1) / name;
}

std::optional<OrderedProgram> Wisdom::find(const WisdomKey& key, Effort least) const noexcept try {
  if (!is_on_) return std::nullopt;
  const std::optional<WisdomRecord> shipped = shipped_record(key);
  const std::vector<std::uint8_t> bytes =
      directory_.empty() ? std::vector<std::uint8_t>() : cached_bytes(path_of(key), kMostFileBytes);
  const std::optional<WisdomRecord> own = record_of(bytes, key);
  if (own && !is_more(least, own->effort) && (!shipped || is_more(own->effort, shipped->effort))) {
    if (std::optional<OrderedProgram> entry = entry_of(*own)) return entry;
  }
  if (shipped && !is_more(least, shipped->effort)) return entry_of(*shipped);
  return std::nullopt;
} catch (...) {
  return std::nullopt;
}

void Wisdom::keep(const WisdomKey& key, const OrderedProgram& entry) const noexcept try {
  if (!is_on_ || directory_.empty()) return;
  const fs::path path = path_of(key);
  const std::vector<std::uint8_t> there = cached_bytes(path, kMostFileBytes);
  const std::optional<WisdomRecord> record = record_of(there, key);
  if (record && !is_more(entry.effort, record->effort) && entry_of(*record)) return;
  keep_cached(path, wisdom_bytes(key, entry), kEnds, kMostBytes / kFolders);
} catch (...) {  // a slower plan the next time
  return;
}

void Wisdom::forget(const WisdomKey& key) const noexcept try {
  std::error_code gone;
  if (is_on_ && !directory_.empty()) fs::remove(path_of(key), gone);
} catch (...) {
  return;
}

}  // namespace xorloom
