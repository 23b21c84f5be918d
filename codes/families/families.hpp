#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/field.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// Other software whose chunks hold the same bytes as codes of a family in the family's default
/// arrangement.
struct OtherSoftware {
  std::string_view name;       ///< "Jerasure"
  std::string_view technique;  ///< its name of the codes, such as "cauchy_good"; "": its only one
  /// True if the software has a code of the family. Null: it has all of them.
  bool (*has)(const Code& code) = nullptr;
  bool is_compared = true;     ///< tests compare every byte of its chunks
  std::size_t compared_w = 0;  ///< the only w that tests compare; 0: every w
};

/// A family of codes: its builder, and its description for `xorloom codes`.
///
/// The file of a family defines its record as `extern constexpr Family kName`, and the table in
/// families.cpp lists it. Records are constants: nothing depends on the order in
/// which files are initialised.
struct Family {
  std::string_view name;
  std::string_view keys;        ///< every key that a spec may give, in canonical order
  std::string_view constraint;  ///< the bounds, for readers
  std::string_view summary;
  std::string_view source;
  std::string_view example;  ///< a small code of the family; tests run it
  /// Builds the code of a spec, and reads or settles every key of its own. make_code reads the
  /// arrangement and completes the spec.
  Code (*build)(Spec& spec);
  std::span<const OtherSoftware> same_bytes{};

  /// True if specs of the family may give `key`.
  bool has_key(std::string_view key) const;
};

/// Every family, in the order of documentation.
std::span<const Family* const> families();

/// Other software whose chunks hold the same bytes as those of `code`, according to its family.
std::vector<OtherSoftware> software_of(const Code& code);

struct CodeOptions {
  std::size_t packet_bytes = 0;  ///< 0: that of the spec
  bool allow_non_mds = false;    ///< take a code whose promise is refuted or not decided
  SpecLimits limits{};           ///< limits of the spec
};

/// Makes the code of a spec. The code is accepted only if its promise is proved, unless
/// options.allow_non_mds.
///
/// Errors: throws kParse or kInvalidArgument with the value and the bound: an unknown family or
///         key, a value out of range, a packet_bytes option that contradicts the spec, a code that
///         is not proved to survive what it promises.
Code make_code(std::string_view spec, const CodeOptions& options = {});

// Conditions for records of OtherSoftware.

/// True if the field has the default polynomial of its w.
bool has_usual_field(const Code& code);

/// True if the field is usual (has_usual_field), and w is 8, 16 or 32, as Jerasure's words have it.
bool has_words_of_jerasure(const Code& code);

/// True if the field is usual, and w is 2 to 11 or 16: these are compared with Jerasure.
bool has_packets_of_jerasure(const Code& code);

// Bounds of specs, and checks that families share.

/// Largest k, and largest m, of a spec, whatever w allows.
inline constexpr std::size_t kMaxLocations = 65'536;

/// Default and bounds of packet_bytes.
inline constexpr std::size_t kDefaultPacketBytes = 64;
inline constexpr std::size_t kMaxPacketBytes = std::size_t{1} << 30;

/// Throws kInvalidArgument unless k + m <= 2^w and k·m symbols are within the spec's limits.
void check_locations_fit(const Spec& spec, std::size_t k, std::size_t m, const Field& field);

/// Throws kInvalidArgument unless k·m symbols are within the spec's limits.
void check_matrix_fits(const Spec& spec, std::size_t k, std::size_t m, const Field& field);

/// k, m and the field of a spec, checked by check_locations_fit.
struct Parameters {
  std::size_t k;
  std::size_t m;
  Field field;

  /// The field is `given`, or that of the spec's w and polynomial.
  explicit Parameters(Spec& spec, std::optional<Field> given = {});
};

/// Throws kInvalidArgument unless `bytes` is a multiple of 8.
void check_packet_bytes(std::size_t bytes);

/// Throws kInvalidArgument unless symbols of w bits can lie in words.
void check_word_bits(std::size_t w);

/// Throws kInvalidArgument if number > bound, with both names: "k = 9 exceeds w = 7".
void check_at_most(const char* name, std::size_t number, const char* bound_name, std::size_t bound);

/// Throws kUnsupported if `redundant_bits` bits, each the sum of at least k others, take more than
/// kMaxDirectXors.
void check_xors_fit(std::size_t k, std::size_t redundant_bits);

/// Throws kUnsupported if any code of k, m and `field` on packets takes more than kMaxDirectXors.
/// Nothing could run such a code.
void check_packets_fit(std::size_t k, std::size_t m, const Field& field);

// Prime numbers, for codes whose number of rows depends on one.

bool is_prime(std::size_t number);

/// The smallest prime that is at least `lowest`.
std::size_t prime_from(std::size_t lowest);

}  // namespace xorloom
