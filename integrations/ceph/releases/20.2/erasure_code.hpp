#pragma once

#include <rados/buffer.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "integrations/ceph/releases/20.2/shards.hpp"

// Interface between plugins for erasure codes and the daemons of Ceph 20.2: the order of virtual
// functions and the names of functions, which are facts. check-interface compares them with an
// installed plugin.
//
// Functions over shard_id_set and shard_id_map come twice: a pool with allow_ec_optimizations calls
// them, other pools call those over std::set<int> and std::map<int, …>.

/// The map of a cluster. Only what rules need is declared.
class CrushWrapper {
 public:
  int add_simple_rule(std::string name, std::string root, std::string failure_domain,
                      int failure_domains, std::string device_class, std::string mode,
                      int rule_type, std::ostream* error);
  int add_indep_multi_osd_per_failure_domain_rule(std::string name, std::string root,
                                                  std::string failure_domain, int failure_domains,
                                                  int osds_of_each, std::string device_class,
                                                  std::ostream* error);
};

namespace ceph {

using ErasureCodeProfile = std::map<std::string, std::string>;
using Buffers = buffer::list;
using Piece = buffer::ptr;
/// Sub-chunks: the first, and how many.
using SubChunks = std::vector<std::pair<int, int>>;
using Position = shard_id_t;

class ErasureCodeInterface {
 public:
  virtual ~ErasureCodeInterface() = default;
  virtual int init(ErasureCodeProfile& profile, std::ostream* error) = 0;
  virtual const ErasureCodeProfile& get_profile() const = 0;
  virtual int create_rule(const std::string& name, CrushWrapper& crush,
                          std::ostream* error) const = 0;
  virtual unsigned int get_chunk_count() const = 0;
  virtual unsigned int get_data_chunk_count() const = 0;
  virtual unsigned int get_coding_chunk_count() const = 0;
  virtual int get_sub_chunk_count() = 0;
  virtual unsigned int get_chunk_size(unsigned int stripe_width) const = 0;
  virtual int minimum_to_decode(const shard_id_set& wanted, const shard_id_set& available,
                                shard_id_set& minimum, shard_id_map<SubChunks>* sub_chunks) = 0;
  virtual int minimum_to_decode(const std::set<int>& wanted, const std::set<int>& available,
                                std::map<int, SubChunks>* minimum) = 0;
  virtual int minimum_to_decode_with_cost(const shard_id_set& wanted,
                                          const shard_id_map<int>& available,
                                          shard_id_set* minimum) = 0;
  virtual int minimum_to_decode_with_cost(const std::set<int>& wanted,
                                          const std::map<int, int>& available,
                                          std::set<int>* minimum) = 0;
  virtual std::size_t get_minimum_granularity() = 0;
  virtual int encode(const shard_id_set& wanted, const Buffers& data,
                     shard_id_map<Buffers>* encoded) = 0;
  virtual int encode(const std::set<int>& wanted, const Buffers& data,
                     std::map<int, Buffers>* encoded) = 0;
  virtual int encode_chunks(const std::set<int>& wanted, std::map<int, Buffers>* encoded) = 0;
  virtual int encode_chunks(const shard_id_map<Piece>& data, shard_id_map<Piece>& redundancy) = 0;
  virtual void encode_delta(const Piece& old_data, const Piece& new_data, Piece* delta) = 0;
  virtual void apply_delta(const shard_id_map<Piece>& deltas, shard_id_map<Piece>& redundancy) = 0;
  virtual int decode(const shard_id_set& wanted, const shard_id_map<Buffers>& chunks,
                     shard_id_map<Buffers>* decoded, int chunk_bytes) = 0;
  virtual int decode(const std::set<int>& wanted, const std::map<int, Buffers>& chunks,
                     std::map<int, Buffers>* decoded, int chunk_bytes) = 0;
  virtual int decode_chunks(const shard_id_set& wanted, shard_id_map<Piece>& chunks,
                            shard_id_map<Piece>& decoded) = 0;
  virtual int decode_chunks(const std::set<int>& wanted, const std::map<int, Buffers>& chunks,
                            std::map<int, Buffers>* decoded) = 0;
  virtual const std::vector<Position>& get_chunk_mapping() const = 0;
  virtual int decode_concat(const std::set<int>& wanted, const std::map<int, Buffers>& chunks,
                            Buffers* decoded) = 0;
  virtual int decode_concat(const std::map<int, Buffers>& chunks, Buffers* decoded) = 0;
  virtual std::uint64_t get_supported_optimizations() const = 0;
  virtual std::string get_optimizations_flags_string() const = 0;
};
using ErasureCodeInterfaceRef = std::shared_ptr<ErasureCodeInterface>;

class ErasureCodePlugin {
 public:
  void* library = nullptr;
  virtual ~ErasureCodePlugin() = default;
  virtual int factory(const std::string& directory, ErasureCodeProfile& profile,
                      ErasureCodeInterfaceRef* erasure_code, std::ostream* error) = 0;
};

class ErasureCodePluginRegistry {
 public:
  static ErasureCodePluginRegistry singleton;
  int add(const std::string& name, ErasureCodePlugin* plugin);
};

}  // namespace ceph
