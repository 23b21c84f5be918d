#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "xorloom/xorloom.hpp"

namespace xorloom::web {

// The compiler as a page asks it: text in, text out.

/// Functions that a search calls while it runs.
struct Listener {
  /// Fewest XORs so far, the lower bound, and the part of the moves made (0 to 1), some twenty
  /// times per second.
  std::function<void(std::size_t xors, std::size_t bound, double part)> on_progress{};
  /// The best equations so far, proved, as JSON. Writing them takes a tenth of the time at most.
  std::function<void(const std::string& json)> on_equations{};
};

struct Answer {
  Status status = Status::kOk;
  std::string text;  ///< the document, or the sentence that says what is wrong
};

/// Largest text that someone pastes, in bytes.
inline constexpr std::size_t kMaxPasted = std::size_t{1} << 20;

/// Largest k, m, w or other number of a spec.
inline constexpr std::size_t kMaxPageNumber = 128;

/// Answers a question, a JSON object. Its key "ask" is one of:
///
///   families    the families of codes, as a JSON array
///   bounds      the most operands, rows … that pictures have
///   code        what `codes SPEC --format json` prints; with "format", svg
///   matrix      the bitmatrix of a code, the lower bound on its XORs, and what source for the code
///               is written over: bits, symbols, or nothing; svg draws it. "unwritten" says why a
///               code has no equations
///   equations   what `equations SPEC` prints, with these options as keys: erase, want, update,
///               reads, style, effort, tries, seed, cores, format
///   optimize    what `optimize MATRIX` prints for the matrix in "text", with the same keys
///   given       what `equations --equations FILE` prints for the equations in "text"
///   reads       the cells that a repair of "erase" reads; svg draws them
///   source      what `emit SPEC` prints, with "target", "erase" and the keys of a search; of the
///               equations in "text" if there is one
///   bars        a chart of "values" by "categories", null if there is none, with "title" and
///               "value_title"; "at_most" has the numbers of the categories whose values are upper
///               bounds, "inks" the numbers of their colors, "meanings" what the legend says of
///               them, and "holds" what the axis has room for
///
/// Searches take no stored equations, as with `--store off`. Codes and texts are bounded by the
/// constants above.
Answer answer(std::string_view question, const Listener& listener = {});

}  // namespace xorloom::web
