#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

/// A file as it was or is meant to be.
struct Version {
  std::string bytes;
  std::filesystem::file_time_type time;
  bool is_damaged = false;  ///< its bytes differ from what somebody wrote
  std::string whole{};      ///< if damaged: the bytes that somebody wrote

  bool operator==(const Version&) const = default;
};
using Versions = std::map<std::string, Version>;

/// Files below a directory that are written, edited, renamed, swapped, removed and damaged at
/// random, and what a protection has of them.
class ChangingFiles {
 public:
  explicit ChangingFiles(std::uint32_t seed) : random_(seed) {}

 protected:
  std::size_t any(std::size_t bound) { return random_() % bound; }
  static std::string number(std::size_t value) { return std::to_string(value); }

  std::filesystem::path path(const std::string& name) const { return root_ / name; }

  bool is_left_empty(const std::filesystem::path& directory) const {
    namespace fs = std::filesystem;
    return fs::is_directory(root_ / directory) && fs::is_empty(root_ / directory);
  }

  std::string some_directory() {
    const char* const directories[] = {"d/", "d/a/", "d/a/deep/", "d/b/"};
    return directories[any(4)];
  }

  void put(const std::string& name, const Version& version) {
    std::filesystem::create_directories(path(name).parent_path());
    write_file(path(name), version.bytes);
    std::filesystem::last_write_time(path(name), version.time);
    now_[name] = version;
  }

  /// A time that no file had. Clocks jump, and times are set back.
  std::filesystem::file_time_type next_time() {
    ++times_;
    const std::chrono::seconds jump(2 * times_);
    return times_ % 2 == 0 ? begin_ + jump : begin_ - jump;
  }

  std::string some_bytes(std::size_t most) {
    return random_bytes(any(most), static_cast<std::uint32_t>(random_()));
  }

  void add_file() {
    put(some_directory() + "f" + number(++names_),
        {some_bytes(any(3) == 0 ? 300 : 20'000), next_time()});
  }

  Versions::iterator some_file() {
    auto file = now_.begin();
    std::advance(file, any(now_.size()));
    return file;
  }

  static bool is_coarse(const std::filesystem::file_time_type& time) {
    return time.time_since_epoch() % std::chrono::seconds(1) == std::chrono::nanoseconds(0);
  }

  /// A file of the size and time of another one, as of a burst of pictures on a file system that
  /// has coarse times.
  void add_twin() {
    const auto file = some_file();
    Version twin = file->second;
    if (!is_coarse(twin.time)) {
      twin = {twin.bytes, std::chrono::floor<std::chrono::seconds>(next_time())};
      put(file->first, twin);
    }
    put(some_directory() + "f" + number(++names_),
        {random_bytes(twin.bytes.size(), static_cast<std::uint32_t>(random_())), twin.time});
  }

  /// Whether what somebody wrote into a file is protected.
  bool is_known(const Version& version) const {
    const std::string& bytes = version.is_damaged ? version.whole : version.bytes;
    return std::any_of(protected_.begin(), protected_.end(),
                       [&](const auto& other) { return other.second.bytes == bytes; });
  }

  void rename_file(const std::string& from, const std::string& to) {
    std::filesystem::create_directories(path(to).parent_path());
    std::filesystem::rename(path(from), path(to));
    now_[to] = now_.at(from);
    now_.erase(from);
  }

  /// Name of another file, usually of the same size and time; `name` if either is not protected. (A
  /// file with the name, size and time of a protected file counts as damage of it.)
  std::string some_twin(const std::string& name) {
    const Version& version = now_.at(name);
    std::vector<std::string> twins;
    for (const auto& [other, its] : now_) {
      const bool is_twin = its.time == version.time && its.bytes.size() == version.bytes.size();
      if (is_twin && other != name && is_known(its)) twins.push_back(other);
    }
    if (!is_known(version)) return name;
    if (!twins.empty() && any(8) != 0) return twins[any(twins.size())];
    const auto other = some_file();
    return is_known(other->second) ? other->first : name;
  }

  void rename_over() {
    const std::string name = some_file()->first;
    const std::string over = some_twin(name);
    if (over != name) rename_file(name, over);
  }

  void swap_names() {
    const std::string name = some_file()->first;
    const std::string other = some_twin(name);
    if (other == name) return;
    rename_file(name, "d/swapped");
    rename_file(other, name);
    rename_file("d/swapped", other);
  }

  void change() {
    if (now_.size() < 3 || any(5) == 0) return add_file();
    switch (any(8)) {
      case 0:
      case 1:
        return add_twin();
      case 2:
        return rename_over();
      case 3:
        return swap_names();
      default:
        return edit();
    }
  }

  void edit() {
    const auto file = some_file();
    const std::string name = file->first;
    Version version = file->second;
    std::string& bytes = version.bytes;
    const std::size_t at = bytes.empty() ? 0 : any(bytes.size());
    version.time = next_time();
    switch (any(8)) {
      case 0:
        remove(name);
        return;
      case 1:
        version = file->second;
        remove(name);
        put(some_directory() + "f" + number(++names_), version);
        return;
      case 2:
        return rename_directory();
      case 3:
        bytes.insert(at, some_bytes(40));
        break;
      case 4:
        bytes.erase(at, any(2000));
        break;
      case 5:
        bytes += some_bytes(4000);
        break;
      case 6:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ 1);
        break;
      default:
        break;  // another time alone
    }
    // An editor sees the content and accepts it, so it is no longer damage.
    version.is_damaged = false;
    version.whole.clear();
    put(name, version);
  }

  void remove(const std::string& name) {
    std::filesystem::remove(path(name));
    now_.erase(name);
  }

  void rename_directory() {
    const std::string from = "d/a/";
    const std::string to = "d/r" + number(++names_) + "/";
    const Versions before = now_;
    for (const auto& [name, version] : before) {
      if (!name.starts_with(from)) continue;
      remove(name);
      put(to + name.substr(from.size()), version);
    }
  }

  /// Damages a file that is as somebody wrote it, and leaves its time: flips a bit, or cuts its end
  /// off, or zeroes it. Of coarse times, what may be another picture of a burst is left out.
  void damage() {
    if (now_.empty()) return;
    const auto file = some_file();
    Version version = file->second;
    if (version.bytes.empty() || version.is_damaged) return;
    const std::size_t at = any(version.bytes.size());
    const bool may_shrink = !is_coarse(version.time);
    switch (any(4)) {
      case 0:
        if (may_shrink) version.bytes.resize(at);
        break;
      case 1:
        if (may_shrink) version.bytes.assign(version.bytes.size(), '\0');
        break;
      default:
        break;
    }
    if (version.bytes == file->second.bytes) {
      version.bytes[at] = static_cast<char>(version.bytes[at] ^ 1);
    }
    version.is_damaged = true;
    version.whole = file->second.bytes;
    put(file->first, version);
  }

  std::mt19937 random_;
  TemporaryFolder folder_{memory_directory()};
  std::filesystem::path root_ = folder_.path();
  std::filesystem::file_time_type begin_ =
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(1000);
  std::size_t times_ = 0;
  std::size_t names_ = 0;
  Versions now_;        ///< the files as they are
  Versions protected_;  ///< the files as they are protected
};

}  // namespace xorloom::test
