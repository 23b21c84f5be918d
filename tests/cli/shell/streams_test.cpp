#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// Calls that write to standard output.
std::vector<std::vector<std::string>> writers() {
  return {
      {"--help"},
      {"--version"},
      {"codes"},
      {"codes", "--help"},
      {"equations", "cauchy:k=3,m=2,w=3"},
      {"equations", "cauchy:k=3,m=2,w=3", "--format", "json"},
      {"report", "cauchy:k=3,m=2,w=3"},
      {"bench", "rs:k=2,m=1", "--chunk-bytes", "512", "--threads", "1", "--executor", "ranges"},
  };
}

}  // namespace

TEST_CASE("A full device gives exit status 1 and says so") {
  for (const std::vector<std::string>& arguments : writers()) {
    CAPTURE(arguments.front());
    const Outcome outcome = xorloom(arguments, {.out_path = "/dev/full"});
    CHECK(outcome.status == 4);
    CHECK(outcome.err == "xorloom: error: cannot write standard output: No space left on device\n");
  }
}

TEST_CASE("A reader that goes away ends the program without a word") {
  for (const std::vector<std::string>& arguments : writers()) {
    CAPTURE(arguments.front());
    const Outcome outcome = xorloom(arguments, {.closed_reader = true});
    CHECK(outcome.status == -SIGPIPE);
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("A pipeline that takes the first lines only is quiet") {
  const TemporaryFolder folder;
  const Outcome outcome =
      shell("$xorloom equations cauchy:k=40,m=20,w=8 | head -n 1", folder.path());
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
}

TEST_CASE("A file that cannot be written whole is not written at all") {
  const TemporaryFolder folder;
  write_file(folder / "kept", "what was there");
  // A limit on the size of files stands in for a full disk.
  const Outcome outcome = shell(
      "ulimit -f 1\n"
      "$xorloom equations cauchy:k=10,m=4,w=8 -o kept",
      folder.path());
  CHECK(outcome.status == 4);
  CHECK(outcome.err == "xorloom: error: cannot write kept: File too large\n");
  CHECK(read_file(folder / "kept") == "what was there");
  CHECK(folder.names() == std::vector<std::string>{"kept"});
}

TEST_CASE("Chunks that cannot be written whole leave the directory as it was") {
  const TemporaryFolder folder;
  write_file(folder / "file", random_bytes(20'000, 1));
  std::filesystem::create_directory(folder / "c");
  write_file(folder / "c/0", "old");
  const Outcome outcome = shell(
      "trap '' XFSZ; ulimit -f 1\n"
      "$xorloom encode file -o c --replace --raw --code rs:k=2,m=1; echo $?\n"
      "$xorloom encode file -o new --raw --code rs:k=2,m=1; echo $?",
      folder.path());
  CHECK(outcome.out == "4\n4\n");
  CHECK(folder.names() == std::vector<std::string>{"c", "file"});
  CHECK(folder.names("c") == std::vector<std::string>{"0"});
  CHECK(read_file(folder / "c/0") == "old");
}

TEST_CASE("A link that is written to stays a link") {
  const TemporaryFolder folder;
  write_file(folder / "target", "old");
  std::filesystem::create_symlink("target", folder / "link");
  CHECK(xorloom({"equations", "cauchy:k=1,m=1", "-o", folder / "link"}).status == 0);
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(read_file(folder / "target").starts_with("code:"));
}

TEST_CASE("A link to nothing stays a link, and what it names is made") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("target", folder / "link");
  std::filesystem::create_symlink("link", folder / "link of link");
  CHECK(xorloom({"equations", "cauchy:k=1,m=1", "-o", folder / "link of link"}).status == 0);
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(std::filesystem::is_symlink(folder / "link of link"));
  CHECK(read_file(folder / "target").starts_with("code:"));
  std::filesystem::create_symlink("circle", folder / "circle");
  CHECK(xorloom({"equations", "cauchy:k=1,m=1", "-o", folder / "circle"}).status == 4);
  CHECK(std::filesystem::is_symlink(folder / "circle"));
}

TEST_CASE("A path that leads to a descriptor of the program is written where that stands") {
  for (const char* path :
       {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/stderr", "/dev/fd/3", "out"}) {
    CAPTURE(path);
    const TemporaryFolder folder;
    const Outcome outcome =
        shell(std::string("echo first > out; ln out same\n"
                          "$xorloom equations cauchy:k=1,m=1 >> out 2>&1 3>&1 -o ") +
                  path,
              folder.path());
    CHECK(outcome.status == 0);
    CHECK(read_file(folder / "out").starts_with("first\ncode:"));
    CHECK(read_file(folder / "same") == read_file(folder / "out"));
    CHECK(folder.names() == std::vector<std::string>{"out", "same"});
  }
}

TEST_CASE("Files that are written have the permissions of those they replace") {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  write_file(file, "old");
  using std::filesystem::perms;
  const perms before = perms::owner_read | perms::owner_write | perms::others_read;
  std::filesystem::permissions(file, before);
  CHECK(xorloom({"equations", "cauchy:k=1,m=1", "-o", file}).status == 0);
  CHECK(std::filesystem::status(file).permissions() == before);
}

}  // namespace xorloom::test
