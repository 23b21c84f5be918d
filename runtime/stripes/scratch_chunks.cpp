#include "runtime/stripes/scratch_chunks.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "codes/bits.hpp"
#include "runtime/machine/last_error.hpp"

namespace xorloom {
namespace {

/// Bytes of all pieces together: a part of a small L2 cache.
constexpr std::size_t kScratchBytes = std::size_t{64} << 10;

/// Nine cache lines: chunks that follow one another then begin in different sets of a cache.
constexpr std::size_t kShift = 576;

std::size_t piece_of(const Code& code, std::size_t count, std::size_t chunk_bytes) {
  const bool is_divisible = code.arrangement == Arrangement::kPacket || units_of_chunk(code) == 1;
  if (!is_divisible) return chunk_bytes;
  const std::size_t multiple = chunk_multiple(code);
  const std::size_t wanted = std::max<std::size_t>(1, kScratchBytes / count / multiple) * multiple;
  return std::min(wanted, chunk_bytes);
}

std::size_t bytes_of(std::size_t count, std::size_t pitch) {
  if (pitch > std::numeric_limits<std::ptrdiff_t>::max() / count) throw std::bad_alloc();
  return count * pitch;
}

}  // namespace

Status check_chunk_bytes(const Code& code, std::size_t chunk_bytes) noexcept {
  const std::size_t multiple = stripe_multiple(code);
  if (chunk_bytes % multiple == 0) return Status::kOk;
  return report(Status::kInvalidArgument, "chunk_bytes = {} is not a multiple of {}", chunk_bytes,
                multiple);
}

ScratchChunks::ScratchChunks(const Code& code, std::size_t count, std::size_t chunk_bytes)
    : piece_bytes_(piece_of(code, std::max<std::size_t>(1, count), chunk_bytes)),
      pitch_((piece_bytes_ + 4095) / 4096 * 4096 + kShift),
      memory_(new std::uint8_t[bytes_of(std::max<std::size_t>(1, count), pitch_)]) {}

}  // namespace xorloom
