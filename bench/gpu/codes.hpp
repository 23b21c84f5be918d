#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom::gpu_bench {

/// The two arrangements that tables compare: words as the papers have them, and packets.
enum class Family { kWords, kPackets };

std::string spec_of(Family family, std::size_t k, std::size_t m);
Code code_of(Family family, std::size_t k, std::size_t m);

/// min(k, m) lost chunks of data, ascending, as the papers lose them: at random, by a fixed seed.
std::vector<std::size_t> lost_data(std::size_t k, std::size_t m);

// The equations from which the library writes kernels.

Program encoding_of(const Code& code);
Program decoding_of(const Code& code, const std::vector<std::size_t>& lost);

}  // namespace xorloom::gpu_bench
