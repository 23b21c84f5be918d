#include "runtime/store/store.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <system_error>
#include <vector>

#include "runtime/engine/plan_options.hpp"
#include "runtime/files/cache_directory.hpp"
#include "runtime/files/cached_files.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFileBytes = std::size_t{1} << 24;

/// Ends of file names, by the operands of an XOR: 2, 3 and kFewXors. Programs for machine code (2
/// and 3) can be made again in seconds.
constexpr std::array<std::string_view, 3> kEnds = {"-2.wisdom", "-3.wisdom", "-0.wisdom"};

std::string_view end_of(const ProgramKey& key) {
  return key.operands == kFewXors ? kEnds[2] : kEnds.at(key.operands - 2);
}

/// Folders of the directory, by the first digit of file names; each is bounded separately.
constexpr std::size_t kFolders = 16;

/// The record in `bytes`, if they hold exactly one record and it has `key`.
std::optional<ProgramRecord> record_of_key(const std::vector<std::uint8_t>& bytes,
                                           const ProgramKey& key) {
  std::optional<ProgramRecord> record = first_record(bytes);
  if (record && record->bytes.size() == bytes.size() && record->key == key) return record;
  return std::nullopt;
}

}  // namespace

Store::Store(std::string_view place) : is_on_(place != kOff), is_users_(place == kUser) {
  if (!is_on_) return;
  directory_ = place;
  if (!is_users_) return;
  directory_ = user_cache_directory();
  if (!directory_.empty()) directory_ /= "wisdom";
}

fs::path Store::path_of(const ProgramKey& key) const {
  const std::string name = fmt::format("{:016x}{}", key.map, end_of(key));
  return directory_ / name.substr(0, 1) / name;
}

std::optional<OrderedProgram> Store::find(const ProgramKey& key, Effort least) const noexcept try {
  if (!is_on_) return std::nullopt;
  const std::optional<ProgramRecord> shipped = shipped_record(key);
  const std::vector<std::uint8_t> bytes =
      directory_.empty() ? std::vector<std::uint8_t>() : cached_bytes(path_of(key), kMostFileBytes);
  const std::optional<ProgramRecord> own = record_of_key(bytes, key);
  if (own && !is_more(least, own->effort) && (!shipped || is_more(own->effort, shipped->effort))) {
    if (std::optional<OrderedProgram> program = machine_program_of(*own)) return program;
  }
  if (shipped && !is_more(least, shipped->effort)) return machine_program_of(*shipped);
  return std::nullopt;
} catch (...) {
  return std::nullopt;
}

std::optional<FewXors> Store::shipped_few_xors(const ProgramKey& key,
                                               const Field& field) const noexcept try {
  if (!is_on_) return std::nullopt;
  const std::optional<ProgramRecord> shipped = shipped_record(key);
  return shipped ? few_xors_of(*shipped, field) : std::nullopt;
} catch (...) {
  return std::nullopt;
}

std::optional<FewXors> Store::own_few_xors(const ProgramKey& key, const Field& field) const noexcept
    try {
  if (!is_on_ || directory_.empty()) return std::nullopt;
  const std::vector<std::uint8_t> bytes = cached_bytes(path_of(key), kMostFileBytes);
  const std::optional<ProgramRecord> own = record_of_key(bytes, key);
  return own ? few_xors_of(*own, field) : std::nullopt;
} catch (...) {
  return std::nullopt;
}

void Store::keep(const ProgramKey& key, const OrderedProgram& program) const noexcept try {
  if (!is_on_ || directory_.empty()) return;
  const fs::path path = path_of(key);
  const std::vector<std::uint8_t> there = cached_bytes(path, kMostFileBytes);
  const std::optional<ProgramRecord> record = record_of_key(there, key);
  if (record && !is_more(program.effort, record->effort) && machine_program_of(*record)) return;
  keep_cached(path, record_bytes(key, program), kEnds, kMostBytes / kFolders);
} catch (...) {  // not kept: the next plan is slower
  return;
}

bool Store::keep(const ProgramKey& key, const FewXors& equations) const noexcept try {
  if (!is_on_ || directory_.empty()) return false;
  const std::span<const std::string_view> ends(kEnds);
  return keep_cached(path_of(key), record_bytes(key, equations), is_users_ ? ends : ends.first(2),
                     kMostBytes / kFolders);
} catch (...) {
  return false;
}

void Store::forget(const ProgramKey& key) const noexcept try {
  std::error_code gone;
  if (is_on_ && !directory_.empty()) fs::remove(path_of(key), gone);
} catch (...) {
  return;
}

}  // namespace xorloom
