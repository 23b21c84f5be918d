#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codes/error_location.hpp"
#include "runtime/engine/plan_options.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Finds the wrong chunks of a stripe if its redundancy does not agree with its data. Writes
/// nothing.
///
/// Shape:   `encoding` is the plan that encodes; chunk_bytes is a multiple of
///          stripe_multiple(code). `lost` ascends; what lost chunks hold does not matter.
/// Buffers: a pointer for every location that the plan reads or writes, the lost ones too.
/// Errors:  throws what Plan::run reports; std::bad_alloc.
/// Cost:    encodes, and compares with the chunks. If they differ, also a table for each column
///          until nothing more can be told, and ErrorLocator::locate.
ErrorLocation locate_errors(const Code& code, const Plan& encoding,
                            std::span<const std::size_t> lost, const std::uint8_t* const* chunks,
                            std::size_t chunk_bytes);

/// Codec::locate_errors: checks the caller's arguments first. `encoding` is the plan that encodes.
ErrorLocation checked_errors(const Code& code, const Plan& encoding,
                             std::span<const std::size_t> lost, const std::uint8_t* const* chunks,
                             std::size_t chunk_bytes);

}  // namespace xorloom
