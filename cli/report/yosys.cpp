#include "cli/report/yosys.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "runtime/files/remove_tree.hpp"

namespace xorloom::cli {
namespace {

/// A temporary folder; the destructor removes it with its content.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "xorloom-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      fail(Status::kIo, fmt::format("cannot make a folder like {}", name));
    }
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() { remove_tree(path_); }

  std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// Runs a program with standard streams on /dev/null. True if its exit status is 0.
bool runs(std::vector<std::string> arguments) {
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, words.front(), &files, nullptr, words.data(), ::environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

bool has_yosys() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/yosys").c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::optional<Synthesis> synthesise(const std::string& design, const std::string& module,
                                    YosysFlow flow) {
  const ScratchFolder folder;
  write_output(folder / "design.v", design);
  const char* const recipe = flow == YosysFlow::kIce40 ? "synth_ice40" : "synth -flatten -lut 6";
  // Modules of gates with keep_hierarchy are flattened after mapping, when each gate is a table.
  const std::string script = fmt::format(
      "read_verilog {0}; {1} -top {2}; setattr -mod -unset keep_hierarchy *; flatten; opt_clean; "
      "tee -q -o {3} stat -json",
      folder / "design.v", recipe, module, folder / "cells.json");
  if (!runs({"yosys", "-q", "-p", script})) return std::nullopt;
  try {
    const Json cells = Json::parse(read_text(folder / "cells.json"));
    Synthesis result{cells["creator"].text(), 0, 0};
    for (const Json::Member& cell : cells["design"]["num_cells_by_type"].items()) {
      const bool is_table = cell.key == "SB_LUT4" || cell.key == "$lut";
      (is_table ? result.tables : result.registers) += cell.value.whole();
    }
    return result;
  } catch (const Error& error) {
    if (error.kind() != Status::kParse) throw;
    return std::nullopt;  // another version of yosys may write other JSON
  }
}

}  // namespace xorloom::cli
