#include "runtime/protection/protected_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
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
  lay_out(files);
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

TEST_CASE("Files may have several pieces, anywhere in the stream, and some of it may be given up") {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    // Owner of each byte of the stream: a file, nobody, or given up.
    constexpr std::size_t kFiles = 4;
    constexpr std::size_t kNobody = kFiles;
    constexpr std::size_t kGivenUp = kFiles + 1;
    struct Part {
      std::size_t owner;
      Piece piece;
    };
    std::vector<Part> parts;
    std::uint64_t end = 0;
    for (std::size_t i = random() % 12; i-- > 0;) {
      const std::uint64_t bytes = 1 + random() % 30;
      parts.push_back({random() % (kFiles + 2), {end, bytes}});
      end += bytes;
    }
    std::vector<Piece> given_up;
    for (const Part& part : parts) {
      if (part.owner == kGivenUp) given_up.push_back(part.piece);
    }
    std::vector<std::size_t> owners(end, kNobody);
    for (const Part& part : parts) {
      std::fill_n(owners.begin() + static_cast<std::ptrdiff_t>(part.piece.at), part.piece.bytes,
                  part.owner);
    }
    std::shuffle(parts.begin(), parts.end(), random);
    std::vector<ProtectedFile> files(kFiles);
    for (const Part& part : parts) {
      if (part.owner >= kFiles) continue;
      files[part.owner].pieces.push_back(part.piece);
      files[part.owner].bytes += part.piece.bytes;
    }
    const std::uint64_t block = 1 + random() % 12;
    const FileMap map(files, block, given_up);
    std::vector<std::size_t> seen(end, kNobody);
    std::uint64_t next = 0;
    map.visit_segments(0, end + block, [&](const Segment& segment) {
      REQUIRE(segment.at >= next);
      next = segment.at + segment.bytes;
      REQUIRE(segment.at / block == (next - 1) / block);
      std::fill_n(seen.begin() + static_cast<std::ptrdiff_t>(segment.at), segment.bytes,
                  segment.file);
      const Segment same = map.segment(segment.file, segment.number);
      CHECK(same.at == segment.at);
      CHECK(same.file_offset == segment.file_offset);
    });
    for (std::uint64_t at = 0; at < end; ++at) {
      CHECK(seen[at] == (owners[at] == kGivenUp ? kNobody : owners[at]));
      CHECK(map.is_given_up(at, at + 1) == (owners[at] == kGivenUp));
    }
    // The segments of a file are its bytes in their order.
    for (std::size_t file = 0; file < kFiles; ++file) {
      std::uint64_t offset = 0;
      for (std::size_t s = map.first_segment(file); s < map.first_segment(file + 1); ++s) {
        CHECK(map.segment(file, s).file_offset == offset);
        offset += map.segment(file, s).bytes;
      }
      CHECK(offset == files[file].bytes);
    }
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
