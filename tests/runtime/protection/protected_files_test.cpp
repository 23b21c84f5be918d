#include "runtime/protection/protected_files.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace xorloom {
namespace {

std::vector<ProtectedFile> files_of(const std::vector<std::uint64_t>& sizes) {
  std::vector<ProtectedFile> files;
  for (const std::uint64_t bytes : sizes) {
    files.push_back({.name = "f" + std::to_string(files.size()), .bytes = bytes});
  }
  return files;
}

}  // namespace

TEST_CASE("Segments are the blocks of the stream, cut where files end") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> sizes(random() % 8);
    for (std::uint64_t& size : sizes) size = random() % 3 == 0 ? 0 : random() % 40;
    const std::uint64_t block = 1 + random() % 12;
    const FileMap map(files_of(sizes), block);
    // Byte by byte: a segment begins with a file or a block.
    std::vector<Segment> expected;
    std::uint64_t at = 0;
    for (std::size_t file = 0; file < sizes.size(); ++file) {
      CHECK(map.first_segment(file) == expected.size());
      for (std::uint64_t offset = 0; offset < sizes[file]; ++offset, ++at) {
        if (offset == 0 || at % block == 0) {
          expected.push_back({expected.size(), file, offset, at, 0});
        }
        ++expected.back().bytes;
        REQUIRE(map.file_at(at) == file);
      }
    }
    REQUIRE(map.num_segments() == expected.size());
    REQUIRE(map.stream_bytes() == at);
    const std::uint64_t begin = at == 0 ? 0 : random() % at / block * block;
    const std::uint64_t end = begin + random() % 5 * block;
    std::size_t next = 0;
    while (next < expected.size() && expected[next].at < begin) ++next;
    map.visit_segments(begin, end, [&](const Segment& segment) {
      REQUIRE(next < expected.size());
      const Segment& wanted = expected[next++];
      CHECK(segment.number == wanted.number);
      CHECK(segment.file == wanted.file);
      CHECK(segment.file_offset == wanted.file_offset);
      CHECK(segment.at == wanted.at);
      CHECK(segment.bytes == wanted.bytes);
    });
    CHECK((next == expected.size() || expected[next].at >= end));
  }
}

TEST_CASE("No name of a protected file leads out of its directory") {
  for (const char* const name : {"a", "a/b", "photos/2026/x.jpg", "...", "a\nb", "-o", " "}) {
    CHECK(!why_no_path(name));
  }
  const std::string with_zero("a\0b", 3);
  for (const std::string& name :
       {std::string(), std::string("/a"), std::string("a/"), std::string("a//b"), std::string(".."),
        std::string("../a"), std::string("a/../b"), std::string("a/."), std::string("./a"),
        with_zero, std::string(kMaxPathBytes + 1, 'a')}) {
    CAPTURE(name);
    CHECK(why_no_path(name).has_value());
  }
}

}  // namespace xorloom
