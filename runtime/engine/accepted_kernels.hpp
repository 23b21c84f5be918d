#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/packet_kernels.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom {

/// Bit of accept_kernels() for programs of several steps, and for chunks of several cells.
inline constexpr std::uint32_t kSeveralSteps = std::uint32_t{1} << 31;

/// Number of bits of accept_kernels() for maps. The next kRowBits bits are for programs, which have
/// factors of 1.
inline constexpr std::uint32_t kRowBits = 8;

/// Bits of accept_kernels() on packets: for steps of one row, and of several rows.
inline constexpr std::uint32_t kPlainPackets = 1;
inline constexpr std::uint32_t kPacketRowSteps = 2;

/// Calls accept(kernel) for each bit of the mask `kernels` that no earlier call with the same key
/// has accepted in this process; one thread at a time.
///
/// Errors: throws what `accept` throws, in each call.
void accept_once(const std::string& key, std::uint32_t kernels,
                 const std::function<void(std::size_t kernel)>& accept);

/// Accepts the kernels that compute maps of a code, each once in a process. Kernels read a map as
/// data, so maps of a small code of the same field and layout stand for all.
///
/// Shape:  bit r - 1 of `rows` stands for the kernel that computes r rows at once from a map, bit
///         kRowBits + r - 1 for that of a program, which adds inputs whose factors are 1 without
///         multiplying. On packets there are two kernels: kPlainPackets and kPacketRowSteps.
/// Errors: throws kInternal, each time, if one of them is not accepted.
/// Cost:   some 100 us for each that is new to the process.
void accept_kernels(const Code& code, Isa isa, std::uint32_t rows);

/// Accepts kernels that compute a map on packets. `kernel` is kPlainPackets or kPacketRowSteps.
///
/// Errors: throws kInternal if they do not run `kernel`, or are not accepted.
void accept_packet_kernel(const Code& code, const LinearMap& map, const PacketKernels& kernels,
                          std::uint32_t kernel);

}  // namespace xorloom
