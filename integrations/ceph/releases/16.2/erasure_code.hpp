#pragma once

#include <rados/buffer.h>

#include <iosfwd>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Interface between plugins for erasure codes and the daemons of Ceph 16.2 and 18.2: the order of
// virtual functions and the names of functions, which are facts. check-interface compares them with
// an installed plugin.

/// The map of a cluster. Only what rules need is declared.
class CrushWrapper {
 public:
  int add_simple_rule(std::string name, std::string root, std::string failure_domain,
                      std::string device_class, std::string mode, int rule_type,
                      std::ostream* error);
};

namespace ceph {

using ErasureCodeProfile = std::map<std::string, std::string>;
using Buffers = buffer::list;
/// Sub-chunks: the first, and how many.
using SubChunks = std::vector<std::pair<int, int>>;
using Position = int;

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
  virtual int minimum_to_decode(const std::set<int>& wanted, const std::set<int>& available,
                                std::map<int, SubChunks>* minimum) = 0;
  virtual int minimum_to_decode_with_cost(const std::set<int>& wanted,
                                          const std::map<int, int>& available,
                                          std::set<int>* minimum) = 0;
  virtual int encode(const std::set<int>& wanted, const Buffers& data,
                     std::map<int, Buffers>* encoded) = 0;
  virtual int encode_chunks(const std::set<int>& wanted, std::map<int, Buffers>* encoded) = 0;
  virtual int decode(const std::set<int>& wanted, const std::map<int, Buffers>& chunks,
                     std::map<int, Buffers>* decoded, int chunk_bytes) = 0;
  virtual int decode_chunks(const std::set<int>& wanted, const std::map<int, Buffers>& chunks,
                            std::map<int, Buffers>* decoded) = 0;
  virtual const std::vector<int>& get_chunk_mapping() const = 0;
  virtual int decode_concat(const std::map<int, Buffers>& chunks, Buffers* decoded) = 0;
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
