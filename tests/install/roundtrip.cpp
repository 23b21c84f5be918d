// A user of the installed C++ face: encodes a stripe, loses four chunks, and gets them back.

#include <xorloom/split_repair.hpp>
#include <xorloom/xorloom.hpp>

#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

int main() try {
  if (xorloom::version() != std::string_view(XORLOOM_VERSION)) return 7;
  const xorloom::Codec codec("cauchy-good:k=10,m=4,w=8",
                             {.executor = xorloom::parse_executor("ranges")});
  const std::size_t chunk_bytes = codec.round_up(10000);
  std::vector<std::vector<std::uint8_t>> stripe(14, std::vector<std::uint8_t>(chunk_bytes));
  std::vector<std::uint8_t*> chunks;
  for (std::vector<std::uint8_t>& chunk : stripe) {
    for (std::size_t i = 0; i < chunk_bytes; ++i) {
      chunk[i] = static_cast<std::uint8_t>(i * 7 + chunks.size() * 31);
    }
    chunks.push_back(chunk.data());
  }
  if (codec.encode(chunks.data(), chunk_bytes) != xorloom::Status::kOk) return 1;

  const std::vector<std::vector<std::uint8_t>> encoded = stripe;
  const std::vector<std::size_t> erased = {0, 9, 10, 13};
  for (std::size_t location : erased) stripe[location].assign(chunk_bytes, 0xee);
  if (codec.decode(chunks.data(), erased, chunk_bytes) != xorloom::Status::kOk) return 2;
  if (stripe != encoded) return 3;

  // Sums of two sites.
  const std::vector<std::vector<std::size_t>> sites = {{0, 1, 2, 3, 4, 5, 6},
                                                       {7, 8, 9, 10, 11, 12, 13}};
  const xorloom::SplitRepair split = codec.split({.erased = {3}}, sites);
  std::vector<std::vector<std::uint8_t>> sums;
  std::vector<const std::uint8_t*> pointers;
  for (const xorloom::SplitRepair::Site& site : split.sites) {
    sums.emplace_back(chunk_bytes);
    std::vector<std::uint8_t*> there = chunks;
    there[3] = sums.back().data();
    if (site.plan.run(there.data(), chunk_bytes) != xorloom::Status::kOk) return 8;
    pointers.push_back(sums.back().data());
  }
  stripe[3].assign(chunk_bytes, 0xee);
  if (xorloom::add_sums(pointers.data(), pointers.size(), stripe[3].data(), chunk_bytes) !=
          xorloom::Status::kOk ||
      stripe != encoded) {
    return 9;
  }

  // An error has to cross the library's border as the type the header declares.
  try {
    const xorloom::Codec wrong("cauchy-good:k=300,m=4,w=8");
    return 4;
  } catch (const xorloom::Error& error) {
    if (error.kind() != xorloom::Status::kInvalidArgument) return 5;
    std::printf("C++ face: %s, %s\n", codec.info().spec.c_str(), error.what());
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "roundtrip: %s\n", error.what());
  return 6;
}
