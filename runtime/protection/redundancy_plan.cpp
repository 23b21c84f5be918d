#include "runtime/protection/redundancy_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

std::size_t redundant_chunks(std::size_t k, const RedundancyWanted& wanted) {
  if (wanted.m != 0) return wanted.m;
  const double exact = static_cast<double>(k) * wanted.percent / 100;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(exact - 1e-9)));
}

}  // namespace

Code code_of(const Manifest& manifest, const SpecLimits& limits) {
  Code code = make_code(manifest.spec, {.limits = limits});
  std::vector<Cell> first(code.k);
  std::iota(first.begin(), first.end(), Cell{0});
  if (code.subchunks != 1 || code.data != first || code.locations != code.k + code.m ||
      code.promised_losses < code.m) {
    refuse_manifest(
        fmt::format("{} does not have its data in the first chunks, or does not survive the "
                    "loss of as many chunks as are redundant",
                    excerpt(code.name())));
  }
  const std::uint64_t stream = stream_bytes(manifest.files);
  const std::uint64_t blocks = divided_up(stream, manifest.block_bytes);
  if (manifest.block_bytes % chunk_multiple(code) != 0 ||
      manifest.chunk_blocks != divided_up(blocks, code.k)) {
    refuse_manifest(fmt::format("{} blocks of {} bytes are not {} chunks of {} blocks", blocks,
                                manifest.block_bytes, code.k, manifest.chunk_blocks));
  }
  return code;
}

Manifest planned_manifest(std::vector<ProtectedFile> files, const RedundancyWanted& wanted,
                          const SpecLimits& limits) {
  Manifest manifest;
  manifest.files = std::move(files);
  const std::uint64_t stream = stream_bytes(manifest.files);
  manifest.block_bytes = kLeastProtectedBlock;
  while (manifest.block_bytes < kMostProtectedBlock &&
         stream / manifest.block_bytes > kUsualBlocks) {
    manifest.block_bytes *= 2;
  }
  const std::uint64_t blocks = divided_up(stream, manifest.block_bytes);
  const std::size_t most = wanted.k != 0 ? wanted.k : kUsualDataChunks;
  manifest.chunk_blocks = divided_up(blocks, most);
  // No more chunks than have data in them.
  const std::uint64_t k = blocks == 0 ? 1 : divided_up(blocks, manifest.chunk_blocks);
  const std::size_t m = redundant_chunks(static_cast<std::size_t>(k), wanted);
  manifest.spec = make_code(fmt::format("leopard:k={},m={}", k, m), {.limits = limits}).spec;
  manifest.sums.resize(FileMap(manifest.files, manifest.block_bytes).num_segments());
  return manifest;
}

}  // namespace xorloom
