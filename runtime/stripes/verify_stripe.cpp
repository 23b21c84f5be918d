#include "runtime/stripes/verify_stripe.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "runtime/machine/last_error.hpp"
#include "runtime/stripes/scratch_chunks.hpp"

namespace xorloom {
namespace {

std::optional<std::size_t> first_difference(std::span<const std::uint8_t> a,
                                            const std::uint8_t* b) {
  if (std::memcmp(a.data(), b, a.size()) == 0) return std::nullopt;
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b).first - a.begin());
}

}  // namespace

Status verify_stripe(const Code& code, const Plan& encoding, const std::uint8_t* const* chunks,
                     std::size_t chunk_bytes) noexcept try {
  if (const Status status = check_chunk_bytes(code, chunk_bytes); status != Status::kOk) {
    return status;
  }
  if (chunk_bytes == 0) return Status::kOk;
  if (chunks == nullptr) {
    return report(Status::kInvalidArgument, "the array of chunk pointers is null");
  }
  const std::vector<std::size_t>& reads = encoding.reads();
  const std::vector<std::size_t>& writes = encoding.writes();
  for (const auto* locations : {&reads, &writes}) {
    for (const std::size_t location : *locations) {
      if (chunks[location] != nullptr) continue;
      return report(Status::kInvalidArgument, "the pointer to chunk {} is null, and it is read",
                    location);
    }
  }
  const ScratchChunks scratch(code, writes.size(), chunk_bytes);
  std::vector<std::uint8_t*> pieces(code.locations);
  for (std::size_t at = 0; at < chunk_bytes; at += scratch.piece_bytes()) {
    const std::size_t bytes = std::min(scratch.piece_bytes(), chunk_bytes - at);
    // A plan does not change chunks that are not among its writes.
    for (const std::size_t location : reads) {
      pieces[location] = const_cast<std::uint8_t*>(chunks[location]) + at;
    }
    for (std::size_t i = 0; i < writes.size(); ++i) {
      pieces[writes[i]] = scratch[i];
      const bool holds_data = std::ranges::binary_search(reads, writes[i]);
      if (holds_data) std::memcpy(scratch[i], chunks[writes[i]] + at, bytes);
    }
    if (const Status status = encoding.run(pieces.data(), bytes); status != Status::kOk) {
      return status;
    }
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const auto wrong = first_difference({chunks[writes[i]] + at, bytes}, scratch[i]);
      if (!wrong) continue;
      return report(Status::kDamaged,
                    "chunk {} does not agree with the data, first at byte {} of {}", writes[i],
                    at + *wrong, chunk_bytes);
    }
  }
  return Status::kOk;
} catch (...) {
  return report_exception();
}

}  // namespace xorloom
