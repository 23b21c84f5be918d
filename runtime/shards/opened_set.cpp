#include "runtime/shards/opened_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>

#include "codes/bits.hpp"
#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom {
namespace {

/// Most patterns of lost locations whose plans are kept; beyond, all are dropped and made again as
/// needed.
constexpr std::size_t kMaxPlans = 1024;

PlanOptions reading_options(const Options& options) {
  PlanOptions reading = plan_options(options);
  reading.refusals = std::make_shared<std::atomic<std::uint64_t>>(0);
  return reading;
}

[[noreturn]] void fail_on_header(const ShardHeader& header, const std::string& what) {
  fail(Status::kDamaged, fmt::format("it contradicts its code {}: {}", excerpt(header.spec), what));
}

/// Throws if spec, sizes or pieces in the header are not those of the code, or it has no known
/// lineage.
void check_header(const ShardHeader& header, const Code& code) {
  if (code.spec != header.spec) fail_on_header(header, "the spec is not written canonically");
  if (code.locations != header.locations) {
    fail_on_header(
        header, fmt::format("{} locations, and the code has {}", header.locations, code.locations));
  }
  if (header.lineage && !header.lineage->is_known()) {
    fail(Status::kDamaged, "no shard has its lineage whole");
  }
  if (header.block_bytes % chunk_multiple(code) != 0) {
    fail_on_header(header, fmt::format("block size {} is not a multiple of {}", header.block_bytes,
                                       chunk_multiple(code)));
  }
  if (header.pieces != Pieces{} && header.pieces != pieces_of(code)) {
    fail_on_header(header, fmt::format("pieces {} in units of {} are not {} and {}",
                                       header.pieces.number, header.pieces.unit_bytes,
                                       pieces_of(code).number, pieces_of(code).unit_bytes));
  }
  const StripeSizes sizes = stripe_sizes(code, header.block_bytes, header.file_bytes);
  if (sizes.stripe_bytes != header.stripe_bytes ||
      sizes.last_block_bytes != header.last_block_bytes) {
    fail_on_header(header, fmt::format("stripe size {} and last block {} are not {} and {}",
                                       header.stripe_bytes, header.last_block_bytes,
                                       sizes.stripe_bytes, sizes.last_block_bytes));
  }
}

/// The code of a set, checked against its header. Codes that are not MDS are allowed: the user was
/// asked when the file was encoded.
Code code_of(const FoundShards& found, const ShardSet& set, const ReadingBounds& bounds) try {
  Code code =
      make_code(set.header.spec, {.packet_bytes = 0, .allow_non_mds = true, .limits = bounds.spec});
  check_header(set.header, code);
  return code;
} catch (const Error& error) {
  fail(Status::kDamaged, fmt::format("{} cannot be read: {}{}", describe(set), error.what(),
                                     describe_others(found, set)));
}

/// Throws if an option asks for other packets than those of the set.
void check_packets(const Options& options, const Code& code) {
  if (options.packet_bytes == 0 || options.packet_bytes == code.packet_bytes) return;
  fail(Status::kInvalidArgument,
       fmt::format(
           "packet_bytes = {} contradicts the shards, whose code has {}", options.packet_bytes,
           code.packet_bytes == 0 ? "words" : fmt::format("packet_bytes = {}", code.packet_bytes)));
}

/// True if `some` (ascending) has every location of `all` that holds data.
bool hold_all_data(const Code& code, const std::vector<std::size_t>& some,
                   const std::vector<std::size_t>& all) {
  const std::vector<bool> has_data = holds_data(code);
  return std::ranges::all_of(all, [&](std::size_t location) {
    return !has_data[location] || std::ranges::binary_search(some, location);
  });
}

/// Number of blocks of which some shard has at least a part.
std::uint64_t blocks_within(const ShardSet& set) {
  std::uint64_t blocks = 0;
  for (const ShardFile& shard : set.shards) {
    if (shard.journal != nullptr) return num_blocks(set.header);
    const std::uint64_t begin = block_offset(set.header, 0);
    if (shard.file.bytes() <= begin) continue;
    const std::uint64_t step = set.header.block_bytes + frame_bytes(set.header);
    blocks = std::max(blocks, (shard.file.bytes() - begin - 1) / step + 1);
  }
  return std::min(blocks, num_blocks(set.header));
}

}  // namespace

StripeSizes stripe_sizes(const Code& code, std::uint64_t block_bytes, std::uint64_t file_bytes) {
  if (block_bytes == 0 || block_bytes % chunk_multiple(code) != 0) {
    fail(Status::kInvalidArgument, fmt::format("block_bytes = {} is not a multiple of {}",
                                               block_bytes, chunk_multiple(code)));
  }
  const std::uint64_t stripe = data_capacity(code, block_bytes);
  const std::uint64_t rest = file_bytes % stripe;
  if (file_bytes == 0) return {stripe, block_bytes, 0};
  return {stripe, block_bytes, rest == 0 ? block_bytes : chunk_bytes_for(code, rest)};
}

Pieces pieces_of(const Code& code) {
  const std::size_t number = units_of_chunk(code);
  if (number < 2 || number > kMaxPieces) return {};
  return {static_cast<std::uint32_t>(number), code.packet_bytes};
}

OpenedSet::OpenedSet(const FoundShards& found, std::string_view digits, const Options& options,
                     const ReadingBounds& bounds)
    : set_(&choose_set(found, digits)),
      code_(code_of(found, *set_, bounds)),
      bounds_(bounds),
      options_(reading_options(options)),
      atlas_(options.atlas, code_, options_),
      copies_(code_.locations),
      num_readable_stripes_(blocks_within(*set_)) {
  check_packets(options, code_);
  for (std::size_t i = 0; i < set_->shards.size(); ++i) {
    copies_[set_->shards[i].header.location].push_back(i);
  }
  for (std::size_t location = 0; location < copies_.size(); ++location) {
    if (copies_[location].empty()) missing_.push_back(location);
  }
  const std::uint64_t stripes = num_blocks(header());
  if (stripes == 0) return;
  const std::uint64_t last_bytes = stripe_file_bytes(header(), stripes - 1);
  const auto data_of = [&](std::uint64_t block_bytes, std::uint64_t file_bytes) {
    return xorloom::data_locations(code_, block_bytes, file_bytes);
  };
  data_of_most_ = data_of(header().block_bytes, header().stripe_bytes);
  data_of_last_ = data_of(header().last_block_bytes, last_bytes);
  // Locations that hold redundancy too are not zeros, whatever data they hold.
  std::vector<bool> is_redundant(code_.locations);
  for (const Cell cell : code_.redundant) is_redundant[code_.location_of_cell(cell)] = true;
  for (const std::size_t location : data_of_most_) {
    if (is_redundant[location] || std::ranges::binary_search(data_of_last_, location)) continue;
    zeros_of_last_.push_back(location);
  }
}

std::vector<std::size_t> OpenedSet::num_copies() const {
  std::vector<std::size_t> numbers;
  for (const std::vector<std::size_t>& copies : copies_) numbers.push_back(copies.size());
  return numbers;
}

const std::vector<std::size_t>& OpenedSet::data_locations(std::uint64_t stripe) const {
  return stripe + 1 == num_blocks(header()) ? data_of_last_ : data_of_most_;
}

const std::vector<std::size_t>& OpenedSet::zeros(std::uint64_t stripe) const {
  static const std::vector<std::size_t> kNoLocations;
  return stripe + 1 == num_blocks(header()) ? zeros_of_last_ : kNoLocations;
}

Plan OpenedSet::encoding_plan() const {
  return make_plan(code_, encoding_map(code_), for_encoding(options_));
}

std::optional<Plan> OpenedSet::plan(const std::vector<std::size_t>& lost,
                                    const std::vector<std::size_t>& wanted,
                                    const WantedUnits& units,
                                    const std::vector<std::size_t>& at_hand) const {
  const std::lock_guard lock(mutex_);
  const Pattern pattern{lost, wanted, units, at_hand};
  if (const auto known = plans_.find(pattern); known != plans_.end()) return known->second;
  std::optional<Plan> plan;
  try {
    plan = plan_of(pattern);
  } catch (const Error& error) {
    if (error.kind() != Status::kDamaged) throw;
  }
  if (plans_.size() == kMaxPlans) plans_.clear();
  plans_.emplace(pattern, plan);
  return plan;
}

Plan OpenedSet::plan_of(const Pattern& pattern) const {
  const auto& [lost, wanted, units, at_hand] = pattern;
  // If all lost data are wanted, whether they can be rebuilt is found sooner than how.
  if (hold_all_data(code_, wanted, lost) && !can_rebuild_all(lost)) {
    fail(Status::kDamaged, "the lost locations cannot be rebuilt");
  }
  check_recovery(bounds_, code_, lost, wanted);
  const Repair repair{.erased = lost,
                      .wanted = wanted,
                      .units = units,
                      .read_costs = read_costs_,
                      .at_hand = at_hand,
                      .whole_chunks = header().pieces == Pieces{}};
  return atlas_.repair(code_, options_, repair);
}

PlanCounts OpenedSet::plan_counts() const {
  PlanCounts counts{};
  atlas_.count(counts);
  counts.code_refused = options_.refusals->load(std::memory_order_relaxed);
  return counts;
}

bool OpenedSet::can_rebuild_all(const std::vector<std::size_t>& lost) const {
  if (const auto known = answers_.find(lost); known != answers_.end()) return known->second;
  check_recovery(bounds_, code_, lost, {});
  if (answers_.size() == kMaxPlans) answers_.clear();
  return answers_.emplace(lost, is_recoverable(code_, lost)).first->second;
}

bool OpenedSet::can_rebuild(const std::vector<std::size_t>& lost) const {
  const std::lock_guard lock(mutex_);
  return can_rebuild_all(lost);
}

bool OpenedSet::can_rebuild(std::uint64_t stripe, const std::vector<std::size_t>& lost) const {
  std::vector<std::size_t> unknown;
  std::ranges::set_difference(lost, zeros(stripe), std::back_inserter(unknown));
  return unknown.empty() || can_rebuild(unknown) || can_encode_anew(stripe, unknown);
}

bool OpenedSet::can_encode_anew(std::uint64_t stripe, const std::vector<std::size_t>& lost) const {
  if (stripe + 1 != num_blocks(header()) || data_of_last_ == data_of_most_) return false;
  std::vector<std::size_t> lost_data;
  std::ranges::set_intersection(lost, data_of_last_, std::back_inserter(lost_data));
  return lost_data.empty() || plan(lost, lost_data);
}

}  // namespace xorloom
