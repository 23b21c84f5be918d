#include "runtime/shards/lineage.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"

namespace xorloom {
namespace {

enum LineageOffset : std::size_t {
  kBaseAt = 0,
  kRecodedAt = 8,
  kPresentAt = 16,
  kPartedAt = 24,
  kRecentAt = 28,
  kEarlierAt = 32,
  kLineageChecksumAt = kLineageBytes - kChecksumBytes,
};
constexpr std::size_t kMostGenerations = (kLineageChecksumAt - kEarlierAt) / 8;
constexpr std::size_t kMostRecent = 448;
constexpr std::size_t kMostParted = kMostGenerations - kMostRecent;

std::uint64_t lineage_checksum(std::span<const std::uint8_t> text, const SetId& set,
                               std::uint64_t generation) noexcept {
  std::array<std::uint8_t, SetId::kBytes + 8> of{};
  std::ranges::copy(set.bytes, of.begin());
  put(of.data() + SetId::kBytes, generation);
  return checksum(of, text.first(kLineageChecksumAt));
}

void append_bounded(std::vector<std::uint64_t>& generations, std::uint64_t generation,
                    std::size_t most) {
  if (generations.size() == most) generations.erase(generations.begin());
  generations.push_back(generation);
}

}  // namespace

std::vector<std::uint64_t> Lineage::generations() const {
  std::vector<std::uint64_t> all{base};
  std::ranges::merge(parted, recent, std::back_inserter(all));
  return all;
}

bool Lineage::has(std::uint64_t generation) const {
  return generation == base || std::ranges::find(parted, generation) != parted.end() ||
         std::ranges::find(recent, generation) != recent.end();
}

std::uint64_t presence(std::span<const std::size_t> copies) noexcept {
  std::uint64_t sum = 0;
  for (const std::size_t number : copies) {
    std::array<std::uint8_t, 16> link{};
    put(link.data(), sum);
    put(link.data() + 8, std::uint64_t{number});
    sum = checksum(link);
  }
  return sum;
}

Lineage next_lineage(const std::optional<Lineage>& before, std::uint64_t generation_before,
                     std::uint64_t present) {
  Lineage next;
  if (before) {
    next = *before;
    if (present == before->present) {
      append_bounded(next.recent, generation_before, kMostRecent);
    } else {
      append_bounded(next.parted, generation_before, kMostParted);
    }
  } else {
    next.base = generation_before;
  }
  next.present = present;
  return next;
}

std::vector<std::uint8_t> lineage_text(const Lineage& lineage, const SetId& set,
                                       std::uint64_t generation) {
  std::vector<std::uint8_t> text(kLineageBytes);
  put(text.data() + kBaseAt, lineage.base);
  put(text.data() + kRecodedAt, lineage.recoded);
  put(text.data() + kPresentAt, lineage.present);
  put(text.data() + kPartedAt, static_cast<std::uint32_t>(lineage.parted.size()));
  put(text.data() + kRecentAt, static_cast<std::uint32_t>(lineage.recent.size()));
  std::uint8_t* at = text.data() + kEarlierAt;
  for (const auto* const generations : {&lineage.parted, &lineage.recent}) {
    for (const std::uint64_t each : *generations) {
      put(at, each);
      at += 8;
    }
  }
  put(text.data() + kLineageChecksumAt, lineage_checksum(text, set, generation));
  return text;
}

std::optional<Lineage> read_lineage(std::span<const std::uint8_t> text, const SetId& set,
                                    std::uint64_t generation) {
  if (text.size() != kLineageBytes) return std::nullopt;
  const std::uint8_t* const from = text.data();
  if (get<std::uint64_t>(from + kLineageChecksumAt) != lineage_checksum(text, set, generation)) {
    return std::nullopt;
  }
  const std::size_t num_parted = get<std::uint32_t>(from + kPartedAt);
  const std::size_t num_recent = get<std::uint32_t>(from + kRecentAt);
  if (num_parted > kMostParted || num_recent > kMostRecent) return std::nullopt;
  Lineage lineage;
  lineage.base = get<std::uint64_t>(from + kBaseAt);
  lineage.recoded = get<std::uint64_t>(from + kRecodedAt);
  lineage.present = get<std::uint64_t>(from + kPresentAt);
  const std::uint8_t* at = from + kEarlierAt;
  for (std::size_t i = 0; i < num_parted + num_recent; ++i, at += 8) {
    const auto each = get<std::uint64_t>(at);
    if (each <= lineage.base || each >= generation) return std::nullopt;
    (i < num_parted ? lineage.parted : lineage.recent).push_back(each);
  }
  if (lineage.base == 0 || lineage.base >= generation) return std::nullopt;
  return lineage;
}

}  // namespace xorloom
