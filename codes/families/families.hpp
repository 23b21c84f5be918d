#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/field.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// Other software whose chunks hold the same bytes as those of codes of a family. It writes them in
/// the arrangement that the family has by default.
struct OtherSoftware {
  std::string_view name;  ///< "Jerasure"
  std::string_view
      technique;  ///< what it calls the codes, such as "cauchy_good"; "" for its only one
  /// Whether it has a code of the family. Null: it has all.
  bool (*has)(const Code& code) = nullptr;
  bool is_compared = true;     ///< tests compare every byte of its chunks
  std::size_t compared_w = 0;  ///< the only w of which tests do; 0: of each
};

/// One family of codes: its builder, and what `xorloom codes` says about it.
///
/// The file of a family defines its record as `extern constexpr Family kName`, and the table in
/// families.cpp lists it. Records are constants: nothing depends on the order in
/// which files are initialised.
struct Family {
  std::string_view name;
  std::string_view keys;        ///< every key a spec may give, in canonical order
  std::string_view constraint;  ///< the bounds, for people
  std::string_view summary;
  std::string_view source;
  std::string_view example;  ///< a small code of the family; tests run it
  /// The code of a spec, each key that it has read or settled. make_code reads how its symbols lie
  /// in bytes, and closes its spec.
  Code (*build)(Spec& spec);
  std::span<const OtherSoftware> same_bytes{};

  /// Whether specs of the family may give a key.
  bool has_key(std::string_view key) const;
};

/// Every family, in the order people should read them.
std::span<const Family* const> families();

/// The other software whose chunks hold the same bytes as those of a code, as its family says.
std::vector<OtherSoftware> software_of(const Code& code);

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

// What the records of other software ask of a code.

/// Whether its field is the one that its w has by default.
bool has_usual_field(const Code& code);

/// Whether that holds, and words have the 8, 16 or 32 bits of Jerasure.
bool has_words_of_jerasure(const Code& code);

/// Whether the first holds, and symbols have 2 to 11 or 16 bits: Jerasure is compared with those.
bool has_packets_of_jerasure(const Code& code);

// The bounds of what a spec may name, and the checks of them that families share.

/// The largest k, m a spec may name, whatever w allows.
inline constexpr std::size_t kMaxLocations = 65'536;

/// Default and bounds of packet_bytes.
inline constexpr std::size_t kDefaultPacketBytes = 64;
inline constexpr std::size_t kMaxPacketBytes = std::size_t{1} << 30;

/// Throws kInvalidArgument unless k + m <= 2^w and k·m symbols are within the spec's limits.
void check_locations_fit(const Spec& spec, std::size_t k, std::size_t m, const Field& field);

/// Throws kInvalidArgument unless k·m symbols are within the spec's limits.
void check_matrix_fits(const Spec& spec, std::size_t k, std::size_t m, const Field& field);

/// k, m and the field of a spec, which have to fit.
struct Parameters {
  std::size_t k;
  std::size_t m;
  Field field;

  /// The field is the given one, or that of the spec's w and polynomial.
  explicit Parameters(Spec& spec, std::optional<Field> given = {});
};

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

// What codes on prime numbers of rows share.

bool is_prime(std::size_t number);

/// The smallest prime that is at least `lowest`.
std::size_t prime_from(std::size_t lowest);

}  // namespace xorloom
