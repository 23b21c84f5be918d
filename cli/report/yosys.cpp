#include "cli/report/yosys.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/files/remove_tree.hpp"

namespace xorloom::cli {
namespace {

/// A temporary folder. The destructor removes it with its content, and so does a signal that ends
/// the program.
class ScratchFolder {
 public:
  ScratchFolder() {
    const auto uninterrupted = hold_off_abandoning();
    std::string name = (std::filesystem::temp_directory_path() / "xorloom-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      fail(Status::kIo, fmt::format("cannot make a folder like {}", name));
    }
    pending_.emplace(name, Abandoned::kWithContent);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    const auto uninterrupted = hold_off_abandoning();
    remove_tree(pending_->name());
  }

  std::string operator/(const char* name) const { return (pending_->name() / name).string(); }

 private:
  std::optional<PendingName> pending_;
};

/// Runs a program with standard streams on /dev/null. True if its exit status is 0. It ends if this
/// program does.
bool runs(std::vector<std::string> arguments) {
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  sigset_t none;
  sigemptyset(&none);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) {  // other threads may have held locks: from here on system calls alone
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const int streams = ::open("/dev/null", O_RDWR);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      ::dup2(streams, descriptor);
    }
    if (::getppid() == parent) ::execvp(words.front(), words.data());
    ::_exit(127);
  }
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
