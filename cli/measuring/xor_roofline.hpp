#pragma once

#include <cstddef>
#include <vector>

#include "cli/measuring/rounds.hpp"
#include "runtime/kernels/plain_xor.hpp"

namespace xorloom::cli {

/// Every way to run plain XOR over that many bytes of the streams, as contenders: all variants of
/// the machine's widest registers and of the next narrower, as wide ones do not always win. Each of
/// that many threads has a range of the bytes, and does not wait for the others between two calls:
/// a limit does not pay for that. The streams must outlive them.
std::vector<Contender> limit_contenders(const PlainXorStreams& streams, std::size_t bytes,
                                        std::size_t threads);

/// memcpy of chunk after chunk, each of that many threads having a range of every one. Shape: as
/// many targets as sources.
Contender copy_contender(std::vector<std::uint8_t*> targets,
                         std::vector<const std::uint8_t*> sources, std::size_t bytes,
                         std::size_t threads);

}  // namespace xorloom::cli
