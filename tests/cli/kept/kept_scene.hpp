#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

struct KeptSceneSetup {
  std::vector<std::string> names;  ///< files of random bytes, below `directory`
  std::string protect;             ///< a line that protects them
  std::string kept = "p";          ///< the protection and its options, as commands take them
  std::size_t bytes = 20'000;      ///< size of each file
  std::string directory = ".";     ///< directory of the lines, below the folder
};

/// "d/1" to "d/9" and so on, `end` behind each.
inline std::vector<std::string> numbered(const std::vector<std::string>& directories,
                                         std::size_t count, const std::string& end = {}) {
  std::vector<std::string> names;
  for (const std::string& directory : directories) {
    for (std::size_t i = 1; i <= count; ++i) {
      names.push_back(directory + "/" + std::to_string(i) + end);
    }
  }
  return names;
}

/// Files in a folder of their own, and their protection.
struct KeptScene {
  explicit KeptScene(const KeptSceneSetup& setup) : kept(setup.kept), directory(setup.directory) {
    std::filesystem::create_directories(folder / directory);
    std::uint32_t seed = 0;
    for (const std::string& name : setup.names) {
      const std::filesystem::path path = folder / directory + "/" + name;
      std::filesystem::create_directories(path.parent_path());
      write_file(path, random_bytes(setup.bytes, ++seed));
    }
    REQUIRE(run(setup.protect).status == 0);
  }

  /// Runs a line that may use these: rot FILE [AT] flips two bytes and leaves size and time; edit
  /// FILE writes another content; user COMMAND runs it as another user; update, verify and repair
  /// take options.
  Outcome run(const std::string& line) const {
    return shell("kept='" + kept + R"('
rot() {
  touch -r "$1" stamp
  printf '\377\376' | dd of="$1" bs=1 seek=${2:-777} conv=notrunc status=none
  touch -r stamp "$1"
  rm stamp
}
edit() { head -c 20000 /dev/urandom > "$1"; }
user() { setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/tmp "$@"; }
update() { $xorloom protect --update -o $kept "$@"; }
verify() { $xorloom verify $kept "$@"; }
repair() { $xorloom repair $kept "$@"; }
)" + line,
                 folder / directory);
  }

  /// Says so if no other user can be had.
  bool has_user() const {
    if (run("user $xorloom --version").status == 0) return true;
    MESSAGE("SKIPPED: no other user can be had");
    return false;
  }

  std::string kept;
  std::string directory;
  TemporaryFolder folder;
};

}  // namespace xorloom::test
