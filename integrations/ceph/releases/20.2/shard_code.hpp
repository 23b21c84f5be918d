#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "integrations/ceph/erasure_code.hpp"

namespace xorloom::ceph_plugin {

/// The codec of a pool of Ceph 20.2. Pools with allow_ec_optimizations give it parts of chunks, and
/// what an update changed; see PoolCode for all else.
///
/// Shape:  chunks and parts of chunks are multiples of get_minimum_granularity(). A shard that is
///         in no map of encode_chunks() is zeros if it is of data, else it is not wanted.
/// Errors: encode_delta() and apply_delta() can answer nothing, and redundancy that is wrong must
///         not be stored. So bad calls of these end the daemon, with a sentence in its log.
class ShardCode final : public PoolCode {
 public:
  using PoolCode::decode;
  using PoolCode::decode_chunks;
  using PoolCode::decode_concat;
  using PoolCode::encode;
  using PoolCode::encode_chunks;
  using PoolCode::minimum_to_decode;
  using PoolCode::minimum_to_decode_with_cost;
  using PoolCode::PoolCode;

  int init(ceph::ErasureCodeProfile& profile, std::ostream* error) override;
  int minimum_to_decode(const shard_id_set& wanted, const shard_id_set& available,
                        shard_id_set& minimum, shard_id_map<ceph::SubChunks>* sub_chunks) override;
  int minimum_to_decode_with_cost(const shard_id_set& wanted, const shard_id_map<int>& available,
                                  shard_id_set* minimum) override;
  std::size_t get_minimum_granularity() override;
  int encode(const shard_id_set& wanted, const ceph::Buffers& data,
             shard_id_map<ceph::Buffers>* encoded) override;
  int encode_chunks(const shard_id_map<ceph::Piece>& data,
                    shard_id_map<ceph::Piece>& redundancy) override;
  void encode_delta(const ceph::Piece& old_data, const ceph::Piece& new_data,
                    ceph::Piece* delta) override;
  void apply_delta(const shard_id_map<ceph::Piece>& deltas,
                   shard_id_map<ceph::Piece>& redundancy) override;
  int decode(const shard_id_set& wanted, const shard_id_map<ceph::Buffers>& chunks,
             shard_id_map<ceph::Buffers>* decoded, int chunk_bytes) override;
  int decode_chunks(const shard_id_set& wanted, shard_id_map<ceph::Piece>& chunks,
                    shard_id_map<ceph::Piece>& decoded) override;
  int decode_concat(const std::set<int>& wanted, const std::map<int, ceph::Buffers>& chunks,
                    ceph::Buffers* decoded) override;
  std::uint64_t get_supported_optimizations() const override;
  std::string get_optimizations_flags_string() const override;
};

}  // namespace xorloom::ceph_plugin
