#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/num_kills.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/traced_calls.hpp"
#include "tests/support/temporary_folder.hpp"

// protect, and repair of protected files: killed, and with calls of the system that fail or are the
// last. XORLOOM_KILLS is the number of kills.

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;
using std::chrono::steady_clock;
using Files = std::map<std::string, std::string>;

enum class ProtectCommand {
  kProtect,      ///< files that have no protection
  kReplace,      ///< files that have one
  kUpdate,       ///< files that have one in two parts, and were edited, renamed, removed and added
  kRepair,       ///< files of which two are damaged, one is gone, and one and a directory renamed
  kRepairParts,  ///< files that are whole, and a damaged protection
};

class ProtectScene {
 public:
  explicit ProtectScene(ProtectCommand command) : command_(command) {
    make();
    fs::rename(root_, kept_);
  }

  /// Makes all as it is to be before the command, times of files included.
  void prepare() const {
    fs::remove_all(root_);
    fs::copy(kept_, root_, fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(kept_)) {
      if (!entry.is_regular_file()) continue;
      fs::last_write_time(root_ / entry.path().lexically_relative(kept_), entry.last_write_time());
    }
  }

  std::vector<std::string> arguments() const {
    if (command_ == ProtectCommand::kProtect) return {"protect", root_ + "/d", "-o", part_};
    if (command_ == ProtectCommand::kReplace)
      return {"protect", root_ + "/d", "-o", part_, "--replace"};
    if (command_ == ProtectCommand::kUpdate)
      return {"protect", "--update", "-o", part_, "-o", part_ + "-2"};
    return {"repair", part_};
  }

  Outcome verify() const {
    if (command_ == ProtectCommand::kUpdate) return xorloom({"verify", part_, part_ + "-2"});
    return xorloom({"verify", part_});
  }

  std::vector<std::string> directories() const { return {root_}; }

  /// Describes the first violation after the command was interrupted; empty: none.
  std::string flaw() {
    const Files now = files();
    if (command_ != ProtectCommand::kRepair) {
      for (const auto& file : original_) {
        if (!now.contains(file.first) || now.at(file.first) != file.second) {
          return "a file changed: " + file.first;
        }
      }
    }
    if (std::string gone = what_is_gone(now); !gone.empty()) return gone;
    const bool is_protect =
        command_ == ProtectCommand::kProtect || command_ == ProtectCommand::kReplace;
    if (is_protect && fs::exists(part_) && verify().status != 0) {
      return "a protection file that has its name is not whole";
    }
    if (!is_protect && verify().status > 1) return "something is lost";
    const Outcome again = xorloom(arguments_again());
    if (again.status != 0) return "the next try fails: " + again.err;
    if (verify().status != 0) return "it is not whole after the next try";
    const Files after = files();
    for (const auto& file : original_) {
      if (!after.contains(file.first) || after.at(file.first) != file.second) {
        return "not restored: " + file.first;
      }
    }
    for (const auto& file : after) {
      if (fs::path(file.first).filename().string().starts_with(".")) {
        return "left over: " + file.first;
      }
    }
    return what_is_gone(after);
  }

 private:
  void make() {
    fs::create_directories(root_ + "/d/below");
    fs::create_directories(root_ + "/d/deep");
    for (const auto& file : original_) write_file(root_ + "/" + file.first, file.second);
    if (command_ == ProtectCommand::kProtect) return;
    if (command_ == ProtectCommand::kUpdate) return make_update();
    REQUIRE(xorloom({"protect", root_ + "/d", "-o", part_, "--redundancy", "80%"}).status == 0);
    if (command_ == ProtectCommand::kRepairParts) {
      std::string bytes = read_file(part_);
      bytes[bytes.size() / 2] ^= 1;
      bytes[0] ^= 1;
      write_file(part_, bytes);
    }
    if (command_ == ProtectCommand::kRepair) {
      std::string bytes = original_.at("d/a");
      bytes[bytes.size() / 2] ^= 1;
      write_file(root_ + "/d/a", bytes);
      write_file(root_ + "/d/below/b", "inserted" + original_.at("d/below/b"));
      fs::rename(root_ + "/d/c", root_ + "/d/renamed");
      fs::rename(root_ + "/d/deep", root_ + "/d/sunk");
      fs::remove(root_ + "/d/e");
    }
    before_ = files();
  }

  void make_update() {
    REQUIRE(
        xorloom({"protect", root_ + "/d", "-o", part_, "-o", part_ + "-2", "--redundancy", "80%"})
            .status == 0);
    original_["d/a"].insert(5'000, "inserted");
    original_["d/below/b"][700] ^= 1;
    original_["d/new"] = random_bytes(15'000, 7);
    for (const char* const name : {"d/a", "d/below/b", "d/new"}) {
      write_file(root_ + "/" + name, original_.at(name));
    }
    fs::rename(root_ + "/d/deep", root_ + "/d/sunk");
    for (const char* const name : {"f", "g"}) {
      original_[std::string("d/sunk/") + name] = original_.at(std::string("d/deep/") + name);
      original_.erase(std::string("d/deep/") + name);
    }
    fs::remove(root_ + "/d/e");
    original_.erase("d/e");
    before_ = files();
  }

  std::vector<std::string> arguments_again() const {
    if (command_ == ProtectCommand::kProtect && fs::exists(part_)) {
      return {"protect", root_ + "/d", "-o", part_, "--replace"};
    }
    return arguments();
  }

  Files files() const {
    Files found;
    for (const auto& entry : fs::recursive_directory_iterator(root_)) {
      if (!entry.is_regular_file()) continue;
      found[entry.path().lexically_relative(root_).string()] = read_file(entry.path().string());
    }
    return found;
  }

  /// Names a file whose content was there before and is gone, under any name; empty: none.
  /// Protection files are made anew, and do not count.
  std::string what_is_gone(const Files& now) const {
    for (const auto& had : before_) {
      if (had.first.starts_with("p.xorloom")) continue;
      const bool is_there =
          std::ranges::any_of(now, [&](const auto& file) { return file.second == had.second; });
      if (!is_there) return "gone: " + had.first;
    }
    return {};
  }

  TemporaryFolder folder_;
  ProtectCommand command_;
  std::string kept_ = folder_ / "kept";  ///< the files before the command
  std::string root_ = folder_ / "root";
  std::string part_ = root_ + "/p.xorloom";
  Files original_{{"d/a", random_bytes(100'000, 1)},
                  {"d/below/b", random_bytes(30'000, 2)},
                  {"d/c", random_bytes(20'000, 3)},
                  {"d/deep/f", random_bytes(12'000, 5)},
                  {"d/deep/g", random_bytes(7'000, 6)},
                  {"d/e", random_bytes(9'000, 4)},
                  {"d/empty", ""}};
  Files before_;
};

void check_kills(ProtectCommand command) {
  std::mt19937 random(1);
  ProtectScene scene(command);
  scene.prepare();
  const auto begin = steady_clock::now();
  REQUIRE(xorloom(scene.arguments()).status == 0);
  const auto duration = std::chrono::duration_cast<microseconds>(steady_clock::now() - begin);
  std::size_t hits = 0;
  const std::size_t kills = num_kills("XORLOOM_KILLS", 24) / 4;
  for (std::size_t tries = 0; hits < kills; ++tries) {
    REQUIRE(tries <= 20 + 10 * kills);
    scene.prepare();
    const microseconds after(
        std::uniform_int_distribution<microseconds::rep>(0, duration.count())(random));
    const Outcome outcome = xorloom_ended(scene.arguments(), {SIGKILL, after, {}, {}});
    if (outcome.status == 0) continue;  // ended before the kill
    ++hits;
    CAPTURE(hits);
    CHECK(outcome.status == -SIGKILL);
    CHECK(scene.flaw() == "");
  }
}

void check_calls(ProtectCommand command) {
  if (!can_inject()) return;
  ProtectScene scene(command);
  scene.prepare();
  // On one thread calls have the same numbers each time.
  std::vector<std::string> arguments = scene.arguments();
  arguments.insert(arguments.end(), {"--threads", "1"});
  auto round = static_cast<std::size_t>(command);
  for (const auto& [call, numbers] : calls(arguments, scene.directories(),
                                           {"pwritev", "fsync", "renameat2", "rename", "linkat",
                                            "openat", "unlink", "pread64", "preadv", "mkdir"})) {
    for (const auto& [number, how] : faults(numbers, round++)) {
      const std::string inject = fault(call, number, how);
      CAPTURE(inject);
      scene.prepare();
      const Outcome outcome = traced(arguments, inject);
      CAPTURE(outcome.err);
      if (how == Failing::kKilled) CHECK(outcome.status == -SIGKILL);
      CHECK(scene.flaw() == "");
    }
  }
}

}  // namespace

TEST_CASE("protect killed at any moment leaves no protection file, or a whole one") {
  check_kills(ProtectCommand::kProtect);
  check_kills(ProtectCommand::kReplace);
}

TEST_CASE("protect --update killed at any moment leaves the old protection or the new one") {
  check_kills(ProtectCommand::kUpdate);
}

TEST_CASE("protect --update leaves one protection whole, whichever call fails or is its last") {
  check_calls(ProtectCommand::kUpdate);
}

TEST_CASE("repair of protected files killed at any moment has lost nothing") {
  check_kills(ProtectCommand::kRepair);
  check_kills(ProtectCommand::kRepairParts);
}

TEST_CASE("protect leaves no protection file or a whole one, whichever call fails or is its last") {
  check_calls(ProtectCommand::kProtect);
  check_calls(ProtectCommand::kReplace);
}

TEST_CASE("repair of protected files loses nothing, whichever call fails or is its last") {
  check_calls(ProtectCommand::kRepair);
  check_calls(ProtectCommand::kRepairParts);
}

TEST_CASE("Files that do not fit on a disk are not restored, and once they fit they are") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "small");
  write_file(folder / "a", random_bytes(100'000, 1));
  write_file(folder / "lines",
             "mount -t tmpfs -o size=600k tmpfs small && touch mounted || exit 0\n"
             "mkdir small/d && cp a small/d/a && cp a small/d/b\n"
             "$xorloom protect small/d -o small/p --redundancy 60% 2> log || exit 1\n"
             "rm small/d/b; ls -A small small/d > before\n"
             "head -c 900000 /dev/zero > small/filler 2> full\n"
             "$xorloom repair small/p; echo $?\n"
             "rm small/filler; ls -A small small/d | cmp - before || exit 1\n"
             "$xorloom repair small/p 2> log && cmp a small/d/b && echo restored\n"
             "head -c 900000 /dev/zero > small/filler 2> full; ls -A small > before\n"
             "$xorloom protect small/d -o small/q; echo $?\n"
             "ls -A small | cmp - before && echo nothing\n");
  const Outcome outcome = shell("export xorloom; unshare -rm bash lines", folder.path());
  if (!fs::exists(folder / "mounted")) {
    MESSAGE("SKIPPED: no file system can be mounted here");
    return;
  }
  CAPTURE(outcome.err);
  CHECK(outcome.out == "4\nrestored\n4\nnothing\n");
  CHECK(has(outcome.err, "cannot write small/d/b: No space left on device\n"));
  CHECK(std::ranges::count(outcome.err, '\n') == 4);
}

}  // namespace xorloom::test
