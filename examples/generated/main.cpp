// Encodes stripes with code that the build generated, loses chunks, and recovers them.

#include <cstdint>
#include <cstdio>
#include <vector>

#include <raid.h>
#include <storage.hpp>

namespace {

using Stripe = std::vector<std::vector<std::uint8_t>>;

Stripe stripe(std::size_t chunks, std::size_t chunk_bytes) {
  Stripe chunks_of_bytes(chunks, std::vector<std::uint8_t>(chunk_bytes));
  std::uint32_t seed = 1;
  for (std::vector<std::uint8_t>& chunk : chunks_of_bytes) {
    for (std::uint8_t& byte : chunk)
      byte = static_cast<std::uint8_t>((seed = seed * 69069 + 1) >> 24);
  }
  return chunks_of_bytes;
}

std::vector<std::uint8_t*> pointers(Stripe& stripe) {
  std::vector<std::uint8_t*> chunks;
  for (std::vector<std::uint8_t>& chunk : stripe) chunks.push_back(chunk.data());
  return chunks;
}

/// Whether the code recovers the lost chunks.
template <typename Encode, typename Decode>
bool recovers(Stripe chunks, const std::vector<std::size_t>& lost, const Encode& encode,
              const Decode& decode) {
  const std::vector<std::uint8_t*> at = pointers(chunks);
  const std::size_t chunk_bytes = chunks.front().size();
  if (encode(at.data(), chunk_bytes) != 0) return false;
  const Stripe whole = chunks;
  for (const std::size_t location : lost) chunks[location].assign(chunk_bytes, 0xee);
  return decode(at.data(), chunk_bytes) == 0 && chunks == whole;
}

}  // namespace

int main() {
  const bool storage = recovers(stripe(xl_storage::num_chunks, 100 * xl_storage::chunk_multiple),
                                {2, 7, 11}, xl_storage::encode, xl_storage::decode_2_7_11) &&
                       recovers(stripe(xl_storage::num_chunks, xl_storage::chunk_multiple), {13},
                                xl_storage::encode, xl_storage::decode_13);
  const bool raid = recovers(stripe(xl_raid_num_chunks, 10 * xl_raid_chunk_multiple), {0, 1},
                             xl_raid_encode, xl_raid_decode_0_1);
  std::printf("storage %s, raid %s\n", storage ? "back" : "lost", raid ? "back" : "lost");
  return storage && raid ? 0 : 1;
}
