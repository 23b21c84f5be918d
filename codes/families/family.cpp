#include "codes/families/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "codes/text/split.hpp"

namespace xorloom {

bool Family::has_key(std::string_view key) const {
  const std::vector<std::string_view> known = split(keys, ' ');
  return std::ranges::find(known, key) != known.end();
}

bool has_usual_field(const Code& code) {
  return code.field.polynomial() == Field(code.field.w()).polynomial();
}

bool has_words_of_jerasure(const Code& code) {
  return (code.w == 8 || code.w == 16 || code.w == 32) && has_usual_field(code);
}

bool has_packets_of_jerasure(const Code& code) {
  return ((code.w >= 2 && code.w <= 11) || code.w == 16) && has_usual_field(code);
}

void check_locations_fit(const Spec& spec, std::size_t k, std::size_t m, const Field& field) {
  if (k + m > field.size()) {
    fail(Status::kInvalidArgument, "k + m = {} exceeds 2^w = {}", k + m, field.size());
  }
  check_matrix_fits(spec, k, m, field);
}

void check_matrix_fits(const Spec& spec, std::size_t k, std::size_t m, const Field& field) {
  check_symbols(spec.limits(), m, k, fmt::format("k times m = {}", k * m));
  // An inverse of a symbol is a power of it: at most 64 multiplications.
  const auto cost = static_cast<std::uint64_t>(multiplication_cost(field));
  check_operations(spec.limits(), 64 * cost * k * m);
}

void check_at_most(const char* name, std::size_t number, const char* bound_name,
                   std::size_t bound) {
  if (number <= bound) return;
  fail(Status::kInvalidArgument, "{} = {} exceeds {} = {}", name, number, bound_name, bound);
}

void check_xors_fit(std::size_t k, std::size_t redundant_bits) {
  if (k - 1 <= kMaxDirectXors / redundant_bits) return;
  fail(Status::kUnsupported,
       "{} redundant bits of {} others each take at least {} direct XORs, more than the {} that "
       "are written as equations",
       redundant_bits, k, (k - 1) * redundant_bits, kMaxDirectXors);
}

void check_packets_fit(std::size_t k, std::size_t m, const Field& field) {
  const std::size_t fewest = (k - 1) * m * field.w();
  if (fewest > kMaxDirectXors) {
    fail(Status::kUnsupported,
         "k = {}, m = {}, w = {} on packets takes at least {} direct XORs, more than the {} that "
         "are written as equations",
         k, m, field.w(), fewest, kMaxDirectXors);
  }
}

void check_packet_bytes(std::size_t bytes) {
  if (bytes % 8 == 0) return;
  fail(Status::kInvalidArgument, "packet_bytes = {} is not a multiple of 8", bytes);
}

void check_word_bits(std::size_t w) {
  if (w == 4 || w == 8 || w == 16 || w == 32) return;
  fail(Status::kInvalidArgument,
       "w = {} is not one of 4, 8, 16 or 32, as words need; arrangement=packet takes 2 to 16, too",
       w);
}

Parameters::Parameters(Spec& spec, std::optional<Field> given)
    : k(spec.number("k", 1, kMaxLocations)),
      m(spec.number("m", 1, kMaxLocations)),
      field(given ? *given : spec.field(spec.number_or("w", 0, kAnyNumber, 8))) {
  check_locations_fit(spec, k, m, field);
}

bool is_prime(std::size_t number) {
  if (number < 2) return false;
  for (std::size_t divisor = 2; divisor <= number / divisor; ++divisor) {
    if (number % divisor == 0) return false;
  }
  return true;
}

std::size_t prime_from(std::size_t lowest) {
  while (!is_prime(lowest)) ++lowest;
  return lowest;
}

}  // namespace xorloom
