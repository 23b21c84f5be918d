#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "runtime/files/progress.hpp"
#include "runtime/sets/encode_set.hpp"
#include "runtime/shards/reading_bounds.hpp"
#include "runtime/shards/set_damage.hpp"

namespace xorloom {

struct SetConversion {
  std::vector<std::filesystem::path> directories;
  std::string set_digits;  ///< chooses the set; see choose_set
  Code code;               ///< the new code
  Options options;         ///< threads are those of the pipeline; see run_pipeline
  ReadingBounds bounds{};
};

struct ConvertedSet {
  FoundShards found;
  const ShardSet* before = nullptr;  ///< in found
  EncodedSet encoded;
  SetDamage damage;  ///< damage met while reading
  /// Says in a phrase why all shards were written anew; empty if the data shards stayed.
  std::string why_whole;
  /// If the data shards stayed: what could not be carried out, a sentence each. The change is made,
  /// and the next writer carries it out.
  std::vector<std::string> failures;

  bool is_in_place() const { return why_whole.empty(); }
};

/// Gives a set another code. If the data shards can stay as they are, only the redundancy is
/// written, and the set keeps its id; see convert_in_place. Otherwise the file is read stripe by
/// stripe and encoded as a new set, which takes the old one's place in its directories. No copy of
/// the file is made. Missing shards and damaged blocks are rebuilt on the way. The new shards
/// remember the same name, permissions and time of the file.
///
/// Whenever it is interrupted, the directories hold the old set whole, or the new one. Other sets
/// stay.
///
/// Errors: throws what choose_set, OpenedSet and encode_set throw; kDamaged if the file cannot be
///         recovered; kIo if another program changes the set. Then nothing is changed.
/// Cost:   reads the data once, or twice if the data shards could not stay after all as blocks are
///         damaged; writes the new redundancy, or the new set.
ConvertedSet convert_set(const SetConversion& conversion, Progress& progress);

/// Options for reading the old set: without packets and atlas, which are those of the new code.
Options reading_options(const SetConversion& conversion);

}  // namespace xorloom
