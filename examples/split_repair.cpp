// Rebuilds chunk 2 of fourteen chunks in three racks. Each rack sums the chunks that it has, so
// only one chunk goes from rack to rack where ten are read.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <xorloom/split_repair.hpp>

using Bytes = std::vector<std::uint8_t>;

int main() try {
  const xorloom::Codec codec("rs:k=10,m=4");
  const std::size_t chunk_bytes = codec.round_up(100'000);
  std::vector<Bytes> stripe(14, Bytes(chunk_bytes));
  std::uint8_t next = 1;
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::uint8_t& byte : stripe[i]) byte = next = static_cast<std::uint8_t>(next * 5 + 3);
  }
  std::vector<std::uint8_t*> chunks;
  for (Bytes& chunk : stripe) chunks.push_back(chunk.data());
  xorloom::Status status = codec.encode(chunks.data(), chunk_bytes);

  constexpr std::size_t kLost = 2;
  const std::vector<std::vector<std::size_t>> racks{
      {0, 1, 2, 3, 4, 5, 6}, {7, 8, 9, 10}, {11, 12, 13}};
  const xorloom::SplitRepair split = codec.split({.erased = {kLost}}, racks);
  std::vector<Bytes> sums;
  for (const xorloom::SplitRepair::Site& site : split.sites) {
    // In practice this runs in the rack, which has its own chunks and room for a sum.
    Bytes& sum = sums.emplace_back(chunk_bytes);
    std::vector<std::uint8_t*> there(chunks.size(), nullptr);
    for (const std::size_t location : racks[site.number]) there[location] = chunks[location];
    there[kLost] = sum.data();
    if (status == xorloom::Status::kOk) status = site.plan.run(there.data(), chunk_bytes);
    std::printf("rack %zu%s reads %zu chunks and %s one\n", site.number,
                site.number == split.home ? ", home," : "", site.units_read,
                site.number == split.home ? "keeps" : "sends");
  }

  Bytes rebuilt(chunk_bytes);
  std::vector<const std::uint8_t*> pointers;
  for (const Bytes& sum : sums) pointers.push_back(sum.data());
  if (status == xorloom::Status::kOk) {
    status = xorloom::add_sums(pointers.data(), pointers.size(), rebuilt.data(), chunk_bytes);
  }
  if (status != xorloom::Status::kOk) {
    std::fprintf(stderr, "%s: %s\n", xorloom::to_string(status), xorloom::last_error());
    return 1;
  }
  std::printf("chunk %zu %s\n", kLost, rebuilt == stripe[kLost] ? "is back" : "differs");
  return rebuilt == stripe[kLost] ? 0 : 1;
} catch (const xorloom::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
