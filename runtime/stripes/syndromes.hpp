#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "codes/code.hpp"

namespace xorloom {

/// Reads chunks column by column: one symbol of each redundant cell. Columns of zeros alone are
/// passed over. Ends when the function says false, and then says so.
///
///     packets   a column is a bit of a byte that all packets of a super-block have
///     words     a column is a symbol that all sub-chunks have
///
/// Shape:   a pointer for each location that holds redundancy; bytes is a multiple of
///          stripe_multiple(code).
/// Buffers: the symbols hold during the call.
bool for_each_column(const Code& code, const std::uint8_t* const* chunks, std::size_t bytes,
                     const std::function<bool(std::span<const Field::Symbol>)>& take);

}  // namespace xorloom
