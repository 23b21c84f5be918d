#include "runtime/shards/set_damage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "codes/linear_map.hpp"
#include "codes/text/counted.hpp"
#include "runtime/files/user_bytes.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kMostNamedBlocks = 8;

template <typename Range>
std::string range_text(const Range& range) {
  return range.first == range.last ? fmt::format("{}", range.first)
                                   : fmt::format("{}-{}", range.first, range.last);
}

template <typename Range>
std::string stripes_text(const Range& range) {
  return fmt::format("stripe{} {}", range.first == range.last ? "" : "s", range_text(range));
}

/// "bytes 192-383 of the file": the bytes in the stripes of `range`.
template <typename Range>
std::string bytes_text(const Range& range, const ShardHeader& header) {
  const std::uint64_t last =
      range.last * header.stripe_bytes + stripe_file_bytes(header, range.last) - 1;
  return fmt::format("bytes {}-{} of the file", range.first * header.stripe_bytes, last);
}

template <typename Range>
std::string and_more(const std::vector<Range>& ranges) {
  if (ranges.size() <= kMostNamedBlocks) return {};
  return fmt::format(" and {} more", ranges.size() - kMostNamedBlocks);
}

/// Bytes of the file that a stripe holds at `locations` (ascending).
std::uint64_t bytes_at(const std::vector<std::size_t>& locations, const OpenedSet& set,
                       std::uint64_t stripe) {
  const ShardHeader& header = set.header();
  std::uint64_t bytes = 0;
  for (const UserPart& part : user_parts(set.code(), payload_bytes(header, stripe), 0,
                                         stripe_file_bytes(header, stripe))) {
    if (std::ranges::binary_search(locations, part.location)) bytes += part.bytes;
  }
  return bytes;
}

/// Bytes of the file that are in the lost chunks of some stripes.
std::uint64_t bytes_in(const std::vector<LostStripes>& stripes, const OpenedSet& set) {
  std::uint64_t bytes = 0;
  for (const LostStripes& range : stripes) {  // all stripes but the last of the file are alike
    bytes += bytes_at(range.lost, set, range.first) * (range.last - range.first);
    bytes += bytes_at(range.lost, set, range.last);
  }
  return bytes;
}

/// The first range of lost stripes that ends at `stripe` or later.
auto first_from(const std::vector<LostStripes>& lost, std::uint64_t stripe) {
  return std::ranges::partition_point(
      lost, [&](const LostStripes& range) { return range.last < stripe; });
}

}  // namespace

void SetDamage::add(const StripeReading& reading) {
  bytes_read += reading.bytes_read;
  for (const BadBlock& bad : reading.bad) {
    std::vector<BadBlocks>& ranges = bad_blocks[bad.shard];
    if (!ranges.empty() && ranges.back().last + 1 == reading.stripe &&
        ranges.back().fault == bad.fault) {
      ranges.back().last = reading.stripe;
    } else {
      ranges.push_back({reading.stripe, reading.stripe, bad.fault});
    }
  }
  if (const ErrorLocation& located = reading.located; !located.wrong.empty()) {
    wrong.most = std::max(wrong.most, located.wrong.size());
    wrong.unique_up_to = std::min(wrong.unique_up_to, located.unique_up_to);
  }
  if (reading.errors.verdict != ErrorLocation::Verdict::kConsistent) {
    const std::vector<std::size_t>& likely = reading.errors.wrong;
    if (!suspect_stripes.empty() && suspect_stripes.back().last + 1 == reading.stripe &&
        suspect_stripes.back().likely == likely) {
      suspect_stripes.back().last = reading.stripe;
    } else {
      suspect_stripes.push_back({reading.stripe, reading.stripe, likely});
    }
  }
  if (reading.is_recovered) return;
  for (const FileRange& lost : reading.lost_bytes) add_lost_bytes(lost);
  if (!lost_stripes.empty() && lost_stripes.back().last + 1 == reading.stripe &&
      lost_stripes.back().lost == reading.lost) {
    lost_stripes.back().last = reading.stripe;
  } else {
    lost_stripes.push_back({reading.stripe, reading.stripe, reading.lost});
  }
}

void SetDamage::add_lost_bytes(const FileRange& lost) {
  if (!lost_bytes.empty() && lost_bytes.back().end == lost.begin) {
    lost_bytes.back().end = lost.end;
  } else {
    lost_bytes.push_back(lost);
  }
}

bool SetDamage::is_lost(std::uint64_t stripe) const {
  const auto range = first_from(lost_stripes, stripe);
  return range != lost_stripes.end() && range->first <= stripe;
}

std::uint64_t SetDamage::num_lost() const {
  std::uint64_t number = 0;
  for (const LostStripes& range : lost_stripes) number += range.last - range.first + 1;
  return number;
}

SetDamage SetDamage::reparable(const OpenedSet& set) const {
  SetDamage reparable = *this;
  for (auto& [shard, blocks] : reparable.bad_blocks) {
    const std::size_t location = set.set().shards[shard].header.location;
    std::vector<BadBlocks> left;
    for (BadBlocks range : blocks) {
      for (auto lost = first_from(lost_stripes, range.first);
           lost != lost_stripes.end() && lost->first <= range.last; ++lost) {
        const bool is_hopeless =
            std::ranges::binary_search(lost->lost, location) && !set.plan(lost->lost, {location});
        if (!is_hopeless) continue;
        if (range.first < lost->first) left.push_back({range.first, lost->first - 1, range.fault});
        range.first = lost->last + 1;
      }
      if (range.first <= range.last) left.push_back(range);
    }
    blocks = std::move(left);
  }
  std::erase_if(reparable.bad_blocks, [](const auto& each) { return each.second.empty(); });
  return reparable;
}

void SetDamage::add_beyond(const OpenedSet& set, const StripeRange& stripes) {
  const std::uint64_t first = std::max(set.num_readable_stripes(), stripes.begin);
  const std::uint64_t end = std::min(num_blocks(set.header()), stripes.end);
  if (first >= end) return;
  std::vector<std::size_t> all(set.code().locations);
  std::iota(all.begin(), all.end(), std::size_t{0});
  lost_stripes.push_back({first, end - 1, std::move(all)});
  for (std::size_t i = 0; i < set.set().shards.size(); ++i) {
    bad_blocks[i].push_back({first, end - 1, BlockFault::kMissing});
  }
}

std::string assumption_text(const WrongChunks& wrong) {
  return fmt::format(
      "if at most {} of a stripe {} wrong",
      wrong.unique_up_to == 1 ? "1 chunk" : fmt::format("{} chunks", wrong.unique_up_to),
      wrong.unique_up_to == 1 ? "is" : "are");
}

std::string to_string(const std::vector<BadBlocks>& blocks) {
  std::string text;
  for (std::size_t i = 0; i < std::min(blocks.size(), kMostNamedBlocks); ++i) {
    const bool same_fault = i != 0 && blocks[i].fault == blocks[i - 1].fault;
    const bool ends = i + 1 == std::min(blocks.size(), kMostNamedBlocks) ||
                      blocks[i + 1].fault != blocks[i].fault;
    const bool is_one = ends && !same_fault && blocks[i].first == blocks[i].last;
    if (!text.empty()) text += same_fault ? ", " : "; ";
    if (!same_fault) text += is_one ? "block " : "blocks ";
    text += range_text(blocks[i]);
    if (ends) text += fmt::format(" {}", to_string(blocks[i].fault));
  }
  return text + and_more(blocks);
}

std::string to_string(const std::vector<LostStripes>& stripes, const ShardHeader& header) {
  std::string text;
  for (std::size_t i = 0; i < std::min(stripes.size(), kMostNamedBlocks); ++i) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} lost locations {} (in {})", stripes_text(stripes[i]),
                        set_text(stripes[i].lost), bytes_text(stripes[i], header));
  }
  return text + and_more(stripes);
}

std::string loss_text(const std::vector<LostStripes>& stripes, const OpenedSet& set) {
  const ShardHeader& header = set.header();
  const std::uint64_t lost = bytes_in(stripes, set);
  std::string text =
      fmt::format("of {}, {}", counted(num_blocks(header), "stripe"), to_string(stripes, header));
  if (lost >= header.file_bytes) return text;
  return text + fmt::format("; at most {} of {} are lost, and {}", lost,
                            counted(header.file_bytes, "byte"), kSalvageWay);
}

std::string way_to_the_rest(const std::vector<LostStripes>& stripes, const OpenedSet& set) {
  const bool is_all = bytes_in(stripes, set) >= set.header().file_bytes;
  return is_all ? std::string() : fmt::format(", and {}", kSalvageWay);
}

std::string to_string(const std::vector<SuspectStripes>& stripes, const ShardHeader& header) {
  std::string text;
  for (std::size_t i = 0; i < std::min(stripes.size(), kMostNamedBlocks); ++i) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} ({})", stripes_text(stripes[i]), bytes_text(stripes[i], header));
    if (stripes[i].likely.empty()) continue;
    text += fmt::format(", most likely at locations {}", set_text(stripes[i].likely));
  }
  return text + and_more(stripes);
}

}  // namespace xorloom
