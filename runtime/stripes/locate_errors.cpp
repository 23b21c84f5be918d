#include "runtime/stripes/locate_errors.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/stripes/add_sums.hpp"
#include "runtime/stripes/scratch_chunks.hpp"
#include "runtime/stripes/syndromes.hpp"

namespace xorloom {

ErrorLocation locate_errors(const Code& code, const Plan& encoding,
                            std::span<const std::size_t> lost, const std::uint8_t* const* chunks,
                            std::size_t chunk_bytes) {
  if (chunk_bytes == 0) return {};
  check_run(check_adder());
  const std::vector<std::size_t>& reads = encoding.reads();
  const std::vector<std::size_t>& writes = encoding.writes();
  const ScratchChunks made(code, writes.size(), chunk_bytes);
  const std::vector<std::uint8_t> zeros(lost.empty() ? 0 : made.piece_bytes());
  const auto is_lost = [&](std::size_t location) {
    return std::ranges::binary_search(lost, location);
  };
  std::vector<std::uint8_t*> pieces(code.locations);
  std::optional<ErrorLocator> locator;
  bool is_settled = false;
  for (std::size_t at = 0; at < chunk_bytes && !is_settled; at += made.piece_bytes()) {
    const std::size_t bytes = std::min(made.piece_bytes(), chunk_bytes - at);
    const auto given = [&](std::size_t location) {
      return is_lost(location) ? zeros.data() : chunks[location] + at;
    };
    // A plan does not change chunks that are not among its writes.
    for (const std::size_t location : reads) {
      pieces[location] = const_cast<std::uint8_t*>(given(location));
    }
    for (std::size_t i = 0; i < writes.size(); ++i) {
      pieces[writes[i]] = made[i];
      const bool holds_data = std::ranges::binary_search(reads, writes[i]);
      if (holds_data) std::memcpy(made[i], given(writes[i]), bytes);
    }
    check_run(encoding.run(pieces.data(), bytes));
    bool differs = false;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      if (std::memcmp(made[i], given(writes[i]), bytes) != 0) differs = true;
      add_to(made[i], given(writes[i]), bytes);
    }
    if (!differs) continue;
    if (!locator) locator.emplace(code, lost);
    is_settled =
        !for_each_column(code, pieces.data(), bytes, [&](std::span<const Field::Symbol> syndrome) {
          locator->add(syndrome);
          return !locator->is_settled();
        });
  }
  return locator ? locator->locate() : ErrorLocation{};
}

ErrorLocation checked_errors(const Code& code, const Plan& encoding,
                             std::span<const std::size_t> lost, const std::uint8_t* const* chunks,
                             std::size_t chunk_bytes) {
  check(check_chunk_bytes(code, chunk_bytes));
  std::vector<std::size_t> sorted(lost.begin(), lost.end());
  std::ranges::sort(sorted);
  if (!sorted.empty() && sorted.back() >= code.locations) {
    fail(Status::kInvalidArgument, "lost location {} is not one of 0 to {}", sorted.back(),
         code.locations - 1);
  }
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) {
    fail(Status::kInvalidArgument, "lost location {} is named twice", *twice);
  }
  if (chunks == nullptr) fail(Status::kInvalidArgument, "the array of chunk pointers is null");
  for (const auto* locations : {&encoding.reads(), &encoding.writes()}) {
    for (const std::size_t location : *locations) {
      if (chunks[location] != nullptr || std::ranges::binary_search(sorted, location)) continue;
      fail(Status::kInvalidArgument, "the pointer to chunk {} is null, and it is read", location);
    }
  }
  return locate_errors(code, encoding, sorted, chunks, chunk_bytes);
}

}  // namespace xorloom
