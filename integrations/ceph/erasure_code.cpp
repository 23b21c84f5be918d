#include "integrations/ceph/erasure_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <list>
#include <numeric>
#include <utility>

#include "codes/text/counted.hpp"
#include "integrations/ceph/calls.hpp"

namespace xorloom::ceph_plugin {
namespace {

using Buffers = ceph::Buffers;
using Piece = ceph::buffer::ptr;
using Chunks = std::map<int, Buffers>;

constexpr unsigned int kLine = 64;
constexpr unsigned int kPage = 4096;

/// Memory for chunks, so that they do not compete for the same cache sets.
class Pieces {
 public:
  Pieces(std::size_t count, unsigned int bytes)
      : bytes_(bytes),
        stride_((bytes + kLine - 1) / kLine * kLine + (bytes % kPage == 0 ? kLine : 0)) {
    const std::size_t all = count * std::size_t{stride_};
    if (all > std::numeric_limits<unsigned int>::max()) throw std::bad_alloc();
    if (all != 0) whole_ = ceph::buffer::create_aligned(static_cast<unsigned int>(all), kLine);
  }

  Piece next() {
    Piece piece(whole_, at_, bytes_);
    at_ += stride_;
    return piece;
  }

  /// Appends the next piece to a chunk, and returns the piece's address.
  char* append_next(Buffers& chunk) {
    char* const place = whole_.c_str() + at_;
    chunk.append(whole_, at_, bytes_);
    at_ += stride_;
    return place;
  }

 private:
  unsigned int bytes_;
  unsigned int stride_;
  unsigned int at_ = 0;
  Piece whole_;
};

/// The bytes of a chunk in one place; `copies` gets them if they had to be copied.
std::uint8_t* contiguous(const Buffers& chunk, std::vector<Buffers>& copies) {
  if (chunk.get_num_buffers() == 1) return bytes_of(chunk.front().c_str());
  Buffers& copy = copies.emplace_back(chunk);
  copy.rebuild();
  return bytes_of(copy.c_str());
}

/// Fills an empty chunk with `bytes` bytes of data from `at` on, padded with zeros, in one buffer.
/// The chunk shares the data's buffer if possible.
void add_data(Buffers& chunk, const Buffers& data, unsigned int at, unsigned int bytes,
              Pieces& pieces) {
  if (at >= data.length() || data.length() - at < bytes) {
    char* const place = pieces.append_next(chunk);
    const unsigned int left = at < data.length() ? data.length() - at : 0;
    if (left != 0) data.begin(at).copy(left, place);
    std::memset(place + left, 0, bytes - left);
  } else if (data.get_num_buffers() == 1) {
    chunk.append(data.front(), at, bytes);
  } else {
    chunk.substr_of(data, at, bytes);
    if (chunk.get_num_buffers() != 1) chunk.rebuild();
  }
}

/// Destination of encoded chunks: the map for those that are wanted, memory aside for the others.
class EncodedChunks {
 public:
  EncodedChunks(const std::set<int>& wanted, std::size_t chunks, Chunks& encoded)
      : wanted_(wanted),
        are_all_wanted_(wanted.size() == chunks && *wanted.begin() == 0 &&
                        *wanted.rbegin() == static_cast<int>(chunks) - 1),
        encoded_(encoded) {}

  /// Adds an empty chunk. Cost: no search in the map if positions ascend.
  Buffers& add(int position) {
    if (!are_all_wanted_ && !wanted_.contains(position)) return unwanted_.emplace_back();
    Buffers& chunk = encoded_.try_emplace(encoded_.end(), position)->second;
    if (chunk.length() != 0) chunk.clear();
    return chunk;
  }

 private:
  const std::set<int>& wanted_;
  bool are_all_wanted_;
  Chunks& encoded_;
  std::list<Buffers> unwanted_;
};

/// Gives the lost chunks memory: in `to` for the plan, in `decoded` for the caller.
void add_lost(const std::vector<std::size_t>& lost, Pieces& pieces, std::uint8_t** to,
              Chunks* decoded) {
  for (const std::size_t location : lost) {
    to[location] = bytes_of(pieces.append_next((*decoded)[static_cast<int>(location)]));
  }
}

/// The locations that are not among the chunks.
std::vector<std::size_t> missing(const Chunks& chunks, std::size_t locations) {
  std::vector<std::size_t> lost;
  auto next = chunks.begin();
  for (std::size_t i = 0; i < locations; ++i) {
    if (next != chunks.end() && next->first == static_cast<int>(i)) {
      ++next;
    } else {
      lost.push_back(i);
    }
  }
  return lost;
}

void check_position(int position, std::size_t locations) {
  if (position >= 0 && position < static_cast<int>(locations)) return;
  throw Error(Status::kInvalidArgument,
              fmt::format("chunk {} is not one of the {} of the code", position, locations));
}

void check_chunks(const Chunks& chunks, std::size_t locations) {
  if (chunks.empty()) throw Error(Status::kDamaged, "no chunk is there");
  check_position(chunks.begin()->first, locations);
  check_position(chunks.rbegin()->first, locations);
  const unsigned int bytes = chunks.begin()->second.length();
  for (const auto& [position, chunk] : chunks) {
    if (chunk.length() == bytes) continue;
    throw Error(Status::kInvalidArgument,
                fmt::format("chunk {} has {}, and chunk {} has {}", chunks.begin()->first,
                            counted(bytes, "byte"), position, chunk.length()));
  }
}

/// A chunk of which only sub-chunks were read, with each at its place in `whole`.
void unpack(const Buffers& packed, const Runs& runs, unsigned int sub_bytes, Piece& whole) {
  const auto sub_chunks = static_cast<unsigned int>(length_of(runs));
  if (packed.length() != sub_chunks * sub_bytes) {
    throw Error(Status::kInvalidArgument, fmt::format("{} bytes are not {} sub-chunks of {}",
                                                      packed.length(), sub_chunks, sub_bytes));
  }
  auto from = packed.begin();
  for (const auto& [first, count] : runs) {
    const auto at = static_cast<unsigned int>(first) * sub_bytes;
    from.copy(static_cast<unsigned int>(count) * sub_bytes, whole.c_str() + at);
  }
}

}  // namespace

int PoolCode::init(ceph::ErasureCodeProfile& profile, std::ostream* error) {
  return guarded(error, [&] {
    const Profile wish = read_profile(plugin_, profile);
    shared_ = shared_codec(wish.spec, wish.allow_non_mds);
    rule_ = wish.rule;
    if (rule_.k == 0) {
      rule_.k = shared_->data.size();
      rule_.alignment = std::lcm(rule_.alignment, shared_->codec.chunk_multiple());
    }
    data_.insert(shared_->data.begin(), shared_->data.end());
    std::vector<int> order = shared_->data;
    order.insert(order.end(), shared_->redundant.begin(), shared_->redundant.end());
    if (!std::is_sorted(order.begin(), order.end()))
      mapping_ = std::vector<ceph::Position>(order.begin(), order.end());
    profile_ = profile;
    return 0;
  });
}

int PoolCode::create_rule(const std::string& name, CrushWrapper& crush, std::ostream* error) const {
  return guarded(error, [&] { return add_rule(crush, name, profile_, get_chunk_count(), error); });
}

unsigned int PoolCode::get_chunk_count() const {
  return static_cast<unsigned int>(shared_->chunks);
}

unsigned int PoolCode::get_data_chunk_count() const {
  return static_cast<unsigned int>(shared_->data.size());
}

unsigned int PoolCode::get_coding_chunk_count() const {
  return get_chunk_count() - get_data_chunk_count();
}

int PoolCode::get_sub_chunk_count() { return static_cast<int>(shared_->sub_chunks); }

unsigned int PoolCode::get_chunk_size(unsigned int stripe_width) const {
  return static_cast<unsigned int>(rule_.chunk_bytes(stripe_width));
}

int PoolCode::minimum_to_decode(const std::set<int>& wanted, const std::set<int>& available,
                                std::map<int, ceph::SubChunks>* minimum) {
  return guarded(nullptr, [&] {
    const Runs whole{{0, get_sub_chunk_count()}};
    if (std::includes(available.begin(), available.end(), wanted.begin(), wanted.end())) {
      for (const int position : wanted) (*minimum)[position] = whole;
      return 0;
    }
    if (!shared_->any_k_suffice) {
      for (const auto& [position, runs] : shared_->reads.find(*shared_, wanted, available)->runs) {
        (*minimum)[position] = runs;
      }
      return 0;
    }
    if (available.size() < shared_->data.size()) return -EIO;
    for (const int position : wanted) {
      if (available.contains(position)) (*minimum)[position] = whole;
    }
    for (const int position : available) {
      if (minimum->size() >= shared_->data.size()) break;
      (*minimum)[position] = whole;
    }
    return 0;
  });
}

int PoolCode::minimum_to_decode_with_cost(const std::set<int>& wanted,
                                          const std::map<int, int>& available,
                                          std::set<int>* minimum) {
  return guarded(nullptr, [&] {
    for (const auto& [position, runs] : cheapest_reads(*shared_, wanted, available).runs) {
      minimum->insert(position);
    }
    return 0;
  });
}

int PoolCode::encode(const std::set<int>& wanted, const Buffers& data, Chunks* encoded) {
  return guarded(nullptr, [&] {
    const unsigned int bytes = get_chunk_size(data.length());
    if (bytes == 0) {
      for (const int position : wanted) (*encoded)[position];
      return 0;
    }
    Pieces pieces(shared_->chunks - data.length() / bytes, bytes);
    std::uint8_t** const chunks = pointers(shared_->chunks);
    EncodedChunks made(wanted, shared_->chunks, *encoded);
    unsigned int at = 0;
    for (const int position : shared_->data) {
      Buffers& chunk = made.add(position);
      add_data(chunk, data, at, bytes, pieces);
      chunks[position] = bytes_of(chunk.front().c_str());
      at += bytes;
    }
    for (const int position : shared_->redundant) {
      chunks[position] = bytes_of(pieces.append_next(made.add(position)));
    }
    return error_of(shared_->codec.encode(chunks, bytes));
  });
}

int PoolCode::encode_chunks(const std::set<int>& /*wanted*/, Chunks* encoded) {
  return guarded(nullptr, [&] {
    check_chunks(*encoded, shared_->chunks);
    if (!missing(*encoded, shared_->chunks).empty()) return -EINVAL;
    std::uint8_t** const chunks = pointers(shared_->chunks);
    for (auto& [position, chunk] : *encoded) chunks[position] = bytes_of(chunk.c_str());
    return error_of(shared_->codec.encode(chunks, encoded->begin()->second.length()));
  });
}

int PoolCode::decode(const std::set<int>& wanted, const Chunks& chunks, Chunks* decoded,
                     int chunk_bytes) {
  return guarded(nullptr, [&] {
    std::vector<std::size_t> lost;
    for (const int position : wanted) {
      if (const auto found = chunks.find(position); found != chunks.end()) {
        (*decoded)[position] = found->second;
      } else {
        check_position(position, shared_->chunks);
        lost.push_back(static_cast<std::size_t>(position));
      }
    }
    if (lost.empty()) return 0;
    check_chunks(chunks, shared_->chunks);
    const unsigned int bytes = chunks.begin()->second.length();
    if (shared_->sub_chunks > 1 && chunk_bytes > 0 &&
        static_cast<unsigned int>(chunk_bytes) > bytes) {
      return decode_packed(wanted, lost, chunks, decoded, static_cast<unsigned int>(chunk_bytes));
    }
    std::uint8_t** const to = pointers(shared_->chunks);
    std::vector<Buffers> copies;
    for (const auto& [position, chunk] : chunks) to[position] = contiguous(chunk, copies);
    Pieces pieces(lost.size(), bytes);
    add_lost(lost, pieces, to, decoded);
    return error_of(shared_->codec.decode(to, missing(chunks, shared_->chunks), lost, bytes));
  });
}

int PoolCode::decode_packed(const std::set<int>& wanted, const std::vector<std::size_t>& lost,
                            const Chunks& packed, Chunks* decoded, unsigned int bytes) const {
  std::set<int> available;
  for (const auto& [position, chunk] : packed) available.insert(position);
  const auto reads = shared_->reads.find(*shared_, wanted, available);
  if (reads->runs.size() != packed.size()) return -EINVAL;  // more than what is read is there
  const unsigned int sub_bytes = bytes / static_cast<unsigned int>(shared_->sub_chunks);
  std::uint8_t** const to = pointers(shared_->chunks);
  Pieces pieces(lost.size() + packed.size(), bytes);
  for (const auto& [position, chunk] : packed) {
    Piece whole = pieces.next();
    unpack(chunk, reads->runs.at(position), sub_bytes, whole);
    to[position] = bytes_of(whole.c_str());
  }
  add_lost(lost, pieces, to, decoded);
  return error_of(reads->plan->run(to, bytes));
}

int PoolCode::decode_chunks(const std::set<int>& wanted, const Chunks& chunks, Chunks* decoded) {
  return guarded(nullptr, [&] {
    check_chunks(*decoded, shared_->chunks);
    if (!missing(*decoded, shared_->chunks).empty()) return -EINVAL;
    const std::vector<std::size_t> lost = missing(chunks, shared_->chunks);
    std::vector<std::size_t> rebuilt;
    for (const std::size_t location : lost) {
      if (shared_->any_k_suffice || wanted.contains(static_cast<int>(location)))
        rebuilt.push_back(location);
    }
    if (rebuilt.empty()) return 0;
    std::uint8_t** const to = pointers(shared_->chunks);
    for (auto& [position, chunk] : *decoded) to[position] = bytes_of(chunk.c_str());
    return error_of(shared_->codec.decode(to, lost, rebuilt, decoded->begin()->second.length()));
  });
}

int PoolCode::decode_concat(const Chunks& chunks, Buffers* decoded) {
  return guarded(nullptr, [&] {
    Chunks data;
    const int bytes = chunks.empty() ? 0 : static_cast<int>(chunks.begin()->second.length());
    if (const int error = decode(data_, chunks, &data, bytes); error != 0) return error;
    for (const int position : shared_->data) decoded->claim_append(data[position]);
    return 0;
  });
}

}  // namespace xorloom::ceph_plugin
