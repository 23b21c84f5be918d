#pragma once

// Finding the wrong chunks of a stripe without checksums: Codec::locate_errors.
//
//   xorloom::ErrorLocation found = codec.locate_errors(chunks, chunk_bytes);
//   // if at most found.unique_up_to chunks are wrong, these are: found.wrong
//   if (found.is_smallest()) check(codec.decode(chunks, found.wrong, chunk_bytes));

#include "xorloom/xorloom.hpp"

#if defined(__cplusplus) && __cplusplus >= 202002L  // else xorloom.hpp has said what it needs

namespace xorloom {

/// Result of Codec::locate_errors: what the redundancy of a stripe says of its chunks.
///
/// Redundancy alone proves no chunk wrong: with r redundant chunks at hand, and e found wrong,
/// other sets of r - e + 1 chunks or more explain the same if their errors are alike. So what is
/// found holds under an assumption: see unique_up_to.
///
/// Codec::locate_errors writes nothing. Pointers to chunks of lost locations may be null. It takes
/// the time of Codec::verify. If redundancy differs, it also looks at symbols until no further ones
/// tell more, and tries up to 200,000 sets of locations, the smallest first.
struct ErrorLocation {
  enum class Verdict {
    kConsistent,  ///< redundancy agrees with data
    kLocated,     ///< chunks are wrong, and are known
    kUnknown,     ///< chunks are wrong, and it cannot be told which
  };
  Verdict verdict = Verdict::kConsistent;
  std::vector<std::size_t> wrong{};  ///< if located: these locations, ascending
  /// If located: no other set of at most this many locations can produce this stripe, whatever its
  /// errors. So `wrong` is right if at most this many are wrong. 0: no other set as small as
  /// `wrong` was found, but one with special errors could exist.
  std::size_t unique_up_to = 0;

  /// True if every other set that can have come to this has more locations than `wrong`.
  bool is_smallest() const { return !wrong.empty() && unique_up_to >= wrong.size(); }

  friend bool operator==(const ErrorLocation&, const ErrorLocation&) = default;
};

}  // namespace xorloom

#endif  // C++20
