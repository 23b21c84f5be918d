#include "runtime/files/output_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/failing_calls.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

using Names = std::vector<std::string>;

constexpr std::array<std::uint8_t, 3> kOutputBytes = {'n', 'e', 'w'};
#ifdef SYS_rename
constexpr int kRename = SYS_rename;
#elif defined(SYS_renameat)
constexpr int kRename = SYS_renameat;
#else
constexpr int kRename = SYS_renameat2;
#endif
constexpr const char* kLeftover = ".file.xorloom-output-0123456789abcdef";

/// Runs `work` in a process, first as it is, then where files cannot be without a name. Each
/// process must answer `answer`; then runs `check`.
void check_processes(const std::function<int()>& work, int answer,
                     const std::function<void(bool)>& check) {
  for (const bool can_be_nameless : {true, false}) {
    if (!can_be_nameless && !test::calls_can_fail()) return;
    CAPTURE(can_be_nameless);
    CHECK(test::answer_of_process([&] {
            return can_be_nameless || test::begin_failing(test::kNoNameless) ? work() : 100;
          }) == answer);
    check(can_be_nameless);
  }
}

void write_new(const std::string& path) {
  OutputFile file(path);
  file.write(kOutputBytes);
  file.commit();
}

Status kind_of_output_error(const std::filesystem::path& path) {
  return test::thrown_by([&] { const OutputFile file(path); }).kind;
}

}  // namespace

TEST_CASE("An output file appears when it is committed, and nothing else stays") {
  const TemporaryFolder folder;
  const auto work = [&] {
    for (const char* const old : {"", "old"}) {
      OutputFile file(folder / "file");
      file.write(kOutputBytes);
      if (folder.read("file") != old) return 1;
      file.commit();
      if (folder.read("file") != "new" || folder.names() != Names{"file"}) return 2;
      folder.write("file", "old");
    }
    std::filesystem::remove(folder / "file");
    return 0;
  };
  check_processes(work, 0, [&](bool) { CHECK(folder.names().empty()); });
}

TEST_CASE("An output file that is not committed leaves what was there") {
  const TemporaryFolder folder;
  folder.write("file", "old");
  const auto work = [&] {
    OutputFile(folder / "file").write(kOutputBytes);
    return folder.names() == Names{"file"} && folder.read("file") == "old" ? 0 : 1;
  };
  check_processes(work, 0, [&](bool) {});
}

TEST_CASE("A killed program leaves nothing of an output file, or the next one removes it") {
  const TemporaryFolder folder;
  folder.write("file", "old");
  const auto work = [&]() -> int {
    OutputFile file(folder / "file");
    file.write(kOutputBytes);
    ::raise(SIGKILL);
    return 0;
  };
  check_processes(work, -SIGKILL, [&](bool can_be_nameless) {
    CHECK(folder.names().size() == (can_be_nameless ? 1 : 2));
    CHECK(folder.read("file") == "old");
    { const OutputFile next(folder / "other"); }
    CHECK(folder.names().size() == (can_be_nameless ? 1 : 2));
    { const OutputFile next(folder / "file"); }
    CHECK(folder.names() == Names{"file"});
    CHECK(folder.read("file") == "old");
  });
}

TEST_CASE("A program killed before it replaces a file leaves what the next one removes") {
  SKIP_WITHOUT_FAILING_CALLS();
  const TemporaryFolder folder;
  folder.write("file", "old");
  const auto work = [&]() -> int {
    OutputFile file(folder / "file");
    file.write(kOutputBytes);
    if (!test::begin_failing({kRename, EIO})) return 100;
    // The kill leaves no time to clean up.
    std::set_terminate([] { ::raise(SIGKILL); });
    [&]() noexcept { file.commit(); }();
    return 0;
  };
  check_processes(work, -SIGKILL, [&](bool) {
    REQUIRE(folder.names().size() == 2);
    CHECK(folder.names()[0].starts_with(".file.xorloom-output-"));
    CHECK(folder.read(folder.names()[0]) == "new");
    CHECK(folder.read("file") == "old");
    write_new(folder / "file");
    CHECK(folder.names() == Names{"file"});
    folder.write("file", "old");
  });
}

TEST_CASE("What a running program writes stays, and so does all that is no leftover") {
  const TemporaryFolder folder;
  for (const char* const name :
       {".file.xorloom-0123456789abcdef", ".file.xorloom-output-0123456789abcdeX",
        ".file.xorloom-output-0123456789abcde", ".file2.xorloom-output-0123456789abcdef",
        "file.xorloom-output-0123456789abcdef", ".file.xorloom-output-0123456789abcdef0"}) {
    folder.write(name, "of somebody else");
  }
  std::filesystem::create_directory(folder / ".file.xorloom-output-0000000000000000");
  std::filesystem::create_symlink("none", folder / ".file.xorloom-output-0000000000000001");
  folder.write("linked", "");
  std::filesystem::create_hard_link(folder / "linked",
                                    folder / ".file.xorloom-output-0000000000000002");
  REQUIRE(::mkfifo((folder / ".file.xorloom-output-0000000000000003").c_str(), 0600) == 0);
  const Names others = folder.names();
  const auto work = [&] {
    OutputFile first(folder / "file");
    first.write(kOutputBytes);
    const Names before = folder.names();
    {
      const OutputFile second(folder / "file");
      const OutputFile third(folder / "file");
    }
    if (folder.names() != before) return 1;
    first.commit();
    return folder.read("file") == "new" ? 0 : 2;
  };
  check_processes(work, 0, [&](bool) {
    std::filesystem::remove(folder / "file");
    CHECK(folder.names() == others);
  });
}

TEST_CASE("A leftover goes whatever its permissions, and stays as long as it is locked") {
  const TemporaryFolder folder;
  folder.write(kLeftover, "half");
  std::filesystem::permissions(folder / kLeftover, std::filesystem::perms::owner_read);
  const int descriptor = ::open((folder / kLeftover).c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(descriptor >= 0);
  REQUIRE(::flock(descriptor, LOCK_EX) == 0);
  { const OutputFile file(folder / "file"); }
  CHECK(folder.names() == Names{kLeftover});
  ::close(descriptor);
  { const OutputFile file(folder / "file"); }
  CHECK(folder.names().empty());
}

TEST_CASE("Where nothing can be locked an output file has a name that nobody removes") {
  SKIP_WITHOUT_FAILING_CALLS();
  const TemporaryFolder folder;
  const auto work = [&]() -> int {
    if (!test::begin_failing({SYS_flock, ENOLCK})) return 100;
    OutputFile file(folder / "file");
    file.write(kOutputBytes);
    ::raise(SIGKILL);
    return 0;
  };
  check_processes(work, -SIGKILL, [&](bool can_be_nameless) {
    { const OutputFile next(folder / "file"); }
    const Names names = folder.names();
    CHECK(names.size() == (can_be_nameless ? 0 : 1));
    for (const std::string& name : names) CHECK(name.starts_with(".file.xorloom-"));
    for (const std::string& name : names) CHECK(name.find("output") == std::string::npos);
  });
}

TEST_CASE("Abandoning removes an output file, and its own name stays what it was") {
  const TemporaryFolder folder;
  folder.write("file", "old");
  const auto work = [&]() -> int {
    OutputFile file(folder / "file");
    file.write(kOutputBytes);
    abandon_pending_files();
    ::_exit(0);  // no destructor runs
  };
  check_processes(work, 0, [&](bool) {
    CHECK(folder.names() == Names{"file"});
    CHECK(folder.read("file") == "old");
  });
}

TEST_CASE("The permissions of a replaced file are kept, whichever way it is replaced") {
  const TemporaryFolder folder;
  folder.write("file", "old");
  using std::filesystem::perms;
  std::filesystem::permissions(folder / "file", perms::owner_read | perms::group_read);
  const auto work = [&] {
    write_new(folder / "file");
    const perms kept = std::filesystem::status(folder / "file").permissions();
    return kept == (perms::owner_read | perms::group_read) ? 0 : 1;
  };
  check_processes(work, 0, [&](bool) { CHECK(folder.read("file") == "new"); });
}

TEST_CASE("A new file has the permissions any other has") {
  const TemporaryFolder folder;
  folder.write("other", "");
  const auto permissions = std::filesystem::status(folder / "other").permissions();
  const auto work = [&] {
    write_new(folder / "file");
    const bool is_same = std::filesystem::status(folder / "file").permissions() == permissions;
    std::filesystem::remove(folder / "file");
    return is_same ? 0 : 1;
  };
  check_processes(work, 0, [](bool) {});
}

TEST_CASE("A symbolic link is replaced, and not what it points at") {
  const TemporaryFolder folder;
  folder.write("target", "old");
  const auto work = [&] {
    for (const char* const to : {"target", "nothing"}) {
      std::filesystem::remove(folder / "link");
      std::filesystem::create_symlink(to, folder / "link");
      write_new(folder / "link");
      if (std::filesystem::is_symlink(folder / "link")) return 1;
    }
    return 0;
  };
  check_processes(work, 0, [&](bool) {
    CHECK(folder.names() == Names{"link", "target"});
    CHECK(folder.read("target") == "old");
  });
}

TEST_CASE("A path without a directory is written where the program is") {
  const TemporaryFolder folder;
  const auto work = [&] {
    std::filesystem::current_path(folder.path());
    write_new("file");
    write_new("file");
    return 0;
  };
  check_processes(work, 0, [&](bool) {
    CHECK(folder.names() == Names{"file"});
    CHECK(folder.read("file") == "new");
  });
}

TEST_CASE("An output file whose name cannot be given or made to last is an error, and goes") {
  SKIP_WITHOUT_FAILING_CALLS();
  for (const int number : {SYS_fsync, kRename}) {
    const TemporaryFolder folder;
    folder.write("file", "old");
    const auto work = [&] {
      if (!test::begin_failing({number, ENOSPC})) return 100;
      try {
        write_new(folder / "file");
      } catch (const Error& error) {
        return static_cast<int>(error.kind());
      }
      return 0;
    };
    check_processes(work, static_cast<int>(Status::kIo), [&](bool) {
      CHECK(folder.names() == Names{"file"});
      CHECK(folder.read("file") == "old");
    });
  }
}

TEST_CASE("Paths that cannot be written to are wrong calls") {
  const TemporaryFolder folder;
  folder.write("file", "");
  CHECK(kind_of_output_error("") == Status::kInvalidArgument);
  CHECK(kind_of_output_error(folder.path()) == Status::kInvalidArgument);
  CHECK(kind_of_output_error(folder.path() / "") == Status::kInvalidArgument);
  CHECK(kind_of_output_error(folder.path() / "none" / "file") == Status::kIo);
  CHECK(kind_of_output_error(folder.path() / "file" / "file") == Status::kIo);
}

TEST_CASE("Output names as long as a file system takes can be written and replaced") {
  const TemporaryFolder folder;
  const std::string name(255, 'x');
  const auto work = [&] {
    write_new(folder / name);
    write_new(folder / name);
    return 0;
  };
  check_processes(work, 0, [&](bool) { CHECK(folder.names() == Names{name}); });
}

}  // namespace xorloom
