#include "runtime/engine/accept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/engine/codewords.hpp"
#include "runtime/engine/graph_run.hpp"

namespace xorloom {
namespace {

constexpr std::uint8_t kGuard = 0xa5;
constexpr std::size_t kGuardBytes = 64;
constexpr std::size_t kPage = 4096;

struct Variant {
  const char* name;
  std::size_t misalignment;
  bool cut = false;  ///< into ranges of columns
  Stores stores = Stores::kOrdinary;
  bool is_crowded = false;  ///< regions begin at equal places of pages
};

constexpr std::array kVariants = {
    Variant{"as a whole", 0},
    Variant{"as a whole at odd addresses", 13},
    Variant{"as a whole past the caches", 0, false, Stores::kNonTemporal},
    Variant{"in ranges in the second cache", 29, true, Stores::kNear},
};

constexpr const Variant& kPastCaches = kVariants[2];
constexpr std::array kCrowded = {
    Variant{"at equal places of pages", 0, false, Stores::kOrdinary, true},
    Variant{"past the caches at equal places of pages", 0, false, Stores::kNonTemporal, true},
};

/// Copies of the regions of a trial, with guard bytes around each. The first begins `misalignment`
/// bytes past a multiple of 64, each next one as much further. Crowded regions all begin 64 bytes
/// past a page.
class GuardedStripe {
 public:
  /// Keeps its bytes in `storage`, which a later stripe may reuse.
  GuardedStripe(const AcceptanceCase& test_case, const Variant& variant,
                std::vector<std::uint8_t>& storage)
      : storage_(storage) {
    const std::size_t misalignment = variant.misalignment;
    const std::size_t unit = variant.is_crowded ? kPage : 64;
    std::size_t end = 0;
    std::vector<std::size_t> offsets;
    for (const auto& region : test_case.before) {
      offsets.push_back(end + kGuardBytes + misalignment * (offsets.size() + 1) % 64);
      end = (offsets.back() + region.size() + kGuardBytes + unit - 1) / unit * unit;
    }
    storage_.assign(end + unit, kGuard);
    std::uint8_t* const base =
        storage_.data() + (unit - reinterpret_cast<std::uintptr_t>(storage_.data()) % unit);
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
  /// Compares bytes with their neighbours, which the library's fast comparison can do.
  static bool are_guards(const std::uint8_t* begin, const std::uint8_t* end) {
    if (begin == end) return true;
    return *begin == kGuard &&
           std::memcmp(begin, begin + 1, static_cast<std::size_t>(end - begin - 1)) == 0;
  }

  /// Names a region by its location, if it has only one.
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

  std::vector<std::uint8_t>& storage_;
  std::vector<std::uint8_t*> regions_;
  std::vector<std::uint8_t*> chunks_;
};

/// Runs the subject in one variant.
using Run = std::function<void(const Variant&, std::uint8_t* const*, std::size_t)>;

Run run_of(const Computation& computation) {
  return [&](const Variant& variant, std::uint8_t* const* chunks, std::size_t chunk_bytes) {
    const std::size_t columns = computation.columns(chunk_bytes);
    std::size_t width = variant.cut ? computation.facts().column_multiple : columns;
    for (std::size_t begin = 0; begin < columns; begin += width, width *= 3) {
      const std::size_t end = std::min(columns, begin + width);
      computation.run(chunks, chunk_bytes, begin, end, variant.stores);
    }
  };
}

/// Ranges are blocks of the graph, the shortest that it can have. With a GraphRun cores keep to
/// groups, with a BlockRun to blocks.
template <typename RunOfGraph>
Run run_of(RunOfGraph& run, const TaskGraph& graph) {
  return [&](const Variant& variant, std::uint8_t* const* chunks, std::size_t chunk_bytes) {
    const std::size_t wanted = variant.cut ? 1 : graph.columns(chunk_bytes);
    run.begin(chunks, chunk_bytes, wanted, 1, variant.stores);
    run.help(0);
  };
}

/// The computation or graph that is to be accepted.
struct Subject {
  std::vector<Run> runs;  ///< all ways to run it
  LoopSizes sizes;
  bool looks_at_addresses;
  bool is_of_codewords;
  std::size_t packet_bytes;
  std::size_t super_blocks;
  bool adds = false;  ///< see Computation::adds
};

/// XORs the old content of the outputs into their expected content.
void add_outputs(const Code& code, const LinearMap& map, AcceptanceCase& test_case) {
  const std::size_t bytes = test_case.chunk_bytes / code.subchunks;
  for (const Cell cell : map.outputs) {
    const AcceptanceCase::Place place = test_case.chunks[code.location_of_cell(cell)];
    const std::size_t begin = place.offset + cell % code.subchunks * bytes;
    for (std::size_t at = begin; at < begin + bytes; ++at) {
      test_case.after[place.region][at] ^= test_case.before[place.region][at];
    }
  }
}

void check(const Code& code, const Run& run, const AcceptanceCase& test_case,
           std::span<const Variant> variants) {
  std::vector<std::uint8_t> storage;
  for (const Variant& variant : variants) {
    const GuardedStripe stripe(test_case, variant, storage);
    run(variant, stripe.chunks(), test_case.chunk_bytes);
    if (const auto reason = stripe.find_difference(test_case)) {
      fail(Status::kInternal, "a kernel for {} was not accepted: {}, {}: {}", excerpt(code.spec),
           test_case.data, variant.name, *reason);
    }
  }
}

/// Checks a case in every variant that applies to it.
void check_all(const Code& code, const Run& run, const AcceptanceCase& test_case,
               bool looks_at_addresses) {
  check(code, run, test_case, kVariants);
  if (looks_at_addresses) check(code, run, test_case, kCrowded);
}

void accept_packets(const Code& code, const LinearMap& map, const Subject& subject) {
  const PacketCases cases(code, map, subject.packet_bytes, subject.super_blocks);
  for (const Run& run : subject.runs) {
    for (std::size_t i = 0; i < cases.batches(); ++i) {
      check_all(code, run, cases.units(i), subject.looks_at_addresses);
    }
    check_all(code, run, cases.random(), subject.looks_at_addresses);
  }
}

/// Unit vectors go once through each loop of the kernels: turns of many vectors, with ordinary and
/// with non-temporal stores, and turns of few, the last of which is part of a vector. They go
/// through the kernel for chunks at equal places of pages, too, if there is one.
void accept_words(const Code& code, const LinearMap& map, const Subject& subject) {
  const WordCases cases(code, map);
  const auto& [block_bytes, rest_bytes, super_blocks] = subject.sizes;
  const std::size_t odd_bytes = rest_bytes - cases.unit_bytes();
  const auto as_run = [&](AcceptanceCase test_case) {
    if (subject.adds) add_outputs(code, map, test_case);
    return test_case;
  };
  for (const Run& run : subject.runs) {
    const auto check_units = [&](std::size_t subchunk_bytes, const Variant& variant) {
      for (std::size_t i = 0; i < cases.batches(subchunk_bytes); ++i) {
        check(code, run, as_run(cases.units(subchunk_bytes, i)), {&variant, 1});
      }
    };
    check_units(block_bytes, kVariants.front());
    check_units(block_bytes, kPastCaches);
    check_units(odd_bytes, kVariants.back());
    if (subject.looks_at_addresses) check_units(block_bytes, kCrowded.front());
    check_all(code, run,
              as_run(cases.random(3 * block_bytes + rest_bytes + 5 * cases.unit_bytes())),
              subject.looks_at_addresses);
  }
}

/// Codewords and their cases by chunk_bytes, shared by all computations of a map.
struct CodewordCases {
  explicit CodewordCases(const Code& code) : codewords(code) {}

  const AcceptanceCase& of(const LinearMap& map, std::size_t chunk_bytes) {
    const auto [kept, is_new] = cases.try_emplace(chunk_bytes);
    if (is_new) kept->second = codewords.test_case(map, chunk_bytes);
    return kept->second;
  }

  Codewords codewords;
  std::map<std::size_t, AcceptanceCase> cases{};
};

/// Accepts on codewords: blocks and rests of any length, and parts of a vector alone.
void accept_on_codewords(const Code& code, const LinearMap& map, const Subject& subject,
                         CodewordCases& cases) {
  const auto& [block_bytes, rest_bytes, super_blocks] = subject.sizes;
  const std::size_t unit = chunk_multiple(code);
  for (const Run& run : subject.runs) {
    check(code, run, cases.of(map, rest_bytes - unit), {&kVariants.back(), 1});
    check_all(code, run, cases.of(map, 3 * block_bytes + rest_bytes + 5 * unit),
              subject.looks_at_addresses);
  }
}

void accept(const Code& code, const LinearMap& map, const Subject& subject,
            std::optional<CodewordCases>& cases) {
  if (subject.is_of_codewords && Codewords::fits(code)) {
    if (!cases) cases.emplace(code);
    return accept_on_codewords(code, map, subject, *cases);
  }
  const bool is_words = code.arrangement == Arrangement::kWord;
  return is_words ? accept_words(code, map, subject) : accept_packets(code, map, subject);
}

}  // namespace

void accept(const Code& code, const LinearMap& map, const Computation& computation) {
  std::vector<const Computation*> all{&computation};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Computation* other : all[i]->others()) all.push_back(other);
  }
  std::optional<CodewordCases> cases;
  for (const Computation* each : all) {
    if (const auto wrong = each->find_wrong_product(code.field)) {
      fail(Status::kInternal, "a kernel for {} was not accepted: {}", excerpt(code.spec), *wrong);
    }
    const LoopSizes sizes = each->facts().sizes;
    // Packets are cut down, unless machine code is made for their size.
    const std::size_t cut_bytes = std::min(code.packet_bytes, sizes.block_bytes + sizes.rest_bytes);
    const auto cut = each->with_packet_bytes(cut_bytes);
    const Subject subject{{run_of(cut ? *cut : *each)},
                          sizes,
                          each->facts().looks_at_addresses,
                          each->facts().is_of_codewords,
                          cut ? cut_bytes : code.packet_bytes,
                          std::max<std::size_t>(3, sizes.super_blocks + 2),
                          each->facts().adds};
    accept(code, map, subject, cases);
  }
}

void accept(const Code& code, const AcceptanceCase& test_case, const Computation& computation) {
  check_all(code, run_of(computation), test_case, computation.facts().looks_at_addresses);
}

double acceptance_nanoseconds(const Code& code, double inputs, double terms) {
  constexpr double kBytesANanosecond = 20;
  const auto w = static_cast<double>(code.field.w());
  if (code.arrangement == Arrangement::kPacket) {
    // A unit vector is a bit in each packet, and a term w terms of bits in each of w packets.
    return kVariants.size() * (inputs * w / 8) * (terms * w * w) / kBytesANanosecond;
  }
  constexpr double kUnitRuns = 4;  // runs of unit vectors on words, at most
  return kUnitRuns * WordCases::lane_bytes(code, inputs) * terms / kBytesANanosecond;
}

void accept(const Code& code, const LinearMap& map, const TaskGraph& graph) {
  constexpr std::size_t kSuperBlocks = 5;
  GraphRun by_group(graph);
  BlockRun by_block(graph);
  Subject subject{{run_of(by_group, graph), run_of(by_block, graph)},
                  {0, 0, 1},
                  false,
                  false,
                  code.packet_bytes,
                  kSuperBlocks};
  for (const TaskGraph::Group& group : graph.groups()) {
    const LoopSizes sizes = group.computation->facts().sizes;
    subject.sizes.block_bytes = std::max(subject.sizes.block_bytes, sizes.block_bytes);
    subject.sizes.rest_bytes = std::max(subject.sizes.rest_bytes, sizes.rest_bytes);
    if (group.computation->facts().looks_at_addresses) subject.looks_at_addresses = true;
  }
  std::optional<CodewordCases> cases;
  accept(code, map, subject, cases);
}

}  // namespace xorloom
