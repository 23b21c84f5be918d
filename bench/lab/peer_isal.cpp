#include <isa-l.h>

#include <algorithm>

#include "bench/lab/peers.hpp"

namespace xorloom::cli {
namespace {

#define XORLOOM_TEXT_OF(number) #number
#define XORLOOM_VERSION_TEXT(major, minor, patch) \
  XORLOOM_TEXT_OF(major) "." XORLOOM_TEXT_OF(minor) "." XORLOOM_TEXT_OF(patch)

constexpr const char* kVersion =
    XORLOOM_VERSION_TEXT(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION);

constexpr std::size_t kMostChunks = 255;
constexpr std::size_t kMostIsalBytes = std::size_t{1} << 30;  // ISA-L has lengths of type int

/// The matrix by rows, as ISA-L takes it.
std::vector<unsigned char> bytes_of_matrix(const Matrix& matrix) {
  std::vector<unsigned char> bytes;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (const Field::Symbol symbol : matrix.row(r)) {
      bytes.push_back(static_cast<unsigned char>(symbol));
    }
  }
  return bytes;
}

bool is_known(const Code& code, std::size_t chunks, std::size_t chunk_bytes) {
  return code.w == 8 && code.field == Field(8) && code.subchunks == 1 && chunks <= kMostChunks &&
         chunk_bytes <= kMostIsalBytes;
}

/// ISA-L's product of a matrix with chunks.
auto encoder([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::kAvx2) return ec_encode_data_avx2;
#endif
  return ec_encode_data;
}

/// Decodes by inverting the rows of the first k survivors, with tables for the rows of the lost
/// chunks.
std::optional<PeerDecoder> isal_decoder(const Code& code, std::size_t chunk_bytes, Isa isa) {
  const std::size_t k = code.k;
  if (!is_known(code, code.locations, chunk_bytes) || code.data.size() != k) return std::nullopt;
  return PeerDecoder{
      code.arrangement == Arrangement::kWord,
      [k, chunk_bytes, encode = encoder(isa), all = bytes_of_matrix(generator(code)),
       locations = code.locations, survivors = std::vector<unsigned char>(k * k),
       inverse = std::vector<unsigned char>(k * k), rows = std::vector<unsigned char>(),
       tables = std::vector<unsigned char>(), sources = std::vector<unsigned char*>(k),
       targets = std::vector<unsigned char*>()](std::uint8_t* const* chunks,
                                                std::span<const std::size_t> lost) mutable {
        std::size_t next = 0;
        for (std::size_t l = 0; l < locations && next < k; ++l) {
          if (std::ranges::find(lost, l) != lost.end()) continue;
          std::copy_n(&all[l * k], k, &survivors[next * k]);
          sources[next++] = chunks[l];
        }
        gf_invert_matrix(survivors.data(), inverse.data(), static_cast<int>(k));
        rows.resize(lost.size() * k);
        tables.resize(32 * rows.size());
        targets.resize(lost.size());
        for (std::size_t i = 0; i < lost.size(); ++i) {
          std::copy_n(&inverse[lost[i] * k], k, &rows[i * k]);
          targets[i] = chunks[lost[i]];
        }
        ec_init_tables(static_cast<int>(k), static_cast<int>(lost.size()), rows.data(),
                       tables.data());
        encode(static_cast<int>(chunk_bytes), static_cast<int>(k), static_cast<int>(lost.size()),
               tables.data(), sources.data(), targets.data());
      }};
}

std::vector<PeerWay> isal_ways(const Code& code, const LinearMap& map, std::size_t chunk_bytes,
                               Isa isa) {
  const std::size_t rows = map.outputs.size();
  const std::size_t columns = map.inputs.size();
  if (!is_known(code, rows + columns, chunk_bytes)) return {};
  std::vector<unsigned char> matrix = bytes_of_matrix(map.coefficients);
  std::vector<unsigned char> tables(32 * rows * columns);
  ec_init_tables(static_cast<int>(columns), static_cast<int>(rows), matrix.data(), tables.data());
  const bool words = code.arrangement == Arrangement::kWord;
  std::vector<unsigned char*> sources(columns);
  std::vector<unsigned char*> targets(rows);
  return {{words ? "words" : "our matrix on words", words,
           [=, encode = encoder(isa)](std::uint8_t* const* chunks) mutable {
             for (std::size_t c = 0; c < columns; ++c) sources[c] = chunks[map.inputs[c]];
             for (std::size_t r = 0; r < rows; ++r) targets[r] = chunks[map.outputs[r]];
             encode(static_cast<int>(chunk_bytes), static_cast<int>(columns),
                    static_cast<int>(rows), tables.data(), sources.data(), targets.data());
           }}};
}

}  // namespace

const Peer kIsalPeer{"isal",    "libisal",   kVersion, "ec_encode_data with tables made beforehand",
                     isal_ways, isal_decoder};

}  // namespace xorloom::cli
