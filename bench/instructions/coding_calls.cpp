// Encodes a stripe, or decodes it, a given number of times. scripts/instruction-counts runs it twice, with
// different numbers, and counts what a call executes.
//
//   xorloom_coding_calls SPEC CHUNK_BYTES CALLS [LOST...]
//
// It prints the data bytes of a call, the instruction set and what runs: "machine code" or "kernels". The variable
// XORLOOM_ISA forces the instruction set.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "xorloom/xorloom.hpp"

namespace {

using Chunks = std::vector<std::vector<std::uint8_t>>;

std::vector<std::uint8_t*> pointers(Chunks& chunks) {
  std::vector<std::uint8_t*> result;
  for (std::vector<std::uint8_t>& chunk : chunks) result.push_back(chunk.data());
  return result;
}

void check(xorloom::Status status) {
  if (status != xorloom::Status::kOk) throw std::runtime_error(xorloom::last_error());
}

/// A stripe of seeded bytes that portable kernels encoded.
Chunks encoded_stripe(const std::string& spec, std::size_t locations, std::size_t chunk_bytes) {
  Chunks chunks(locations, std::vector<std::uint8_t>(chunk_bytes));
  std::uint32_t state = 1;
  for (std::vector<std::uint8_t>& chunk : chunks) {
    for (std::uint8_t& byte : chunk) {
      state = state * 1664525 + 1013904223;
      byte = static_cast<std::uint8_t>(state >> 24);
    }
  }
  const xorloom::Codec portable(
      spec, {.isa = xorloom::Isa::kPortable, .engine = xorloom::Engine::kKernels});
  check(portable.encode(pointers(chunks).data(), chunk_bytes));
  return chunks;
}

void run(const std::string& spec, std::size_t wanted_bytes, long calls,
         const std::vector<std::size_t>& lost) {
  xorloom::Options options;
  options.effort = xorloom::Effort::kNormal;
  const xorloom::Codec codec(spec, options);
  const xorloom::Info info = codec.info();
  const std::size_t bytes = codec.round_up(wanted_bytes);
  const Chunks right = encoded_stripe(spec, info.locations, bytes);
  Chunks chunks = right;
  const std::vector<std::uint8_t*> at = pointers(chunks);
  const xorloom::Plan plan = lost.empty() ? codec.encoding() : codec.decoding(lost);
  for (const std::size_t location : plan.writes()) chunks[location].assign(bytes, 0);
  for (long i = 0; i < calls; ++i) check(plan.run(at.data(), bytes));
  if (chunks != right) throw std::runtime_error("the chunks are wrong");
  std::printf("%zu %s %s\n", codec.data_bytes(bytes), xorloom::to_string(info.isa),
              info.code_memory == xorloom::CodeMemory::kNoCode ? "kernels" : "machine code");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: xorloom_coding_calls SPEC CHUNK_BYTES CALLS [LOST...]\n", stderr);
    return 2;
  }
  try {
    std::vector<std::size_t> lost;
    for (int i = 4; i < argc; ++i) lost.push_back(std::strtoul(argv[i], nullptr, 10));
    run(argv[1], std::strtoul(argv[2], nullptr, 10), std::strtol(argv[3], nullptr, 10), lost);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "xorloom_coding_calls: %s\n", error.what());
    return 1;
  }
}
