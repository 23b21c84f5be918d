#include "runtime/wisdom/wisdom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "runtime/engine/plan_options.hpp"
#include "runtime/files/cache_directory.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/wisdom/shipped_wisdom.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 24;
constexpr std::string_view kSuffix = ".wisdom";

/// Files are in folders by the first digit of their names, each of which is bounded by itself.
constexpr std::size_t kFolders = 16;

std::vector<std::uint8_t> bytes_of(const fs::path& path) {
  const OpenFile file(path);
  if (!file.is_open() || file.bytes() > kMostFileBytes) return {};
  std::vector<std::uint8_t> bytes(file.bytes());
  if (file.read_at(0, bytes) != 0) return {};
  return bytes;
}

/// Some bytes are the one record of a key.
std::optional<WisdomRecord> record_of(const std::vector<std::uint8_t>& bytes,
                                      const WisdomKey& key) {
  std::optional<WisdomRecord> record = first_record(bytes);
  if (record && record->bytes.size() == bytes.size() && record->key == key) return record;
  return std::nullopt;
}

/// Whether a name is one that this class gives to files, finished or not.
bool is_ours(const fs::path& path) {
  return path.filename().string().find(kSuffix) != std::string::npos;
}

/// Removes the oldest files of a folder that holds too much, until a quarter is free.
void make_room(const fs::path& folder) {
  constexpr std::uint64_t kMost = Wisdom::kMostBytes / kFolders;
  struct File {
    fs::file_time_type time;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::uint64_t sum = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::error_code gone;
    if (!is_ours(entry.path()) || entry.is_symlink(gone) || !entry.is_regular_file(gone)) continue;
    File file{entry.last_write_time(gone), entry.file_size(gone), entry.path()};
    if (gone) continue;
    sum += file.bytes;
    files.push_back(std::move(file));
  }
  if (sum <= kMost) return;
  std::ranges::sort(files, {}, &File::time);
  for (const File& file : files) {
    if (sum <= kMost - kMost / 4) return;
    std::error_code gone;
    fs::remove(file.path, gone);
    sum -= file.bytes;
  }
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
  const std::string name = fmt::format("{:016x}-{}{}", key.map, key.operands, kSuffix);
  return directory_ / name.substr(0, 1) / name;
}

std::optional<WisdomEntry> Wisdom::find(const WisdomKey& key, Effort least) const noexcept try {
  if (!is_on_) return std::nullopt;
  const std::optional<WisdomRecord> shipped = shipped_record(key);
  const std::vector<std::uint8_t> bytes =
      directory_.empty() ? std::vector<std::uint8_t>() : bytes_of(path_of(key));
  const std::optional<WisdomRecord> own = record_of(bytes, key);
  if (own && !is_more(least, own->effort) && (!shipped || is_more(own->effort, shipped->effort))) {
    if (std::optional<WisdomEntry> entry = entry_of(*own)) return entry;
  }
  if (shipped && !is_more(least, shipped->effort)) return entry_of(*shipped);
  return std::nullopt;
} catch (...) {
  return std::nullopt;
}

void Wisdom::keep(const WisdomKey& key, const WisdomEntry& entry) const noexcept try {
  if (!is_on_ || directory_.empty()) return;
  const fs::path path = path_of(key);
  const std::vector<std::uint8_t> there = bytes_of(path);
  const std::optional<WisdomRecord> record = record_of(there, key);
  if (record && !is_more(entry.effort, record->effort) && entry_of(*record)) return;
  fs::create_directories(path.parent_path());
  const fs::path hidden = hidden_name_beside(path);
  const std::vector<std::uint8_t> bytes = wisdom_bytes(key, entry);
  bool is_written = false;
  {
    std::ofstream file(hidden, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    file.close();
    is_written = !file.fail();
  }
  std::error_code failed;
  if (is_written) fs::rename(hidden, path, failed);
  if (!is_written || failed) fs::remove(hidden, failed);
  make_room(path.parent_path());
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
