#include "runtime/kernels/plain_xor.hpp"

#include <array>

namespace xorloom {
namespace {

// "+512": prefetches lines 512 bytes ahead. NT: stores past the caches. The last variant needs 32
// registers of a line each. Portable code tells only the first two apart; NEON stores nothing past
// the caches.
constexpr std::array<PlainXorVariant, 14> kVariants{{
    {"tiled", {.lines = 1}},
    {"4 lines", {.lines = 4}},
    {"2 lines", {.lines = 2}},
    {"4 lines +512", {.lines = 4, .prefetch_bytes = 512}},
    {"4 lines +2048", {.lines = 4, .prefetch_bytes = 2048}},
    {"tiled NT +2048", {.lines = 1, .non_temporal = true, .prefetch_bytes = 2048}},
    {"4 lines NT", {.lines = 4, .non_temporal = true}},
    {"4 lines NT +512", {.lines = 4, .non_temporal = true, .prefetch_bytes = 512}},
    {"4 lines NT +2048", {.lines = 4, .non_temporal = true, .prefetch_bytes = 2048}},
    {"slices", {.lines = 4, .slice_bytes = 4096}},
    {"slices +1024", {.lines = 2, .prefetch_bytes = 1024, .slice_bytes = 4096}},
    {"slices NT", {.lines = 4, .non_temporal = true, .slice_bytes = 4096}},
    {"slices NT +1024",
     {.lines = 2, .non_temporal = true, .prefetch_bytes = 1024, .slice_bytes = 4096}},
    {"8 lines", {.lines = 8}},
}};
constexpr std::size_t kWithoutStreaming = 5;  ///< the first ones, none of them NT

}  // namespace

std::span<const PlainXorVariant> plain_xor_variants(Isa isa) {
  const std::span<const PlainXorVariant> all = kVariants;
  if (vector_bytes(isa) == 64) return all;
  if (vector_bytes(isa) == 32) return all.first(all.size() - 1);
  return all.first(kernels_of(isa).plain_xor == plain_xor_portable ? 2 : kWithoutStreaming);
}

void plain_xor(Isa isa, const PlainXorShape& shape, const PlainXorStreams& streams,
               std::size_t begin, std::size_t end) noexcept {
  kernels_of(isa).plain_xor(streams, shape, begin, end);
}

}  // namespace xorloom
