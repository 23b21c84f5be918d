#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "codes/code.hpp"

namespace xorloom {

/// Calls `take` with each column of the chunks: one symbol of each redundant cell. Passes over
/// columns of zeros alone. Stops and returns false if `take` returns false.
///
///     packets   a column is a bit of a byte that all packets of a super-block have
///     words     a column is a symbol that all sub-chunks have
///
/// Shape:   a pointer for each location that holds redundancy; `bytes` is a multiple of
///          stripe_multiple(code).
/// Buffers: the span given to `take` is valid during its call.
bool for_each_column(const Code& code, const std::uint8_t* const* chunks, std::size_t bytes,
                     const std::function<bool(std::span<const Field::Symbol>)>& take);

}  // namespace xorloom
