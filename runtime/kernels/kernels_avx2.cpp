#include "runtime/kernels/vector.hpp"
#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/xor_kernel_loops.hpp"

namespace xorloom {

extern constinit const WordKernelTable kAvx2Words =
    make_kernels<Nibbles, 4, 2, 1>(FactorForm::kNibbles);

void xor_lines_avx2(const PacketBlock& block) noexcept { xor_lines(block); }

void plain_xor_avx2(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                    std::size_t end) noexcept {
  xor_streams(streams, shape, begin, end);
}

}  // namespace xorloom
