#pragma once

#include <string>

#include "cli/measuring/machine_rates.hpp"
#include "codes/text/json.hpp"

namespace xorloom::cli {

/// The form that rates are kept in:
///
///   {"format": "xorloom-machine", "version": 2, "cpu", "caches": {"l1", "l2", "l3"},
///    "rates": [{"isa", "arrangement": "packet" or "word", "residual", "held_out_error", "overlap",
///               "seconds": {"instruction", "load", "store", "multiplication", "call", "chunk"},
///               "moving": {"l2", "l3", "memory": {"byte_read", "byte_written", "crowding"}}}]}
Json rates_json(const MachineRates& rates);

/// The rates in a file, of this machine or another, with instruction sets that this one may lack.
///
/// Errors: throws kParse with the path where the file is no such form or of another version; kIo
///         where it cannot be read.
MachineRates rates_in(const std::string& path);

}  // namespace xorloom::cli
