#include "runtime/stripes/add_sums.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "codes/text/counted.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/kernels/plain_xor.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/machine/overlap.hpp"
#include "xorloom/split_repair.hpp"

namespace xorloom {
namespace {

constexpr PlainXorShape kShape{.lines = 4};

/// An instruction set, and whether its kernel was seen to add right. Tried are whole lines in all
/// the ways that the kernel takes them and parts of a line, one stream and several, odd addresses,
/// and sums that replace an input.
struct Adder {
  Isa isa;
  bool is_accepted;
};

bool adds_right(Isa isa) noexcept {
  constexpr std::size_t kStreams = 17;
  constexpr std::size_t kBytes = 1100;
  std::array<std::array<std::uint8_t, kBytes>, kStreams> streams;
  std::uint32_t random = 1;
  for (auto& stream : streams) {
    for (std::uint8_t& byte : stream) {
      random = random * 1664525 + 1013904223;
      byte = static_cast<std::uint8_t>(random >> 24);
    }
  }
  std::array<const std::uint8_t*, kStreams> reads{};
  for (std::size_t i = 0; i < kStreams; ++i) reads[i] = streams[i].data() + i;
  for (const std::size_t num_reads : {1UL, 2UL, 3UL, 5UL, 17UL}) {
    for (const std::size_t bytes : {1UL, 63UL, 64UL, 200UL, 511UL, 512UL, 1027UL}) {
      std::array<std::uint8_t, kBytes> sum;
      sum.fill(0xa5);
      std::array<std::uint8_t, kBytes> expected = sum;
      std::uint8_t* const to = sum.data() + 3;
      for (std::size_t at = 0; at < bytes; ++at) {
        std::uint8_t byte = 0;
        for (std::size_t i = 0; i < num_reads; ++i) {
          byte = static_cast<std::uint8_t>(byte ^ reads[i][at]);
        }
        expected[at + 3] = byte;
      }
      plain_xor(isa, kShape, {reads.data(), num_reads, &to, 1}, 0, bytes);
      if (sum != expected) return false;
      std::memcpy(to, reads[0], bytes);
      const std::uint8_t* const first = std::exchange(reads[0], to);
      plain_xor(isa, kShape, {reads.data(), num_reads, &to, 1}, 0, bytes);
      reads[0] = first;
      if (sum != expected) return false;
    }
  }
  return true;
}

/// Chosen and tried once, in the first call.
const Adder& adder() {
  static const Adder made = [] {
    const Isa isa = choose_isa();
    return Adder{isa, adds_right(isa)};
  }();
  return made;
}

}  // namespace

Status check_adder() noexcept try {
  const Adder& made = adder();
  if (made.is_accepted) return Status::kOk;
  return report(Status::kInternal, "the kernel for sums on {} was not accepted",
                to_string(made.isa));
} catch (...) {
  return report_exception();
}

void add(std::uint8_t* to, const std::uint8_t* a, const std::uint8_t* b,
         std::size_t bytes) noexcept {
  const std::array reads{a, b};
  std::uint8_t* const sum = to;
  plain_xor(adder().isa, kShape, {reads.data(), reads.size(), &sum, 1}, 0, bytes);
}

void add_up(std::uint8_t* to, const std::uint8_t* const* reads, std::size_t count,
            std::size_t bytes) noexcept {
  std::uint8_t* const sum = to;
  plain_xor(adder().isa, kShape, {reads, count, &sum, 1}, 0, bytes);
}

void add_to(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) noexcept {
  add(to, to, from, bytes);
}

Status add_sums(const std::uint8_t* const* sums, std::size_t num_sums, std::uint8_t* chunk,
                std::size_t bytes) noexcept try {
  if (bytes == 0) return Status::kOk;
  if (chunk == nullptr) return report(Status::kInvalidArgument, "the pointer to the chunk is null");
  if (num_sums == 0) {
    std::memset(chunk, 0, bytes);
    return Status::kOk;
  }
  if (sums == nullptr) return report(Status::kInvalidArgument, "the array of sums is null");
  for (std::size_t i = 0; i < num_sums; ++i) {
    if (sums[i] == nullptr) {
      return report(Status::kInvalidArgument, "the pointer to sum {} is null", i);
    }
    if (overlap(sums[i], chunk, bytes)) {
      return report(Status::kInvalidArgument, "the chunk overlaps sum {} within {}", i,
                    counted(bytes, "byte"));
    }
  }
  if (const Status status = check_adder(); status != Status::kOk) return status;
  plain_xor(adder().isa, kShape, {sums, num_sums, &chunk, 1}, 0, bytes);
  return Status::kOk;
} catch (...) {
  return report_exception();
}

}  // namespace xorloom
