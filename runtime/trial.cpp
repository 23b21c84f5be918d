#include "runtime/trial.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "equations/oracle.hpp"

namespace xorloom {
namespace {

Chunks random_chunks(std::size_t locations, std::size_t chunk_bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Chunks chunks(locations, std::vector<std::uint8_t>(chunk_bytes));
  for (auto& chunk : chunks) {
    for (std::uint8_t& byte : chunk) byte = static_cast<std::uint8_t>(random());
  }
  return chunks;
}

std::vector<std::uint8_t*> pointers_to(Chunks& chunks) {
  std::vector<std::uint8_t*> pointers;
  for (auto& chunk : chunks) pointers.push_back(chunk.data());
  return pointers;
}

/// One output of a map from those inputs that it is made of.
LinearMap sparse_row(const LinearMap& map, std::size_t output) {
  LinearMap row{{}, {map.outputs[output]}, {}};
  std::vector<Field::Symbol> symbols;
  for (std::size_t i = 0; i < map.inputs.size(); ++i) {
    if (map.coefficients(output, i) == 0) continue;
    row.inputs.push_back(map.inputs[i]);
    symbols.push_back(map.coefficients(output, i));
  }
  row.coefficients = Matrix(1, symbols.size());
  std::ranges::copy(symbols, row.coefficients.row(0).begin());
  return row;
}

}  // namespace

PacketTrials::PacketTrials(const Code& code, const LinearMap& map, std::size_t packet_bytes,
                           std::size_t super_blocks)
    : rows_(code.rows()),
      locations_(code.locations),
      packet_bytes_(packet_bytes),
      chunk_bytes_(rows_ * packet_bytes * super_blocks),
      matrix_(expand(code.field, map.coefficients)),
      inputs_(elements_of(code, map.inputs)),
      outputs_(elements_of(code, map.outputs)) {}

Trial PacketTrials::units(std::size_t first) const {
  Trial trial{"unit vectors", random_chunks(locations_, chunk_bytes_, 1), {}};
  const std::size_t last = std::min(vectors(), first + lanes());
  for (const Element input : inputs_) clear(trial.before, input);
  for (std::size_t i = first; i < last; ++i) set(trial.before, inputs_[i], i - first);
  trial.after = trial.before;
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    clear(trial.after, outputs_[o]);
    for (const std::size_t i : matrix_.ones(o)) {
      if (i >= first && i < last) set(trial.after, outputs_[o], i - first);
    }
  }
  return trial;
}

Trial PacketTrials::random() const {
  Trial trial{"random data", random_chunks(locations_, chunk_bytes_, 2), {}};
  trial.after = trial.before;
  oracle_packets(matrix_, inputs_, outputs_, rows_, packet_bytes_, pointers_to(trial.after).data(),
                 chunk_bytes_);
  return trial;
}

std::uint8_t* PacketTrials::packet(Chunks& chunks, Element element, std::size_t super_block) const {
  return chunks[element / rows_].data() + (super_block * rows_ + element % rows_) * packet_bytes_;
}

void PacketTrials::clear(Chunks& chunks, Element element) const {
  for (std::size_t s = 0; s < chunk_bytes_ / (rows_ * packet_bytes_); ++s) {
    std::memset(packet(chunks, element, s), 0, packet_bytes_);
  }
}

void PacketTrials::set(Chunks& chunks, Element element, std::size_t lane) const {
  const std::size_t byte = lane / 8;
  packet(chunks, element, byte / packet_bytes_)[byte % packet_bytes_] |=
      static_cast<std::uint8_t>(1U << lane % 8);
}

WordTrials::WordTrials(const Code& code, const LinearMap& map, std::size_t subchunk_bytes)
    : code_(code), map_(map), subchunk_bytes_(subchunk_bytes) {}

Trial WordTrials::units(std::size_t first) const {
  Trial trial{"unit vectors", random_stripe(1), {}};
  const std::size_t last = std::min(vectors(), first + lanes());
  for (const Cell cell : map_.inputs) clear(trial.before, cell);
  for (std::size_t v = first; v < last; ++v) {
    set(trial.before, map_.inputs[v / w()], v - first, Field::Symbol{1} << v % w());
  }
  trial.after = trial.before;
  for (std::size_t o = 0; o < map_.outputs.size(); ++o) {
    clear(trial.after, map_.outputs[o]);
    for (std::size_t v = first; v < last; ++v) {
      const Field::Symbol coefficient = map_.coefficients(o, v / w());
      if (coefficient == 0) continue;
      set(trial.after, map_.outputs[o], v - first,
          code_.field.multiply_by_shifts(coefficient, Field::Symbol{1} << v % w()));
    }
  }
  return trial;
}

Trial WordTrials::random() const {
  Trial trial{"random data", random_stripe(2), {}};
  trial.after = trial.before;
  for (std::size_t o = 0; o < map_.outputs.size(); ++o) {
    oracle_words(code_, sparse_row(map_, o), pointers_to(trial.after).data(),
                 trial.after[0].size());
  }
  return trial;
}

Chunks WordTrials::random_stripe(std::uint64_t seed) const {
  return random_chunks(code_.locations, code_.subchunks * subchunk_bytes_, seed);
}

std::uint8_t* WordTrials::subchunk(Chunks& chunks, Cell cell) const {
  return chunks[cell / code_.subchunks].data() + cell % code_.subchunks * subchunk_bytes_;
}

void WordTrials::clear(Chunks& chunks, Cell cell) const {
  std::memset(subchunk(chunks, cell), 0, subchunk_bytes_);
}

/// The lane has to be 0 before.
void WordTrials::set(Chunks& chunks, Cell cell, std::size_t lane, Field::Symbol symbol) const {
  const std::size_t bit = lane * w();
  for (std::size_t i = 0; i < std::max<std::size_t>(1, w() / 8); ++i) {
    subchunk(chunks, cell)[bit / 8 + i] |= static_cast<std::uint8_t>(symbol >> (8 * i) << bit % 8);
  }
}

}  // namespace xorloom
