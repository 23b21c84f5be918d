#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "bench/lab/peers.hpp"

extern "C" {
#include <gf_complete.h>
#include <jerasure.h>
}

namespace xorloom::cli {
namespace {

// Schedules of larger matrices take too long to make.
constexpr std::size_t kMostBits = std::size_t{1} << 17;
constexpr std::size_t kMostJerasureBytes = std::size_t{1} << 30;  // its lengths are of type int

/// The chunks of a map in Jerasure's order: sources, then targets.
struct Chunks {
  Chunks(const LinearMap& map, std::size_t bytes)
      : inputs(map.inputs),
        outputs(map.outputs),
        sources(inputs.size()),
        targets(outputs.size()),
        chunk_bytes(static_cast<int>(bytes)) {}
  void point_at(std::uint8_t* const* chunks) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      sources[i] = reinterpret_cast<char*>(chunks[inputs[i]]);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      targets[i] = reinterpret_cast<char*>(chunks[outputs[i]]);
    }
  }
  int k() const { return static_cast<int>(inputs.size()); }
  int m() const { return static_cast<int>(outputs.size()); }
  std::vector<Cell> inputs, outputs;
  std::vector<char*> sources, targets;
  int chunk_bytes;
};

std::vector<int> ints_of(const Matrix& matrix) {
  std::vector<int> ints;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (const Field::Symbol symbol : matrix.row(r)) ints.push_back(static_cast<int>(symbol));
  }
  return ints;
}

/// Makes a smart schedule, which is freed with its last owner.
std::shared_ptr<int*> schedule_of(const Code& code, const LinearMap& map, std::vector<int>& ints) {
  const auto k = static_cast<int>(map.inputs.size());
  const auto m = static_cast<int>(map.outputs.size());
  const auto w = static_cast<int>(code.w);
  const std::unique_ptr<int, void (*)(void*)> bits(
      jerasure_matrix_to_bitmatrix(k, m, w, ints.data()), std::free);
  return {jerasure_smart_bitmatrix_to_schedule(k, m, w, bits.get()), jerasure_free_schedule};
}

std::vector<PeerWay> packet_ways(const Code& code, const LinearMap& map, std::size_t chunk_bytes) {
  if (map.inputs.size() * map.outputs.size() * code.w * code.w > kMostBits) return {};
  std::vector<int> ints = ints_of(map.coefficients);
  const std::shared_ptr<int*> schedule = schedule_of(code, map, ints);
  std::vector<PeerWay> ways;
  for (const std::size_t packet_bytes : {64UL, 512UL, 1024UL, 2048UL, 4096UL, 16384UL}) {
    if (chunk_bytes % (code.w * packet_bytes) != 0) continue;
    ways.push_back({fmt::format("{} B packets", packet_bytes), packet_bytes == code.packet_bytes,
                    [=, of = Chunks(map, chunk_bytes),
                     w = static_cast<int>(code.w)](std::uint8_t* const* chunks) mutable {
                      of.point_at(chunks);
                      jerasure_schedule_encode(of.k(), of.m(), w, schedule.get(), of.sources.data(),
                                               of.targets.data(), of.chunk_bytes,
                                               static_cast<int>(packet_bytes));
                    }});
  }
  return ways;
}

std::vector<PeerWay> word_ways(const Code& code, const LinearMap& map, std::size_t chunk_bytes) {
  return {{"words", true,
           [of = Chunks(map, chunk_bytes), ints = ints_of(map.coefficients),
            w = static_cast<int>(code.w)](std::uint8_t* const* chunks) mutable {
             of.point_at(chunks);
             jerasure_matrix_encode(of.k(), of.m(), w, ints.data(), of.sources.data(),
                                    of.targets.data(), of.chunk_bytes);
           }}};
}

bool is_known(const Code& code, std::size_t chunk_bytes) {
  const bool is_usual_word = code.w == 8 || code.w == 16 || code.w == 32;
  return code.subchunks == 1 && code.field.polynomial() == default_polynomial(code.w) &&
         code.field.basis().empty() && chunk_bytes <= kMostJerasureBytes &&
         (code.arrangement == Arrangement::kPacket || (is_usual_word && chunk_bytes % 8 == 0));
}

/// Decodes packets by a schedule that each call makes, and words by the matrix.
std::optional<PeerDecoder> jerasure_decoder(const Code& code, std::size_t chunk_bytes, Isa) {
  if (!is_known(code, chunk_bytes) || code.data.size() != code.k) return std::nullopt;
  std::vector<int> ints = ints_of(code.parity);
  const auto k = static_cast<int>(code.k);
  const auto m = static_cast<int>(code.redundant.size());
  const auto w = static_cast<int>(code.w);
  const bool is_packets = code.arrangement == Arrangement::kPacket;
  if (is_packets && code.k * code.redundant.size() * code.w * code.w > kMostBits) {
    return std::nullopt;
  }
  const std::shared_ptr<int> bits(
      is_packets ? jerasure_matrix_to_bitmatrix(k, m, w, ints.data()) : nullptr, std::free);
  return PeerDecoder{
      true,
      [=, packet_bytes = static_cast<int>(code.packet_bytes), size = static_cast<int>(chunk_bytes),
       pointers = std::vector<char*>(code.locations), erased = std::vector<int>()](
          std::uint8_t* const* chunks, std::span<const std::size_t> lost) mutable {
        for (std::size_t l = 0; l < pointers.size(); ++l) {
          pointers[l] = reinterpret_cast<char*>(chunks[l]);
        }
        erased.assign(lost.begin(), lost.end());
        erased.push_back(-1);
        char** const data = pointers.data();
        if (is_packets) {
          jerasure_schedule_decode_lazy(k, m, w, bits.get(), erased.data(), data, data + k, size,
                                        packet_bytes, 1);
        } else {
          jerasure_matrix_decode(k, m, w, ints.data(), 0, erased.data(), data, data + k, size);
        }
      }};
}

std::vector<PeerWay> jerasure_ways(const Code& code, const LinearMap& map, std::size_t chunk_bytes,
                                   Isa) {
  if (!is_known(code, chunk_bytes)) return {};
  if (code.arrangement == Arrangement::kPacket) return packet_ways(code, map, chunk_bytes);
  return word_ways(code, map, chunk_bytes);
}

// GF-Complete, which Jerasure multiplies by.

constexpr std::size_t kRegionAlignment = 16;  // GF-Complete ends the program for other regions

bool has_regions(const Code& code, std::size_t chunk_bytes) {
  return code.arrangement == Arrangement::kWord && (code.w == 8 || code.w == 16 || code.w == 32) &&
         code.field.polynomial() == default_polynomial(code.w) && code.field.basis().empty() &&
         chunk_bytes % (code.subchunks * kRegionAlignment) == 0;
}

/// The tables of a field, which are freed with their last owner.
std::shared_ptr<gf_t> field_of(std::size_t w) {
  std::shared_ptr<gf_t> field(new gf_t, [](gf_t* freed) {
    gf_free(freed, 0);
    delete freed;
  });
  gf_init_easy(field.get(), static_cast<int>(w));
  return field;
}

/// The loop of programs on GF-Complete: each output adds up regions of the inputs, one after the
/// other, each times its factor.
std::vector<PeerWay> region_ways(const Code& code, const LinearMap& map, std::size_t chunk_bytes,
                                 Isa) {
  if (!has_regions(code, chunk_bytes)) return {};
  return {
      {"regions", true,
       [map, field = field_of(code.w), rows = code.subchunks,
        bytes = chunk_bytes / code.subchunks](std::uint8_t* const* chunks) {
         const auto region = [&](Cell cell) { return chunks[cell / rows] + cell % rows * bytes; };
         for (std::size_t r = 0; r < map.outputs.size(); ++r) {
           int adds = 0;
           for (std::size_t c = 0; c < map.inputs.size(); ++c) {
             const Field::Symbol factor = map.coefficients(r, c);
             if (factor == 0) continue;
             field->multiply_region.w32(field.get(), region(map.inputs[c]), region(map.outputs[r]),
                                        factor, static_cast<int>(bytes), adds);
             adds = 1;
           }
         }
       }}};
}

}  // namespace

const Peer kJerasurePeer{
    "jerasure",    "libJerasure",   "", "packets: smart schedule made beforehand, best packet size",
    jerasure_ways, jerasure_decoder};

const Peer kGfCompletePeer{
    "gf-complete",
    "GF-Complete",
    "",
    "multiply_region of one region after the other",
    region_ways,
    [](const Code&, std::size_t, Isa) { return std::optional<PeerDecoder>(); }};

}  // namespace xorloom::cli
