#include "runtime/accept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codes/error.hpp"
#include "runtime/trial.hpp"

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
};

constexpr std::array kVariants = {
    Variant{"as a whole", 0, false, Calls::kRun},
    Variant{"as a whole at odd addresses", 13, false, Calls::kRun},
    Variant{"in ranges", 29, true, Calls::kRun},
    Variant{"all steps in one call", 7, false, Calls::kAllSteps},
    Variant{"step by step in ranges", 3, true, Calls::kStepByStep},
};

/// Copies of chunks with guard bytes around each, the first aligned to 64 bytes plus the
/// misalignment and each next one by as much more.
class GuardedChunks {
 public:
  GuardedChunks(const Chunks& chunks, std::size_t misalignment) {
    std::size_t end = 0;
    for (const auto& chunk : chunks) {
      offsets_.push_back(end + kGuardBytes + misalignment * (offsets_.size() + 1) % 64);
      end = (offsets_.back() + chunk.size() + kGuardBytes + 63) / 64 * 64;
    }
    storage_.assign(end + 64, kGuard);
    base_ = storage_.data() + (64 - reinterpret_cast<std::uintptr_t>(storage_.data()) % 64);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      pointers_.push_back(base_ + offsets_[i]);
      std::ranges::copy(chunks[i], pointers_[i]);
    }
  }
  GuardedChunks(const GuardedChunks&) = delete;
  GuardedChunks& operator=(const GuardedChunks&) = delete;

  std::uint8_t* const* pointers() const { return pointers_.data(); }

  std::optional<std::string> find_difference(const Chunks& expected) const {
    const std::uint8_t* from = storage_.data();
    const auto is_guard = [](std::uint8_t byte) { return byte == kGuard; };
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!std::all_of(from, static_cast<const std::uint8_t*>(pointers_[i]), is_guard)) {
        return fmt::format("bytes before the chunk of location {} were written", i);
      }
      const auto [want, have] = std::ranges::mismatch(
          expected[i], std::span<const std::uint8_t>(pointers_[i], expected[i].size()));
      if (want != expected[i].end()) {
        return fmt::format("byte {} of location {} is {:#x}, not {:#x}", want - expected[i].begin(),
                           i, *have, *want);
      }
      from = pointers_[i] + expected[i].size();
    }
    if (!std::all_of(from, storage_.data() + storage_.size(), is_guard)) {
      return "bytes after the last chunk were written";
    }
    return std::nullopt;
  }

 private:
  std::vector<std::uint8_t> storage_;
  std::uint8_t* base_;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint8_t*> pointers_;
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
      computation.run(chunks, chunk_bytes, begin, end);
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

void check(const Code& code, const Computation& computation, const Trial& trial) {
  const std::size_t chunk_bytes = trial.before[0].size();
  const std::vector<std::size_t> order = latest_order(computation);
  const auto reject = [&](const Variant& variant, const std::string& reason) {
    fail(Status::kInternal, fmt::format("a kernel for {} was not accepted: {}, {}: {}", code.spec,
                                        trial.data, variant.name, reason));
  };
  for (const Variant& variant : kVariants) {
    const GuardedChunks chunks(trial.before, variant.misalignment);
    if (const auto reason = run(computation, variant, order, chunks.pointers(), chunk_bytes)) {
      reject(variant, *reason);
    }
    if (const auto reason = chunks.find_difference(trial.after)) reject(variant, *reason);
  }
}

template <class Trials>
void check_all(const Code& code, const Computation& computation, const Trials& trials) {
  // One lane more than there are unit vectors holds the zero vector.
  for (std::size_t first = 0; first <= trials.vectors(); first += trials.lanes()) {
    check(code, computation, trials.units(first));
  }
  check(code, computation, trials.random());
}

}  // namespace

void accept(const Code& code, const LinearMap& map, const Computation& computation) {
  if (const WordProgram* words = computation.words()) {
    if (const auto wrong = words->find_wrong_product(code.field)) {
      fail(Status::kInternal,
           fmt::format("a kernel for {} was not accepted: {}", code.spec, *wrong));
    }
    const std::size_t unit_bytes = std::max<std::size_t>(1, code.field.w() / 8);
    check_all(code, computation,
              WordTrials(code, map, 3 * WordProgram::kBlockBytes + 64 + 5 * unit_bytes));
    return;
  }
  const PacketProgram& packets = *computation.packets();
  const std::size_t packet_bytes = std::min(code.packet_bytes, packets.block_bytes() + 64 + 8);
  const std::size_t super_blocks = std::max<std::size_t>(3, packets.super_blocks_at_once() + 2);
  check_all(code, computation.with_packet_bytes(packet_bytes),
            PacketTrials(code, map, packet_bytes, super_blocks));
}

}  // namespace xorloom
