#pragma once

#include <cstddef>
#include <string>

#include "integrations/mpi/agreement.hpp"
#include "integrations/mpi/exchange.hpp"
#include "xorloom/mpi.hpp"

namespace xorloom::mpi {

/// The most locations of a code here: each has a tag, and MPI promises 32767.
inline constexpr std::size_t kMostLocations = 16'384;

/// Throws, on all ranks, if options are out of bounds or differ between ranks. `spec` "": the call
/// has none.
void check_options(const Communicator& comm, const Options& options, std::string_view spec);

/// The code of a spec, on all ranks.
///
/// Errors: throws what making a codec does, the same on all ranks; kUnsupported if it has more than
///         kMostLocations.
Codec codec_of(const Communicator& comm, const std::string& spec, const Options& options);

/// The slices of a shard: as many blocks as fit Options::slice_bytes, at least one.
Slices slices_of(const ShardHeader& header, const Options& options);

}  // namespace xorloom::mpi
