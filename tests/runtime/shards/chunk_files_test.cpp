#include "runtime/shards/chunk_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

constexpr std::array<std::array<std::uint8_t, 4>, 3> kChunks = {
    {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}};

std::vector<std::span<const std::uint8_t>> spans() { return {kChunks.begin(), kChunks.end()}; }

std::string error_of(const std::function<void()>& run, Status kind = Status::kInvalidArgument,
                     Status or_kind = Status::kIo) {
  try {
    run();
  } catch (const Error& error) {
    CHECK((error.kind() == kind || error.kind() == or_kind));
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Chunks that are written are found and read back") {
  const TemporaryFolder folder;
  write_chunk_files(folder / "c", spans(), Existing::kRefuse);
  std::filesystem::remove(folder / "c/1");
  const ChunkFiles files = find_chunk_files(folder / "c", 3, 2);
  CHECK(files.present == std::vector<std::size_t>{0, 2});
  CHECK(files.missing == std::vector<std::size_t>{1});
  CHECK(files.chunk_bytes == 4);
  std::vector<std::uint8_t> chunk(4);
  read_chunk_file(files, 2, chunk);
  CHECK(std::ranges::equal(chunk, kChunks[2]));
}

TEST_CASE("Names that are no plain numbers are no chunk files") {
  const TemporaryFolder folder;
  for (const char* name : {"00", "01", "+1", "-1", "1a", " 1", "99999999999999999999999"}) {
    folder.write(name, "other");
  }
  const ChunkFiles files = find_chunk_files(folder.path(), 3, 1);
  CHECK(files.present.empty());
  CHECK(files.missing.size() == 3);
  CHECK(files.chunk_bytes == 0);
}

TEST_CASE("Existing chunk files are replaced only if that is said, and all at once") {
  const TemporaryFolder folder;
  folder.write("1", "old");
  folder.write("note", "kept");
  const std::string where = folder.path().string();
  const auto write = [&](Existing existing) { write_chunk_files(where, spans(), existing); };
  CHECK(error_of([&] { write(Existing::kRefuse); }) ==
        where + " already holds a chunk file 1; option replace overwrites it");
  CHECK(folder.names() == std::vector<std::string>{"1", "note"});
  write(Existing::kReplace);
  CHECK(folder.names() == std::vector<std::string>{"0", "1", "2", "note"});
  CHECK(folder.read("1") == "\x05\x06\x07\x08");
  CHECK(folder.read("note") == "kept");
}

TEST_CASE("What is no file is not replaced, and then nothing is") {
  const TemporaryFolder folder;
  folder.write("0", "old");
  std::filesystem::create_directory(folder / "2");
  const auto write = [&] { write_chunk_files(folder.path(), spans(), Existing::kReplace); };
  CHECK(error_of(write) == (folder / "2") + " is not a regular file");
  CHECK(folder.names() == std::vector<std::string>{"0", "2"});
  CHECK(folder.read("0") == "old");
}

TEST_CASE("A directory that cannot be made is named") {
  const TemporaryFolder folder;
  folder.write("file", "");
  const auto write = [&](const std::string& name) {
    return error_of([&] { write_chunk_files(folder / name, spans(), Existing::kRefuse); });
  };
  CHECK(write("file") ==
        "cannot make the directory " + (folder / "file") + ": it is not a directory");
  CHECK(write("none/c") ==
        "cannot make the directory " + (folder / "none/c") + ": No such file or directory");
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("The chunk file whose size is not that of the others is named") {
  const TemporaryFolder folder;
  write_chunk_files(folder / "c", spans(), Existing::kRefuse);
  folder.write("c/0", "12345");
  const auto find = [&](std::size_t locations, std::size_t multiple) {
    return error_of([&] { find_chunk_files(folder / "c", locations, multiple); });
  };
  const std::string said = (folder / "c/0") + " has 5 bytes, but other chunks have 4";
  const ChunkFiles files = find_chunk_files(folder / "c", 3, 1);
  CHECK(files.other_size == said);
  CHECK(files.present == std::vector<std::size_t>{1, 2});
  CHECK(files.missing == std::vector<std::size_t>{0});
  std::filesystem::remove(folder / "c/2");
  CHECK(find(3, 1) == (folder / "c/1") + " has 4 bytes, but other chunks have 5");
  folder.write("c/2", "1234");
  folder.write("c/0", "1234");
  CHECK(find(3, 3) == "the chunk files in " + (folder / "c") +
                          " have 4 bytes, which is not a positive multiple of 3");
  CHECK(find(2, 1) ==
        (folder / "c") + " holds a chunk file 2, but the code has 2 locations, 0 to 1");
  for (const char* name : {"c/0", "c/1", "c/2"}) folder.write(name, "");
  CHECK(find(3, 1) == "the chunk files in " + (folder / "c") +
                          " have 0 bytes, which is not a positive multiple of 1");
  CHECK(error_of([&] { find_chunk_files(folder / "none", 3, 1); }) ==
        "cannot read the directory " + (folder / "none") + ": No such file or directory");
}

TEST_CASE("A chunk file that shrinks before it is read is not taken for whole") {
  const TemporaryFolder folder;
  write_chunk_files(folder.path(), spans(), Existing::kRefuse);
  const ChunkFiles files = find_chunk_files(folder.path(), 3, 1);
  folder.write("0", "ab");
  std::vector<std::uint8_t> chunk(4);
  const auto read = [&](std::size_t location) { read_chunk_file(files, location, chunk); };
  CHECK(error_of([&] { read(0); }, Status::kIo) ==
        "cannot read " + (folder / "0") + ": it ends 2 bytes before the chunk does");
  std::filesystem::remove(folder / "1");
  CHECK(error_of([&] { read(1); }) ==
        "cannot read " + (folder / "1") + ": No such file or directory");
}

TEST_CASE("A name that is taken while chunks are written undoes every rename") {
  const TemporaryFolder folder;
  const std::vector<std::uint8_t> large(std::size_t{32} << 20);
  const std::vector<std::span<const std::uint8_t>> chunks{kChunks[0], kChunks[1], kChunks[2],
                                                          large};
  for (const char* name : {"0", "1", "3"}) folder.write(name, "old");
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    while (folder.names().size() < 7 && !is_over) std::this_thread::yield();
    std::filesystem::create_directories(folder / "2/x");
  });
  const auto write = [&] { write_chunk_files(folder.path(), chunks, Existing::kReplace); };
  const std::string error = error_of(write, Status::kIo);
  is_over = true;
  other.join();
  CHECK(error == "cannot write " + (folder / "2") +
                     ": another file of that name has appeared in the meantime");
  CHECK(folder.names() == std::vector<std::string>{"0", "1", "2", "3"});
  for (const char* name : {"0", "1", "3"}) CHECK(folder.read(name) == "old");
}

TEST_CASE("What chunks would not write over is not removed, but named") {
  const TemporaryFolder folder;
  folder.write("0", "old");
  folder.write("2019", "a diary");
  const auto write = [&] { write_chunk_files(folder.path(), spans(), Existing::kReplace); };
  CHECK(error_of(write) == folder.path().string() +
                               " holds a file 2019, which 3 chunks do not overwrite but which "
                               "would be taken for one of them; move it away first");
  CHECK(folder.names() == std::vector<std::string>{"0", "2019"});
}

TEST_CASE("Of several that write chunks at the same time one succeeds, with all of its own") {
  for (int round = 0; round < 20; ++round) {
    const TemporaryFolder folder;
    std::atomic<int> written = 0;
    std::atomic<int> winner = -1;
    std::vector<std::thread> writers;
    for (int i = 0; i < 3; ++i) {
      writers.emplace_back([&, i] {
        const std::vector<std::uint8_t> chunk(8, static_cast<std::uint8_t>(i));
        const std::vector<std::span<const std::uint8_t>> chunks(4, chunk);
        try {
          write_chunk_files(folder.path(), chunks, Existing::kRefuse);
          ++written;
          winner = i;
        } catch (const Error&) {
        }
      });
    }
    for (std::thread& writer : writers) writer.join();
    CHECK(written == 1);
    CHECK(folder.names() == std::vector<std::string>{"0", "1", "2", "3"});
    for (const char* name : {"0", "1", "2", "3"}) {
      CHECK(folder.read(name) == std::string(8, static_cast<char>(winner.load())));
    }
  }
}

}  // namespace xorloom
