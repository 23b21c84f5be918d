// HoVer codes, with horizontal and vertical redundancy: k locations hold r rows of data and below
// them v rows of vertical redundancy, and h locations hold horizontal redundancy of all r + v rows.
//
//               k locations              h locations
//     r rows  | data                   | sums of rows      |
//     v rows  | sums of slanted lines  | sums of rows      |
//
// Vertical row s of location j is the sum of data along a line up from there, which wraps around
// past the last location. Rows s = 0, 1, 2, 3, … take the slopes 1, -1, 2, -2, … Horizontal
// location t holds the sums along lines of slope t through the rows.
//
// Source: J. L. Hafner, HoVer erasure codes for disk arrays, DSN 2006, for the layout. The slopes
//         of his codes are not public. Those here continue the slopes of X-code, and the losses
//         that a code survives are found by trying.

#include <vector>

#include "codes/cell_sums.hpp"
#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "codes/tolerance.hpp"

namespace xorloom {
namespace {

Code build_hover(Spec& spec) {
  constexpr std::size_t kMost = 64;
  const std::size_t k = spec.number("k", 1, kMost);
  const std::size_t r = spec.number("r", 1, kMost);
  const std::size_t v = spec.number_or("v", 0, kMost, 1);
  const std::size_t h = spec.number_or("h", 0, kMost, 1);
  if (v + h == 0) fail(Status::kInvalidArgument, "v + h = 0: there is no redundancy");
  const std::size_t rows = r + v;
  CellSums sums(Field(1), k + h, rows, cells_of_locations(k, rows, r), spec.limits());
  for (std::size_t s = 0; s < v; ++s) {
    const std::size_t step = (s / 2 + 1) % k;
    const std::size_t slope = s % 2 == 0 ? step : (k - step) % k;
    for (std::size_t j = 0; j < k; ++j) {
      std::vector<Cell> line;
      for (std::size_t i = 0; i < r; ++i) line.push_back(sums.cell((j + slope * (i + 1)) % k, i));
      sums.add(sums.cell(j, r + s), line);
    }
  }
  for (std::size_t t = 0; t < h; ++t) {
    for (std::size_t i = 0; i < rows; ++i) {
      std::vector<Cell> line;
      for (std::size_t j = 0; j < k; ++j) line.push_back(sums.cell(j, (i + t * j) % rows));
      sums.add(sums.cell(k + t, i), line);
    }
  }
  Code code = sums.code("hover", k, h, rows);
  code.promised_losses = losses_survived(code);
  return code;
}

}  // namespace

extern constexpr Family kHover = {
    .name = "hover",
    .keys = "k r v h packet_bytes",
    .constraint = "k, r, v and h up to 64; k, r >= 1; v + h >= 1; what it survives is computed",
    .summary =
        "k locations with r rows of data and v rows of redundancy, and h redundant locations",
    .source = "Hafner, HoVer erasure codes for disk arrays, DSN 2006",
    .example = "hover:k=5,r=3,v=2,h=1",
    .build = build_hover,
};

}  // namespace xorloom
