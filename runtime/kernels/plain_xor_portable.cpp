#include <cstring>

#include "runtime/kernels/plain_xor_kernel.hpp"

namespace xorloom {
namespace {

/// Words·8 bytes of every stream from an offset on.
template <std::size_t Words>
void tile(const PlainXorStreams& streams, std::size_t offset) noexcept {
  std::uint64_t sum[Words];
  std::memcpy(sum, streams.reads[0] + offset, sizeof sum);
  for (std::size_t i = 1; i < streams.num_reads; ++i) {
    std::uint64_t words[Words];
    std::memcpy(words, streams.reads[i] + offset, sizeof words);
    for (std::size_t word = 0; word < Words; ++word) sum[word] ^= words[word];
  }
  for (std::size_t i = 0; i < streams.num_writes; ++i) {
    std::memcpy(streams.writes[i] + offset, sum, sizeof sum);
  }
}

}  // namespace

// Prefetches, slices and stores past the caches are left to the instruction sets that have them.
void plain_xor_portable(const PlainXorStreams& streams, const PlainXorShape& shape,
                        std::size_t begin, std::size_t end) noexcept {
  if (shape.lines > 1) {
    for (; end - begin >= 128; begin += 128) tile<16>(streams, begin);
  }
  for (; end - begin >= 64; begin += 64) tile<8>(streams, begin);
  for (; begin < end; ++begin) {
    std::uint8_t sum = 0;
    for (std::size_t i = 0; i < streams.num_reads; ++i) {
      sum = static_cast<std::uint8_t>(sum ^ streams.reads[i][begin]);
    }
    for (std::size_t i = 0; i < streams.num_writes; ++i) streams.writes[i][begin] = sum;
  }
}

}  // namespace xorloom
