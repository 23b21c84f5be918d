#include "runtime/files/pending_file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

constexpr std::array<std::uint8_t, 3> kPendingBytes = {'n', 'e', 'w'};

Status kind_of_pending_error(const std::filesystem::path& path) {
  return test::thrown_by([&] { const PendingFile file(path); }).kind;
}

}  // namespace

TEST_CASE("A pending file appears when it is committed, and nothing else stays") {
  const TemporaryFolder folder;
  PendingFile file(folder.path() / "file");
  file.write(kPendingBytes);
  file.finish();
  CHECK(folder.read("file") == "");
  file.commit();
  CHECK(folder.read("file") == "new");
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("A pending file that is not committed leaves what was there") {
  const TemporaryFolder folder;
  folder.write("file", "old");
  {
    PendingFile file(folder.path() / "file");
    file.write(kPendingBytes);
    const PendingFile moved = std::move(file);
    CHECK(folder.names().size() == 2);
  }
  CHECK(folder.read("file") == "old");
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("Permissions of a replaced file are kept") {
  const TemporaryFolder folder;
  folder.write("file", "old");
  const std::filesystem::path path = folder.path() / "file";
  using std::filesystem::perms;
  std::filesystem::permissions(path, perms::owner_read | perms::group_read);
  PendingFile file(path);
  file.finish();
  file.commit();
  CHECK(std::filesystem::status(path).permissions() == (perms::owner_read | perms::group_read));
}

TEST_CASE("Paths that cannot be written are wrong calls") {
  const TemporaryFolder folder;
  folder.write("file", "");
  CHECK(kind_of_pending_error("") == Status::kInvalidArgument);
  CHECK(kind_of_pending_error(folder.path()) == Status::kInvalidArgument);
  CHECK(kind_of_pending_error(folder.path() / "") == Status::kInvalidArgument);
  CHECK(kind_of_pending_error(folder.path() / "none" / "file") == Status::kIo);
  CHECK(kind_of_pending_error(folder.path() / "file" / "file") == Status::kIo);
}

TEST_CASE("Names as long as a file system takes can be written") {
  const TemporaryFolder folder;
  const std::string name(255, 'x');
  PendingFile file(folder.path() / name);
  file.finish();
  file.commit();
  CHECK(folder.names() == std::vector<std::string>{name});
}

TEST_CASE("A file that is not to be replaced is not, and its name can be given again") {
  const TemporaryFolder folder;
  folder.write("file", "old");
  PendingFile file(folder.path() / "file");
  file.write(kPendingBytes);
  file.finish();
  CHECK_THROWS_AS(file.commit(Existing::kRefuse), Error);
  CHECK(folder.read("file") == "old");
  std::filesystem::remove(folder / "file");
  file.commit(Existing::kRefuse);
  CHECK(folder.read("file") == "new");
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("Hidden names of a process differ from those of its copy") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  const std::string name = hidden_name_beside("file").string();
  if (child == 0) {
    static_cast<void>(!::write(ends[1], name.data(), name.size()));
    ::_exit(0);
  }
  std::string other(name.size(), '\0');
  CHECK(::read(ends[0], other.data(), other.size()) == static_cast<ssize_t>(name.size()));
  CHECK(::waitpid(child, nullptr, 0) == child);
  CHECK(name != other);
  CHECK(name.find(std::to_string(::getpid())) == std::string::npos);
  for (const int end : ends) ::close(end);
}

TEST_CASE("A directory that is not kept goes again unless something is in it") {
  const TemporaryFolder folder;
  { const PendingDirectory gone(folder / "gone"); }
  {
    const PendingDirectory used(folder / "used");
    folder.write("used/file", "");
    const PendingDirectory again(folder / "used");
    PendingDirectory kept(folder / "kept");
    kept.keep();
  }
  CHECK(folder.names() == std::vector<std::string>{"kept", "used"});
}

TEST_CASE("Abandoning removes every pending file of the process") {
  const TemporaryFolder folder;
  folder.write("b", "old");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const PendingDirectory made(folder / "made");
    const PendingFile inside(folder / "made/inside");
    PendingFile a(folder.path() / "a");
    PendingFile b(folder.path() / "b");
    a.write(kPendingBytes);
    abandon_pending_files();
    ::_exit(0);  // no destructor runs
  }
  int status = 0;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(folder.names() == std::vector<std::string>{"b"});
  CHECK(folder.read("b") == "old");
}

TEST_CASE("Bytes are written at any offset, one span behind the other, by many threads at once") {
  const TemporaryFolder folder;
  PendingFile file(folder.path() / "file");
  const std::array<std::uint8_t, 2> more = {'e', 'r'};
  file.write_at(5, kPendingBytes, more);
  file.write_at(0, {}, more);
  file.write_at(2, more);
  file.write_at(3, {});
  file.write_at(3, {}, {});
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&file, t] {
      const std::array<std::uint8_t, 1> digit = {static_cast<std::uint8_t>('0' + t)};
      for (std::uint64_t i = 0; i < 64; ++i) file.write_at(12 + 8 * i + 2 * t, digit, digit);
    });
  }
  for (std::thread& thread : threads) thread.join();
  file.begin_sync(0, 8);
  file.begin_sync(1000000, 1);
  file.finish();
  file.commit();
  std::string expected = "erer";
  expected += '\0';
  expected += "newer";
  expected += std::string(2, '\0');
  for (int i = 0; i < 64; ++i) expected += "00112233";
  CHECK(folder.read("file") == expected);
}

TEST_CASE("Spans of more than a page are written whole") {
  const TemporaryFolder folder;
  for (const std::size_t size : {4095U, 4096U, 4097U, 1U << 20}) {
    const std::vector<std::uint8_t> bytes(size, 'x');
    const std::vector<std::uint8_t> more(size, 'y');
    PendingFile file(folder.path() / "file");
    file.write_at(1, bytes, more);
    file.finish();
    file.commit();
    CHECK(folder.read("file") ==
          std::string(1, '\0') + std::string(size, 'x') + std::string(size, 'y'));
  }
}

TEST_CASE("What cannot be written is an error that names the file") {
  const TemporaryFolder folder;
  const std::string limited = folder / "limited";
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // A bound on the size of files stands for a full disk.
    const rlimit bound{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &bound);
    ::signal(SIGXFSZ, SIG_IGN);
    int flaws = 0;
    {
      PendingFile file(limited);
      const std::vector<std::uint8_t> bytes(600);
      file.write_at(0, bytes, kPendingBytes);
      try {
        file.write_at(600, bytes, bytes);
        ++flaws;
      } catch (const Error& error) {
        if (error.kind() != Status::kIo) ++flaws;
        if (std::string(error.what()).find(limited) == std::string::npos) ++flaws;
      }
    }
    ::_exit(flaws);
  }
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(folder.names().empty());
}

TEST_CASE("A finished file can be read back under its hidden name") {
  const TemporaryFolder folder;
  PendingFile file(folder.path() / "file");
  file.write(kPendingBytes);
  file.finish();
  CHECK(file.destination() == folder.path() / "file");
  CHECK(file.temporary().parent_path() == folder.path());
  CHECK(folder.read(file.temporary().filename().string()) == "new");
}

TEST_CASE("A name that was given is taken away again, and the file goes unless it is left") {
  const TemporaryFolder folder;
  {
    PendingFile file(folder.path() / "file");
    file.write(kPendingBytes);
    file.finish();
    file.commit(Existing::kRefuse);
    CHECK(folder.names() == std::vector<std::string>{"file"});
    CHECK(file.withdraw());
    CHECK(folder.names() == std::vector<std::string>{file.temporary().filename().string()});
    // The file may get its name a second time.
    file.commit(Existing::kRefuse);
    CHECK(folder.read("file") == "new");
    CHECK(file.withdraw());
  }
  CHECK(folder.names().empty());
}

TEST_CASE("A name that cannot be taken away stays") {
  const TemporaryFolder folder;
  PendingFile file(folder.path() / "file");
  file.finish();
  file.commit(Existing::kRefuse);
  std::filesystem::remove(folder / "file");
  CHECK(!file.withdraw());
  folder.write("file", "of another program");
  folder.write(file.temporary().filename().string(), "of another program");
  CHECK(!file.withdraw());
  CHECK(folder.read("file") == "of another program");
}

TEST_CASE("A file that is left stays under the name it has") {
  const TemporaryFolder folder;
  std::string hidden;
  {
    PendingFile file(folder.path() / "file");
    file.write(kPendingBytes);
    file.finish();
    hidden = file.temporary().filename().string();
    file.leave();
  }
  CHECK(folder.names() == std::vector<std::string>{hidden});
  {
    PendingFile file(folder.path() / "file");
    file.write(kPendingBytes);
    file.finish();
    file.commit();
    file.leave();
  }
  CHECK(folder.names() == std::vector<std::string>{hidden, "file"});
}

TEST_CASE("A left file is not abandoned, a pending name is as long as it is held") {
  const TemporaryFolder folder;
  for (const char* const name : {"held", "let go"}) folder.write(name, "");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    PendingFile file(folder.path() / "left");
    file.finish();
    file.leave();
    PendingFile withdrawn(folder.path() / "withdrawn");
    withdrawn.finish();
    withdrawn.commit();
    static_cast<void>(withdrawn.withdraw());
    const PendingName held(folder / "held");
    { const PendingName gone(folder / "let go"); }
    abandon_pending_files();
    ::_exit(0);
  }
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  const std::vector<std::string> names = folder.names();
  REQUIRE(names.size() == 2);
  CHECK(names[0].starts_with(".left.xorloom-"));
  CHECK(names[1] == "let go");
}

}  // namespace xorloom
