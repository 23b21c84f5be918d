#pragma once

#include <cstddef>

#include "codes/field/field.hpp"
#include "codes/spec.hpp"

namespace xorloom {

// The bounds of what a spec may name, and the checks of them that families share.

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

}  // namespace xorloom
