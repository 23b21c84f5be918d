#include "runtime/engine/accept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/engine/acceptance_cases.hpp"

namespace xorloom {
namespace {

constexpr std::uint8_t kGuard = 0xa5;
constexpr std::size_t kGuardBytes = 64;

enum class Calls { kRun, kAllSteps, kStepByStep };

struct Variant {
  const char* name;
  std::size_t misalignment;
  bool cut;  ///< into ranges of columns
  Calls calls;
  Stores stores = Stores::kOrdinary;
};

constexpr std::array kVariants = {
    Variant{"as a whole", 0, false, Calls::kRun},
    Variant{"as a whole at odd addresses", 13, false, Calls::kRun},
    Variant{"as a whole past the caches", 0, false, Calls::kRun, Stores::kNonTemporal},
    Variant{"in ranges", 29, true, Calls::kRun},
    Variant{"all steps in one call", 7, false, Calls::kAllSteps},
    Variant{"step by step in ranges", 3, true, Calls::kStepByStep},
};

constexpr const Variant& kPastCaches = kVariants[2];
constexpr const Variant& kAllSteps = kVariants[4];

/// Copies of the regions of a trial with guard bytes around each, the first aligned to 64 bytes
/// plus the misalignment and each next one by as much more.
class GuardedStripe {
 public:
  GuardedStripe(const AcceptanceCase& test_case, std::size_t misalignment) {
    std::size_t end = 0;
    std::vector<std::size_t> offsets;
    for (const auto& region : test_case.before) {
      offsets.push_back(end + kGuardBytes + misalignment * (offsets.size() + 1) % 64);
      end = (offsets.back() + region.size() + kGuardBytes + 63) / 64 * 64;
    }
    storage_.assign(end + 64, kGuard);
    std::uint8_t* const base =
        storage_.data() + (64 - reinterpret_cast<std::uintptr_t>(storage_.data()) % 64);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      regions_.push_back(base + offsets[i]);
      std::ranges::copy(test_case.before[i], regions_[i]);
    }
    for (const AcceptanceCase::Place place : test_case.chunks) {
      chunks_.push_back(regions_[place.region] + place.offset);
    }
  }
  GuardedStripe(const GuardedStripe&) = delete;
  GuardedStripe& operator=(const GuardedStripe&) = delete;

  std::uint8_t* const* chunks() const { return chunks_.data(); }

  std::optional<std::string> find_difference(const AcceptanceCase& test_case) const {
    const Regions& expected = test_case.after;
    const auto name = [&](std::size_t region) { return name_of(test_case, region); };
    const std::uint8_t* from = storage_.data();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!are_guards(from, regions_[i])) {
        return fmt::format("bytes before {} were written", name(i));
      }
      const std::span<const std::uint8_t> got(regions_[i], expected[i].size());
      from = regions_[i] + expected[i].size();
      if (got.empty() || std::memcmp(expected[i].data(), got.data(), got.size()) == 0) continue;
      const auto [want, have] = std::ranges::mismatch(expected[i], got);
      return fmt::format("byte {} of {} is {:#x}, not {:#x}", want - expected[i].begin(), name(i),
                         *have, *want);
    }
    if (!are_guards(from, storage_.data() + storage_.size())) {
      return "bytes after the last region were written";
    }
    return std::nullopt;
  }

 private:
  /// Comparing bytes with their neighbours is what the library's fast comparison can do.
  static bool are_guards(const std::uint8_t* begin, const std::uint8_t* end) {
    if (begin == end) return true;
    return *begin == kGuard &&
           std::memcmp(begin, begin + 1, static_cast<std::size_t>(end - begin - 1)) == 0;
  }

  /// A region by the location that has it to itself, if one has.
  static std::string name_of(const AcceptanceCase& test_case, std::size_t region) {
    std::size_t users = 0;
    std::size_t location = 0;
    for (std::size_t l = 0; l < test_case.chunks.size(); ++l) {
      if (test_case.chunks[l].region != region) continue;
      ++users;
      location = l;
    }
    if (users == 1) return fmt::format("location {}", location);
    return fmt::format("what {} locations share that are not to be written", users);
  }

  std::vector<std::uint8_t> storage_;
  std::vector<std::uint8_t*> regions_;
  std::vector<std::uint8_t*> chunks_;
};

/// The order that takes the last of the steps that are ready, each time.
std::vector<std::size_t> latest_order(const Computation& computation) {
  const auto& dependencies = computation.dependencies();
  std::vector<std::size_t> waits_for(computation.num_steps());
  for (const auto& [earlier, later] : dependencies) ++waits_for[later];
  std::priority_queue<std::size_t> ready;
  for (std::size_t i = 0; i < waits_for.size(); ++i) {
    if (waits_for[i] == 0) ready.push(i);
  }
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    const std::size_t step = ready.top();
    ready.pop();
    order.push_back(step);
    for (auto i = std::ranges::lower_bound(dependencies, std::pair(std::uint32_t(step), 0U));
         i != dependencies.end() && i->first == step; ++i) {
      if (--waits_for[i->second] == 0) ready.push(i->second);
    }
  }
  return order;
}

/// Runs a variant. The answer is none, or what it did to its scratch.
std::optional<std::string> run(const Computation& computation, const Variant& variant,
                               const std::vector<std::size_t>& order, std::uint8_t* const* chunks,
                               std::size_t chunk_bytes) {
  const std::size_t columns = computation.columns(chunk_bytes);
  std::size_t width = variant.cut ? computation.column_multiple() : columns;
  for (std::size_t begin = 0; begin < columns; begin += width, width *= 3) {
    const std::size_t end = std::min(columns, begin + width);
    if (variant.calls == Calls::kRun) {
      computation.run(chunks, chunk_bytes, begin, end, variant.stores);
      continue;
    }
    const std::size_t bytes = computation.scratch_bytes(end - begin);
    std::vector<std::uint8_t> scratch(bytes + 2 * kGuardBytes + 1, kGuard);
    std::uint8_t* const inside = scratch.data() + kGuardBytes + 1;
    if (variant.calls == Calls::kAllSteps) {
      computation.run_steps(0, order.size(), chunks, chunk_bytes, begin, end, inside);
    } else {
      for (const std::size_t step : order) {
        computation.run_steps(step, step + 1, chunks, chunk_bytes, begin, end, inside);
      }
    }
    std::fill_n(inside, bytes, kGuard);
    if (std::ranges::count(scratch, kGuard) != static_cast<std::ptrdiff_t>(scratch.size())) {
      return "bytes around the scratch were written";
    }
  }
  return std::nullopt;
}

void check(const Code& code, const Computation& computation, const AcceptanceCase& test_case,
           std::span<const Variant> variants) {
  const std::vector<std::size_t> order = latest_order(computation);
  const auto reject = [&](const Variant& variant, const std::string& reason) {
    fail(Status::kInternal, fmt::format("a kernel for {} was not accepted: {}, {}: {}",
                                        excerpt(code.spec), test_case.data, variant.name, reason));
  };
  for (const Variant& variant : variants) {
    const GuardedStripe stripe(test_case, variant.misalignment);
    if (const auto reason =
            run(computation, variant, order, stripe.chunks(), test_case.chunk_bytes)) {
      reject(variant, *reason);
    }
    if (const auto reason = stripe.find_difference(test_case)) reject(variant, *reason);
  }
}

/// Packets are cut down, unless machine code is made for their size.
void accept_packets(const Code& code, const LinearMap& map, const Computation& computation) {
  const LoopSizes sizes = computation.loop_sizes();
  const std::size_t cut_bytes = std::min(code.packet_bytes, sizes.block_bytes + sizes.rest_bytes);
  const auto cut = computation.with_packet_bytes(cut_bytes);
  const Computation& tried = cut ? *cut : computation;
  const PacketCases cases(code, map, cut ? cut_bytes : code.packet_bytes,
                          std::max<std::size_t>(3, sizes.super_blocks + 2));
  // One lane more than there are unit vectors holds the zero vector.
  for (std::size_t first = 0; first <= cases.vectors(); first += cases.lanes()) {
    check(code, tried, cases.units(first), kVariants);
  }
  check(code, tried, cases.random(), kVariants);
}

/// A word program without hidden cells runs the same way as a whole and by steps, so unit vectors
/// go once through each loop of its kernels: turns of many vectors, with ordinary and with
/// non-temporal stores, and turns of few, the last of which is part of a vector. With hidden cells
/// they go through both ways of keeping these.
void accept_words(const Code& code, const Computation& computation, const WordCases& cases) {
  const auto check_units = [&](std::size_t subchunk_bytes, const Variant& variant) {
    for (std::size_t i = 0; i < cases.batches(subchunk_bytes); ++i) {
      check(code, computation, cases.units(subchunk_bytes, i), {&variant, 1});
    }
  };
  const LoopSizes sizes = computation.loop_sizes();
  const std::size_t odd_bytes = sizes.rest_bytes - cases.unit_bytes();
  check_units(sizes.block_bytes, kVariants.front());
  check_units(sizes.block_bytes, kPastCaches);
  const bool has_hidden = computation.scratch_bytes(1) != 0;
  // Machine code computes whole tiles in run(), but kernels compute steps.
  if (computation.has_code() || has_hidden) check_units(sizes.block_bytes, kAllSteps);
  if (has_hidden) check_units(odd_bytes, kVariants.front());
  check_units(odd_bytes, kVariants.back());
  const AcceptanceCase random =
      cases.random(3 * sizes.block_bytes + sizes.rest_bytes + 5 * cases.unit_bytes());
  check(code, computation, random, kVariants);
}

}  // namespace

void accept(const Code& code, const LinearMap& map, const Computation& computation) {
  if (const auto wrong = computation.find_wrong_product(code.field)) {
    fail(Status::kInternal,
         fmt::format("a kernel for {} was not accepted: {}", excerpt(code.spec), *wrong));
  }
  if (code.arrangement == Arrangement::kPacket) {
    accept_packets(code, map, computation);
  } else {
    accept_words(code, computation, WordCases(code, map));
  }
}

double acceptance_nanoseconds(const Code& code, double inputs, double terms) {
  constexpr double kBytesANanosecond = 20;
  const auto w = static_cast<double>(code.field.w());
  if (code.arrangement == Arrangement::kPacket) {
    // A unit vector is a bit in each packet, and a term w terms of bits in each of w packets.
    return kVariants.size() * (inputs * w / 8) * (terms * w * w) / kBytesANanosecond;
  }
  constexpr double kUnitRuns = 4;  // of the variants on words, at most
  return kUnitRuns * WordCases::lane_bytes(code, inputs) * terms / kBytesANanosecond;
}

void accept_groups(const Code& code, const LinearMap& map, const Computation& computation,
                   const TaskGraph& tasks) {
  if (tasks.kernels.empty()) return;
  constexpr std::size_t kSuperBlocks = 5;
  constexpr std::size_t kSuperBlocksABlock = 2;
  const PacketCases cases(code, map, code.packet_bytes, kSuperBlocks);
  const auto check = [&](const AcceptanceCase& test_case) {
    const GuardedStripe stripe(test_case, 24);
    ColumnBlocks blocks(computation.columns(test_case.chunk_bytes),
                        kSuperBlocksABlock * code.packet_bytes);
    GroupRun run(computation, tasks, blocks, stripe.chunks(), test_case.chunk_bytes);
    while (run.take_block()) {
      for (std::size_t g = 0; g < tasks.num_groups(); ++g) run.run_group(g);
    }
    if (const auto reason = stripe.find_difference(test_case)) {
      fail(Status::kInternal, fmt::format("a kernel for {} was not accepted: {}, by groups: {}",
                                          excerpt(code.spec), test_case.data, *reason));
    }
  };
  for (std::size_t first = 0; first <= cases.vectors(); first += cases.lanes()) {
    check(cases.units(first));
  }
  check(cases.random());
}

}  // namespace xorloom
