#include <isa-l.h>

#include "cli/measuring/peers.hpp"

namespace xorloom::cli {
namespace {

#define XORLOOM_TEXT_OF(number) #number
#define XORLOOM_VERSION_TEXT(major, minor, patch) \
  XORLOOM_TEXT_OF(major) "." XORLOOM_TEXT_OF(minor) "." XORLOOM_TEXT_OF(patch)

constexpr const char* kVersion =
    XORLOOM_VERSION_TEXT(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION);

constexpr std::size_t kMostChunks = 255;
constexpr std::size_t kMostIsalBytes = std::size_t{1} << 30;  // it counts them in an int

/// The matrix row by row, as ISA-L takes it.
std::vector<unsigned char> bytes_of_matrix(const Matrix& matrix) {
  std::vector<unsigned char> bytes;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (const Field::Symbol symbol : matrix.row(r)) {
      bytes.push_back(static_cast<unsigned char>(symbol));
    }
  }
  return bytes;
}

std::vector<PeerWay> ways(const Code& code, const LinearMap& map, std::size_t chunk_bytes) {
  const std::size_t rows = map.outputs.size();
  const std::size_t columns = map.inputs.size();
  if (code.w != 8 || code.field != Field(8) || code.subchunks != 1 ||
      rows + columns > kMostChunks || chunk_bytes > kMostIsalBytes) {
    return {};
  }
  std::vector<unsigned char> matrix = bytes_of_matrix(map.coefficients);
  std::vector<unsigned char> tables(32 * rows * columns);
  ec_init_tables(static_cast<int>(columns), static_cast<int>(rows), matrix.data(), tables.data());
  const bool words = code.arrangement == Arrangement::kWord;
  std::vector<unsigned char*> sources(columns);
  std::vector<unsigned char*> targets(rows);
  return {
      {words ? "words" : "our matrix on words", words, [=](std::uint8_t* const* chunks) mutable {
         for (std::size_t c = 0; c < columns; ++c) sources[c] = chunks[map.inputs[c]];
         for (std::size_t r = 0; r < rows; ++r) targets[r] = chunks[map.outputs[r]];
         ec_encode_data(static_cast<int>(chunk_bytes), static_cast<int>(columns),
                        static_cast<int>(rows), tables.data(), sources.data(), targets.data());
       }}};
}

}  // namespace

const Peer kIsalPeer{"isal", "libisal", kVersion, "ec_encode_data with tables made beforehand",
                     ways};

}  // namespace xorloom::cli
