#include "runtime/shards/chunk_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/directory_listing.hpp"
#include "runtime/files/file_error.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

fs::path chunk_path(const fs::path& directory, std::size_t location) {
  return directory / fmt::format("{}", location);
}

/// The location that `name` stands for; nullopt if it is no name of a chunk file.
std::optional<std::size_t> location_of_name(const std::string& name) {
  std::size_t location = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), location);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  if (name != fmt::format("{}", location)) return std::nullopt;
  return location;
}

/// The locations of chunk files in a directory, ascending.
std::vector<std::size_t> chunk_locations(const fs::path& directory) {
  std::vector<std::size_t> locations;
  for (const std::string& name : names_in(directory)) {
    if (const auto location = location_of_name(name)) locations.push_back(*location);
  }
  std::ranges::sort(locations);
  return locations;
}

void check_is_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    fail(Status::kInvalidArgument, fmt::format("{} is not a regular file", path.string()));
  }
}

/// Files moved out of the way, put back unless what replaces them is complete.
class Aside {
 public:
  explicit Aside(std::size_t most) { moved_.reserve(most); }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

  void move(const fs::path& path) {
    for (;;) {
      std::pair<fs::path, fs::path> names(path, hidden_name_beside(path));
      const int code = rename_to_free_name(names.first, names.second);
      if (code == EEXIST) continue;
      if (code != 0) fail_on_io("replace", path, code);
      moved_.push_back(std::move(names));
      return;
    }
  }

  void discard() noexcept {
    std::error_code ignored;
    for (const auto& [path, hidden] : moved_) fs::remove(hidden, ignored);
    moved_.clear();
  }

  ~Aside() {
    for (const auto& [path, hidden] : moved_) rename_to_free_name(hidden, path);
  }

 private:
  std::vector<std::pair<fs::path, fs::path>> moved_;
};

/// Names given to finished files, taken away again unless all of them were given.
class Placed {
 public:
  explicit Placed(std::size_t most) { names_.reserve(most); }
  Placed(const Placed&) = delete;
  Placed& operator=(const Placed&) = delete;

  void place(PendingFile& file) {
    fs::path name = file.destination();
    file.commit(Existing::kRefuse);
    names_.push_back(std::move(name));
  }
  void keep() noexcept { names_.clear(); }
  ~Placed() {
    std::error_code ignored;
    for (const fs::path& name : names_) fs::remove(name, ignored);
  }

 private:
  std::vector<fs::path> names_;
};

/// Writes chunk files under hidden names, and syncs them.
std::vector<PendingFile> written(const fs::path& directory, std::span<const std::size_t> locations,
                                 std::span<const std::span<const std::uint8_t>> chunks,
                                 mode_t most) {
  std::vector<PendingFile> files;
  files.reserve(chunks.size());
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    files.emplace_back(chunk_path(directory, locations[i]), std::string(), most).write(chunks[i]);
    files.back().finish();
  }
  return files;
}

}  // namespace

bool names_chunk_file(const fs::path& directory, const fs::path& path) {
  for (const fs::path& name : {path, follow_links(path)}) {
    const fs::path parent = name.parent_path().empty() ? "." : name.parent_path();
    std::error_code ignored;
    if (location_of_name(name.filename().string()) && fs::equivalent(parent, directory, ignored)) {
      return true;
    }
  }
  return false;
}

ChunkFiles find_chunk_files(const fs::path& directory, std::size_t locations,
                            std::size_t chunk_multiple) {
  ChunkFiles files{.directory = directory,
                   .present = chunk_locations(directory),
                   .missing = {},
                   .other_size = {}};
  if (!files.present.empty() && files.present.back() >= locations) {
    fail(Status::kInvalidArgument,
         fmt::format("{} holds a chunk file {}, but the code has {} locations, 0 to {}",
                     directory.string(), files.present.back(), locations, locations - 1));
  }
  for (std::size_t location = 0; location < locations; ++location) {
    if (!std::ranges::binary_search(files.present, location)) files.missing.push_back(location);
  }
  std::vector<std::uintmax_t> sizes;
  for (const std::size_t location : files.present) {
    const fs::path path = chunk_path(directory, location);
    check_is_file(path);
    std::error_code error;
    sizes.push_back(fs::file_size(path, error));
    if (error) fail_on_io("read", path, error.value());
    files.permissions &= permissions_within(permissions_of_file(path).value_or(0));
  }
  if (sizes.empty()) return files;
  // The most frequent size is taken for the right one, so that the message names the odd one out.
  const auto votes = [&](std::uintmax_t size) { return std::ranges::count(sizes, size); };
  const std::uintmax_t usual = *std::ranges::max_element(sizes, {}, votes);
  const auto rival = std::ranges::find_if(
      sizes, [&](std::uintmax_t size) { return size != usual && votes(size) == votes(usual); });
  std::vector<std::size_t> present;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t location = files.present[i];
    if (sizes[i] == usual) {
      present.push_back(location);
      continue;
    }
    files.missing.insert(std::ranges::lower_bound(files.missing, location), location);
    if (!files.other_size.empty()) continue;
    files.other_size =
        fmt::format("{} has {}, but other chunks have {}", chunk_path(directory, location).string(),
                    counted(sizes[i], "byte"), usual);
  }
  if (rival != sizes.end()) fail(Status::kInvalidArgument, files.other_size);
  files.present = std::move(present);
  if (usual == 0 || usual % chunk_multiple != 0) {
    fail(Status::kInvalidArgument,
         fmt::format("the chunk files in {} have {}, which is not a positive multiple of {}",
                     directory.string(), counted(usual, "byte"), chunk_multiple));
  }
  files.chunk_bytes = usual;
  return files;
}

void read_chunk_file(const ChunkFiles& files, std::size_t location, std::span<std::uint8_t> chunk) {
  const ByteRange whole{0, chunk.size()};
  read_chunk_parts(files, location, {&whole, 1}, chunk);
}

void read_chunk_parts(const ChunkFiles& files, std::size_t location,
                      std::span<const ByteRange> parts, std::span<std::uint8_t> chunk) {
  const fs::path path = chunk_path(files.directory, location);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_on_io("read", path, errno);
  std::string why;
  for (ByteRange part : parts) {
    while (part.bytes != 0 && why.empty()) {
      const ssize_t got = ::pread(descriptor, chunk.data() + part.offset, part.bytes,
                                  static_cast<off_t>(part.offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        why = std::strerror(errno);
      } else if (got == 0) {
        why = fmt::format("it ends {} before the chunk does",
                          counted(chunk.size() - part.offset, "byte"));
      } else {
        part.offset += static_cast<std::size_t>(got);
        part.bytes -= static_cast<std::size_t>(got);
      }
    }
  }
  ::close(descriptor);
  if (!why.empty()) fail(Status::kIo, fmt::format("cannot read {}: {}", path.string(), why));
}

fs::path keep_chunk_file(const ChunkFiles& files, std::size_t location) {
  const fs::path path = chunk_path(files.directory, location);
  const fs::path usual = fmt::format("{}.before-deep-repair", path.string());
  fs::path kept = usual;
  std::error_code ignored;
  for (int number = 2; fs::exists(fs::symlink_status(kept, ignored)); ++number) {
    kept = fmt::format("{}-{}", usual.string(), number);
  }
  std::vector<std::uint8_t> chunk(files.chunk_bytes);
  read_chunk_file(files, location, chunk);
  PendingFile file(kept, {}, permissions_within(permissions_of_file(path).value_or(0)));
  file.write(chunk);
  file.finish();
  fs::last_write_time(file.temporary(), time_of_chunk_file(files, location), ignored);
  file.commit(Existing::kRefuse);
  sync_directories({files.directory});
  return kept;
}

fs::file_time_type time_of_chunk_file(const ChunkFiles& files, std::size_t location) {
  const fs::path path = chunk_path(files.directory, location);
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(path, error);
  if (error) fail_on_io("read", path, error.value());
  return time;
}

void replace_chunk_file(const fs::path& directory, std::size_t location,
                        std::span<const std::uint8_t> chunk) {
  std::vector<PendingFile> files = written(directory, {&location, 1}, {&chunk, 1}, kAnyPermissions);
  files.front().commit(Existing::kReplace);
  sync_directory(directory);
}

void write_chunk_files(const fs::path& directory,
                       std::span<const std::span<const std::uint8_t>> chunks, Existing existing,
                       mode_t most) {
  PendingDirectory made(directory);
  const std::vector<std::size_t> old = chunk_locations(directory);
  if (!old.empty() && existing == Existing::kRefuse) {
    fail(Status::kInvalidArgument,
         fmt::format("{} already holds a chunk file {}; option replace overwrites it",
                     directory.string(), old.front()));
  }
  // Bare files do not say whose they are: a file that would not be written over may be anything.
  if (!old.empty() && old.back() >= chunks.size()) {
    fail(Status::kInvalidArgument,
         fmt::format("{} holds a file {}, which {} chunks do not overwrite but which would be "
                     "taken for one of them; move it away first",
                     directory.string(), old.back(), chunks.size()));
  }
  for (const std::size_t location : old) check_is_file(chunk_path(directory, location));

  std::vector<std::size_t> all(chunks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<PendingFile> files = written(directory, all, chunks, most);
  made.sync();
  // The old chunks go first: a machine that stops half-way leaves chunks missing, never a mixture.
  const auto uninterrupted = hold_off_abandoning();
  Aside aside(old.size());
  Placed placed(files.size());
  for (const std::size_t location : old) aside.move(chunk_path(directory, location));
  if (!old.empty()) sync_directory(directory);
  for (PendingFile& file : files) placed.place(file);
  sync_directory(directory);
  placed.keep();
  aside.discard();
  made.keep();
}

void add_chunk_files(const ChunkFiles& files, std::span<const std::size_t> locations,
                     std::span<const std::span<const std::uint8_t>> chunks) {
  std::vector<PendingFile> added = written(files.directory, locations, chunks, files.permissions);
  const auto uninterrupted = hold_off_abandoning();
  Placed placed(added.size());
  for (PendingFile& file : added) placed.place(file);
  sync_directory(files.directory);
  placed.keep();
}

}  // namespace xorloom
