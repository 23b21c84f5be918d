#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// One family of codes: a line of the table that `xorloom codes` prints.
struct Family {
  std::string_view name;
  std::string_view keys;        ///< every key a spec may give, in canonical order
  std::string_view constraint;  ///< the bounds, for people
  std::string_view summary;
  std::string_view source;
  std::string_view example;
  /// The code of a spec. Its canonical spec is what it was built from, every default written out.
  Code (*build)(const Spec& spec);
};

/// Every family, in the order people should read them.
std::span<const Family> families();

struct CodeOptions {
  std::size_t packet_bytes = 0;  ///< 0: what the spec says
  bool allow_non_mds = false;    ///< take a code whose promise is refuted or not decided
  SpecLimits limits{};           ///< what the spec may ask for
};

/// The code of a spec. Codes are accepted only if their promise is proved, unless the options say
/// otherwise.
///
/// Errors: throws kParse or kInvalidArgument with the value and the bound: an unknown family or
///         key, a value out of range, a packet_bytes option that contradicts the spec, a code that
///         is not proved to survive what it promises.
Code make_code(std::string_view spec, const CodeOptions& options = {});

// The builders, each in the file of its construction.
Code build_cauchy(const Spec& spec);
Code build_cauchy_good(const Spec& spec);
Code build_rs(const Spec& spec);
Code build_isa_cauchy(const Spec& spec);
Code build_isa_vandermonde(const Spec& spec);
Code build_raid6(const Spec& spec);
Code build_liberation(const Spec& spec);
Code build_blaum_roth(const Spec& spec);
Code build_liber8tion(const Spec& spec);
Code build_shec(const Spec& spec);
Code build_lrc(const Spec& spec);
Code build_clay(const Spec& spec);
Code build_zigzag(const Spec& spec);
Code build_evenodd(const Spec& spec);
Code build_rdp(const Spec& spec);
Code build_x_code(const Spec& spec);
Code build_parity(const Spec& spec);
Code build_hamming(const Spec& spec);
Code build_hover(const Spec& spec);
Code build_file(const Spec& spec);

// What builders share.

/// The largest k, m a spec may name, whatever w allows.
inline constexpr std::size_t kMaxLocations = 65'536;

/// Default and bounds of packet_bytes.
inline constexpr std::size_t kDefaultPacketBytes = 64;
inline constexpr std::size_t kMaxPacketBytes = std::size_t{1} << 30;

/// Throws kInvalidArgument unless k + m <= 2^w and k·m symbols are within the spec's limits.
void check_locations_fit(const Spec& spec, std::size_t k, std::size_t m, const Field& field);

/// Throws kInvalidArgument unless a number of bytes is a multiple of 8.
void check_packet_bytes(std::size_t bytes);

/// Throws kInvalidArgument unless symbols of w bits can lie in words.
void check_word_bits(std::size_t w);

/// Throws kInvalidArgument if a number exceeds another, both named: "k = 9 exceeds w = 7".
void check_at_most(const char* name, std::size_t number, const char* bound_name, std::size_t bound);

/// Throws kUnsupported if this many redundant bits, each the sum of at least k others, take more
/// than kMaxDirectXors.
void check_xors_fit(std::size_t k, std::size_t redundant_bits);

/// Throws kUnsupported if a code on packets takes more than kMaxDirectXors whatever its symbols
/// are. Nothing could run such a code.
void check_packets_fit(std::size_t k, std::size_t m, const Field& field);

/// Reads packet_bytes, sets the arrangement to packets and closes the canonical spec, which begins
/// with the given text ("cauchy:k=5,m=2,w=3,…").
void finish_packets(Code& code, const Spec& spec, std::string canonical);

/// The same for a family of words that may be put on packets by arrangement=packet.
void finish_words(Code& code, const Spec& spec, std::string canonical);

}  // namespace xorloom
