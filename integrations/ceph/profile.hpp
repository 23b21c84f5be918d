#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace xorloom::ceph_plugin {

// Profiles of erasure-coded pools. Nothing here needs Ceph.

/// A profile, as Ceph keeps it.
using Values = std::map<std::string, std::string>;

/// Rounding of a chunk's bytes, as in Ceph's own plugins. Existing pools depend on it.
struct ChunkRule {
  std::size_t k = 1;
  std::size_t alignment = 1;
  /// True: a chunk is a multiple of the alignment. False: the stripe is, and a chunk is 1/k of it.
  bool is_of_chunk = true;

  /// Bytes of a chunk of a stripe that holds `data_bytes` bytes of data.
  std::size_t chunk_bytes(std::size_t data_bytes) const;
};

struct Profile {
  std::string spec;  ///< spec of the code
  ChunkRule rule;    ///< k = 0: the code says what is rounded how
  /// The code cannot rebuild some losses within its promise, and Ceph's plugin has it nevertheless.
  bool allow_non_mds = false;
};

/// Reads a profile. The names of plugins are isa, jerasure, shec, lrc and clay, whose techniques,
/// defaults and chunk sizes are those of Ceph's plugins, and xorloom.
///
/// Values: what has a default and is missing is added, as Ceph's plugins do.
/// Errors: throws Error: kInvalidArgument or kParse, with the key, the value and the bound;
///         kUnsupported for what only Ceph's own plugin can do.
Profile read_profile(const std::string& plugin, Values& values);

}  // namespace xorloom::ceph_plugin
