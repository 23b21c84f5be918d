// Encodes ten chunks into fourteen, loses four, and rebuilds them with a plan. The plan could be
// kept for every stripe that lost the same chunks.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>
#include <xorloom/xorloom.hpp>

int main() try {
  const xorloom::Codec codec("cauchy-good:k=10,m=4,w=8", {.threads = 2});
  const xorloom::Info info = codec.info();
  const std::size_t chunk_bytes = codec.round_up(100'000);
  std::printf("%s: %zu chunks of %zu bytes\n", info.spec.c_str(), info.locations, chunk_bytes);

  std::vector<std::vector<std::uint8_t>> stripe(info.locations,
                                                std::vector<std::uint8_t>(chunk_bytes));
  std::uint8_t next = 1;
  for (std::size_t i = 0; i < info.k; ++i) {
    for (std::uint8_t& byte : stripe[i]) byte = next = static_cast<std::uint8_t>(next * 5 + 3);
  }
  std::vector<std::uint8_t*> chunks;
  for (auto& chunk : stripe) chunks.push_back(chunk.data());

  xorloom::Status status = codec.encode(chunks.data(), chunk_bytes);
  const auto original = stripe;
  const std::vector<std::size_t> erased = {0, 3, 9, 12};
  for (const std::size_t location : erased) std::ranges::fill(stripe[location], std::uint8_t{0});
  const xorloom::Plan plan = codec.decoding(erased);
  if (status == xorloom::Status::kOk) status = plan.run(chunks.data(), chunk_bytes);
  if (status != xorloom::Status::kOk) {
    std::fprintf(stderr, "%s: %s\n", xorloom::to_string(status), xorloom::last_error());
    return 1;
  }
  std::printf("chunks 0, 3, 9 and 12 %s\n", stripe == original ? "are back" : "differ");
  return stripe == original ? 0 : 1;
} catch (const xorloom::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
