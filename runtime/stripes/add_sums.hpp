#pragma once

#include <cstddef>
#include <cstdint>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Returns kOk if the kernel of add_sums() and add_to() was seen to add right; tried once.
///
/// Errors: kInternal if it was not, kUnsupported if XORLOOM_ISA names an instruction set that is
///         not available.
Status check_adder() noexcept;

/// to[i] = to[i] XOR from[i]. Precondition: check_adder() is kOk.
///
/// Buffers: no alignment is needed; they must not overlap.
void add_to(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) noexcept;

/// to[i] = the XOR of byte i of the `count` buffers in `reads`, by the kernel of add_to.
///
/// Shape:   count is at least 1.
/// Buffers: `to` may be reads[0], and must not overlap the other buffers.
void add_up(std::uint8_t* to, const std::uint8_t* const* reads, std::size_t count,
            std::size_t bytes) noexcept;

/// to[i] = a[i] XOR b[i], with the same kernel.
///
/// Buffers: `to` must not overlap the others.
void add(std::uint8_t* to, const std::uint8_t* a, const std::uint8_t* b,
         std::size_t bytes) noexcept;

}  // namespace xorloom
