#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "integrations/ceph/reads.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::ceph_plugin {

/// A code as Ceph needs it: each chunk holds data alone, or redundancy alone.
struct SharedCodec {
  Codec codec;
  std::size_t chunks = 0;        ///< n, data and redundancy
  std::vector<int> data{};       ///< positions of the chunks of data, in the order of the data
  std::vector<int> redundant{};  ///< the other positions, ascending
  std::size_t sub_chunks = 1;    ///< contiguous parts of a chunk that can be read separately
  bool any_k_suffice = false;    ///< any k chunks, read whole, are the least to rebuild the others
  mutable KeptReads reads{};
};

/// The codec of a spec. Placement groups with the same spec share one, as long as any of them has
/// it.
///
/// Errors: throws what Codec throws; kUnsupported if a chunk would hold data and redundancy.
std::shared_ptr<const SharedCodec> shared_codec(const std::string& spec, bool allow_non_mds);

}  // namespace xorloom::ceph_plugin
