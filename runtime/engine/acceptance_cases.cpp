#include "runtime/engine/acceptance_cases.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "equations/ir/oracle.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kNoColumn = std::numeric_limits<std::size_t>::max();

/// All bits of every input are tried if that takes at most this many lanes; else one bit of each.
constexpr std::size_t kManyLanes = 8192;

/// With more terms than this, random data in planes repeats after each block.
constexpr std::size_t kManyTerms = std::size_t{1} << 15;

/// Random data comes from at least kFewPools pools if there are enough locations, so that windows
/// have at least kFewPools alignments. If locations have several sub-chunks, each location has its
/// own pool, up to kPoolBytes in all.
constexpr std::size_t kFewPools = 8;
constexpr std::size_t kPoolBytes = std::size_t{64} << 20;

/// Windows on random data begin at multiples of this, so that all can be aligned.
constexpr std::size_t kRandomStep = 64;

void fill_random(std::vector<std::uint8_t>& bytes, Random& random) {
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    const std::uint64_t word = random();
    std::memcpy(bytes.data() + i, &word, std::min<std::size_t>(8, bytes.size() - i));
  }
}

/// Repeats the first `period` bytes.
void repeat(std::uint8_t* bytes, std::size_t num_bytes, std::size_t period) {
  for (std::size_t done = period; done < num_bytes;) {  // whole periods, doubled each time
    const std::size_t more = std::min(done, num_bytes - done);
    std::memcpy(bytes + done, bytes, more);
    done += more;
  }
}

std::vector<std::uint8_t*> pointers_to(const AcceptanceCase& test_case, Regions& regions) {
  std::vector<std::uint8_t*> pointers;
  for (const AcceptanceCase::Place place : test_case.chunks) {
    pointers.push_back(regions[place.region].data() + place.offset);
  }
  return pointers;
}

}  // namespace

PacketCases::PacketCases(const Code& code, const LinearMap& map, std::size_t packet_bytes,
                         std::size_t super_blocks)
    : rows_(code.rows()),
      locations_(code.locations),
      packet_bytes_(packet_bytes),
      chunk_bytes_(rows_ * packet_bytes * super_blocks),
      matrix_(expand(code.field, map.coefficients)),
      inputs_(elements_of(code, map.inputs)),
      outputs_(elements_of(code, map.outputs)) {}

AcceptanceCase PacketCases::units(std::size_t batch) const {
  AcceptanceCase test_case = this->test_case("unit vectors", 1);
  const std::size_t first = batch * lanes();
  const std::size_t last = std::min(inputs_.size(), first + lanes());
  for (const Element input : inputs_) clear(test_case.before, input);
  for (std::size_t i = first; i < last; ++i) set(test_case.before, inputs_[i], i - first);
  test_case.after = test_case.before;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    clear(test_case.after, outputs_[o]);
    for (const std::size_t i : matrix_.ones(o)) {
      if (i >= first && i < last) set(test_case.after, outputs_[o], i - first);
    }
  }
  return test_case;
}

AcceptanceCase PacketCases::random() const {
  AcceptanceCase test_case = this->test_case("random data", 2);
  test_case.after = test_case.before;
  oracle_packets(matrix_, inputs_, outputs_, rows_, packet_bytes_,
                 pointers_to(test_case, test_case.after).data(), chunk_bytes_);
  return test_case;
}

AcceptanceCase PacketCases::test_case(std::string data, std::uint64_t seed) const {
  AcceptanceCase test_case{std::move(data), Regions(locations_), {}, {}, chunk_bytes_};
  Random random(seed);
  for (std::size_t l = 0; l < locations_; ++l) {
    test_case.before[l].resize(chunk_bytes_);
    fill_random(test_case.before[l], random);
    test_case.chunks.push_back({l, 0});
  }
  return test_case;
}

std::uint8_t* PacketCases::packet(Regions& chunks, Element element, std::size_t super_block) const {
  return chunks[element / rows_].data() + (super_block * rows_ + element % rows_) * packet_bytes_;
}

void PacketCases::clear(Regions& chunks, Element element) const {
  for (std::size_t s = 0; s < chunk_bytes_ / (rows_ * packet_bytes_); ++s) {
    std::memset(packet(chunks, element, s), 0, packet_bytes_);
  }
}

void PacketCases::set(Regions& chunks, Element element, std::size_t lane) const {
  const std::size_t byte = lane / 8;
  packet(chunks, element, byte / packet_bytes_)[byte % packet_bytes_] |=
      static_cast<std::uint8_t>(1U << lane % 8);
}

WordCases::WordCases(const Code& code, const LinearMap& map)
    : code_(code),
      map_(map),
      is_read_(code.locations),
      is_written_(code.locations),
      column_of_cell_(code.locations * code.subchunks, kNoColumn) {
  for (std::size_t i = 0; i < map.inputs.size(); ++i) {
    column_of_cell_[map.inputs[i]] = i;
    is_read_[code.location_of_cell(map.inputs[i])] = true;
  }
  for (const Cell cell : map.outputs) is_written_[code.location_of_cell(cell)] = true;
  for (std::size_t l = 0; l < code.locations; ++l) {
    if (is_read_[l]) sources_.push_back(l);
  }
  bits_ = bits_tried(code, sources_.size() * code.subchunks);
  bits_of_lane_ = code.plane_bytes != 0 ? bits_ : 1;
}

std::size_t WordCases::bits_tried(const Code& code, std::size_t inputs) {
  const std::size_t bits = code.plane_bytes != 0 ? code.field.w() : 8 * unit_bytes(code);
  return inputs * bits <= kManyLanes ? bits : 1;
}

double WordCases::lane_bytes(const Code& code, double inputs) {
  const std::size_t bits = bits_tried(code, static_cast<std::size_t>(inputs));
  const std::size_t lanes = code.plane_bytes != 0 ? 1 : bits;
  const std::size_t inputs_of_lane = code.plane_bytes != 0 ? code.plane_bytes / bits : 1;
  return inputs * static_cast<double>(lanes * unit_bytes(code)) /
         static_cast<double>(inputs_of_lane);
}

WordCases::Batching WordCases::batching(std::size_t subchunk_bytes) const {
  Batching result{};
  result.lanes = subchunk_bytes / unit_bytes();
  result.windows = std::clamp<std::size_t>(sources_.size(), 1, result.lanes);
  result.pools = (sources_.size() + result.windows - 1) / result.windows;
  result.pools_of_lane = code_.plane_bytes != 0 ? code_.plane_bytes / bits_of_lane_ : 1;
  result.groups = (result.pools + result.pools_of_lane - 1) / result.pools_of_lane;
  result.per_batch = result.lanes / result.windows;
  return result;
}

/// Adds one batch to those that unit vectors need, so that the last one has lanes for zero vectors.
std::size_t WordCases::batches(std::size_t subchunk_bytes) const {
  const Batching b = batching(subchunk_bytes);
  return b.groups * code_.subchunks * (bits_ / bits_of_lane_) / b.per_batch + 1;
}

AcceptanceCase WordCases::units(std::size_t subchunk_bytes, std::size_t batch) const {
  const Batching b = batching(subchunk_bytes);
  AcceptanceCase test_case = stripe(subchunk_bytes);
  test_case.data = "unit vectors";
  const std::size_t first_pool = test_case.before.size();
  test_case.before.resize(
      first_pool + b.pools,
      std::vector<std::uint8_t>(test_case.chunk_bytes + (b.windows - 1) * unit_bytes()));
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (is_written_[sources_[i]]) continue;
    test_case.chunks[sources_[i]] = {first_pool + i / b.windows, i % b.windows * unit_bytes()};
  }
  for (const Cell cell : map_.inputs) {
    if (!is_written_[code_.location_of_cell(cell)]) continue;
    std::memset(subchunk(test_case, test_case.before, cell), 0, subchunk_bytes);
  }
  test_case.after = test_case.before;
  std::vector<std::uint8_t*> outputs;  // by output: its first byte
  for (const Cell cell : map_.outputs) {
    outputs.push_back(subchunk(test_case, test_case.after, cell));
    std::memset(outputs.back(), 0, subchunk_bytes);
  }

  const std::size_t w = code_.field.w();
  const std::size_t lanes_of_unit = bits_ / bits_of_lane_;
  const std::size_t triples = b.groups * code_.subchunks * lanes_of_unit;
  const std::size_t first = batch * b.per_batch;
  for (std::size_t i = first * bits_of_lane_;
       i < std::min(triples, first + b.per_batch) * bits_of_lane_; ++i) {
    const std::size_t t = i / bits_of_lane_;
    const std::size_t bit = t % lanes_of_unit * bits_of_lane_ + i % bits_of_lane_;
    const std::size_t sub = t / lanes_of_unit % code_.subchunks;
    const std::size_t first_pool_of_group = t / lanes_of_unit / code_.subchunks * b.pools_of_lane;
    const std::size_t end_pool = std::min(b.pools, first_pool_of_group + b.pools_of_lane);
    const std::size_t last_lane = (t - first + 1) * b.windows - 1;
    for (std::size_t pool = first_pool_of_group; pool < end_pool; ++pool) {
      // In a block, each pool of the group has symbols of its own, one for each bit.
      const std::size_t symbol = (pool - first_pool_of_group) * bits_of_lane_ + bit;
      for (Regions* regions : {&test_case.before, &test_case.after}) {
        std::uint8_t* const bytes = (*regions)[first_pool + pool].data() + sub * subchunk_bytes;
        set(bytes, last_lane, symbol, 1U << bit);
      }
      const std::size_t end = std::min(sources_.size(), (pool + 1) * b.windows);
      for (std::size_t s = pool * b.windows; s < end; ++s) {
        const std::size_t column = column_of(sources_[s], sub);
        if (column == kNoColumn) continue;
        const std::size_t lane = last_lane - s % b.windows;
        if (is_written_[sources_[s]]) {
          for (Regions* regions : {&test_case.before, &test_case.after}) {
            set(subchunk(test_case, *regions, map_.inputs[column]), lane, symbol, 1U << bit);
          }
        }
        for (std::size_t o = 0; o < map_.outputs.size(); ++o) {
          const Field::Symbol coefficient = map_.coefficients(o, column);
          if (coefficient == 0) continue;
          const Field::Symbol product =
              code_.field.multiply(coefficient, Field::Symbol{1} << bit % w);
          set(outputs[o], lane, symbol, product << (bit / w * w));
        }
      }
    }
  }
  return test_case;
}

AcceptanceCase WordCases::random(std::size_t subchunk_bytes) const {
  AcceptanceCase test_case = stripe(subchunk_bytes);
  test_case.data = "random data";
  const bool is_whole = code_.subchunks == 1;  // else each sub-chunk repeats data of its own
  const std::size_t wanted = is_whole
                                 ? std::max(kFewPools, sources_.size() / period() + 1)
                                 : std::max<std::size_t>(1, kPoolBytes / test_case.chunk_bytes);
  const std::size_t num_pools = std::clamp<std::size_t>(sources_.size(), 1, wanted);
  const std::size_t windows = is_whole ? (sources_.size() + num_pools - 1) / num_pools : 0;
  const std::size_t first_pool = test_case.before.size();
  test_case.before.resize(first_pool + num_pools,
                          std::vector<std::uint8_t>(test_case.chunk_bytes + windows * kRandomStep));
  Random random(2);
  for (std::size_t r = 1; r < test_case.before.size(); ++r) {
    std::vector<std::uint8_t>& region = test_case.before[r];
    fill_random(region, random);
    const std::size_t part = is_whole ? region.size() : subchunk_bytes;
    for (std::size_t begin = 0; begin < region.size(); begin += part) {
      repeat(region.data() + begin, part, period() * unit_bytes());
    }
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (is_written_[sources_[i]]) continue;
    const std::size_t offset = is_whole ? i / num_pools * kRandomStep : 0;
    test_case.chunks[sources_[i]] = {first_pool + i % num_pools, offset};
  }
  test_case.after = test_case.before;
  compute_periods(test_case);
  return test_case;
}

/// Computes the outputs by the oracle, on a stripe that holds the first period of each sub-chunk.
void WordCases::compute_periods(AcceptanceCase& test_case) const {
  const std::size_t period_bytes = period() * unit_bytes();
  const std::size_t subchunk_bytes = test_case.chunk_bytes / code_.subchunks;
  Regions chunks(code_.locations);
  std::vector<std::uint8_t*> pointers(code_.locations);
  for (std::size_t l = 0; l < code_.locations; ++l) {
    if (!is_read_[l] && !is_written_[l]) continue;
    chunks[l].resize(code_.subchunks * period_bytes);
    pointers[l] = chunks[l].data();
  }
  const auto in_chunks = [&](Cell cell) {
    return pointers[code_.location_of_cell(cell)] + cell % code_.subchunks * period_bytes;
  };
  for (const Cell cell : map_.inputs) {
    std::memcpy(in_chunks(cell), subchunk(test_case, test_case.before, cell), period_bytes);
  }
  oracle_words(code_, map_, pointers.data(), code_.subchunks * period_bytes);
  for (const Cell cell : map_.outputs) {
    std::uint8_t* const output = subchunk(test_case, test_case.after, cell);
    std::memcpy(output, in_chunks(cell), period_bytes);
    repeat(output, subchunk_bytes, period_bytes);
  }
}

/// Chunks of junk, no two the same: one for each location that is written, windows on region 0 for
/// all others.
AcceptanceCase WordCases::stripe(std::size_t subchunk_bytes) const {
  AcceptanceCase test_case{{}, Regions(1), {}, {}, code_.subchunks * subchunk_bytes};
  Random random(1);
  std::size_t num_windows = 0;
  for (std::size_t l = 0; l < code_.locations; ++l) {
    if (is_written_[l]) {
      test_case.chunks.push_back({test_case.before.size(), 0});
      fill_random(test_case.before.emplace_back(test_case.chunk_bytes), random);
    } else {
      test_case.chunks.push_back({0, is_read_[l] ? 0 : num_windows++ * unit_bytes()});
    }
  }
  test_case.before[0].resize(test_case.chunk_bytes + num_windows * unit_bytes());
  fill_random(test_case.before[0], random);
  return test_case;
}

std::size_t WordCases::column_of(std::size_t location, std::size_t subchunk) const {
  return column_of_cell_[location * code_.subchunks + subchunk];
}

std::uint8_t* WordCases::subchunk(const AcceptanceCase& test_case, Regions& regions,
                                  Cell cell) const {
  const AcceptanceCase::Place place = test_case.chunks[code_.location_of_cell(cell)];
  return regions[place.region].data() + place.offset +
         cell % code_.subchunks * (test_case.chunk_bytes / code_.subchunks);
}

/// The oracle computes the many symbols of a block one by one: in a wide code, data repeats after
/// each block.
std::size_t WordCases::period() const {
  if (code_.plane_bytes == 0) return kPeriod;
  return map_.inputs.size() * map_.outputs.size() > kManyTerms ? 1 : kPeriodOfBlocks;
}

/// Sets a unit in a lane. Precondition: the lane is 0, but for other bits and symbols. `symbol` is
/// one of a block.
void WordCases::set(std::uint8_t* subchunk, std::size_t lane, std::size_t symbol,
                    std::uint32_t unit) const {
  if (const std::size_t plane = code_.plane_bytes; plane != 0) {
    std::uint8_t* const block = subchunk + lane * unit_bytes() + symbol;
    for (std::size_t i = 0; i * plane < unit_bytes(); ++i) {
      block[i * plane] |= static_cast<std::uint8_t>(unit >> (8 * i));
    }
    return;
  }
  for (std::size_t i = 0; i < unit_bytes(); ++i) {
    subchunk[lane * unit_bytes() + i] |= static_cast<std::uint8_t>(unit >> (8 * i));
  }
}

}  // namespace xorloom
