#include "runtime/kernels/vector.hpp"
#include "runtime/kernels/word_kernel_loops.hpp"
#include "runtime/kernels/xor_kernel_loops.hpp"

namespace xorloom {

extern constinit const WordKernelTable kNeonWords =
    make_kernels<Nibbles, 8, 4, 2>(FactorForm::kNibbles);

void xor_lines_neon(const PacketBlock& block) noexcept { xor_lines(block); }

void plain_xor_neon(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                    std::size_t end) noexcept {
  xor_streams(streams, shape, begin, end);
}

}  // namespace xorloom
