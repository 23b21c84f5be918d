#include "codes/construction/bounds.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "codes/code.hpp"
#include "codes/text/error.hpp"

namespace xorloom {

void check_locations_fit(const Spec& spec, std::size_t k, std::size_t m, const Field& field) {
  if (k + m > field.size()) {
    fail(Status::kInvalidArgument, fmt::format("k + m = {} exceeds 2^w = {}", k + m, field.size()));
  }
  check_symbols(spec.limits(), m, k, fmt::format("k times m = {}", k * m));
  // An inverse of a symbol is a power of it: at most 64 multiplications.
  const auto cost = static_cast<std::uint64_t>(multiplication_cost(field));
  check_operations(spec.limits(), 64 * cost * k * m);
}

void check_at_most(const char* name, std::size_t number, const char* bound_name,
                   std::size_t bound) {
  if (number <= bound) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} = {} exceeds {} = {}", name, number, bound_name, bound));
}

void check_xors_fit(std::size_t k, std::size_t redundant_bits) {
  if (k - 1 <= kMaxDirectXors / redundant_bits) return;
  fail(
      Status::kUnsupported,
      fmt::format("{} redundant bits of {} others each take at least {} direct XORs, more than the "
                  "{} that are written as equations",
                  redundant_bits, k, (k - 1) * redundant_bits, kMaxDirectXors));
}

void check_packets_fit(std::size_t k, std::size_t m, const Field& field) {
  const std::size_t fewest = (k - 1) * m * field.w();
  if (fewest > kMaxDirectXors) {
    fail(Status::kUnsupported,
         fmt::format(
             "k = {}, m = {}, w = {} on packets takes at least {} direct XORs, more than the "
             "{} that are written as equations",
             k, m, field.w(), fewest, kMaxDirectXors));
  }
}

void check_packet_bytes(std::size_t bytes) {
  if (bytes % 8 == 0) return;
  fail(Status::kInvalidArgument, fmt::format("packet_bytes = {} is not a multiple of 8", bytes));
}

void check_word_bits(std::size_t w) {
  if (w == 4 || w == 8 || w == 16 || w == 32) return;
  fail(Status::kInvalidArgument,
       fmt::format(
           "w = {} is not one of 4, 8, 16 or 32, as words need; arrangement=packet takes any "
           "w",
           w));
}

}  // namespace xorloom
