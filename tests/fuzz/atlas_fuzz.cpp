#include "tests/fuzz/atlas_fuzz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>

#include "codes/text/error.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/program.hpp"
#include "runtime/atlas/atlas_header.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"
#include "tests/fuzz/require.hpp"

namespace xorloom::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Byte offsets in a header.
constexpr std::size_t kSpecBytesAt = 12;
constexpr std::size_t kFileBytesAt = 16;
constexpr std::size_t kPatternsAt = 64;
constexpr std::size_t kRecordsAt = 72;
constexpr std::size_t kSpecAt = 80;

/// Records are read for codes of at most this many cells, so that their elements fit in memory.
constexpr std::uint64_t kMostCells = 4096;

/// Returns what `read` returns; nullopt if it throws one of `refusals`. Any other error is a flaw.
template <typename Read>
auto if_accepted(const Read& read, std::span<const Status> refusals)
    -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error& error) {
    require(std::ranges::find(refusals, error.kind()) != refusals.end(),
            "bytes are refused for what they are");
    return std::nullopt;
  }
}

constexpr Status kOfHeads[] = {Status::kParse, Status::kUnsupported, Status::kDamaged};
constexpr Status kOfRecords[] = {Status::kDamaged};

void check_program_record(std::span<const std::uint8_t> bytes, std::uint32_t cells,
                          const Field& field) {
  const auto program = if_accepted([&] { return unpacked(bytes, cells, field); }, kOfRecords);
  if (!program) return;
  check_program(*program);
  require(unpacked(packed(*program), cells, field) == *program, "a program is written as it reads");
  require(without_places(*program) == *program, "a record's program has no places");
}

void check_elements_record(std::span<const std::uint8_t> bytes, std::uint32_t cells) {
  const auto elements = if_accepted([&] { return unpacked_elements(bytes, cells); }, kOfRecords);
  if (!elements) return;
  require(std::ranges::adjacent_find(*elements, std::ranges::greater_equal()) == elements->end(),
          "elements ascend");
  require(elements->empty() || elements->back() < cells, "elements are cells");
  require(unpacked_elements(packed_elements(*elements), cells) == *elements,
          "elements are written as they read");
}

/// Checks what holds for every atlas whose head is accepted.
void check_atlas(std::span<const std::uint8_t> file, const AtlasHeader& header) {
  const AtlasLayout layout = layout_of(header);
  require(header.file_bytes == file.size(), "an atlas has its length");
  require(layout.records <= file.size(), "an atlas has room for its index");
  std::vector<AtlasEntry> entries;
  for (std::uint64_t pattern = 0; pattern < num_patterns(header.subject); ++pattern) {
    entries.push_back(atlas_entry(file, layout, pattern));
    const auto& [reads, equations, two_way, three_way] = entries.back();
    if (entries.back() == AtlasEntry{}) continue;
    require(std::max({reads, equations, two_way, three_way}) < header.records,
            "a pattern has records that are there");
  }
  std::vector<AtlasRecord> records;
  for (std::uint32_t r = 0; r < header.records; ++r) {
    records.push_back(atlas_record(file, layout, r));
  }
  require(std::ranges::equal(atlas_head(header, entries, records), file.first(layout.records)),
          "a head is written as it reads");
  const std::uint64_t cells = std::uint64_t{header.subject.locations} * header.subject.rows;
  const std::uint32_t w = header.subject.word_bits;
  const Field field = w == 0 ? gf2() : Field(w);
  for (std::uint32_t r = 0; r < header.records; ++r) {
    const std::uint64_t begin = records[r].offset;
    const std::uint64_t end = r + 1 < header.records ? records[r + 1].offset : file.size();
    require(layout.records <= begin && begin < end && end <= file.size(),
            "a record lies in its file");
    if (cells > kMostCells) continue;
    const auto bytes = file.subspan(begin, end - begin);
    check_program_record(bytes, static_cast<std::uint32_t>(cells), field);
    check_elements_record(bytes, static_cast<std::uint32_t>(cells));
  }
}

/// An atlas of a code with its redundancy in the last location. All patterns use `program`.
Bytes atlas_of(const Program& program, std::uint32_t locations, std::uint32_t rows) {
  AtlasHeader header{
      {.spec = fmt::format("parity:k={}", locations - 1),
       .locations = locations,
       .rows = rows,
       .k = locations - 1,
       .m = 1,
       .losses = 1,
       .word_bits = program.is_xor() ? 0 : static_cast<std::uint32_t>(program.field.w())},
      0,
      1,
      locations + 1};
  std::vector<Bytes> contents{packed(program)};
  std::vector<AtlasEntry> entries;
  for (std::uint32_t lost = 0; lost <= locations; ++lost) {  // 0 is encoding
    const std::uint32_t location = lost == 0 ? locations - 1 : lost - 1;
    std::vector<Element> reads;
    for (Element cell = 0; cell < locations * rows; ++cell) {
      if (cell / rows != location) reads.push_back(cell);
    }
    const auto number = lost == 0 ? locations : lost;
    if (lost != 0) contents.push_back(packed_elements(reads));
    entries.push_back({number, 0, 0, 0});
  }
  entries.back() = {};
  header.file_bytes = layout_of(header).records;
  std::vector<AtlasRecord> records;
  for (const Bytes& content : contents) {
    records.push_back({header.file_bytes, checksum(content)});
    header.file_bytes += content.size();
  }
  Bytes file = atlas_head(header, entries, records);
  for (const Bytes& content : contents) file.insert(file.end(), content.begin(), content.end());
  return file;
}

}  // namespace

void mend_atlas(std::span<std::uint8_t> file) {
  if (file.size() < kSpecAt) return;
  std::uint8_t* const at = file.data();
  put(at + kFileBytesAt, std::uint64_t{file.size()});
  const std::uint64_t spec_bytes = get<std::uint32_t>(at + kSpecBytesAt);
  const std::uint64_t patterns = get<std::uint32_t>(at + kPatternsAt);
  const std::uint64_t records = get<std::uint32_t>(at + kRecordsAt);
  const std::uint64_t table = kSpecAt + padded(spec_bytes) + 16 * patterns;
  const std::uint64_t end = table + 16 * records;
  if (end + 8 > file.size()) return;
  for (std::uint64_t r = 0; r < records; ++r) {
    const auto first = get<std::uint64_t>(at + table + 16 * r);
    const auto last = r + 1 < records ? get<std::uint64_t>(at + table + 16 * (r + 1)) : file.size();
    if (first > last || last > file.size()) continue;
    put(at + table + 16 * r + 8, checksum(file.subspan(first, last - first)));
  }
  put(at + end, checksum(file.first(end)));
}

void fuzz_atlas(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  Bytes file(input.begin() + 1, input.end());
  if (input[0] % 2 != 0) mend_atlas(file);
  const auto header = if_accepted([&] { return read_atlas_head(file); }, kOfHeads);
  if (header) check_atlas(file, *header);
}

std::vector<Bytes> atlas_seeds() {
  const Program sum{3, 1, {0, 1}, {2}, {{2, {0, 1}}}};
  const Program shared{6, 1, {0, 1, 2, 3}, {4, 5}, {{6, {0, 3}}, {4, {1, 6}}, {5, {2, 4, 6}}}};
  std::vector<Bytes> seeds;
  const Program scaled{3, 1, {0, 1}, {2}, {{2, {{0, 200}, {1, 1}}}}, {}, Field(8)};
  for (const Bytes& file : {atlas_of(sum, 3, 1), atlas_of(shared, 3, 2), atlas_of(scaled, 3, 1)}) {
    for (const bool is_mended : {false, true}) {
      Bytes& seed = seeds.emplace_back(1, static_cast<std::uint8_t>(is_mended));
      seed.insert(seed.end(), file.begin(), file.end());
    }
  }
  return seeds;
}

}  // namespace xorloom::test
