#include "runtime/kernels/packet_kernel_loops.hpp"
#include "runtime/kernels/plain_xor_loops.hpp"

namespace xorloom {

void xor_lines_avx512(const PacketBlock& block) noexcept { xor_lines(block); }

void plain_xor_avx512(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                      std::size_t end) noexcept {
  xor_streams(streams, shape, begin, end);
}

}  // namespace xorloom
