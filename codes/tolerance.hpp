#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// Answer to whether any `losses` lost locations can be rebuilt.
struct Tolerance {
  enum class Answer { kProved, kRefuted, kUndecided };
  Answer answer;
  std::size_t losses;                ///< lost locations that were asked about
  std::vector<std::size_t> failing;  ///< refuted: a set of lost locations that cannot be rebuilt
  std::uint64_t sets_tried;          ///< 0: proved by construction
  double sets_in_all;                ///< C(locations, losses)
  std::string reason;                ///< a phrase for messages
};

/// Most sets of losses that are tested one by one to decide a tolerance.
inline constexpr std::uint64_t kExhaustiveSets = 10'000'000;

/// Decides whether a code survives the loss of any `losses` locations. It uses the proof of the
/// construction, or tests every set if there are at most kExhaustiveSets. If there are more, it
/// tests 100,000 sets, those with the fewest lost data first, which refutes most codes that fail.
///
/// Errors: throws kInvalidArgument if losses exceeds the number of locations.
Tolerance decide_tolerance(const Code& code, std::size_t losses);

/// Most sets that are tested to list the failing ones.
inline constexpr std::uint64_t kMostListed = 1'000'000;

/// Every set of `losses` lost locations that cannot be rebuilt, in lexicographic order.
///
/// Errors: throws kInvalidArgument if losses exceeds the number of locations, or if there are more
///         than kMostListed to try.
std::vector<std::vector<std::size_t>> sets_not_rebuilt(const Code& code, std::size_t losses);

/// The first combination of r of 0…n-1; then the next one in lexicographic order. False after the
/// last.
std::vector<std::size_t> first_combination(std::size_t r);
bool next_combination(std::vector<std::size_t>& chosen, std::size_t n);

/// "1 loss", "2 losses": for messages.
std::string losses_text(std::size_t losses);

/// Number of sets of `losses` locations; approximate if it is huge.
double sets_of(const Code& code, std::size_t losses);

/// The most losses that a code is found to survive, whichever they are. Decides one number after
/// the other, up to the first that the code does not survive or that would take more than some
/// seconds.
std::size_t losses_survived(const Code& code);

/// The most losses that a code survives, whichever they are. Tries sets of more than `survived`
/// losses; nullopt if that takes more than a fraction of a second.
///
/// Precondition: the code survives any `survived` losses.
std::optional<std::size_t> most_losses_survived(const Code& code, std::size_t survived);

}  // namespace xorloom
