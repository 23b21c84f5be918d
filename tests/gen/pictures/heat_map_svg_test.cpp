#include "gen/pictures/heat_map_svg.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "tests/support/svg.hpp"

namespace xorloom {

TEST_CASE("a heat map has a cell with its number for each ratio, and none where there is none") {
  const HeatMap map{"head",
                    "note",
                    "bytes of a chunk",
                    {"64", "4096"},
                    {"1 lost", "2 lost"},
                    {{0.5, 1.0}, {std::nullopt, 12.4}}};
  const Picture picture = draw_heat_map(map);
  CHECK(not_well_formed(svg_page(picture)) == "");
  CHECK(count_of(picture.body, "class=\"xl-cell\"") == 3);
  for (const char* text :
       {"bytes of a chunk", "64", "4096", "1 lost", "2 lost", "0.50", "1.00", "12"}) {
    CHECK(count_of(picture.body, std::string(">") + text + "</text>") == 1);
  }
  // Slower is red and faster is blue, and what is even has no color.
  CHECK(count_of(picture.body, "fill=\"#d03a4e\" fill-opacity=\"0.30\"") == 1);
  CHECK(count_of(picture.body, "fill=\"#1f77d0\" fill-opacity=\"0.60\"") == 1);
  CHECK(count_of(picture.body, "fill=\"#1f77d0\" fill-opacity=\"0.00\"") == 1);
}

}  // namespace xorloom
