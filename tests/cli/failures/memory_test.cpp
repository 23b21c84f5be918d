// Memory that runs out at any allocation of a command: that one fails, or it and all after it. The
// counter in failing_memory.cpp sees what the program, its libraries and libc allocate.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

/// Makes the files that all commands work on, each command in a copy.
///
///   file, bytes, tree    to be encoded
///   set, tree_set        shards, of `file` and of `tree`
///   damaged              the shards of `file` without one and with a damaged one
///   files, files.xlp     files of which one is damaged, and their redundancy
///   raw                  bare chunks of `file`, without one
constexpr const char* kScene = R"(set -e
head -c 3000 /dev/zero | tr '\0' 'a' > file
head -c 200 /dev/zero | tr '\0' 'b' > bytes
mkdir -p tree/folder files full
cp bytes tree/one; ln tree/one tree/same; ln -s one tree/link; cp file tree/folder/two
cp file files/one; cp bytes files/two; cp bytes full/tree
$xorloom encode file -k 3 -m 2 -o set
$xorloom encode tree -k 3 -m 2 -o tree_set
cp -r set damaged; rm damaged/*-1.shard
printf xxxx | dd of=$(ls damaged/*-3.shard) bs=1 seek=5000 conv=notrunc
$xorloom protect files/one files/two -o files.xlp
printf xxxx | dd of=files/one bs=1 seek=50 conv=notrunc
$xorloom encode file --raw --code rs:4,2 -o raw; rm raw/*1*
$xorloom report cauchy:k=3,m=2,w=3 --format json -o report.json
printf '3 4\n1011\n0110\n1110\n' > matrix
(head -c 100 file; cat bytes; tail -c 2700 file) > patched
cat file bytes > longer
head -c 1000 file > shorter
printf '{"format": "xorloom-topology", "version": 1, "link": "1 Gbit/s", "uplink": "1 Gbit/s",
"racks": [{"name": "a", "nodes": ["b", "c", "d"]}, {"name": "e", "nodes": ["f", "g", "h"]}]}' \
  > topology
)";

/// A command line, the names it changes (restored before it runs again), and shell conditions that
/// must hold after it succeeds, and always.
struct Command {
  std::string line;
  std::vector<std::string> changes;
  std::string after_success{};
  std::string always{};
};

std::string decodes(const std::string& set, const std::string& contents) {
  return fmt::format(
      "rm -f back; $xorloom decode {} -o back && for f in {}; do cmp -s back $f && exit 0; done; "
      "exit 1",
      set, contents);
}

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      {"--version", {}},
      {"encode file -k 3 -m 2 -o new", {"new"}, decodes("new", "file")},
      {"encode tree -k 3 -m 2 -o new",
       {"new"},
       "rm -rf out && $xorloom decode new -o out/ && diff -r tree out/tree"},
      {"encode bytes --replace -k 3 -m 2 -o set", {"set"}, "", decodes("set", "file bytes")},
      {"encode file --code cauchy-good:4,2 --executor graph --threads 2 -o new",
       {"new"},
       decodes("new", "file")},
      {"decode set -o back", {"back"}, "cmp back file"},
      {"decode damaged -o back", {"back"}, "cmp back file"},
      {"decode tree_set -o out/", {"out"}, "diff -r tree out/tree"},
      {"decode tree_set --force -o full/",
       {"full"},
       "diff -r tree full/tree",
       "cmp -s full/tree bytes || diff -r tree full/tree"},
      {"decode --raw raw --code rs:4,2 --length 3000 -o back", {"back"}, "cmp back file"},
      {"patch set --at 100 bytes", {"set"}, "", decodes("set", "file patched")},
      {"append set bytes", {"set"}, "", decodes("set", "file longer")},
      {"truncate set --length 1000", {"set"}, "", decodes("set", "file shorter")},
      {"convert set --code rs:3,3", {"set"}, "", decodes("set", "file")},
      {"convert set --code rs:4,2", {"set"}, "", decodes("set", "file")},
      {"repair damaged", {"damaged"}, "$xorloom verify damaged", decodes("damaged", "file")},
      {"repair files.xlp", {"files"}, "$xorloom verify files.xlp"},
      {"repair --raw raw --code rs:4,2", {"raw"}, "$xorloom verify --raw raw --code rs:4,2"},
      {"verify damaged", {}},
      {"verify --deep set", {}},
      {"verify files.xlp", {}},
      {"info set --format json", {}},
      {"protect files/one files/two -o new.xlp", {"new.xlp"}, "$xorloom verify new.xlp"},
      {"codes rs:4,2", {}},
      {"codes --suggest 2,1", {}},
      {"equations rdp:k=4 --erase 0 --reads min --format json", {}},
      {"optimize matrix", {}},
      {"emit cauchy:k=3,m=2,w=3 --target c", {}},
      {"emit cauchy:k=3,m=2,w=3 --target verilog", {}},
      {"report cauchy:k=3,m=2,w=3 --format html -o page", {"page"}},
      {"report --diff report.json report.json", {}},
      {"atlas cauchy:k=3,m=2,w=3 -o atlas", {"atlas", "atlas.part"}},
      {"model durability rs:4,2", {}},
      {"decode damaged --bytes 5-99 -o back", {"back"}, "cmp back <(tail -c +6 file | head -c 95)"},
      {"decode damaged --salvage -o back", {"back"}, "cmp back file"},
      {"verify --deep --fingerprints set", {}},
      {"protect files/one files/two -o files.xlp --update --accept-damage",
       {"files.xlp"},
       "$xorloom verify files.xlp"},
      {"emit rs:3,2 --target c --what decoder", {}},
      {"repair-plan rs:4,2 --topology topology --erase 0", {}},
      {"bench rs:4,2 --explain", {}},
      {"serve --socket none/socket", {}},
  };
  return all;
}

/// Lines but for those that say how long something took, such as "read 5200 bytes in 0.002 s".
std::string without_times(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const bool has_time = has(line, "GB/s") || has(line, "MB/s") || has(line, "\"seconds\"") ||
                          (line.starts_with("read ") && line.ends_with(" s"));
    if (!has_time) kept += line + '\n';
  }
  return kept;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Files, folders and symbolic links below some names in a folder, with their permissions.
using Contents = std::map<std::string, std::pair<fs::perms, std::string>>;

Contents contents_of(const fs::path& folder, const std::vector<std::string>& names) {
  Contents contents;
  const auto add = [&](const fs::path& path) {
    const fs::file_status status = fs::symlink_status(path);
    std::string content;
    if (fs::is_symlink(status)) content = fs::read_symlink(path);
    if (fs::is_regular_file(status)) content = read_file(path);
    contents[path.lexically_relative(folder)] = {status.permissions(), std::move(content)};
  };
  for (const std::string& name : names) {
    if (!fs::exists(folder / name)) continue;
    add(folder / name);
    if (!fs::is_directory(folder / name)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder / name)) add(entry.path());
  }
  return contents;
}

/// A copy of the scene, in which a command runs over and over.
class Trial {
 public:
  Trial(const fs::path& scene, const Command& command)
      : scene_(scene), command_(command), words_(words_of(command.line)) {
    fs::copy(scene, folder_.path(), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    before_ = contents_of(scene, command.changes);
    REQUIRE(holds(command.always));
  }

  /// Runs the command without a failure, and returns how many allocations it makes.
  std::size_t count() {
    usual_ = run(fmt::format("XORLOOM_COUNT_ALLOCATIONS={}", folder_ / "count"));
    return std::stoul(read_file(folder_ / "count"));
  }

  /// Runs the command with a failing allocation ("7"), or with all failing from one on ("7+").
  /// Describes what is wrong then; empty: nothing.
  std::string flaw(const std::string& failing) {
    const Outcome outcome = run("XORLOOM_FAIL_ALLOCATION=" + failing);
    const auto say = [&](const std::string& what) {
      return fmt::format("{}, allocation {}: {} (status {}): {}", command_.line, failing, what,
                         outcome.status, outcome.err);
    };
    if (outcome.status != 4 && outcome.status != usual_.status) return say("another status");
    if (outcome.status == 4) {
      // libarchive may name another error of the system.
      if (!has(outcome.err, "xorloom: error: ")) return say("no sentence");
    } else if (command_.changes.empty() &&
               without_times(outcome.out) != without_times(usual_.out)) {
      return say("another output");
    }
    if (outcome.status == 0 && !holds(command_.after_success)) return say("the work is not done");
    if (contents_of(folder_.path(), command_.changes) != before_ && !holds(command_.always)) {
      return say("the old and the new are lost");
    }
    return "";
  }

 private:
  Outcome run(const std::string& variable) {
    const bool is_changed = contents_of(folder_.path(), command_.changes) != before_;
    for (const std::string& name : command_.changes) {
      if (!is_changed) break;
      fs::remove_all(folder_ / name);
      if (!fs::exists(scene_ / name)) continue;
      fs::copy(scene_ / name, folder_ / name,
               fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    }
    return xorloom_in(
        folder_.path(), words_,
        {variable, "LD_PRELOAD=" XORLOOM_FAILING_MEMORY, "XDG_CACHE_HOME=" + (folder_ / "cache")});
  }

  bool holds(const std::string& line) const {
    return line.empty() || shell(line, folder_.path()).status == 0;
  }

  TemporaryFolder folder_{memory_directory()};
  fs::path scene_;
  Contents before_;
  const Command& command_;
  std::vector<std::string> words_;
  Outcome usual_{};
};

/// True if each allocation fails, which takes hours.
bool tries_each() { return std::getenv("XORLOOM_EVERY_ALLOCATION") != nullptr; }

/// The failures to try: all that count, one in 50, or a few. Most of the few come after the loader
/// and the parser, where commands differ.
std::vector<std::string> failures(std::size_t allocations, std::size_t turn) {
  constexpr std::size_t kMost = 20'000;
  constexpr std::size_t kOfStart = 500;
  constexpr std::size_t kStep = 50;
  std::vector<std::string> all;
  const auto add = [&](std::size_t number) {
    all.push_back(std::to_string(number));
    all.push_back(fmt::format("{}+", number));
  };
  const std::size_t last = std::min(allocations, kMost);
  if (tries_each()) {
    for (std::size_t number = 1; number <= last; ++number) add(number);
    return all;
  }
  if (tries_all()) {
    for (std::size_t number = 1 + turn; number <= last; number += kStep) add(number);
    return all;
  }
  add(1 + turn * 997 % last);
  const std::size_t first = std::min(kOfStart, last / 2);
  for (std::size_t i = 0; i < 2; ++i) add(first + (turn * 89 + i * 211) % (last - first));
  return all;
}

/// The flaws that some failing allocations lead to. If tries_each(), all cores try them.
std::vector<std::string> flaws(const fs::path& scene, const Command& command, std::size_t turn) {
  const std::vector<std::string> all = failures(Trial(scene, command).count(), turn);
  std::vector<std::string> found;
  std::mutex mutex;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    Trial trial(scene, command);
    static_cast<void>(trial.count());
    for (std::size_t i = next++; i < all.size(); i = next++) {
      const std::string flaw = trial.flaw(all[i]);
      const std::lock_guard lock(mutex);
      if (!flaw.empty()) found.push_back(flaw);
    }
  };
  std::vector<std::thread> threads;
  const std::size_t helpers =
      tries_each() ? std::max(1U, std::thread::hardware_concurrency()) - 1 : 0;
  for (std::size_t i = 0; i < helpers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return found;
}

}  // namespace

TEST_CASE("Whichever allocation fails, a command does its work or says that memory ran out") {
  if (is_sanitized()) {
    MESSAGE("SKIPPED: a sanitizer has an allocator of its own");
    return;
  }
  const TemporaryFolder scene{memory_directory()};
  const Outcome made = shell(kScene, scene.path());
  REQUIRE_MESSAGE(made.status == 0, made.err);
  std::size_t turn = 0;
  for (const Command& command : commands()) {
    CAPTURE(command.line);
    for (const std::string& flaw : flaws(scene.path(), command, turn)) FAIL_CHECK(flaw);
    ++turn;
  }
}

TEST_CASE("A call makes the command that it names alone") {
  if (is_sanitized()) return;
  const TemporaryFolder scene{memory_directory()};
  const Command all{"--version", {}};
  for (const char* const line : {"decode none -o back", "optimize none"}) {
    const Command one{line, {}};
    CHECK(Trial(scene.path(), one).count() < Trial(scene.path(), all).count() / 4);
  }
}

}  // namespace xorloom::test
