#pragma once

#include <cstddef>
#include <vector>

#include "cli/measuring/rounds.hpp"
#include "runtime/kernels/plain_xor.hpp"

namespace xorloom::cli {

/// Contenders for the fastest plain XOR over `bytes` bytes of the streams: all variants for the
/// machine's widest registers and for the next narrower, as wide ones do not always win. Each
/// thread has a range of the bytes and does not wait for the others between calls, so that the
/// limit contains no synchronisation. `streams` must outlive the contenders.
std::vector<Contender> limit_contenders(const PlainXorStreams& streams, std::size_t bytes,
                                        std::size_t threads);

/// A contender that copies chunk after chunk with memcpy; each thread has a range of every chunk.
/// Shape: `targets` and `sources` have equal sizes.
Contender copy_contender(std::vector<std::uint8_t*> targets,
                         std::vector<const std::uint8_t*> sources, std::size_t bytes,
                         std::size_t threads);

}  // namespace xorloom::cli
