// Systems that give a program few threads, or little stack.

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// Has every kind of command do its work. $run is the program, or what limits it before the name of
/// the program.
constexpr const char* kWork = R"(
set -e
head -c 300000 /dev/zero | tr '\0' 'a' > file
head -c 200 /dev/zero | tr '\0' 'b' > bytes
mkdir -p tree/folder; cp file tree/folder/one; cp bytes tree/two; ln tree/two tree/three
for threads in $threads; do
  rm -rf set tree_set out back other
  $run encode file --threads $threads -o set
  $run encode file --executor graph --threads $threads --awake 50 -o other
  rm other/*-00.shard
  $run repair other --threads $threads
  $run decode other --executor plan --threads $threads -o back
  cmp back file
  $run encode tree --threads $threads -o tree_set
  $run decode tree_set --threads $threads -o out/
  diff -r tree out/tree
  $run patch set --at 100 bytes --threads $threads
  $run append set bytes --threads $threads
  $run truncate set --length 100000
  $run convert set --code rs:6,3 --threads $threads
  $run verify set --deep --threads $threads
  $run info set
  rm -f files.xlp
  $run protect file bytes --threads $threads -o files.xlp
  $run verify files.xlp --threads $threads
  rm -f atlas
  $run atlas cauchy:k=3,m=2,w=3 --threads $threads -o atlas
  $run equations cauchy:k=3,m=2,w=3 --style iterative --effort max --tries 4 --threads $threads
done
$run codes rs:4,2
$run codes --suggest 4,2
$run report cauchy:k=3,m=2,w=3
$run emit cauchy:k=3,m=2,w=3 --target c
)";

/// kWork in a folder, with "run" and "threads" set by lines of shell.
std::string work(const std::string& run, const std::string& folder,
                 const std::string& threads = "4") {
  return fmt::format(
      "cd {}\nxorloom='{}'\nexport XDG_CACHE_HOME=$PWD/cache\nrun={}\nthreads='{}'\n({}) > log "
      "2>&1",
      folder, XORLOOM_PROGRAM, run, tries_all() ? "0 1 4" : threads, kWork);
}

constexpr int kCannotFail = 100;

/// Exit status of lines of shell if no process can have a second thread. kCannotFail: this cannot
/// be arranged here.
int answer_without_threads(const std::string& lines) {
  return answer_of_process([&] {
    // A fork has neither the one call nor the bit of the other.
    if (!begin_failing({SYS_clone3, EAGAIN}) ||
        !begin_failing({SYS_clone, EAGAIN, 0, CLONE_THREAD, CLONE_THREAD})) {
      return kCannotFail;
    }
    ::execl("/bin/bash", "bash", "-c", lines.c_str(), nullptr);
    return kCannotFail + 1;
  });
}

}  // namespace

TEST_CASE("Where the system gives no second thread, the first one does all the work") {
  if (is_sanitized()) {
    MESSAGE("SKIPPED: a sanitizer has threads of its own");
    return;
  }
  const TemporaryFolder folder;
  const std::string lines = work("$xorloom", folder.path().string(), "1 4");
  const int answer = answer_without_threads(lines);
  if (answer == kCannotFail) {
    MESSAGE("SKIPPED: no call can be made to fail here");
    return;
  }
  CAPTURE(folder.read("log"));
  CHECK(answer == 0);
}

TEST_CASE("Where a user may have a few threads, the work is done with those") {
  if (is_sanitized()) {
    MESSAGE("SKIPPED: a sanitizer has threads of its own");
    return;
  }
  const std::string as_nobody = "setpriv --reuid=61234 --regid=61234 --clear-groups";
  if (::geteuid() != 0) {
    MESSAGE("SKIPPED: only root can run a program as a user without processes");
    return;
  }
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  if (shell(as_nobody + " prlimit --nproc=4 $xorloom --version", folder.path()).status != 0) {
    MESSAGE("SKIPPED: setpriv or prlimit cannot be had, or another user cannot run the program");
    return;
  }
  for (const int threads : sample_unless_whole(std::vector{1, 2, 3, 4, 5}, 2)) {
    CAPTURE(threads);
    const std::string run = fmt::format("'prlimit --nproc={} '$xorloom", threads);
    const std::string lines = work(run, folder.path().string());
    // The shell and what it runs are processes of that user, too.
    const std::string unlimited =
        fmt::format("cat > work <<'END'\n{}\nEND\nrm -rf [!w]*; {} bash work", lines, as_nobody);
    const Outcome outcome = shell(unlimited, folder.path());
    CAPTURE(folder.read("log"));
    CHECK(outcome.status == 0);
  }
}

TEST_CASE("A program with 64 KiB of stack does its work on a thread with more") {
  if (is_sanitized()) {
    MESSAGE("SKIPPED: a sanitizer needs more stack");
    return;
  }
  const TemporaryFolder folder;
  for (const int kibibytes : sample_unless_whole(std::vector{64, 128, 512}, 1)) {
    CAPTURE(kibibytes);
    const std::string run = fmt::format("'prlimit --stack={} '$xorloom", kibibytes << 10);
    const Outcome outcome = shell("rm -rf *\n" + work(run, folder.path().string()), folder.path());
    if (outcome.status == 127) {
      MESSAGE("SKIPPED: prlimit is not installed");
      return;
    }
    CAPTURE(folder.read("log"));
    CHECK(outcome.status == 0);
  }
}

TEST_CASE("A program with little stack and without a second thread says so") {
  if (is_sanitized()) {
    MESSAGE("SKIPPED: a sanitizer has threads of its own");
    return;
  }
  const TemporaryFolder folder;
  const std::string lines =
      fmt::format("ulimit -s 64; {} codes > {} 2>&1", XORLOOM_PROGRAM, folder / "log");
  const int answer = answer_without_threads(lines);
  if (answer == kCannotFail) {
    MESSAGE("SKIPPED: no call can be made to fail here");
    return;
  }
  CHECK(answer == 4);
  CHECK(folder.read("log") ==
        "xorloom: error: the stack may have fewer than 1048576 bytes, and the system gives no "
        "thread with more\n");
}

}  // namespace xorloom::test
