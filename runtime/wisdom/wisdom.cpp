#include "runtime/wisdom/wisdom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/files/packed_program.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/files/cache_directory.hpp"
#include "runtime/files/cached_files.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'X', 'L', 'W', '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t kVersion = 2;

// Where the fields of the header are.
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kBytesAt = 12;
constexpr std::size_t kMapAt = 16;
constexpr std::size_t kOperandsAt = 24;
constexpr std::size_t kEffortAt = 28;
constexpr std::size_t kEquationsAt = 32;
constexpr std::size_t kHeaderBytes = 36;
constexpr std::size_t kMostRecordBytes = std::size_t{1} << 24;

/// By their numbers in a file.
constexpr std::array kEfforts = {Effort::kFast, Effort::kQuick, Effort::kNormal, Effort::kMax};

std::uint32_t number_of(Effort effort) {
  return static_cast<std::uint32_t>(std::ranges::find(kEfforts, effort) - kEfforts.begin());
}

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

WisdomKey wisdom_key(const Program& direct, std::uint32_t operands) {
  return {checksum(packed(without_places(direct))), operands};
}

std::vector<std::uint8_t> wisdom_bytes(const WisdomKey& key, const OrderedProgram& entry) {
  const std::vector<std::uint8_t> equations = packed(entry.equations);
  const std::vector<std::uint8_t> ordered = packed(entry.ordered);
  const std::size_t end = kHeaderBytes + equations.size() + ordered.size();
  std::vector<std::uint8_t> bytes(end + kChecksumBytes);
  std::ranges::copy(kMagic, bytes.begin());
  put(&bytes[kVersionAt], kVersion);
  put(&bytes[kBytesAt], static_cast<std::uint32_t>(end + kChecksumBytes));
  put(&bytes[kMapAt], key.map);
  put(&bytes[kOperandsAt], key.operands);
  put(&bytes[kEffortAt], number_of(entry.effort));
  put(&bytes[kEquationsAt], static_cast<std::uint32_t>(equations.size()));
  std::ranges::copy(ordered, std::ranges::copy(equations, &bytes[kHeaderBytes]).out);
  put(&bytes[end], checksum(std::span(bytes).first(end)));
  return bytes;
}

std::optional<WisdomRecord> first_record(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeaderBytes + kChecksumBytes || !std::ranges::equal(bytes.first(8), kMagic) ||
      get<std::uint32_t>(&bytes[kVersionAt]) != kVersion) {
    return std::nullopt;
  }
  const std::size_t size = get<std::uint32_t>(&bytes[kBytesAt]);
  const std::uint32_t effort = get<std::uint32_t>(&bytes[kEffortAt]);
  if (size < kHeaderBytes + kChecksumBytes || size > std::min(bytes.size(), kMostRecordBytes) ||
      effort >= kEfforts.size()) {
    return std::nullopt;
  }
  return WisdomRecord{{get<std::uint64_t>(&bytes[kMapAt]), get<std::uint32_t>(&bytes[kOperandsAt])},
                      kEfforts[effort],
                      bytes.first(size)};
}

std::optional<OrderedProgram> entry_of(const WisdomRecord& record) try {
  const std::size_t end = record.bytes.size() - kChecksumBytes;
  if (checksum(record.bytes.first(end)) != get<std::uint64_t>(&record.bytes[end])) {
    return std::nullopt;
  }
  const std::span<const std::uint8_t> programs = record.bytes.first(end).subspan(kHeaderBytes);
  const std::size_t equations = get<std::uint32_t>(&record.bytes[kEquationsAt]);
  if (equations > programs.size()) return std::nullopt;
  constexpr auto kAnyCells = std::numeric_limits<std::uint32_t>::max();
  return OrderedProgram{unpacked(programs.first(equations), kAnyCells),
                        unpacked(programs.subspan(equations), kAnyCells), record.effort};
} catch (const Error&) {
  return std::nullopt;
}

Wisdom::Wisdom(std::string_view place) : is_on_(place != kOff) {
  if (!is_on_) return;
  directory_ = place;
  if (place != kUser) return;
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
  const std::vector<std::uint8_t> bytes = directory_.empty()
                                              ? std::vector<std::uint8_t>()
                                              : cached_bytes(path_of(key), kMostRecordBytes);
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
  const std::vector<std::uint8_t> there = cached_bytes(path, kMostRecordBytes);
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
