#include "integrations/ceph/releases/20.2/shard_code.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "codes/text/counted.hpp"
#include "integrations/ceph/calls.hpp"

namespace xorloom::ceph_plugin {
namespace {

using ceph::Buffers;
using ceph::Piece;

constexpr unsigned int kLine = 64;
constexpr unsigned int kPage = 4096;  ///< parts of chunks are whole pages
constexpr std::size_t kMostShards = 127;

/// Abilities of a plugin, as the bits that Ceph uses.
enum Ability : std::uint64_t {
  kPartialRead = 1U << 0U,   ///< data is read without decoding
  kPartialWrite = 1U << 1U,  ///< parts of a stripe are encoded
  kZeroOfZeros = 1U << 2U,   ///< the redundancy of zeros is zeros
  kParityDelta = 1U << 4U,   ///< encode_delta() and apply_delta() work
  kSubChunks = 1U << 5U,     ///< chunks consist of sub-chunks
  kOptimized = 1U << 6U,     ///< a pool may have allow_ec_optimizations
};
constexpr std::array<std::pair<Ability, std::string_view>, 6> kNames{{
    {kPartialRead, "partialread"},
    {kPartialWrite, "partialwrite"},
    {kZeroOfZeros, "zeroinout"},
    {kParityDelta, "paritydelta"},
    {kSubChunks, "requiresubchunks"},
    {kOptimized, "optimizedsupport"},
}};

std::set<int> set_of(const shard_id_set& shards, std::size_t chunks) {
  std::set<int> positions;
  for (int i = 0; i < static_cast<int>(chunks); ++i) {
    if (shards.contains(i)) positions.insert(positions.end(), i);
  }
  return positions;
}

template <typename Value>
std::map<int, Value> map_of(const shard_id_map<Value>& shards) {
  std::map<int, Value> values;
  for (int i = 0; i < shards.size(); ++i) {
    if (const Value* value = shards.find(i)) values.emplace_hint(values.end(), i, *value);
  }
  return values;
}

template <typename Value>
void move_to(shard_id_map<Value>& shards, std::map<int, Value>& values) {
  for (auto& [position, value] : values) shards.set(position, std::move(value));
}

/// A number that a profile has for its rule, of failure domains for example.
///
/// Errors: throws kInvalidArgument if it is none.
int rule_number(const ceph::ErasureCodeProfile& profile, const std::string& key) {
  const std::string& text = profile.at(key);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw Error(Status::kInvalidArgument, fmt::format("{}={} is not a number", key, text));
  }
  return number;
}

/// Whether a map has bytes of a location. A buffer that is empty counts as missing.
bool has(const shard_id_map<Piece>& shards, std::size_t location) {
  const Piece* const piece = shards.find(static_cast<int>(location));
  return piece != nullptr && piece->length() != 0;
}

/// The buffers of a call by location, all of the same length.
class Call {
 public:
  explicit Call(const SharedCodec& shared) : chunks_(shared.chunks), to_(pointers(chunks_)) {}

  /// Takes the buffers of a map.
  ///
  /// Errors: throws kInvalidArgument if buffers differ in length.
  void add(const shard_id_map<Piece>& shards) {
    for (std::size_t i = 0; i < chunks_; ++i) {
      if (!has(shards, i)) continue;
      const Piece& piece = *shards.find(static_cast<int>(i));
      if (bytes_ == 0) bytes_ = piece.length();
      check(i, piece);
      to_[i] = bytes_of(piece.c_str());
    }
  }

  void check(std::size_t location, const Piece& piece) const {
    if (piece.length() == bytes_) return;
    throw Error(Status::kInvalidArgument,
                fmt::format("shard {} has {}, and another one {}", location,
                            counted(piece.length(), "byte"), bytes_));
  }

  /// Gives locations without a buffer zeros: one buffer each if they are written.
  void fill(const std::vector<int>& locations, bool are_written) {
    for (const int location : locations) {
      if (to_[location] != nullptr) continue;
      if (are_written || zeros_.empty()) {
        zeros_.push_back(ceph::buffer::create_aligned(bytes_, kLine));
        zeros_.back().zero();
      }
      to_[location] = bytes_of(zeros_.back().c_str());
    }
  }

  std::uint8_t** to() const { return to_; }
  unsigned int bytes() const { return bytes_; }

 private:
  std::size_t chunks_;
  std::uint8_t** to_;
  unsigned int bytes_ = 0;
  std::vector<Piece> zeros_;
};

/// Ends the daemon if a call that can answer nothing has failed.
void need(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "xorloom: " << what << '\n';
  std::abort();
}

}  // namespace

std::shared_ptr<PoolCode> new_code(std::string plugin) {
  return std::make_shared<ShardCode>(std::move(plugin));
}

int add_rule(CrushWrapper& crush, const std::string& name, const ceph::ErasureCodeProfile& profile,
             unsigned int /*chunks*/, std::ostream* error) {
  constexpr int kErasureRule = 3;  ///< the type of a rule for erasure-coded pools
  const std::string& root = profile.at("crush-root");
  const std::string& failure_domain = profile.at("crush-failure-domain");
  const std::string& device_class = profile.at("crush-device-class");
  const int domains = rule_number(profile, "crush-num-failure-domains");
  const int osds = rule_number(profile, "crush-osds-per-failure-domain");
  if (osds <= 1) {
    return crush.add_simple_rule(name, root, failure_domain, domains, device_class, "indep",
                                 kErasureRule, error);
  }
  if (domains < 1) {
    throw Error(
        Status::kInvalidArgument,
        fmt::format("crush-osds-per-failure-domain={} needs crush-num-failure-domains", osds));
  }
  return crush.add_indep_multi_osd_per_failure_domain_rule(name, root, failure_domain, domains,
                                                           osds, device_class, error);
}

int ShardCode::init(ceph::ErasureCodeProfile& profile, std::ostream* error) {
  return guarded(error, [&] {
    for (const char* key : {"crush-osds-per-failure-domain", "crush-num-failure-domains"}) {
      if (std::string& value = profile[key]; value.empty()) value = "0";
      rule_number(profile, key);
    }
    const int status = PoolCode::init(profile, error);
    if (status != 0 || get_chunk_count() <= kMostShards) return status;
    throw Error(Status::kInvalidArgument,
                fmt::format("{} chunks exceed {}, the most shards of a placement group",
                            get_chunk_count(), kMostShards));
  });
}

int ShardCode::minimum_to_decode(const shard_id_set& wanted, const shard_id_set& available,
                                 shard_id_set& minimum, shard_id_map<ceph::SubChunks>* sub_chunks) {
  return guarded(nullptr, [&] {
    std::map<int, ceph::SubChunks> reads;
    const int status = minimum_to_decode(set_of(wanted, get_chunk_count()),
                                         set_of(available, get_chunk_count()), &reads);
    if (status != 0) return status;
    for (const auto& [position, runs] : reads) minimum.insert(position);
    if (sub_chunks != nullptr) move_to(*sub_chunks, reads);
    return 0;
  });
}

int ShardCode::minimum_to_decode_with_cost(const shard_id_set& wanted,
                                           const shard_id_map<int>& available,
                                           shard_id_set* minimum) {
  return guarded(nullptr, [&] {
    std::set<int> reads;
    const int status =
        minimum_to_decode_with_cost(set_of(wanted, get_chunk_count()), map_of(available), &reads);
    for (const int position : reads) minimum->insert(position);
    return status;
  });
}

std::size_t ShardCode::get_minimum_granularity() { return shared_->codec.chunk_multiple(); }

int ShardCode::encode(const shard_id_set& wanted, const Buffers& data,
                      shard_id_map<Buffers>* encoded) {
  return guarded(nullptr, [&] {
    std::map<int, Buffers> chunks;
    const int status = encode(set_of(wanted, get_chunk_count()), data, &chunks);
    move_to(*encoded, chunks);
    return status;
  });
}

int ShardCode::encode_chunks(const shard_id_map<Piece>& data, shard_id_map<Piece>& redundancy) {
  return guarded(nullptr, [&] {
    Call call(*shared_);
    call.add(data);
    call.add(redundancy);
    if (call.bytes() == 0) return 0;
    call.fill(shared_->data, false);
    call.fill(shared_->redundant, true);
    return error_of(shared_->codec.encode(call.to(), call.bytes()));
  });
}

void ShardCode::encode_delta(const Piece& old_data, const Piece& new_data, Piece* delta) {
  const unsigned int bytes = delta->length();
  need(old_data.length() == bytes && new_data.length() == bytes,
       "old data, new data and their difference have other lengths");
  const char* const before = old_data.c_str();
  const char* const after = new_data.c_str();
  char* const difference = delta->c_str();
  for (unsigned int i = 0; i < bytes; ++i) {
    difference[i] = static_cast<char>(before[i] ^ after[i]);
  }
}

void ShardCode::apply_delta(const shard_id_map<Piece>& deltas, shard_id_map<Piece>& redundancy) {
  try {
    Call call(*shared_);
    call.add(redundancy);
    if (call.bytes() == 0) return;
    call.fill(shared_->redundant, true);
    for (const int position : shared_->data) {
      const auto location = static_cast<std::size_t>(position);
      if (!has(deltas, location)) continue;
      const Piece& delta = *deltas.find(position);
      call.check(location, delta);
      const Status status = shared_->codec.update(location, nullptr, bytes_of(delta.c_str()),
                                                  call.to(), call.bytes());
      if (status != Status::kOk) throw Error(status, std::string(last_error()));
    }
  } catch (const std::exception& failure) {
    need(false,
         fmt::format("redundancy cannot be updated by differences of data: {}", failure.what()));
  }
}

int ShardCode::decode(const shard_id_set& wanted, const shard_id_map<Buffers>& chunks,
                      shard_id_map<Buffers>* decoded, int chunk_bytes) {
  return guarded(nullptr, [&] {
    std::map<int, Buffers> rebuilt;
    const int status =
        decode(set_of(wanted, get_chunk_count()), map_of(chunks), &rebuilt, chunk_bytes);
    move_to(*decoded, rebuilt);
    return status;
  });
}

int ShardCode::decode_chunks(const shard_id_set& /*wanted*/, shard_id_map<Piece>& chunks,
                             shard_id_map<Piece>& decoded) {
  return guarded(nullptr, [&] {
    Call call(*shared_);
    call.add(chunks);
    call.add(decoded);
    std::vector<std::size_t> erased;
    std::vector<std::size_t> rebuilt;
    for (std::size_t i = 0; i < shared_->chunks; ++i) {
      const bool is_wanted = has(decoded, i);
      if (is_wanted) rebuilt.push_back(i);
      if (is_wanted || !has(chunks, i)) erased.push_back(i);
    }
    if (rebuilt.empty()) return 0;
    return error_of(shared_->codec.decode(call.to(), erased, rebuilt, call.bytes()));
  });
}

int ShardCode::decode_concat(const std::set<int>& wanted, const std::map<int, Buffers>& chunks,
                             Buffers* decoded) {
  return guarded(nullptr, [&] {
    std::map<int, Buffers> data;
    const int bytes = chunks.empty() ? 0 : static_cast<int>(chunks.begin()->second.length());
    if (const int error = decode(wanted, chunks, &data, bytes); error != 0) return error;
    for (const int position : shared_->data) {
      if (wanted.contains(position)) decoded->claim_append(data[position]);
    }
    return 0;
  });
}

std::uint64_t ShardCode::get_supported_optimizations() const {
  std::uint64_t abilities = kPartialRead | kZeroOfZeros | kParityDelta;
  abilities |= shared_->sub_chunks == 1 ? kPartialWrite : kSubChunks;
  // Ceph then decodes of any k shards, page by page. Its jerasure plugin has it for one technique.
  if (shared_->any_k_suffice && mapping_.empty() && kPage % shared_->codec.chunk_multiple() == 0 &&
      (plugin_ != "jerasure" || profile_.at("technique") == "reed_sol_van")) {
    abilities |= kOptimized;
  }
  return abilities;
}

std::string ShardCode::get_optimizations_flags_string() const {
  std::string names;
  for (const auto& [ability, name] : kNames) {
    if ((get_supported_optimizations() & ability) == 0) continue;
    if (!names.empty()) names += ',';
    names += name;
  }
  return names;
}

}  // namespace xorloom::ceph_plugin
