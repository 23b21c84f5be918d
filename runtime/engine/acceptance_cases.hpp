#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {

// Data to accept kernels on. Cells that are no inputs of the map hold random bytes.

/// Stretches of bytes.
using Regions = std::vector<std::vector<std::uint8_t>>;

/// A stripe before a map is computed, and what it has to be afterwards. Chunks lie in regions;
/// those that are not written may overlap, which keeps wide stripes small.
struct AcceptanceCase {
  struct Place {
    std::size_t region;
    std::size_t offset;
  };
  std::string data;  ///< name of the data, for a sentence
  Regions before;
  Regions after;
  std::vector<Place> chunks;  ///< by location, where its chunk begins
  std::size_t chunk_bytes;
};

/// Trials of a map on packets.
class PacketCases {
 public:
  PacketCases(const Code& code, const LinearMap& map, std::size_t packet_bytes,
              std::size_t super_blocks);

  /// Number of batches of unit vectors, one vector for each input element, and zero vectors. A lane
  /// is the place of one vector in a stripe: here a bit of each packet of a super-block.
  std::size_t batches() const { return inputs_.size() / lanes() + 1; }
  AcceptanceCase units(std::size_t batch) const;

  /// Random data, and what the oracle makes of it.
  AcceptanceCase random() const;

 private:
  std::size_t lanes() const { return chunk_bytes_ / rows_ * 8; }
  AcceptanceCase test_case(std::string data, std::uint64_t seed) const;
  std::uint8_t* packet(Regions& chunks, Element element, std::size_t super_block) const;
  void clear(Regions& chunks, Element element) const;
  void set(Regions& chunks, Element element, std::size_t lane) const;

  std::size_t rows_;
  std::size_t locations_;
  std::size_t packet_bytes_;
  std::size_t chunk_bytes_;
  BitMatrix matrix_;
  std::vector<Element> inputs_;
  std::vector<Element> outputs_;
};

/// Trials of a map on words. A lane is a unit of a sub-chunk (see WordBlock), a unit vector one bit
/// of a unit of one input cell. If the bytes of symbols lie in planes, a lane is a block of them.
/// Then each bit that is tried is in another symbol of the block, and so are the inputs of several
/// pools.
///
/// Chunks that are only read are windows on a few pools, each window a step after the one before.
/// One unit set in a pool of zeros is then a unit vector in every lane:
///
///     pool       0 0 0 0 1 0 0 0        window j has the 1 in lane 4 - j
///     window 0  |- - - - -|
///     window 1    |- - - - -|
///
/// Locations that the map does not name are windows on junk.
class WordCases {
 public:
  /// Keeps references to both.
  WordCases(const Code& code, const LinearMap& map);

  /// Number of batches of unit vectors and zero vectors for sub-chunks of `subchunk_bytes`.
  std::size_t batches(std::size_t subchunk_bytes) const;
  AcceptanceCase units(std::size_t subchunk_bytes, std::size_t batch) const;

  /// Random data, which repeats after period() units: the oracle computes only the first period()
  /// units of each sub-chunk. No two sub-chunks of a location repeat the same data.
  AcceptanceCase random(std::size_t subchunk_bytes) const;

  std::size_t unit_bytes() const { return unit_bytes(code_); }

  /// Bytes of all lanes for unit vectors of `inputs` input cells.
  static double lane_bytes(const Code& code, double inputs);

 private:
  static std::size_t unit_bytes(const Code& code) {
    if (code.plane_bytes != 0) return plane_block_bytes(code);
    return code.field.w() == 4 ? 1 : code.field.w() / 8;
  }

  /// Number of bits of a unit that are tried, each in a lane of its own unless lanes are blocks.
  static std::size_t bits_tried(const Code& code, std::size_t inputs);

  static constexpr std::size_t kPeriod = 61;
  static constexpr std::size_t kPeriodOfBlocks = 3;

  /// Distribution of windows, pools and bits over the lanes of batches.
  struct Batching {
    std::size_t lanes;
    std::size_t windows;
    std::size_t pools;
    std::size_t pools_of_lane;  ///< pools that can be tried in the same lanes
    std::size_t groups;         ///< number of groups; a group is pools_of_lane pools
    std::size_t per_batch;      ///< triples of a group, a sub-chunk and the bits of a lane
  };
  Batching batching(std::size_t subchunk_bytes) const;
  AcceptanceCase stripe(std::size_t subchunk_bytes) const;
  void compute_periods(AcceptanceCase& test_case) const;
  std::size_t column_of(std::size_t location, std::size_t subchunk) const;
  std::uint8_t* subchunk(const AcceptanceCase& test_case, Regions& regions, Cell cell) const;
  void set(std::uint8_t* subchunk, std::size_t lane, std::size_t symbol, std::uint32_t unit) const;
  std::size_t period() const;  ///< units after which random data repeats

  const Code& code_;
  const LinearMap& map_;
  std::vector<std::size_t> sources_;         ///< locations that are read, ascending
  std::vector<bool> is_read_;                ///< by location
  std::vector<bool> is_written_;             ///< by location
  std::vector<std::size_t> column_of_cell_;  ///< by cell; kNoColumn: no input
  std::size_t bits_;                         ///< bits of a unit that are tried
  std::size_t bits_of_lane_;                 ///< bits of a unit that one lane tries
};

}  // namespace xorloom
