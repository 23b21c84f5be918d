#include "runtime/opened_set.hpp"

#include <fmt/format.h>

#include <set>

#include "codes/error.hpp"
#include "codes/families.hpp"
#include "codes/linear_map.hpp"
#include "runtime/user_bytes.hpp"

namespace xorloom {
namespace {

/// Patterns of lost locations whose plans are kept; past that all are dropped and made again as needed.
constexpr std::size_t kMaxPlans = 1024;

Options reading_options(Options options) {
  options.allow_non_mds = true;  // whoever encoded was asked
  return options;
}

[[noreturn]] void fail_on_header(const ShardHeader& header, const std::string& what) {
  fail(Status::kDamaged, fmt::format("the headers of set {} contradict their code {}: {}",
                                     to_string(header.set), header.spec.substr(0, 80), what));
}

/// Compares what the header says of sizes with what the code makes of them.
void check_header(const ShardHeader& header, const Code& code) {
  if (code.spec != header.spec) fail_on_header(header, "the spec is not written canonically");
  if (code.locations != header.locations) {
    fail_on_header(
        header, fmt::format("{} locations, and the code has {}", header.locations, code.locations));
  }
  if (header.block_bytes % chunk_multiple(code) != 0) {
    fail_on_header(header, fmt::format("block size {} is not a multiple of {}", header.block_bytes,
                                       chunk_multiple(code)));
  }
  const StripeSizes sizes = stripe_sizes(code, header.block_bytes, header.file_bytes);
  if (sizes.stripe_bytes != header.stripe_bytes ||
      sizes.last_block_bytes != header.last_block_bytes) {
    fail_on_header(header, fmt::format("stripe size {} and last block {} are not {} and {}",
                                       header.stripe_bytes, header.last_block_bytes,
                                       sizes.stripe_bytes, sizes.last_block_bytes));
  }
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

OpenedSet::OpenedSet(const ShardSet& set, const Options& options)
    : set_(&set),
      codec_(set.header.spec, reading_options(options)),
      code_(make_code(set.header.spec, {.packet_bytes = 0, .allow_non_mds = true})),
      copies_(code_.locations) {
  check_header(set.header, code_);
  for (std::size_t i = 0; i < set.shards.size(); ++i) {
    copies_[set.shards[i].header.location].push_back(i);
  }
  for (std::size_t location = 0; location < copies_.size(); ++location) {
    if (copies_[location].empty()) missing_.push_back(location);
  }
}

std::vector<std::size_t> OpenedSet::data_locations(std::uint64_t file_bytes,
                                                   std::size_t chunk_bytes) const {
  const std::size_t cell_bytes = chunk_bytes / code_.subchunks;
  std::set<std::size_t> locations;
  for (std::size_t j = 0; j < code_.data.size() && j * cell_bytes < file_bytes; ++j) {
    locations.insert(code_.location_of_cell(code_.data[j]));
  }
  return {locations.begin(), locations.end()};
}

std::optional<Plan> OpenedSet::plan(const std::vector<std::size_t>& lost,
                                    const std::vector<std::size_t>& wanted) const {
  const std::lock_guard lock(mutex_);
  const Pattern pattern{lost, wanted};
  if (const auto known = plans_.find(pattern); known != plans_.end()) return known->second;
  std::optional<Plan> plan;
  try {
    plan = codec_.decoding(lost, wanted);
  } catch (const Error& error) {
    if (error.kind() != Status::kDamaged) throw;
  }
  if (plans_.size() == kMaxPlans) plans_.clear();
  plans_.emplace(pattern, plan);
  return plan;
}

bool OpenedSet::can_rebuild(const std::vector<std::size_t>& lost) const {
  const std::lock_guard lock(mutex_);
  if (const auto known = answers_.find(lost); known != answers_.end()) return known->second;
  if (answers_.size() == kMaxPlans) answers_.clear();
  return answers_.emplace(lost, is_recoverable(code_, lost)).first->second;
}

}  // namespace xorloom
