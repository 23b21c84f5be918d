#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace xorloom {

/// A directory in memory, where syncs take no time, if the system has one with 1 GiB of room.
/// Otherwise the system's temporary directory.
inline std::filesystem::path memory_directory() {
  const std::filesystem::path shared = "/dev/shm";
  std::error_code none;
  const bool has_room = ::access(shared.c_str(), W_OK) == 0 &&
                        std::filesystem::space(shared, none).available >= 1U << 30U && !none;
  return has_room ? shared : std::filesystem::temp_directory_path();
}

/// A folder of its own that goes when it does.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(
      const std::filesystem::path& directory = std::filesystem::temp_directory_path()) {
    std::string name = (directory / "xorloom-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// The path of a name in it.
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

  /// All names in the folder or in `folder` below it, hidden ones too, sorted.
  std::vector<std::string> names(std::string_view folder = "") const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_ / folder)) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  void write(std::string_view name, std::string_view content) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + std::string(name));
  }

  /// The content of a file, empty if there is none.
  std::string read(std::string_view name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    return std::move(content).str();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace xorloom
