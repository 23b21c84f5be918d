#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "integrations/ceph/profile.hpp"
#include "integrations/ceph/release.hpp"
#include "integrations/ceph/shared_codec.hpp"

namespace xorloom::ceph_plugin {

/// The codec of a pool, as Ceph's daemons call it. Positions of chunks are locations of the code.
///
/// Answers: 0, or an error of errno.h, negative. No function throws. Buffers that are contiguous
///          are used where they are; others are copied first. Chunks of redundancy of a stripe, or
///          rebuilt ones, lie in one piece of memory that lives as long as any of them.
class PoolCode : public ceph::ErasureCodeInterface {
 public:
  /// Shape: plugin is the name by which Ceph loaded this; see read_profile.
  explicit PoolCode(std::string plugin) : plugin_(std::move(plugin)) {}

  int init(ceph::ErasureCodeProfile& profile, std::ostream* error) override;
  const ceph::ErasureCodeProfile& get_profile() const override { return profile_; }
  int create_rule(const std::string& name, CrushWrapper& crush, std::ostream* error) const override;
  unsigned int get_chunk_count() const override;
  unsigned int get_data_chunk_count() const override;
  unsigned int get_coding_chunk_count() const override;
  int get_sub_chunk_count() override;
  unsigned int get_chunk_size(unsigned int stripe_width) const override;
  int minimum_to_decode(const std::set<int>& wanted, const std::set<int>& available,
                        std::map<int, ceph::SubChunks>* minimum) override;
  int minimum_to_decode_with_cost(const std::set<int>& wanted, const std::map<int, int>& available,
                                  std::set<int>* minimum) override;
  int encode(const std::set<int>& wanted, const ceph::Buffers& data,
             std::map<int, ceph::Buffers>* encoded) override;
  int encode_chunks(const std::set<int>& wanted, std::map<int, ceph::Buffers>* encoded) override;
  int decode(const std::set<int>& wanted, const std::map<int, ceph::Buffers>& chunks,
             std::map<int, ceph::Buffers>* decoded, int chunk_bytes) override;
  int decode_chunks(const std::set<int>& wanted, const std::map<int, ceph::Buffers>& chunks,
                    std::map<int, ceph::Buffers>* decoded) override;
  const std::vector<ceph::Position>& get_chunk_mapping() const override { return mapping_; }
  int decode_concat(const std::map<int, ceph::Buffers>& chunks, ceph::Buffers* decoded) override;

 protected:
  std::string plugin_;
  ceph::ErasureCodeProfile profile_;
  std::shared_ptr<const SharedCodec> shared_;
  std::vector<ceph::Position> mapping_;  ///< positions of data, then of redundancy; empty: 0 … n-1

 private:
  /// decode() of chunks of which only the sub-chunks that minimum_to_decode named were read. May
  /// throw.
  int decode_packed(const std::set<int>& wanted, const std::vector<std::size_t>& lost,
                    const std::map<int, ceph::Buffers>& packed,
                    std::map<int, ceph::Buffers>* decoded, unsigned int bytes) const;

  ChunkRule rule_;
  std::set<int> data_;  ///< positions of data
};

// Functions that each release of Ceph has in a form of its own, in its folder in releases/.

/// The codec of a pool: a PoolCode, or one with more functions.
std::shared_ptr<PoolCode> new_code(std::string plugin);

/// Adds a rule for pools of a profile, which have `chunks` chunks.
///
/// Answer: the number of the rule, or an error of errno.h, negative.
/// Errors: throws Error: kInvalidArgument if the profile's numbers contradict each other.
int add_rule(CrushWrapper& crush, const std::string& name, const ceph::ErasureCodeProfile& profile,
             unsigned int chunks, std::ostream* error);

}  // namespace xorloom::ceph_plugin
