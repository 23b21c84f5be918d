#include "runtime/files/pending_tree.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/files/remove_tree.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/temporary_folder.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

constexpr test::FailingCall kNoExchange{SYS_renameat2, EINVAL, 4, RENAME_EXCHANGE, RENAME_EXCHANGE};

void write(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << content;
}

/// The directory d/ with a file, and the file f.
void make(const PendingTree& tree, const std::string& content) {
  write(tree.path() / "d/file", content);
  write(tree.path() / "f", content);
}

Status kind_of_commit(PendingTree& tree, Existing existing) {
  try {
    tree.commit(existing);
  } catch (const Error& error) {
    return error.kind();
  }
  return Status::kOk;
}

std::string hidden_of(const TemporaryFolder& folder) {
  for (const std::string& name : folder.names()) {
    if (name.starts_with(".tree.xorloom-output-")) return name;
  }
  return {};
}

}  // namespace

TEST_CASE("A tree appears when it is committed, and nothing else stays") {
  const TemporaryFolder folder;
  {
    PendingTree tree(folder.path());
    make(tree, "new");
    CHECK(tree.names() == Names{"d", "f"});
    CHECK(folder.names().size() == 1);
    tree.commit(Existing::kRefuse);
    CHECK(!tree.clear());
    CHECK(folder.names() == Names{"d", "f"});
  }
  CHECK(folder.read("d/file") == "new");
  CHECK(folder.read("f") == "new");
  {
    const PendingTree tree(folder.path());
    make(tree, "other");
    fs::permissions(tree.path() / "d", fs::perms{0500});
  }
  CHECK(folder.names() == Names{"d", "f"});
  CHECK(folder.read("f") == "new");
}

TEST_CASE("A name that is taken is refused with all others, or replaced") {
  const TemporaryFolder folder;
  folder.write("f", "old");
  {
    PendingTree tree(folder.path());
    make(tree, "new");
    CHECK(kind_of_commit(tree, Existing::kRefuse) == Status::kIo);
    CHECK(folder.names() == Names{hidden_of(folder), "f"});
    CHECK(folder.read("f") == "old");
    tree.commit(Existing::kReplace);
  }
  CHECK(folder.names() == Names{"d", "f"});
  CHECK(folder.read("f") == "new");
  {
    PendingTree tree(folder.path());
    write(tree.path() / "d", "a file in the place of a directory");
    write(tree.path() / "f/in", "and the other way round");
    tree.commit(Existing::kReplace);
  }
  CHECK(folder.names() == Names{"d", "f"});
  CHECK(folder.read("d") == "a file in the place of a directory");
  CHECK(folder.read("f/in") == "and the other way round");
}

TEST_CASE("Where names cannot be exchanged, what is replaced goes aside") {
  SKIP_WITHOUT_FAILING_CALLS();
  const TemporaryFolder folder;
  folder.write("f", "old");
  write(folder / "d/old", "old");
  const auto work = [&] {
    if (!test::begin_failing(kNoExchange)) return 100;
    PendingTree tree(folder.path());
    make(tree, "new");
    if (kind_of_commit(tree, Existing::kRefuse) != Status::kIo) return 1;
    if (folder.read("f") != "old" || folder.read("d/old") != "old") return 2;
    tree.commit(Existing::kReplace);
    return tree.clear() ? 3 : 0;
  };
  CHECK(test::answer_of_process(work) == 0);
  CHECK(folder.names() == Names{"d", "f"});
  CHECK(folder.read("f") == "new");
  CHECK(folder.names("d") == Names{"file"});
}

TEST_CASE(
    "Where there are no locks, a tree is made under a name that nobody takes for a leftover") {
  SKIP_WITHOUT_FAILING_CALLS();
  const TemporaryFolder folder;
  const auto work = [&] {
    if (!test::begin_failing({SYS_flock, ENOLCK})) return 100;
    PendingTree tree(folder.path());
    make(tree, "new");
    if (folder.names().size() != 1 || !hidden_of(folder).empty()) return 1;
    { const PendingTree other(folder.path()); }
    tree.commit(Existing::kRefuse);
    return tree.clear() ? 2 : 0;
  };
  CHECK(test::answer_of_process(work) == 0);
  CHECK(folder.names() == Names{"d", "f"});
}

TEST_CASE("The next tree removes what a killed program left, and puts back what it took aside") {
  const TemporaryFolder folder;
  folder.write("kept", "new");
  const auto work = [&] {
    PendingTree tree(folder.path());
    make(tree, "never");
    fs::permissions(tree.path() / "d", fs::perms{0500});
    const fs::path old = tree.path().parent_path() / "old";
    write(old / "aside/file", "aside");
    write(old / "kept", "replaced");
    ::raise(SIGKILL);
    return 0;
  };
  static_cast<void>(test::answer_of_process(work));
  CHECK(folder.names() == Names{hidden_of(folder), "kept"});
  CHECK(hidden_of(folder) != "");
  { const PendingTree tree(folder.path()); }
  CHECK(folder.names() == Names{"aside", "kept"});
  CHECK(folder.read("aside/file") == "aside");
  CHECK(folder.read("kept") == "new");
}

TEST_CASE("A tree that another program is making stays") {
  const TemporaryFolder folder;
  const PendingTree tree(folder.path());
  make(tree, "mine");
  { const PendingTree other(folder.path()); }
  CHECK(fs::exists(tree.path() / "d/file"));
  // So does a file of such a name, and a directory of another.
  folder.write(".tree.xorloom-output-0123456789abcdef", "a file");
  fs::create_directory(folder / ".tree.xorloom-output-0123456789abcdeg");
  { const PendingTree other(folder.path()); }
  CHECK(folder.names().size() == 3);
}

TEST_CASE("What ends a program early takes the tree with all that is in it") {
  const TemporaryFolder folder;
  const auto work = [&] {
    const PendingTree tree(folder.path());
    make(tree, "never");
    fs::permissions(tree.path() / "d", fs::perms{0500});
    abandon_pending_files();
    ::_exit(folder.names().empty() ? 0 : 1);
    return 2;
  };
  CHECK(test::answer_of_process(work) == 0);
}

TEST_CASE("A tree is removed without what its links lead to") {
  const TemporaryFolder folder;
  folder.write("outside", "outside");
  fs::create_directories(folder / "t/a/b");
  fs::create_directory(folder / "other");
  write(folder / "other/file", "other");
  fs::create_symlink(folder / "outside", folder / "t/link");
  fs::create_directory_symlink(folder / "other", folder / "t/a/directory");
  fs::permissions(folder / "t/a", fs::perms{0});
  CHECK(remove_tree(folder / "t"));
  CHECK(folder.names() == Names{"other", "outside"});
  CHECK(folder.read("other/file") == "other");
  CHECK(remove_tree(folder / "t"));  // already removed
}

}  // namespace xorloom
