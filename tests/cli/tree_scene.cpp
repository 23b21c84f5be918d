#include "tests/cli/tree_scene.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "tests/cli/program.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

void set_time(const fs::path& path, std::time_t seconds, long nanoseconds) {
  const std::array<timespec, 2> times{timespec{0, UTIME_OMIT}, timespec{seconds, nanoseconds}};
  REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times.data(), AT_SYMLINK_NOFOLLOW) == 0);
}

std::string line_of(const fs::path& path, const fs::path& root,
                    std::map<std::pair<dev_t, ino_t>, std::size_t>& numbers) {
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  std::string line =
      fmt::format("'{}' {:o} {}.{:09}", path.lexically_relative(root.parent_path()).string(),
                  status.st_mode, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  if (S_ISLNK(status.st_mode)) return line + " -> " + fs::read_symlink(path).string() + '\n';
  if (!S_ISREG(status.st_mode)) return line + '\n';
  const std::size_t next = numbers.size();
  const std::size_t number =
      numbers.emplace(std::pair{status.st_dev, status.st_ino}, next).first->second;
  const std::string content = read_file(path.string());
  return line + fmt::format(" file {} of {} bytes {:016x}\n", number, content.size(),
                            std::hash<std::string>()(content));
}

}  // namespace

void make_odd_tree(const fs::path& directory, std::size_t large_bytes) {
  fs::create_directories(directory / "sub/deep/empty");
  fs::create_directory(directory / "read-only");
  const auto write = [&](const std::string& name, const std::string& content) {
    write_file((directory / name).string(), content);
  };
  write("with space", "a");
  write("-rf", "b");
  write("two\nlines", "c");
  write("na\xc3\xafve", "d");
  write("no text \xff\xfe", "e");
  write(std::string(255, 'n'), "f");
  write("empty", "");
  write("sub/.hidden", "g");
  write("read-only/file", "h");
  write("large", random_bytes(large_bytes, 7));
  write("private", "i");
  fs::create_hard_link(directory / "private", directory / "sub/deep/same");
  fs::create_symlink("../large", directory / "sub/link");
  fs::create_symlink("/nowhere/n\xc3\xa4", directory / "dangling");
  fs::create_directory_symlink("sub", directory / "to-sub");
  fs::permissions(directory / "private", fs::perms{0640});
  fs::permissions(directory / "sub/deep", fs::perms{0700});
  set_time(directory / "empty", -300'000'000, 123'456'789);
  set_time(directory / "large", 1'500'000'000, 1);
  set_time(directory / "private", 5'000'000'000, 0);
  set_time(directory / "dangling", 1'000'000'000, 999'999'999);
  set_time(directory / "sub/deep/empty", 1'000'000'001, 2);
  set_time(directory / "sub/deep", 1'000'000'002, 3);
  set_time(directory / "sub", 1'000'000'003, 4);
  fs::permissions(directory / "read-only", fs::perms{0555});
  set_time(directory / "read-only", 1'000'000'004, 5);
  set_time(directory, 1'000'000'005, 6);
}

void remove_all_of(const fs::path& directory) {
  if (!fs::exists(fs::symlink_status(directory))) return;
  static_cast<void>(
      shell(fmt::format("chmod -R u+rwx '{0}' && rm -rf '{0}'", directory.string()), "/"));
}

std::string listing(const fs::path& root) {
  std::vector<fs::path> paths{root};
  if (fs::is_directory(fs::symlink_status(root))) {
    for (const auto& entry : fs::recursive_directory_iterator(root)) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::map<std::pair<dev_t, ino_t>, std::size_t> numbers;
  std::string text;
  for (const fs::path& path : paths) text += line_of(path, root, numbers);
  return text;
}

std::string tar_of(const std::vector<TarEntry>& entries) {
  std::string tar;
  for (const TarEntry& entry : entries) {
    std::string header(512, '\0');
    const auto put = [&](std::size_t at, const std::string& text) {
      header.replace(at, text.size(), text);
    };
    put(0, entry.name);
    put(100, fmt::format("{:07o}", entry.permissions));
    put(108, "0000000");
    put(116, "0000000");
    put(124, fmt::format("{:011o}", entry.content.size()));
    put(136, fmt::format("{:011o}", 1'000'000'000));
    put(148, "        ");
    header[156] = entry.type;
    put(157, entry.target);
    put(257, std::string("ustar\00000", 8));
    unsigned sum = 0;
    for (const char each : header) sum += static_cast<unsigned char>(each);
    put(148, fmt::format("{:06o}", sum) + std::string(1, '\0') + ' ');
    tar += header + entry.content;
    tar.resize((tar.size() + 511) / 512 * 512);
  }
  return tar + std::string(1024, '\0');
}

void encode_as_archive(const fs::path& directory, const std::string& content) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "honest");
  REQUIRE(xorloom({"encode", folder / "honest", "-o", directory.string()}).status == 0);
  REQUIRE(xorloom({"truncate", directory.string(), "--length", "0", "--as-file"}).status == 0);
  const Outcome appended = xorloom({"append", directory.string(), "--as-file"}, {.in = content});
  INFO(appended.err);
  REQUIRE(appended.status == 0);
}

}  // namespace xorloom::test
