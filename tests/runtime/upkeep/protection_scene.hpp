#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "runtime/protection/protect_files.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/upkeep/protection_check.hpp"
#include "runtime/upkeep/restore_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

/// Files in a directory of their own, protected.
class ProtectionScene {
 public:
  /// Shape: one size a file; those of every third are in a directory below.
  explicit ProtectionScene(const std::vector<std::size_t>& sizes,
                           const RedundancyWanted& redundancy = {}, std::size_t num_parts = 1,
                           std::uint32_t seed = 1) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      std::string bytes(sizes[i], '\0');
      for (char& byte : bytes) byte = static_cast<char>(random());
      write((i % 3 == 0 ? "below/f" : "f") + std::to_string(i), bytes);
    }
    for (std::size_t i = 0; i < num_parts; ++i) {
      parts.push_back(std::filesystem::path(folder / ("p" + std::to_string(i) + ".xorloom")));
    }
    before = snapshot();
    made = protect(redundancy, false);
  }

  /// Protects the files as they are now, in place of what was protected.
  void protect_again(const RedundancyWanted& redundancy = {},
                     const std::vector<std::filesystem::path>& more = {}) {
    made = protect(redundancy, true, more);
  }

  void write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((base / name).parent_path());
    std::ofstream(base / name, std::ios::binary) << bytes;
  }
  std::string read(const std::string& name) const { return read_path(base / name); }
  static std::string read_path(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// All files in the directory, with what they hold.
  std::map<std::string, std::string> snapshot() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(base)) {
      if (!entry.is_regular_file()) continue;
      files[entry.path().lexically_relative(base).string()] = read_path(entry.path());
    }
    return files;
  }

  Protection open() const { return open_protection(parts, {}); }

  ProtectionCheck check(const std::vector<std::filesystem::path>& others = {}) const {
    Progress progress;
    return check_protection(open(), base, others, 2, progress);
  }

  RestoredFiles restore(const std::vector<std::filesystem::path>& others = {}) const {
    return restore_as({.base = base}, others);
  }

  RestoredFiles restore_as(const RestoreRequest& request,
                           const std::vector<std::filesystem::path>& others = {}) const {
    Progress progress;
    const Protection protection = open();
    const ProtectionCheck found = check_protection(protection, base, others, 2, progress);
    return restore_files(protection, found, request, progress);
  }

  TemporaryFolder folder{memory_directory()};
  std::filesystem::path base = std::filesystem::path(folder / "files");
  std::vector<std::filesystem::path> parts;
  std::map<std::string, std::string> before;
  ProtectedSet made;

 private:
  ProtectedSet protect(const RedundancyWanted& redundancy, bool replace,
                       std::vector<std::filesystem::path> paths = {}) const {
    Progress progress;
    paths.push_back(base);
    return protect_files({.paths = paths,
                          .base = base,
                          .outputs = parts,
                          .redundancy = redundancy,
                          .options = {},
                          .replace = replace},
                         progress);
  }
};

}  // namespace xorloom::test
