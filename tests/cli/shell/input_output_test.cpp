#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>

#include "cli/shell/streams.hpp"
#include "tests/support/temporary_folder.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {
namespace {

std::string text_of(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

/// "kind: sentence" of what work throws.
template <typename Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return fmt::format("{}: {}", static_cast<int>(error.kind()), error.what());
  }
  return "nothing";
}

std::string refused(const std::string& sentence) {
  return fmt::format("{}: {}", static_cast<int>(Status::kIo), sentence);
}

}  // namespace

TEST_CASE("An input fills what it is given, and less only at its end") {
  const TemporaryFolder folder;
  folder.write("file", "0123456789");
  Input input(folder / "file");
  CHECK(input.name() == folder / "file");
  CHECK(input.known_bytes() == 10);
  CHECK_FALSE(input.is_terminal());
  std::array<std::uint8_t, 7> bytes{};
  CHECK(input.read({}) == 0);
  CHECK(input.read(bytes) == 7);
  CHECK(text_of(bytes) == "0123456");
  CHECK(input.read(bytes) == 3);
  CHECK(text_of(bytes) == "7893456");
  CHECK(input.read(bytes) == 0);
}

TEST_CASE("A pipe is read to the last byte, however few come at once") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  for (const char* part : {"ab", "c"}) CHECK(::write(ends[1], part, std::strlen(part)) > 0);
  ::close(ends[1]);
  Input input(fmt::format("/dev/fd/{}", ends[0]));
  ::close(ends[0]);
  CHECK(input.known_bytes() == 0);
  std::atomic<std::uint64_t> done{9};
  CHECK(text_of(read_rest(input, done)) == "abc");
  CHECK(done == 3);
}

TEST_CASE("The rest of a file is what was not read, whatever its size") {
  const TemporaryFolder folder;
  for (const std::size_t size : {0U, 1U, 2U, 65'535U, 65'536U, 65'537U, 200'000U}) {
    CAPTURE(size);
    std::string content(size, '\0');
    for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<char>(i % 251);
    folder.write("file", content);
    CHECK((read_text(folder / "file") == content));
    Input input(folder / "file");
    std::array<std::uint8_t, 1> first{};
    const std::size_t taken = input.read(first);
    std::atomic<std::uint64_t> done{0};
    CHECK((text_of(read_rest(input, done)) == content.substr(taken)));
    CHECK(done == size - taken);
  }
}

TEST_CASE("What cannot be opened is a wrong call") {
  const TemporaryFolder folder;
  const std::string directory = folder.path().string();
  CHECK(error_of([&] { Input(folder / "none"); }) ==
        refused("cannot read " + (folder / "none") + ": No such file or directory"));
  CHECK(error_of([&] { Input{directory}; }) ==
        refused("cannot read " + directory + ": Is a directory"));
  CHECK(error_of([&] { Output(folder / "none/x"); }) ==
        refused("cannot write " + (folder / "none/x") + ": No such file or directory"));
  CHECK(error_of([&] { Output{directory}; }) ==
        refused("cannot write " + directory + ": Is a directory"));
}

TEST_CASE("An output appears when it is committed, and not before") {
  const TemporaryFolder folder;
  folder.write("file", "old");
  Output output(folder / "file");
  CHECK(output.can_be_taken_back());
  CHECK_FALSE(output.is_terminal());
  output.write(bytes_of("new "));
  output.write(bytes_of("content"));
  CHECK(folder.read("file") == "old");
  output.commit();
  CHECK(folder.read("file") == "new content");
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("An output that is not committed leaves nothing behind") {
  const TemporaryFolder folder;
  folder.write("file", "old");
  std::filesystem::create_symlink("nothing", folder.path() / "link");
  for (const char* name : {"file", "new", "link"}) {
    Output output(folder / name);
    output.write(bytes_of("half of"));
  }
  CHECK(folder.names() == std::vector<std::string>{"file", "link"});
  CHECK(folder.read("file") == "old");
}

TEST_CASE("What has a reader already cannot be taken back") {
  CHECK_FALSE(Output("-").can_be_taken_back());
  CHECK_FALSE(Output("/dev/stdout").can_be_taken_back());
  CHECK_FALSE(Output("/dev/null").can_be_taken_back());

  const TemporaryFolder folder;
  const int file = ::open((folder / "file").c_str(), O_RDWR | O_CREAT | O_APPEND, 0666);
  REQUIRE(file >= 0);
  {
    Output output(fmt::format("/dev/fd/{}", file));
    CHECK_FALSE(output.can_be_taken_back());
    output.write(bytes_of("stays"));
  }
  CHECK(folder.read("file") == "stays");
  CHECK(::close(file) == 0);  // the output left it open
}

}  // namespace xorloom::cli
