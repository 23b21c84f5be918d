#include "gen/pictures/graph_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace xorloom {

std::string tie(int from_x, int from_y, int to_x, int to_y) {
  const int dx = to_x - from_x;
  const int dy = to_y - from_y;
  return fmt::format("M{} {}c{} 0 {} {} {} {}", from_x, from_y, dx / 2, dx - dx / 2, dy, dx, dy);
}

void draw_location(const ElementGroup& group, int x, int from, int to, bool is_left,
                   Drawing& drawing) {
  drawing.line(fmt::format("<path class=\"xl-frame\" d=\"M{} {}V{}\"/>", x, from, to));
  drawing.text(is_left ? x - 6.0 : x + 6.0, (from + to) / 2.0 + 4,
               is_left ? "name end" : "name start", group_name(group));
}

Picture graph_picture(int right, int bottom, const std::string& head, const std::string& note,
                      const std::string& hint, bool has_stops, const Drawing& drawing) {
  return {std::max({static_cast<std::size_t>(right), text_width(head, kHeadLetter),
                    text_width(note, kNoteLetter) * 5 / 8}) +
              kPageMargin,
          static_cast<std::size_t>(bottom + 38) + kPageMargin,
          head,
          note,
          drawing.so_far(),
          has_stops,
          {},
          hint,
          static_cast<std::size_t>(right) + kPageMargin};
}

}  // namespace xorloom
