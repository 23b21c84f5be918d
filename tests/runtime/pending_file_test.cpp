#include "runtime/pending_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <utility>

#include "tests/support/temporary_folder.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

constexpr std::array<std::uint8_t, 3> kBytes = {'n', 'e', 'w'};

Status kind_of_error(const std::filesystem::path& path) {
  try {
    const PendingFile file(path);
  } catch (const Error& error) {
    return error.kind();
  }
  return Status::kOk;
}

}  // namespace

TEST_CASE("A pending file appears when it is committed, and nothing else stays") {
  const TemporaryFolder folder;
  PendingFile file(folder.path() / "file");
  file.write(kBytes);
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
    file.write(kBytes);
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
  CHECK(kind_of_error("") == Status::kInvalidArgument);
  CHECK(kind_of_error(folder.path()) == Status::kInvalidArgument);
  CHECK(kind_of_error(folder.path() / "") == Status::kInvalidArgument);
  CHECK(kind_of_error(folder.path() / "none" / "file") == Status::kInvalidArgument);
  CHECK(kind_of_error(folder.path() / "file" / "file") == Status::kInvalidArgument);
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
  file.write(kBytes);
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
    a.write(kBytes);
    abandon_pending_files();
    ::_exit(0);  // no destructor runs
  }
  int status = 0;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(folder.names() == std::vector<std::string>{"b"});
  CHECK(folder.read("b") == "old");
}

}  // namespace xorloom
