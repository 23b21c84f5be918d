#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Lines of kernels on packets. A work item computes one vector of every packet of a super-block.
//
//     const XL_MEMORY unsigned char *c0 = base + at[0] + place;   a chunk, before it is first used
//     const xl_vec e0 = xl_get(c0, 0);                            an element, where it is read
//     xl_vec e4 = e0;                                             a sum begins
//     e4 ^= e1; e5 ^= e1;                                         and grows
//     xl_put(c1, 0, e4);                                          an output

/// Functions that the lines call.
std::string define_packets(const Code& code);

/// The lines of a kernel that loads every input once and adds it to each sum that it is in.
///
/// Shape: equations of the program read inputs alone.
std::string write_accumulators(const Program& direct, const std::vector<std::size_t>& chunks);

/// Where a work item computes: the first lines of a kernel on packets.
std::string write_packet_place(const Code& code, std::size_t vector_bytes);

}  // namespace xorloom
