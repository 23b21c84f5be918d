#pragma once

#include "gen/verilog/verilog_unit.hpp"

namespace xorloom {

/// The coprocessor of a request, with the matrices for encoding and for each set that is lost.
///
/// Errors: as tiled_coprocessor; throws kInvalidArgument for names that cannot stand, kDamaged for
///         lost locations that cannot be rebuilt, and kInternal if what was written is not what the
///         matrices and the field say.
VerilogText write_coprocessor_unit(const VerilogRequest& request);

}  // namespace xorloom
