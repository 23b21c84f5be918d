#include "runtime/files/cached_files.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "runtime/files/open_file.hpp"
#include "runtime/files/pending_file.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

void make_room(const fs::path& folder, std::string_view suffix, std::uint64_t most) {
  struct File {
    fs::file_time_type time;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::uint64_t sum = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::error_code gone;
    // Finished or not: the suffix stands in the hidden names, too.
    const bool is_ours = entry.path().filename().string().find(suffix) != std::string::npos;
    if (!is_ours || entry.is_symlink(gone) || !entry.is_regular_file(gone)) continue;
    File file{entry.last_write_time(gone), entry.file_size(gone), entry.path()};
    if (gone) continue;
    sum += file.bytes;
    files.push_back(std::move(file));
  }
  if (sum <= most) return;
  std::ranges::sort(files, {}, &File::time);
  for (const File& file : files) {
    if (sum <= most - most / 4) return;
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

void keep_cached(const fs::path& path, std::span<const std::uint8_t> bytes, std::string_view suffix,
                 std::uint64_t most_of_folder) {
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
  make_room(path.parent_path(), suffix, most_of_folder);
}

}  // namespace xorloom
