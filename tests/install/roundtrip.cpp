// A user of the installed C++ face: encodes a stripe, loses four chunks, and gets them back.

#include <xorloom/xorloom.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

int main() try {
  const xorloom::Codec codec("cauchy-good:k=10,m=4,w=8");
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
