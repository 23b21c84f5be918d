#include "runtime/files/open_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {

using test::random_text;
using test::text_of;

TEST_CASE("A file is read at any offset, into two spans one behind the other") {
  const TemporaryFolder folder;
  const std::string content = random_text(100, 3);
  folder.write("file", content);
  const OpenFile file(folder / "file");
  REQUIRE(file.is_open());
  CHECK(file.bytes() == 100);
  for (const std::size_t offset : {0U, 1U, 50U, 99U, 100U}) {
    for (const std::size_t first : {0U, 1U, 16U}) {
      for (const std::size_t second : {0U, 1U, 34U}) {
        std::vector<std::uint8_t> a(first);
        std::vector<std::uint8_t> b(second);
        CAPTURE(offset);
        CAPTURE(first);
        CAPTURE(second);
        const bool fits = offset + first + second <= 100;
        CHECK(file.read_at(offset, a, b) == (fits ? 0 : -1));
        if (fits) CHECK(text_of(a) + text_of(b) == content.substr(offset, first + second));
      }
    }
  }
}

TEST_CASE("Reading past the end of a file is told from an error") {
  const TemporaryFolder folder;
  folder.write("empty", "");
  folder.write("file", "12345678");
  std::array<std::uint8_t, 8> bytes{};
  const OpenFile empty(folder / "empty");
  CHECK(empty.is_open());
  CHECK(empty.bytes() == 0);
  CHECK(empty.read_at(0, {}) == 0);
  CHECK(empty.read_at(0, bytes) == -1);
  const OpenFile file(folder / "file");
  CHECK(file.read_at(0, bytes) == 0);
  CHECK(file.read_at(1, bytes) == -1);
  CHECK(file.read_at(std::uint64_t{1} << 62, bytes) == -1);
  CHECK(file.read_at(~std::uint64_t{0}, bytes) == EINVAL);
  CHECK(OpenFile().read_at(0, bytes) == EBADF);
}

TEST_CASE("A file that shrinks while it is open ends where it does") {
  const TemporaryFolder folder;
  folder.write("file", std::string(64, 'x'));
  const OpenFile file(folder / "file");
  std::filesystem::resize_file(folder / "file", 10);
  std::array<std::uint8_t, 16> bytes{};
  CHECK(file.bytes() == 64);
  CHECK(file.read_at(0, bytes) == -1);
}

TEST_CASE("What is no regular file is not opened, and nothing waits for it") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  const OpenFile pipe(folder / "pipe");
  CHECK(!pipe.is_open());
  CHECK(pipe.error() == 0);
  const OpenFile directory(folder.path());
  CHECK(!directory.is_open());
  CHECK(directory.error() == 0);
  CHECK(!OpenFile("/dev/null").is_open());
  CHECK(OpenFile(folder / "none").error() == ENOENT);
  CHECK(OpenFile(folder / "dangling").error() == ENOENT);
  CHECK(!OpenFile(folder / "none").is_open());
}

TEST_CASE("A file is the same under all its names and differs from its copy") {
  const TemporaryFolder folder;
  folder.write("file", "x");
  folder.write("copy", "x");
  std::filesystem::create_hard_link(folder / "file", folder / "link");
  std::filesystem::create_symlink("file", folder / "symlink");
  const FileIdentity identity = OpenFile(folder / "file").identity();
  CHECK(OpenFile(folder / "link").identity() == identity);
  CHECK(OpenFile(folder / "symlink").identity() == identity);
  CHECK(OpenFile(folder / "copy").identity() != identity);
  for (const char* const name : {"file", "link", "symlink"}) {
    CHECK(file_identity(folder / name) == identity);
  }
  CHECK(file_identity(folder / "copy") == OpenFile(folder / "copy").identity());
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  CHECK(!file_identity(folder / "none"));
  CHECK(!file_identity(folder / "dangling"));
}

TEST_CASE("A moved file stays open in its new place") {
  const TemporaryFolder folder;
  folder.write("a", "a");
  folder.write("b", "bb");
  OpenFile a(folder / "a");
  OpenFile b(std::move(a));
  CHECK(!a.is_open());  // NOLINT: that is what is tested
  b = OpenFile(folder / "b");
  CHECK(b.bytes() == 2);
  CHECK(b.identity() == OpenFile(folder / "b").identity());
  std::array<std::uint8_t, 2> bytes{};
  CHECK(b.read_at(0, bytes) == 0);
  CHECK(text_of(bytes) == "bb");
  b.forget_cached();
  CHECK(b.read_at(0, bytes) == 0);
}

TEST_CASE("Many threads read one file at once") {
  const TemporaryFolder folder;
  const std::string content = random_text(4096, 5);
  folder.write("file", content);
  const OpenFile file(folder / "file");
  std::array<bool, 4> is_same{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < is_same.size(); ++t) {
    threads.emplace_back([&, t] {
      bool same = true;
      std::vector<std::uint8_t> bytes(7);
      for (std::size_t at = t; at + 7 <= content.size(); ++at) {
        same &= file.read_at(at, bytes) == 0 && text_of(bytes) == content.substr(at, 7);
      }
      is_same[t] = same;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(is_same == std::array<bool, 4>{true, true, true, true});
}

}  // namespace xorloom
