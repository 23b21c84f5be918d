#include "codes/families/families.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include "codes/text/closest.hpp"
#include "codes/text/error.hpp"
#include "codes/text/split.hpp"
#include "codes/tolerance.hpp"

namespace xorloom {

// The table of families. Each record is in the file of its family. A new family is declared here
// and listed below, in the order of documentation.
extern const Family kCauchy, kCauchyGood, kRs, kIsaCauchy, kIsaVandermonde, kRaid6, kLiberation,
    kBlaumRoth, kLiber8tion, kEvenodd, kRdp, kXCode, kParity, kHamming, kHover, kShec, kLrc, kClay,
    kZigzag, kFile, kRsPoly, kLeopard;

namespace {

constexpr std::array kFamilies = {
    &kCauchy,  &kCauchyGood, &kRs,         &kRsPoly,    &kIsaCauchy,  &kIsaVandermonde,
    &kLeopard, &kRaid6,      &kLiberation, &kBlaumRoth, &kLiber8tion, &kEvenodd,
    &kRdp,     &kXCode,      &kParity,     &kHamming,   &kHover,      &kShec,
    &kLrc,     &kClay,       &kZigzag,     &kFile};

const Family& find_family(std::string_view name) {
  const auto family = std::ranges::find(kFamilies, name, &Family::name);
  if (family == kFamilies.end()) {
    std::vector<std::string_view> names;
    for (const Family* each : kFamilies) names.push_back(each->name);
    // Names with . or / are those of files.
    const bool is_path = name.find_first_of("./") != std::string_view::npos;
    const std::string meant =
        is_path ? fmt::format("; did you mean file:{}? A matrix alone is for optimize and report",
                              excerpt(name))
                : did_you_mean(name, names);
    fail(Status::kInvalidArgument, "there is no family '{}'{}", excerpt(name),
         meant.empty() ? fmt::format("; the families are {}", fmt::join(names, ", ")) : meant);
  }
  return **family;
}

/// Reads the arrangement of a code, and completes its canonical spec.
void finish(Code& code, const Family& family, Spec& spec) {
  const bool may_be_words = family.has_key("arrangement");
  const std::string_view arrangement =
      may_be_words ? spec.find("arrangement").value_or("word") : "packet";
  if (may_be_words) spec.settle("arrangement", std::string(arrangement));
  if (arrangement == "packet") {
    if (may_be_words) check_packets_fit(code.k, code.m, code.field);
    code.arrangement = Arrangement::kPacket;
    code.packet_bytes = spec.number_or("packet_bytes", 1, kMaxPacketBytes, kDefaultPacketBytes);
    check_packet_bytes(code.packet_bytes);
    code.plane_bytes = 0;
  } else if (arrangement == "word") {
    if (const auto bytes = spec.find("packet_bytes")) {
      fail(Status::kInvalidArgument,
           "packet_bytes = {} needs arrangement=packet: {} lays out words", excerpt(*bytes),
           code.family);
    }
    check_word_bits(code.field.w());
    code.arrangement = Arrangement::kWord;
  } else {
    fail(Status::kInvalidArgument, "arrangement = '{}' is not word or packet",
         excerpt(arrangement));
  }
  code.spec = spec.canonical(family.keys);
}

/// True for the numbers that every code has. A spec may say them if its family has no such key, too.
bool is_of_every_code(std::string_view key) { return key == "k" || key == "m" || key == "w"; }

/// Throws kInvalidArgument if a spec says another k, m or w than that of its code.
void check_numbers(const Code& code, const Family& family, Spec& spec) {
  for (const auto& [key, number] :
       {std::pair{"k", code.k}, std::pair{"m", code.m}, std::pair{"w", code.w}}) {
    if (family.has_key(key) || !spec.find(key)) continue;
    const std::size_t given = spec.number(key, 0, std::numeric_limits<std::size_t>::max());
    if (given == number) continue;
    fail(Status::kInvalidArgument,
         "{0} = {1} contradicts {0} = {2} of {3}, which takes {4}; numbers without keys are k, m "
         "and w",
         key, given, number, family.name, family.keys);
  }
}

}  // namespace

std::span<const Family* const> families() { return kFamilies; }

std::vector<OtherSoftware> software_of(const Code& code) {
  const Family& family = find_family(code.family);
  const Arrangement usual =
      family.has_key("arrangement") ? Arrangement::kWord : Arrangement::kPacket;
  std::vector<OtherSoftware> software;
  if (code.arrangement != usual) return software;
  std::ranges::copy_if(
      family.same_bytes, std::back_inserter(software),
      [&](const OtherSoftware& other) { return other.has == nullptr || other.has(code); });
  for (OtherSoftware& other : software) {
    if (other.compared_w != 0 && other.compared_w != code.w) other.is_compared = false;
  }
  return software;
}

Code make_code(std::string_view text, const CodeOptions& options) {
  Spec spec(text, options.limits);
  const Family& family = find_family(spec.family());
  for (const auto& [key, value] : spec.values()) {
    if (family.has_key(key) || is_of_every_code(key)) continue;
    fail(Status::kInvalidArgument, "{} does not know the key '{}': it takes {}{}", family.name,
         excerpt(key), family.keys, did_you_mean(key, split(family.keys, ' ')));
  }
  if (options.packet_bytes != 0) {
    const std::string wanted = fmt::format("{}", options.packet_bytes);
    const auto given = spec.find("packet_bytes");
    if (given && spec.number("packet_bytes", 1, kMaxPacketBytes) != options.packet_bytes) {
      fail(Status::kInvalidArgument, "packet_bytes = {} contradicts packet_bytes = {} of the code",
           wanted, *given);
    }
    if (!given) spec.add("packet_bytes", wanted);
  }
  Code code = family.build(spec);
  if (code.spec.empty()) finish(code, family, spec);  // code files set their spec themselves
  check_numbers(code, family, spec);
  if (options.allow_non_mds) return code;
  const Tolerance tolerance = decide_tolerance(code, code.promised_losses);
  if (tolerance.answer != Tolerance::Answer::kProved) {
    const bool is_refuted = tolerance.answer == Tolerance::Answer::kRefuted;
    fail(Status::kInvalidArgument, "{} {} {}: {}; option allow_non_mds accepts it anyway",
         code.name(), is_refuted ? "does not survive every set of" : "is not proved to survive any",
         losses_text(code.promised_losses), tolerance.reason);
  }
  return code;
}

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
  // The inverse of a symbol is a power of it, which takes at most 64 multiplications.
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
