#include "codes/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "codes/error.hpp"
#include "codes/tolerance.hpp"

namespace xorloom {
namespace {

constexpr std::array kFamilies = {
    Family{"cauchy", "k m w x y poly packet_bytes", "k + m <= 2^w; m + k distinct points",
           "Cauchy Reed-Solomon on packets: 1/(x_i + y_j), x_i = i and y_j = m + j unless given",
           "Bloemer et al., An XOR-based erasure-resilient coding scheme, ICSI TR-95-048, 1995; "
           "Jerasure's cauchy_orig",
           "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0", build_cauchy},
    Family{"cauchy-good", "k m w poly packet_bytes", "k + m <= 2^w; m = 2: k < 2^w (w <= 11)",
           "Cauchy Reed-Solomon on packets, scaled for few ones in the bitmatrix",
           "Plank and Xu, Optimizing Cauchy Reed-Solomon codes, IEEE NCA 2006; Jerasure's "
           "cauchy_good",
           "cauchy-good:k=10,m=4,w=8", build_cauchy_good},
    Family{"rs", "k m w poly arrangement packet_bytes", "k + m <= 2^w; words: w = 4, 8, 16 or 32",
           "Reed-Solomon on words, from a systematic Vandermonde matrix",
           "Plank and Ding, Note: correction to the 1997 tutorial on Reed-Solomon coding, 2005; "
           "Jerasure's reed_sol_van",
           "rs:k=10,m=4", build_rs},
    Family{"isa-cauchy", "k m arrangement packet_bytes", "k + m <= 256",
           "ISA-L's Cauchy matrix on bytes: 1/((k + i) + j); m = 1 is plain parity",
           "Intel ISA-L, gf_gen_cauchy1_matrix; Ceph's isa plugin, cauchy", "isa-cauchy:k=10,m=4",
           build_isa_cauchy},
    Family{"isa-vandermonde", "k m arrangement packet_bytes",
           "k + m <= 256; proved for m <= 3, tried for larger m",
           "ISA-L's Vandermonde matrix on bytes: 2^(i*j); not every k and m survive m losses",
           "Intel ISA-L, gf_gen_rs_matrix; Ceph's isa plugin, reed_sol_van",
           "isa-vandermonde:k=10,m=4", build_isa_vandermonde},
};

bool has_key(const Family& family, std::string_view key) {
  std::string_view rest = family.keys;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(' '));
    if (name == key) return true;
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
  }
  return false;
}

const Family& find_family(std::string_view name) {
  const auto family = std::ranges::find(kFamilies, name, &Family::name);
  if (family == kFamilies.end()) {
    std::string names;
    for (const Family& f : kFamilies)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", f.name);
    fail(Status::kInvalidArgument,
         fmt::format("there is no family '{}': it is one of {}", name, names));
  }
  return *family;
}

std::size_t read_packet_bytes(const Spec& spec) {
  const std::size_t bytes = spec.number_or("packet_bytes", 8, kMaxPacketBytes, kDefaultPacketBytes);
  if (bytes % 8 != 0) {
    fail(Status::kInvalidArgument, fmt::format("packet_bytes = {} is not a multiple of 8", bytes));
  }
  return bytes;
}

void close_packets(Code& code, const Spec& spec, const std::string& canonical) {
  code.arrangement = Arrangement::kPacket;
  code.packet_bytes = read_packet_bytes(spec);
  code.spec = fmt::format("{},packet_bytes={}", canonical, code.packet_bytes);
}

}  // namespace

std::span<const Family> families() { return kFamilies; }

void check_locations_fit(std::size_t k, std::size_t m, const Field& field) {
  if (k + m > field.size()) {
    fail(Status::kInvalidArgument, fmt::format("k + m = {} exceeds 2^w = {}", k + m, field.size()));
  }
  if (m > kMaxSymbols / k) {
    fail(Status::kInvalidArgument, fmt::format("k times m = {} exceeds {}", k * m, kMaxSymbols));
  }
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

void finish_packets(Code& code, const Spec& spec, std::string canonical) {
  close_packets(code, spec, canonical);
}

void finish_words(Code& code, const Spec& spec, std::string canonical) {
  const std::string_view arrangement = spec.find("arrangement").value_or("word");
  canonical += fmt::format(",arrangement={}", arrangement);
  if (arrangement == "packet") {
    check_packets_fit(code.k, code.m, code.field);
    return close_packets(code, spec, canonical);
  }
  if (arrangement != "word") {
    fail(Status::kInvalidArgument,
         fmt::format("arrangement = '{}' is not word or packet", arrangement));
  }
  if (spec.find("packet_bytes")) {
    fail(Status::kInvalidArgument,
         fmt::format("packet_bytes = {} needs arrangement=packet: {} lays out words",
                     *spec.find("packet_bytes"), code.family));
  }
  const std::size_t w = code.field.w();
  if (w != 4 && w != 8 && w != 16 && w != 32) {
    fail(Status::kInvalidArgument,
         fmt::format("w = {} is not one of 4, 8, 16 or 32, as words need; arrangement=packet takes "
                     "any w",
                     w));
  }
  code.arrangement = Arrangement::kWord;
  code.spec = std::move(canonical);
}

Code make_code(std::string_view text, const CodeOptions& options) {
  Spec spec(text);
  const Family& family = find_family(spec.family());
  for (const auto& [key, value] : spec.values()) {
    if (has_key(family, key)) continue;
    fail(Status::kInvalidArgument,
         fmt::format("{} does not know the key '{}': it takes {}", family.name, key, family.keys));
  }
  if (options.packet_bytes != 0) {
    const std::string wanted = fmt::format("{}", options.packet_bytes);
    const auto given = spec.find("packet_bytes");
    if (given && spec.number("packet_bytes", 8, kMaxPacketBytes) != options.packet_bytes) {
      fail(Status::kInvalidArgument,
           fmt::format("packet_bytes = {} contradicts packet_bytes = {} in "
                       "the code spec",
                       wanted, *given));
    }
    if (!given) {
      const char* separator = spec.values().empty() ? ":" : ",";
      spec = Spec(fmt::format("{}{}packet_bytes={}", text, separator, wanted));
    }
  }
  Code code = family.build(spec);
  if (options.allow_non_mds) return code;
  const Tolerance tolerance = decide_tolerance(code, code.promised_losses);
  if (tolerance.answer != Tolerance::Answer::kProved) {
    fail(Status::kInvalidArgument,
         fmt::format(
             "{} is not proved to survive any {} losses: {}; --allow-non-mds takes it all the "
             "same",
             code.name(), code.promised_losses, tolerance.reason));
  }
  return code;
}

}  // namespace xorloom
