#include "equations/models/mean_reads.hpp"

#include <fmt/format.h>

#include "codes/bits.hpp"
#include "codes/text/error.hpp"
#include "equations/reads/fewest_reads.hpp"

namespace xorloom {

double mean_repair_reads(const Code& code, std::uint64_t work) {
  if (code.locations > kMostMeanReadLocations) {
    fail(Status::kInvalidArgument,
         fmt::format("n = {} locations exceed {}, the most whose repairs are planned one by one",
                     code.locations, kMostMeanReadLocations));
  }
  const Code cells = readable(code);
  std::size_t read = 0;
  for (std::size_t location = 0; location < cells.locations; ++location) {
    read += fewest_reads(cells, {.lost = {location}, .work = work}).map.inputs.size();
  }
  return static_cast<double>(read) / static_cast<double>(cells.num_cells());
}

}  // namespace xorloom
