#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codes/error_location.hpp"
#include "runtime/engine/plan_options.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Says which chunks of a stripe are wrong, if its redundancy does not agree with its data. Nothing
/// is written.
///
/// Shape:   the plan is the one that encodes; chunk_bytes is a multiple of stripe_multiple(code).
///          Lost locations ascend, and what their chunks hold does not matter.
/// Buffers: a pointer for every location that the plan reads or writes, the lost ones too.
/// Errors:  throws what Plan::run reports; std::bad_alloc.
/// Cost:    encoding, and comparing with what is there; then, where they differ, a table for each
///          column until nothing more can be told, and ErrorLocator::locate.
ErrorLocation locate_errors(const Code& code, const Plan& encoding,
                            std::span<const std::size_t> lost, const std::uint8_t* const* chunks,
                            std::size_t chunk_bytes);

/// Codec::locate_errors: checks what a caller gives. The plan is the one that encodes.
ErrorLocation checked_errors(const Code& code, const Plan& encoding,
                             std::span<const std::size_t> lost, const std::uint8_t* const* chunks,
                             std::size_t chunk_bytes);

}  // namespace xorloom
