#include "runtime/atlas/atlas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "codes/bits.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/files/packed_program.hpp"
#include "runtime/atlas/loss_patterns.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/open_file.hpp"

namespace xorloom {
namespace {

AtlasHeader header_of(const MappedFile& file, const std::filesystem::path& path) {
  try {
    return read_atlas_head(file.bytes());
  } catch (const Error& error) {
    fail(error.kind(), fmt::format("{} cannot be used: {}", path.string(), error.what()));
  }
}

/// Runs `work` on a record; if it throws kDamaged, the error names the file and the record.
template <typename Work>
auto told_of(const std::filesystem::path& path, std::uint32_t record, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != Status::kDamaged) throw;
    fail(Status::kDamaged,
         fmt::format("{} is damaged: record {}: {}", path.string(), record, error.what()));
  }
}

/// The elements that a pattern's programs compute, ascending: bits of packets, or cells of words.
std::vector<Element> outputs_of(const Code& code, std::span<const std::size_t> lost) {
  const std::size_t rows = units_of_chunk(code);
  std::vector<Element> outputs;
  if (lost.empty()) {
    outputs = word_bits_of(code) == 0 ? elements_of(code, code.redundant) : code.redundant;
  }
  for (const std::size_t location : lost) {
    for (std::size_t row = 0; row < rows; ++row) {
      outputs.push_back(static_cast<Element>(location * rows + row));
    }
  }
  std::ranges::sort(outputs);
  return outputs;
}

}  // namespace

bool is_atlas(const std::filesystem::path& path) {
  const OpenFile file(path);
  std::array<std::uint8_t, 8> first{};
  return file.is_open() && file.read_at(0, first) == 0 && begins_like_atlas(first);
}

Atlas::Atlas(std::filesystem::path path)
    : path_(std::move(path)),
      file_(path_),
      header_(header_of(file_, path_)),
      layout_(layout_of(header_)),
      field_(header_.subject.word_bits == 0 ? gf2() : Field(header_.subject.word_bits)) {}

void Atlas::check_code(const Code& code) const {
  const AtlasSubject& subject = header_.subject;
  const bool has_spec = subject.spec == spec_without_packets(code);
  if (has_spec && subject.word_bits != word_bits_of(code)) {
    fail_as_damaged(fmt::format("its format version {} is not that of {}", version_of(subject),
                                atlas_name(subject)));
  }
  if (has_spec && subject.locations == code.locations && subject.rows == units_of_chunk(code)) {
    return;
  }
  fail(Status::kInvalidArgument, fmt::format("{} is an atlas of {}, not of {}", path_.string(),
                                             atlas_name(subject), code.name()));
}

void Atlas::fail_as_damaged(const std::string& why) const {
  fail(Status::kDamaged, fmt::format("{} is damaged: {}", path_.string(), why));
}

AtlasEntry Atlas::entry_of(std::span<const std::size_t> lost) const {
  std::vector<std::size_t> sorted(lost.begin(), lost.end());
  std::ranges::sort(sorted);
  const bool is_set = std::ranges::adjacent_find(sorted) == sorted.end();
  if (!is_set || sorted.size() > header_.subject.losses) return {};
  if (!sorted.empty() && sorted.back() >= header_.subject.locations) return {};
  if (!file_.is_whole()) fail_as_damaged("it was cut short");
  return atlas_entry(file_.bytes(), layout_, pattern_number(header_.subject.locations, sorted));
}

std::vector<std::uint8_t> Atlas::record(std::uint32_t number) const {
  const auto file = file_.bytes();
  if (number >= header_.records) fail_as_damaged("it has changed since it was opened");
  if (!file_.is_whole()) fail_as_damaged("it was cut short");
  const AtlasRecord record = atlas_record(file, layout_, number);
  const std::uint64_t end =
      number + 1 < header_.records ? atlas_record(file, layout_, number + 1).offset : file.size();
  if (record.offset > end || end > file.size()) {
    fail_as_damaged("it has changed since it was opened");
  }
  // Copied before it is checked, so that nobody changes it in between.
  std::vector<std::uint8_t> bytes(file.begin() + static_cast<std::ptrdiff_t>(record.offset),
                                  file.begin() + static_cast<std::ptrdiff_t>(end));
  if (checksum(bytes) != record.checksum) {
    fail_as_damaged(fmt::format("the checksum of record {} does not hold", number));
  }
  return bytes;
}

Program Atlas::program_of(std::uint32_t record) const {
  const std::vector<std::uint8_t> bytes = this->record(record);
  const std::uint64_t cells = std::uint64_t{header_.subject.locations} * header_.subject.rows;
  return told_of(path_, record, [&] {
    return unpacked(bytes, static_cast<std::uint32_t>(std::min<std::uint64_t>(cells, UINT32_MAX)),
                    field_);
  });
}

std::optional<Atlas::Found> Atlas::find(const Code& code, std::span<const std::size_t> lost) const {
  const AtlasEntry entry = entry_of(lost);
  if (entry.is_nothing()) return std::nullopt;
  const std::vector<Element> outputs = outputs_of(code, lost);
  const std::size_t rows = units_of_chunk(code);
  const auto end = static_cast<Element>(code.locations * rows);
  const std::vector<std::uint8_t> reads = record(entry.reads);
  const std::vector<Element> inputs =
      told_of(path_, entry.reads, [&] { return unpacked_elements(reads, end); });
  const auto program = [&](std::uint32_t number) {
    Program found = program_of(number);
    if (word_bits_of(code) != 0) found.field = code.field;
    if (found.inputs.size() != inputs.size() || found.outputs.size() != outputs.size()) {
      fail_as_damaged(fmt::format("record {} is for other losses", number));
    }
    return placed(found, code.locations, rows, inputs, outputs);
  };
  const auto is_in = [](const std::vector<Element>& set, Element element) {
    return std::ranges::binary_search(set, element);
  };
  if (std::ranges::any_of(inputs, [&](Element input) { return is_in(outputs, input); })) {
    fail_as_damaged("a program reads what it should compute");
  }
  Found found{program(entry.equations)};
  const bool has_orders = entry.two_way != entry.equations || entry.three_way != entry.equations;
  if (has_orders || word_bits_of(code) != 0) {
    found.two_way = std::make_shared<const Program>(program(entry.two_way));
    found.three_way = std::make_shared<const Program>(program(entry.three_way));
  }
  return found;
}

std::optional<Program> Atlas::program(const Code& code, std::span<const std::size_t> lost) const {
  std::optional<Found> found = find(code, lost);
  if (!found) return std::nullopt;
  return std::move(found->equations);
}

AtlasEntry Atlas::records_at(std::uint64_t pattern) const {
  if (!file_.is_whole()) fail_as_damaged("it was cut short");
  return atlas_entry(file_.bytes(), layout_, pattern);
}

std::size_t Atlas::num_damaged() const {
  std::size_t damaged = 0;
  for (std::uint32_t number = 0; number < header_.records; ++number) {
    try {
      static_cast<void>(record(number));
    } catch (const Error& error) {
      if (error.kind() != Status::kDamaged) throw;
      ++damaged;
    }
  }
  return damaged;
}

}  // namespace xorloom
