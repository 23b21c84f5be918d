#include "runtime/files/directory_lock.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

test::Thrown locking(const std::filesystem::path& directory) {
  return test::thrown_by([&] { const DirectoryLock lock(directory); });
}

/// A process that holds a directory until it is killed.
class Holder {
 public:
  explicit Holder(const std::filesystem::path& directory) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    child_ = ::fork();
    REQUIRE(child_ >= 0);
    if (child_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive a test that fails
      const DirectoryLock lock(directory);
      static_cast<void>(!::write(ends[1], "x", 1));
      for (;;) ::pause();
    }
    ::close(ends[1]);
    char byte = 0;
    has_lock_ = ::read(ends[0], &byte, 1) == 1;
    ::close(ends[0]);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { end(); }

  bool has_lock() const { return has_lock_; }
  void end() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    child_ = 0;
  }

 private:
  pid_t child_ = 0;
  bool has_lock_ = false;
};

}  // namespace

TEST_CASE("A lock is gone with what held it, and leaves nothing behind") {
  const TemporaryFolder folder;
  {
    const DirectoryLock lock(folder.path());
    CHECK(folder.names() == std::vector<std::string>{".xorloom.lock"});
    const test::Thrown thrown = locking(folder.path());
    CHECK(thrown.kind == Status::kIo);
    CHECK(thrown.says(folder.path().string()));
    CHECK(folder.names() == std::vector<std::string>{".xorloom.lock"});
    CHECK(locking(folder.path()).kind == Status::kIo);
  }
  CHECK(folder.names().empty());
  CHECK(locking(folder.path()).kind == Status::kOk);
  CHECK(folder.names().empty());
}

TEST_CASE("A directory that another process holds is refused, and free when that is killed") {
  const TemporaryFolder folder;
  Holder holder(folder.path());
  REQUIRE(holder.has_lock());
  const test::Thrown thrown = locking(folder.path());
  CHECK(thrown.kind == Status::kIo);
  CHECK(thrown.says("another program"));
  CHECK(locking(folder.path()).kind == Status::kIo);
  holder.end();
  CHECK(folder.names() == std::vector<std::string>{".xorloom.lock"});
  CHECK(locking(folder.path()).kind == Status::kOk);
  CHECK(folder.names().empty());
}

TEST_CASE("A held directory is neither encoded into nor repaired, and its files stay") {
  const TemporaryFolder folder;
  const ShardHeader header = test::encode(folder.path(), "content").header;
  std::filesystem::remove(test::shard_path(folder.path(), header, 0));
  test::write_file(folder / ("." + std::string("xorloom-") + std::string(32, '0') +
                             "-0.shard.xorloom-0123456789abcdef"),
                   "left over");
  const Holder holder(folder.path());
  REQUIRE(holder.has_lock());
  const auto before = test::snapshot(folder.path());
  CHECK(test::thrown_by([&] { test::encode(folder.path(), "new", {.replace = true}); }).kind ==
        Status::kIo);
  CHECK(test::thrown_by([&] { test::repair({folder.path()}); }).kind == Status::kIo);
  CHECK(test::snapshot(folder.path()) == before);
  CHECK(test::decoded({folder.path()}) == "content");
}

TEST_CASE("Where no lock can be had the sentence says where") {
  const TemporaryFolder folder;
  folder.write("file", "");
  CHECK(locking(folder / "none").kind == Status::kIo);
  CHECK(locking(folder / "none").says(folder / "none"));
  CHECK(locking(folder / "file").kind == Status::kIo);
  std::filesystem::create_symlink("file", folder / ".xorloom.lock");
  CHECK(locking(folder.path()).kind == Status::kIo);
  CHECK(folder.names() == std::vector<std::string>{".xorloom.lock", "file"});
}

TEST_CASE("Of many threads one holds a directory at a time") {
  const TemporaryFolder folder;
  std::atomic<int> holding{0};
  std::atomic<int> most{0};
  std::atomic<int> taken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        static_cast<void>(test::thrown_by([&] {
          const DirectoryLock lock(folder.path());
          most = std::max<int>(most, ++holding);
          ++taken;
          --holding;
        }));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(most == 1);
  CHECK(taken > 0);
  CHECK(folder.names().empty());
}

namespace {

/// Result of locking a directory in a process in which the calls `failing` fail: the status as a
/// number, minus a signal's number, or 100 if no call can be made to fail.
int locking_where(const std::filesystem::path& directory,
                  const std::vector<test::FailingCall>& failing) {
  return test::answer_of_process([&] {
    for (const test::FailingCall& call : failing) {
      if (!test::begin_failing(call)) return 100;
    }
    return static_cast<int>(locking(directory).kind);
  });
}

}  // namespace

TEST_CASE("A lock that cannot be looked at is an error at once") {
  SKIP_WITHOUT_FAILING_CALLS();
  const TemporaryFolder folder;
  std::vector<test::FailingCall> failing{{SYS_newfstatat, EIO}, {SYS_statx, EIO}};
#ifdef SYS_fstat
  failing.push_back({SYS_fstat, EIO});
#endif
  CHECK(locking_where(folder.path(), failing) == static_cast<int>(Status::kIo));
  folder.write(".xorloom.lock", "");
  CHECK(locking_where(folder.path(), failing) == static_cast<int>(Status::kIo));
  // Whose it is could not be told, so it stays.
  CHECK(folder.names() == std::vector<std::string>{".xorloom.lock"});
  CHECK(locking(folder.path()).kind == Status::kOk);
}

TEST_CASE("A lock whose name is gone whenever it is looked at is an error in the end") {
  SKIP_WITHOUT_FAILING_CALLS();
  const TemporaryFolder folder;
  // Looking at a path fails; looking at a descriptor (AT_EMPTY_PATH) does not.
  const std::vector<test::FailingCall> failing{{SYS_newfstatat, ENOENT, 3, AT_EMPTY_PATH, 0},
                                               test::kNoNameless};
  CHECK(locking_where(folder.path(), failing) == static_cast<int>(Status::kIo));
}

TEST_CASE("A lock that is refused leaves no file that was not there") {
  SKIP_WITHOUT_FAILING_CALLS();
  const TemporaryFolder folder;
  CHECK(locking_where(folder.path(), {{SYS_flock, ENOLCK}}) == static_cast<int>(Status::kIo));
  CHECK(folder.names().empty());
  folder.write(".xorloom.lock", "");
  CHECK(locking_where(folder.path(), {{SYS_flock, ENOLCK}}) == static_cast<int>(Status::kIo));
  CHECK(folder.names() == std::vector<std::string>{".xorloom.lock"});
}

TEST_CASE("A directory is held likewise where no file can be without a name") {
  SKIP_WITHOUT_FAILING_CALLS();
  const TemporaryFolder folder;
  const int answer = test::answer_of_process([&] {
    if (!test::begin_failing(test::kNoNameless)) return 100;
    const DirectoryLock lock(folder.path());
    if (folder.names() != std::vector<std::string>{".xorloom.lock"}) return 1;
    return locking(folder.path()).kind == Status::kIo ? 0 : 2;
  });
  CHECK(answer == 0);
  CHECK(folder.names().empty());
}

TEST_CASE("The lock of a program that is interrupted goes with its pending files") {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const DirectoryLock lock(folder.path());
    abandon_pending_files();
    ::_exit(0);
  }
  CHECK(::waitpid(child, nullptr, 0) == child);
  CHECK(folder.names().empty());
}

}  // namespace xorloom
