#include "runtime/files/cached_files.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "runtime/files/directory_listing.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/files/pending_file.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

using Ends = std::span<const std::string_view>;

bool is_cached_name(std::string_view name, Ends ends) {
  constexpr std::size_t kDigits = 16;
  return name.size() > kDigits && name.find_first_not_of("0123456789abcdef") >= kDigits &&
         std::ranges::find(ends, name.substr(kDigits)) != ends.end();
}

/// True for the name of a cached file, and for its hidden name while it is written.
bool is_ours(std::string_view name, Ends ends) {
  if (is_cached_name(name, ends)) return true;
  const std::size_t end = name.rfind(kHiddenSuffix);
  if (end == std::string_view::npos || end == 0) return false;
  const std::string_view finished = name.substr(1, end - 1);
  return is_cached_name(finished, ends) && is_hidden_name_of(name, finished, kHiddenSuffix);
}

/// Bytes that may stay when room is made.
std::uint64_t left_of(std::uint64_t most) { return most - most / 4; }

void make_room(const fs::path& folder, Ends ends, std::uint64_t most) {
  struct File {
    fs::file_time_type time;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::uint64_t sum = 0;
  for (const std::string& name : names_in(folder)) {
    std::error_code gone;
    if (!is_ours(name, ends)) continue;
    const fs::directory_entry entry(folder / name, gone);
    if (gone || entry.is_symlink(gone) || !entry.is_regular_file(gone)) continue;
    File file{entry.last_write_time(gone), entry.file_size(gone), entry.path()};
    if (gone) continue;
    sum += file.bytes;
    files.push_back(std::move(file));
  }
  if (sum <= most) return;
  std::ranges::sort(files, {}, &File::time);
  for (const File& file : files) {
    if (sum <= left_of(most)) return;
    std::error_code gone;
    fs::remove(file.path, gone);
    sum -= file.bytes;
  }
}

}  // namespace

std::vector<std::uint8_t> cached_bytes(const fs::path& path, std::uint64_t most) {
  const OpenFile file(path);
  if (!file.is_open() || file.bytes() > most) return {};
  std::vector<std::uint8_t> bytes(file.bytes());
  if (file.read_at(0, bytes) != 0) return {};
  return bytes;
}

bool keep_cached(const fs::path& path, std::span<const std::uint8_t> bytes, Ends ends,
                 std::uint64_t most_of_folder) {
  if (bytes.size() > left_of(most_of_folder)) return false;
  fs::create_directories(path.parent_path());
  const fs::path hidden = hidden_name_beside(path);
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
  make_room(path.parent_path(), ends, most_of_folder);
  return is_written && !failed;
}

}  // namespace xorloom
