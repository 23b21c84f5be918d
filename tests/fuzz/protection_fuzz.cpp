#include "tests/fuzz/protection_fuzz.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"
#include "runtime/protection/manifest.hpp"
#include "runtime/protection/protection_part.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/shard_fuzz.hpp"

namespace xorloom::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The magic number of docs/protecting.md.
constexpr std::array<std::uint8_t, 8> kPartMagic = {0x89, 'X', 'L', 'P', '\r', '\n', 0x1a, '\n'};

void mend_header(std::span<std::uint8_t> header, unsigned mend) {
  std::uint8_t* const at = header.data();
  if ((mend & kMendFrame) != 0) {
    std::ranges::copy(kPartMagic, at);
    put(at + 8, std::uint32_t{2});
    put(at + 12, std::uint32_t{0});
    std::fill(at + 88, at + 120, std::uint8_t{0});
  }
  if ((mend & kMendNumbers) != 0) {
    const std::uint32_t parts = 1 + get<std::uint32_t>(at + 36) % 9;
    put(at + 32, get<std::uint32_t>(at + 32) % parts);
    put(at + 36, parts);
    put(at + 40, get<std::uint32_t>(at + 40) % 100);
    put(at + 44, get<std::uint32_t>(at + 44) % 4);
    put(at + 48, get<std::uint64_t>(at + 48) % 10'000);
    put(at + 64, get<std::uint64_t>(at + 64) % 4);
    put(at + 72, get<std::uint64_t>(at + 72) % 600);
  }
  if ((mend & kMendChecksum) != 0) put(at + 120, checksum(header.first(120)));
}

PartHeader header_in(const Bytes& bytes) {
  const std::uint8_t* const at = bytes.data();
  PartHeader header;
  std::copy_n(at + 16, SetId::kBytes, header.id.bytes.begin());
  header.part = get<std::uint32_t>(at + 32);
  header.parts = get<std::uint32_t>(at + 36);
  header.first = get<std::uint32_t>(at + 40);
  header.count = get<std::uint32_t>(at + 44);
  header.manifest_bytes = get<std::uint64_t>(at + 48);
  header.manifest_checksum = get<std::uint64_t>(at + 56);
  header.chunk_blocks = get<std::uint64_t>(at + 64);
  header.block_bytes = get<std::uint64_t>(at + 72);
  header.generation = get<std::uint64_t>(at + 80);
  return header;
}

/// Gives a part the length that its header states, and makes all in it good.
void mend_rest(Bytes& bytes) {
  const PartHeader header = header_in(bytes);
  bytes.resize(part_bytes(header));
  std::copy_n(bytes.begin(), kPartHeaderBytes,
              bytes.end() - static_cast<std::ptrdiff_t>(kPartHeaderBytes));
  for (std::uint64_t page = 0; page < manifest_pages(header); ++page) {
    for (const int copy : {0, 1}) {
      std::uint8_t* const at = bytes.data() + page_offset(header, copy, page);
      std::ranges::copy(page_text(header, Bytes(at, at + kPagePayloadBytes), page), at);
    }
  }
  for (std::uint64_t chunk = 0; chunk < header.count; ++chunk) {
    for (std::uint64_t block = 0; block < header.chunk_blocks; ++block) {
      std::uint8_t* const at = bytes.data() + redundant_block_offset(header, chunk, block);
      const std::span payload(at + kRedundantFrameBytes, header.block_bytes);
      put(at, redundant_block_checksum(header, chunk, block, payload));
    }
  }
}

void check_mended(const ProtectionPart& part) {
  const PartHeader& header = part.header;
  require(part.defects.empty(), "what was mended has no defects");
  for (std::uint64_t page = 0; page < manifest_pages(header); ++page) {
    for (const int copy : {0, 1}) require(!part.read_page(copy, page).empty(), "nor bad pages");
  }
  Bytes payload(header.block_bytes);
  for (std::uint64_t chunk = 0; chunk < header.count; ++chunk) {
    for (std::uint64_t block = 0; block < header.chunk_blocks; ++block) {
      require(part.read_block(chunk, block, payload), "nor bad blocks");
    }
  }
}

/// The bytes of a part that has this header and that manifest, with blocks of all zeros.
Bytes part_of(PartHeader header, const Bytes& manifest) {
  header.manifest_bytes = manifest.size();
  header.manifest_checksum = checksum(manifest);
  Bytes part(part_bytes(header));
  const Bytes text = part_header_text(header);
  std::ranges::copy(text, part.begin());
  std::ranges::copy(text, part.end() - static_cast<std::ptrdiff_t>(text.size()));
  for (std::uint64_t page = 0; page < manifest_pages(header); ++page) {
    const std::size_t begin = static_cast<std::size_t>(page) * kPagePayloadBytes;
    const auto payload =
        std::span(manifest).subspan(begin, std::min(kPagePayloadBytes, manifest.size() - begin));
    for (const int copy : {0, 1}) {
      std::ranges::copy(page_text(header, payload, page),
                        part.data() + page_offset(header, copy, page));
    }
  }
  const Bytes payload(header.block_bytes);
  for (std::uint64_t chunk = 0; chunk < header.count; ++chunk) {
    for (std::uint64_t block = 0; block < header.chunk_blocks; ++block) {
      put(part.data() + redundant_block_offset(header, chunk, block),
          redundant_block_checksum(header, chunk, block, payload));
    }
  }
  return part;
}

Manifest some_manifest(const std::vector<std::uint64_t>& sizes) {
  Manifest manifest;
  manifest.spec = "leopard:k=2,m=1,w=8,arrangement=word";
  manifest.block_bytes = 64;
  manifest.chunk_blocks = 1;
  for (const std::uint64_t bytes : sizes) {
    manifest.files.push_back({"f" + std::to_string(manifest.files.size()), bytes, 0644, -1, 7});
  }
  lay_out(manifest.files);
  if (sizes.size() > 2) {
    // A file in two pieces, which begin at the end and lie around what was given up.
    manifest.files.front().pieces = {{200, 60}, {164, 4}};
    manifest.given_up = {{168, 32}};
    manifest.scope = {{"", "a"}, {"*.o", "x/y"}, {.percent = 7.5, .m = 3}};
    manifest.directories = {{"d", 0755, -1, 7}, {"d/e", 0700, 1, 0}};
  }
  manifest.sums.resize(manifest.map().num_segments());
  return manifest;
}

}  // namespace

void fuzz_protection(Bytes bytes, unsigned mend) {
  static const MemoryFile file;
  if (bytes.size() >= kPartHeaderBytes) {
    if ((mend & kMendLast) != 0) mend_header(std::span(bytes).last(kPartHeaderBytes), mend);
    mend_header(std::span(bytes).first(kPartHeaderBytes), mend);
  }
  constexpr unsigned kAll = kMendFrame | kMendNumbers | kMendChecksum | kCopyFirst | kMendBlocks;
  const bool is_mended = (mend & kAll) == kAll && bytes.size() >= kPartHeaderBytes;
  if (is_mended) mend_rest(bytes);
  file.write(bytes);
  try {
    const ProtectionPart part = open_part(file.path());
    const PartHeader& header = part.header;
    if (is_mended) check_mended(part);
    require(header.part < header.parts, "a part is one of the protection's");
    require(part.defects.size() <= 2, "defects of a header are said once");
    require(!part.defects.empty() || part_bytes(header) == bytes.size(), "a part has its length");
    for (std::uint64_t page = 0; page < std::min<std::uint64_t>(4, manifest_pages(header));
         ++page) {
      for (const int copy : {0, 1}) {
        const Bytes payload = part.read_page(copy, page);
        require(payload.empty() || payload.size() == kPagePayloadBytes, "a page is whole or none");
      }
    }
    if (header.block_bytes > bytes.size()) return;
    Bytes payload(header.block_bytes);
    for (std::uint64_t chunk = 0; chunk < std::min(header.count, 3U); ++chunk) {
      for (std::uint64_t block = 0; block < std::min<std::uint64_t>(4, header.chunk_blocks);
           ++block) {
        if (!part.read_block(chunk, block, payload)) continue;
        require(redundant_block_offset(header, chunk, block) < part_bytes(header),
                "a good block is within the part");
      }
    }
  } catch (const Error& error) {
    require(!is_mended, "what was mended is a part");
    require(error.kind() == Status::kParse || error.kind() == Status::kDamaged ||
                error.kind() == Status::kUnsupported,
            "what is no part is refused by its kind");
  }
}

void fuzz_manifest(const Bytes& bytes) {
  try {
    const Manifest manifest = parse_manifest(bytes);
    require(std::ranges::equal(manifest_text(manifest), bytes),
            "a manifest is written as it reads");
    const FileMap map = manifest.map();
    require(map.num_segments() == manifest.sums.size(), "each segment has its checksums");
    std::vector<bool> is_seen(map.num_segments());
    std::uint64_t end = 0;
    map.visit_segments(0, map.stream_bytes(), [&](const Segment& segment) {
      require(segment.at >= end, "segments follow one another");
      require(segment.bytes != 0 && segment.bytes <= manifest.block_bytes, "each within a block");
      require(!map.is_given_up(segment.at, segment.at + segment.bytes), "none is given up");
      const Segment same = map.segment(segment.file, segment.number);
      require(same.at == segment.at && same.bytes == segment.bytes, "each has its number");
      is_seen[segment.number] = true;
      end = segment.at + segment.bytes;
    });
    require(end <= map.stream_bytes(), "and are in the stream");
    require(std::ranges::find(is_seen, false) == is_seen.end(), "all of them are seen");
    for (const ProtectedFile& file : manifest.files) {
      require(!why_no_path(file.name), "no name leads out of the directory");
    }
  } catch (const Error& error) {
    require(error.kind() == Status::kDamaged || error.kind() == Status::kInvalidArgument,
            "what is no manifest is refused by its kind");
  }
}

std::vector<Bytes> manifest_seeds() {
  std::vector<Bytes> seeds;
  for (const auto& sizes :
       std::vector<std::vector<std::uint64_t>>{{}, {0}, {100}, {64, 0, 3, 61}}) {
    seeds.push_back(manifest_text(some_manifest(sizes)));
  }
  return seeds;
}

std::vector<Bytes> protection_seeds() {
  std::vector<Bytes> seeds;
  for (const std::uint32_t count : {0U, 1U, 3U}) {
    PartHeader header;
    header.first = 1;
    header.count = count;
    header.chunk_blocks = 2;
    header.block_bytes = 64;
    seeds.push_back(part_of(header, manifest_text(some_manifest({100, 28}))));
  }
  return seeds;
}

}  // namespace xorloom::test
