#include "runtime/protection/manifest.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/protection/protect_files.hpp"
#include "runtime/protection/redundancy_plan.hpp"
#include "runtime/shards/reading_bounds.hpp"

namespace xorloom {
namespace {

const SpecLimits kLimits = ReadingBounds().spec;

Manifest some_manifest(const std::vector<std::uint64_t>& sizes,
                       const RedundancyWanted& wanted = {}) {
  std::vector<ProtectedFile> files;
  for (const std::uint64_t bytes : sizes) {
    files.push_back({.name = "dir/file" + std::to_string(files.size()),
                     .bytes = bytes,
                     .permissions = 0640,
                     .modified_seconds = -5,
                     .modified_nanoseconds = 999'999'999});
  }
  Manifest manifest = planned_manifest(std::move(files), {{}, {}, wanted}, kLimits);
  for (std::size_t i = 0; i < manifest.sums.size(); ++i) manifest.sums[i] = {i, ~i};
  return manifest;
}

}  // namespace

TEST_CASE("A manifest is read as it was written") {
  for (const auto& sizes : std::vector<std::vector<std::uint64_t>>{
           {0}, {1}, {0, 5, 0}, {100'000, 3, 1 << 20}, {4096, 4096}}) {
    const Manifest manifest = some_manifest(sizes);
    const std::vector<std::uint8_t> text = manifest_text(manifest);
    CHECK(text.size() == manifest_bytes(manifest));
    CHECK(parse_manifest(text) == manifest);
    CHECK(code_of(manifest, kLimits).spec == manifest.spec);
  }
}

TEST_CASE("What was given up, pieces and what is to be protected are read as they were written") {
  Manifest manifest = some_manifest({5000, 0, 12'000});
  manifest.files[0].pieces = {{17'012, 1000}, {1000, 4000}};
  manifest.given_up = {{0, 1000}};
  manifest.scope = {{"", "dir"}, {"*.o", "a/b"}, {.percent = 12.5, .m = 3, .k = 7}, true};
  manifest.directories = {{"dir", 0750, -7, 999'999'999}, {"dir/e", 0, 5, 0}};
  manifest.sums.resize(manifest.map().num_segments());
  CHECK(parse_manifest(manifest_text(manifest)) == manifest);
  const auto refused = [](const Manifest& other, const char* part) {
    CHECK_THROWS_WITH_AS(parse_manifest(manifest_text(other)), doctest::Contains(part), Error);
  };
  Manifest other = manifest;
  other.given_up = {{5000, 500}};
  refused(other, "belongs to two files");
  other.given_up = {{600, 10}, {0, 10}};
  refused(other, "out of order");
  other = manifest;
  other.files[0].pieces[0].bytes = 0;
  refused(other, "no 0 bytes are at");
  other.files[0].pieces[0] = {~std::uint64_t{0}, 1000};
  refused(other, "bytes are at");
  other.files[0].pieces.pop_back();
  refused(other, "bytes are at");
  other = manifest;
  other.files[0].bytes = 4999;
  refused(other, "the pieces of 'dir/file0' are not its 4999 bytes");
  other = manifest;
  other.directories = {{"dir/e", 0, 5, 0}, {"dir", 0750, -7, 0}};
  refused(other, "the attributes of 'dir' are out of order");
  other.directories = {{"../dir", 0750, -7, 0}};
  refused(other, "'../dir' is no name of a protected file or directory");
  other.directories = {{"dir", 01000, -7, 0}};
  refused(other, "impossible permissions or times");
  other.directories = {{"dir", 0750, -7, 1'000'000'000}};
  refused(other, "impossible permissions or times");
  other.directories = manifest.directories;
  other.scope.directories = {"dir", ""};
  refused(other, "out of order");
  other.scope.directories = {".."};
  refused(other, "'..' is no directory");
  other = manifest;
  other.scope.excluded = {""};
  refused(other, "is no pattern");
  other = manifest;
  other.scope.redundancy.percent = -1;
  refused(other, "redundancy that cannot be");
}

TEST_CASE("A text that was cut, or of which a number changed, is refused or is another manifest") {
  Manifest manifest = some_manifest({5000, 0, 12});
  manifest.directories = {{"dir", 0750, -7, 9}};
  const std::vector<std::uint8_t> text = manifest_text(manifest);
  for (std::size_t bytes = 0; bytes < text.size(); ++bytes) {
    CHECK_THROWS_AS(parse_manifest(std::span(text).first(bytes)), Error);
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::vector<std::uint8_t> changed = text;
    changed[at] ^= 0x81;
    bool is_other = true;
    try {
      is_other = parse_manifest(changed) != manifest;
    } catch (const Error& error) {
      is_other = error.kind() == Status::kDamaged || error.kind() == Status::kInvalidArgument;
    }
    CHECK(is_other);
  }
}

TEST_CASE("A list of files that readers refuse is said when it is written") {
  Manifest manifest = some_manifest({1});
  std::vector<std::string> remarks;
  const std::uint64_t most = ReadingBounds{}.memory_bytes;
  manifest.given_up.resize(static_cast<std::size_t>((most - manifest_bytes(manifest)) / 16));
  note_large_list(manifest, remarks);
  CHECK(remarks.empty());
  manifest.given_up.emplace_back();
  note_large_list(manifest, remarks);
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0].find("verify and repair need option allow_large to read it") !=
        std::string::npos);
}

TEST_CASE("A name that is a file and a directory is refused") {
  Manifest manifest = some_manifest({1, 2, 3});
  manifest.files[0].name = "a";
  manifest.files[1].name = "a-b";
  manifest.files[2].name = "a/b";
  CHECK_THROWS_WITH_AS(parse_manifest(manifest_text(manifest)),
                       doctest::Contains("'a' is a file and a directory"), Error);
}

TEST_CASE("Blocks and chunks suit the size of the files") {
  struct Size {
    std::uint64_t bytes;
    std::uint64_t block_bytes;
    const char* spec;
    std::uint64_t chunk_blocks;
  };
  for (const Size& size : std::vector<Size>{
           {0, 1024, "leopard:k=1,m=1,w=8,arrangement=word", 0},
           {1, 1024, "leopard:k=1,m=1,w=8,arrangement=word", 1},
           {10'000, 1024, "leopard:k=10,m=1,w=8,arrangement=word", 1},
           {1 << 20, 1024, "leopard:k=1024,m=103,w=16,arrangement=word", 1},
           // One byte more needs two blocks per row, and then half as many chunks suffice.
           {(1 << 20) + 1, 1024, "leopard:k=513,m=52,w=16,arrangement=word", 2},
           {1 << 28, 16384, "leopard:k=1024,m=103,w=16,arrangement=word", 16},
           {std::uint64_t{1} << 36, 65536, "leopard:k=1024,m=103,w=16,arrangement=word", 1024},
       }) {
    std::vector<ProtectedFile> files{{.name = "f", .bytes = size.bytes}};
    const Manifest manifest = planned_manifest(std::move(files), {}, kLimits);
    CAPTURE(size.bytes);
    CHECK(manifest.block_bytes == size.block_bytes);
    CHECK(manifest.spec == size.spec);
    CHECK(manifest.chunk_blocks == size.chunk_blocks);
  }
  CHECK(code_of(some_manifest({1 << 20}, {.percent = 100}), kLimits).m == 1024);
  CHECK(code_of(some_manifest({1 << 20}, {.percent = 0.1}), kLimits).m == 2);
  CHECK(code_of(some_manifest({1 << 20}, {.m = 7, .k = 100}), kLimits).k == 94);
  CHECK(code_of(some_manifest({1 << 20}, {.m = 7, .k = 100}), kLimits).m == 7);
  CHECK_THROWS_WITH_AS(some_manifest({1 << 26}, {.m = 60'000, .k = 60'000}),
                       doctest::Contains("65536"), Error);
}

TEST_CASE("A code that does not fit the files is refused") {
  Manifest manifest = some_manifest({1 << 20});
  const auto refused = [&](const Manifest& other) {
    CHECK_THROWS_AS(code_of(other, kLimits), Error);
  };
  for (const char* const spec : {"leopard:k=1023,m=103", "leopard:k=512,m=3", "raid5:k=4",
                                 "clay:k=4,m=2", "lrc:k=4,m=2,l=3", "file:/etc/passwd", "no"}) {
    CAPTURE(spec);
    Manifest other = manifest;
    other.spec = spec;
    refused(other);
  }
  for (const std::uint64_t blocks : {std::uint64_t{0}, std::uint64_t{2}, ~std::uint64_t{0}}) {
    Manifest other = manifest;
    other.chunk_blocks = blocks;
    refused(other);
  }
}

}  // namespace xorloom
