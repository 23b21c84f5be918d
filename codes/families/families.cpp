#include "codes/families/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "codes/text/error.hpp"
#include "codes/tolerance.hpp"

namespace xorloom {
namespace {

constexpr std::array kFamilies = {
    Family{"cauchy", "k m w x y poly packet_bytes", "k + m <= 2^w; m + k distinct points",
           "Cauchy Reed-Solomon on packets: 1/(x_i + y_j); default: x_i = i, y_j = m + j",
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
           "k + m <= 256; proved for m <= 3; with larger m, losses are tried when the code is made",
           "ISA-L's Vandermonde matrix on bytes: 2^(i*j); k and m that do not survive every m "
           "losses are refused",
           "Intel ISA-L, gf_gen_rs_matrix; Ceph's isa plugin, reed_sol_van",
           "isa-vandermonde:k=10,m=4", build_isa_vandermonde},
    Family{"raid6", "k w poly arrangement packet_bytes",
           "k < 2^w; the powers 2^0 to 2^(k-1) differ; words: w = 4, 8, 16 or 32",
           "P and Q on words: the sum of the data, and the sum of 2^c times chunk c",
           "Anvin, The mathematics of RAID-6, 2004; Jerasure's reed_sol_r6_op", "raid6:k=8",
           build_raid6},
    Family{"liberation", "k w packet_bytes", "w a prime above 2, k <= w",
           "RAID-6 of minimal density on packets: k - 1 + (k-1)/(2w) XORs per redundant bit",
           "Plank, The RAID-6 Liberation codes, FAST 2008; Jerasure's liberation",
           "liberation:k=5,w=7", build_liberation},
    Family{"blaum-roth", "k w packet_bytes",
           "w + 1 a prime, k <= w; with other w, all losses are tried when the code is made",
           "RAID-6 of minimal density on packets, for other w than liberation takes",
           "Blaum and Roth, On lowest density MDS codes, IEEE Trans. Inf. Theory 45(1), 1999; "
           "Jerasure's blaum_roth",
           "blaum-roth:k=5,w=6", build_blaum_roth},
    Family{"liber8tion", "k w packet_bytes", "k <= 8, w = 8",
           "RAID-6 of minimal density on packets for w = 8, found by search",
           "Plank, A new minimum density RAID-6 code with a word size of eight, NCA 2008; "
           "Jerasure's liber8tion",
           "liber8tion:k=6", build_liber8tion},
    Family{"evenodd", "k p packet_bytes", "p a prime above 2, k <= p",
           "RAID-6 on packets in p - 1 rows: row parity and diagonals",
           "Blaum, Brady, Bruck and Menon, EVENODD, IEEE Trans. Computers 44(2), 1995",
           "evenodd:k=5,p=5", build_evenodd},
    Family{"rdp", "k p packet_bytes", "p a prime above 2, k < p",
           "RAID-6 on packets in p - 1 rows: diagonals run through the row parity",
           "Corbett et al., Row-diagonal parity for double disk failure correction, FAST 2004",
           "rdp:k=4,p=5", build_rdp},
    Family{"x-code", "p packet_bytes", "p a prime above 2",
           "any 2 losses on packets; each location has p - 2 rows of data and 2 of redundancy",
           "Xu and Bruck, X-Code: MDS array codes with optimal encoding, IEEE Trans. Inf. Theory "
           "45(1), 1999",
           "x-code:p=5", build_x_code},
    Family{"parity", "k packet_bytes", "k <= 65536", "the sum of k locations, on packets",
           "Patterson, Gibson and Katz, RAID, SIGMOD 1988", "parity:k=4", build_parity},
    Family{"hamming", "k m packet_bytes", "k <= 2^m - 1 - m",
           "any 2 losses on packets, with few locations per sum",
           "Hamming, Error detecting and error correcting codes, Bell Syst. Tech. J. 29(2), 1950",
           "hamming:k=4,m=3", build_hamming},
    Family{"hover", "k r v h packet_bytes", "k, r >= 1; v + h >= 1; what it survives is computed",
           "k locations with r rows of data and v rows of redundancy, and h redundant locations",
           "Hafner, HoVer erasure codes for disk arrays, DSN 2006", "hover:k=5,r=3,v=2,h=1",
           build_hover},
    Family{
        "shec", "k m c arrangement packet_bytes", "c <= m <= k, k + m <= 256",
        "any c losses on words; each redundant chunk covers a span of the data, and spans overlap",
        "Miyamae et al., Erasure code with shingled local parity groups, 2014; Ceph's shec "
        "plugin, multiple",
        "shec:k=8,m=4,c=3", build_shec},
    Family{"lrc", "k m l arrangement packet_bytes",
           "k and m multiples of (k + m)/l, a whole number; k + m <= 256",
           "any m losses on words; one lost chunk is the sum of the l others of its group",
           "Huang et al., Erasure coding in Windows Azure Storage, USENIX ATC 2012; Ceph's lrc "
           "plugin",
           "lrc:k=8,m=4,l=3", build_lrc},
    Family{"clay", "k m d arrangement packet_bytes", "k <= d < k + m; (d-k+1)^t <= 4096 sub-chunks",
           "any m losses on words; one chunk is rebuilt from a part of each of d others",
           "Vajha et al., Clay codes: moulding MDS codes to yield an MSR code, FAST 2018; Ceph's "
           "clay plugin",
           "clay:k=4,m=2,d=5", build_clay},
    Family{
        "zigzag", "k r w poly arrangement packet_bytes",
        "r = 2, 3 or 4; r^(k-1) <= 64 sub-chunks; r > 2: r <= w",
        "any r losses on words; a data chunk is rebuilt from 1/r of each other chunk",
        "Tamo, Wang and Bruck, Zigzag codes: MDS array codes with optimal rebuilding, IEEE Trans. "
        "Inf. Theory 59(3), 2013",
        "zigzag:k=4,r=2", build_zigzag},
    Family{"file", "file:PATH, or file:{...} with the JSON itself",
           "up to 65536 locations and 16 MiB",
           "a code of your own: equations, a 0/1 matrix or a matrix over a field, in any layout",
           "docs/families/file.md", "file:my-code.json", build_file},
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
         fmt::format("there is no family '{}'; the families are {}", excerpt(name), names));
  }
  return *family;
}

void close_packets(Code& code, const Spec& spec, const std::string& canonical) {
  code.arrangement = Arrangement::kPacket;
  code.packet_bytes = spec.number_or("packet_bytes", 8, kMaxPacketBytes, kDefaultPacketBytes);
  check_packet_bytes(code.packet_bytes);
  code.spec = fmt::format("{},packet_bytes={}", canonical, code.packet_bytes);
}

}  // namespace

std::span<const Family> families() { return kFamilies; }

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
         fmt::format("arrangement = '{}' is not word or packet", excerpt(arrangement)));
  }
  if (spec.find("packet_bytes")) {
    fail(Status::kInvalidArgument,
         fmt::format("packet_bytes = {} needs arrangement=packet: {} lays out words",
                     excerpt(*spec.find("packet_bytes")), code.family));
  }
  check_word_bits(code.field.w());
  code.arrangement = Arrangement::kWord;
  code.spec = std::move(canonical);
}

Code make_code(std::string_view text, const CodeOptions& options) {
  Spec spec(text, options.limits);
  const Family& family = find_family(spec.family());
  for (const auto& [key, value] : spec.values()) {
    if (has_key(family, key)) continue;
    fail(Status::kInvalidArgument, fmt::format("{} does not know the key '{}': it takes {}",
                                               family.name, excerpt(key), family.keys));
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
    if (!given) spec.add("packet_bytes", wanted);
  }
  Code code = family.build(spec);
  if (options.allow_non_mds) return code;
  const Tolerance tolerance = decide_tolerance(code, code.promised_losses);
  if (tolerance.answer != Tolerance::Answer::kProved) {
    fail(Status::kInvalidArgument,
         fmt::format(
             "{} is not proved to survive any {} losses: {}; --allow-non-mds accepts it anyway",
             code.name(), code.promised_losses, tolerance.reason));
  }
  return code;
}

}  // namespace xorloom
