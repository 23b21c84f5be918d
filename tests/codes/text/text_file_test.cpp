#include "codes/text/text_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "codes/text/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

std::string file_refusal(const std::string& path, std::size_t most_bytes = 100) {
  try {
    static_cast<void>(read_text_file(path, most_bytes));
  } catch (const Error& error) {
    std::string sentence = error.what();
    const bool is_long = sentence.find(" has more than ") != std::string::npos;
    CHECK(error.kind() == (is_long ? Status::kInvalidArgument : Status::kIo));
    return sentence;
  }
  return "read";
}

}  // namespace

TEST_CASE("A text of up to the bound is read whole") {
  const TemporaryFolder folder;
  for (const std::size_t size : {0U, 1U, 99U, 100U}) {
    const std::string text(size, 'x');
    folder.write("text", text);
    CHECK(read_text_file(folder / "text", 100) == text);
  }
  folder.write("text", std::string(101, 'x'));
  CHECK(file_refusal(folder / "text") ==
        folder / "text" + " has more than 100 bytes, the most that are read of it");
}

TEST_CASE("A file that says it is empty is read, and held to the bound") {
  const std::string maps = "/proc/self/maps";
  REQUIRE(std::filesystem::file_size(maps) == 0);
  CHECK(read_text_file(maps, std::size_t{16} << 20).find('\n') != std::string::npos);
  CHECK(file_refusal(maps) == maps + " has more than 100 bytes, the most that are read of it");
}

TEST_CASE("What is no regular file is refused at once, by one sentence") {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(file_refusal(pipe) == "cannot read " + pipe + ": it is a pipe, not a regular file");
  CHECK(file_refusal("/dev/zero") == "cannot read /dev/zero: it is a device, not a regular file");
  const std::string directory = folder.path().string();
  CHECK(file_refusal(directory) == "cannot read " + directory + ": Is a directory");
  const std::string none = folder / "none";
  CHECK(file_refusal(none) == "cannot read " + none + ": No such file or directory");
}

}  // namespace xorloom
