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

}  // namespace

std::size_t redundant_chunks(std::size_t k, const RedundancyWanted& wanted) {
  if (wanted.m != 0) return wanted.m;
  const double exact = static_cast<double>(k) * wanted.percent / 100;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(exact - 1e-9)));
}

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
  const std::uint64_t blocks = divided_up(manifest.map().stream_bytes(), manifest.block_bytes);
  // The number of chunks that the blocks fill; 1 if there are none.
  const std::uint64_t wanted_k =
      manifest.chunk_blocks == 0 ? 1 : divided_up(blocks, manifest.chunk_blocks);
  if (manifest.block_bytes % chunk_multiple(code) != 0 || manifest.chunk_blocks > blocks ||
      (manifest.chunk_blocks == 0) != (blocks == 0) || wanted_k != code.k) {
    refuse_manifest(fmt::format("{} blocks of {} bytes are not {} chunks of {} blocks", blocks,
                                manifest.block_bytes, code.k, manifest.chunk_blocks));
  }
  return code;
}

std::uint64_t row_memory(std::size_t chunks, std::uint64_t block_bytes) {
  return chunks * (block_bytes + kCodecMemoryBytes);
}

Manifest planned_manifest(std::vector<ProtectedFile> files, ProtectionScope scope,
                          const SpecLimits& limits, std::size_t memory_bytes, std::size_t parts) {
  Manifest manifest;
  manifest.files = std::move(files);
  manifest.scope = std::move(scope);
  const RedundancyWanted& wanted = manifest.scope.redundancy;
  const std::uint64_t stream = stream_bytes(manifest.files);
  lay_out(manifest.files);
  manifest.block_bytes = kLeastProtectedBlock;
  while (manifest.block_bytes < kMostProtectedBlock &&
         stream / manifest.block_bytes > kUsualBlocks) {
    manifest.block_bytes *= 2;
  }
  std::size_t most = wanted.k != 0 ? wanted.k : kUsualDataChunks;
  std::size_t k = 1;
  std::size_t m = 1;
  for (;;) {
    const std::uint64_t blocks = divided_up(stream, manifest.block_bytes);
    manifest.chunk_blocks = divided_up(blocks, most);
    // No more chunks than have data in them.
    k = blocks == 0 ? 1 : static_cast<std::size_t>(divided_up(blocks, manifest.chunk_blocks));
    m = redundant_chunks(k, wanted);
    if (wanted.m == 0) m = std::max(m, parts);
    const std::uint64_t row = row_memory(k + m, manifest.block_bytes);
    if (row + kOtherMemoryBytes <= memory_bytes) break;
    const bool may_be_fewer = wanted.k == 0 && most > kFewDataChunks;
    if (manifest.block_bytes > (may_be_fewer ? kFewBlocks : kLeastProtectedBlock)) {
      manifest.block_bytes /= 2;
    } else if (may_be_fewer) {
      most /= 2;
    } else {
      break;
    }
  }
  manifest.spec = make_code(fmt::format("leopard:k={},m={}", k, m), {.limits = limits}).spec;
  manifest.sums.resize(manifest.map().num_segments());
  return manifest;
}

std::optional<Code> extended_code(const Code& code, std::size_t k, const SpecLimits& limits) {
  if (k == code.k) return code;
  if (code.family != "leopard") return std::nullopt;
  std::optional<Code> other;
  try {
    other = make_code(fmt::format("leopard:k={},m={},w={}", k, code.m, code.w), {.limits = limits});
  } catch (const Error& error) {
    if (error.kind() != Status::kInvalidArgument) throw;
    return std::nullopt;
  }
  for (std::size_t row = 0; row < code.m; ++row) {
    for (std::size_t column = 0; column < std::min(k, code.k); ++column) {
      if (code.parity(row, column) != other->parity(row, column)) return std::nullopt;
    }
  }
  return other;
}

Manifest without_given_up(Manifest manifest, const Code& code) {
  manifest.given_up.clear();
  const std::uint64_t blocks = divided_up(manifest.map().stream_bytes(), manifest.block_bytes);
  manifest.chunk_blocks = std::min(manifest.chunk_blocks, blocks);
  const std::uint64_t k = blocks == 0 ? 1 : divided_up(blocks, manifest.chunk_blocks);
  if (k != code.k) manifest.spec = make_code(fmt::format("leopard:k={},m={}", k, code.m)).spec;
  return manifest;
}

std::size_t most_given_up(const Manifest& manifest) {
  std::vector<std::size_t> of_row(static_cast<std::size_t>(manifest.chunk_blocks));
  std::uint64_t next_block = 0;
  for (const Piece& piece : manifest.given_up) {
    const std::uint64_t first = std::max(next_block, piece.at / manifest.block_bytes);
    next_block = std::max(next_block, (piece.end() - 1) / manifest.block_bytes + 1);
    for (std::uint64_t block = first; block < next_block; ++block) {
      ++of_row[static_cast<std::size_t>(block % manifest.chunk_blocks)];
    }
  }
  return of_row.empty() ? 0 : std::ranges::max(of_row);
}

}  // namespace xorloom
