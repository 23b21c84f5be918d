#include "gen/vector/tile_places.hpp"

#include <algorithm>
#include <iterator>

namespace xorloom {
namespace {

void sort_once(std::vector<std::size_t>& locations) {
  std::ranges::sort(locations);
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
}

}  // namespace

TilePlaces packet_places(const TileProgram& tile, const PacketDistances& distances) {
  std::vector<std::size_t> locations;
  for (const auto* cells : {&tile.inputs, &tile.outputs}) {
    for (const TileProgram::Cell cell : *cells) locations.push_back(cell.element / distances.rows);
  }
  sort_once(locations);
  const auto place = [&](TileProgram::Cell cell) {
    const auto stream = std::ranges::lower_bound(locations, cell.element / distances.rows);
    const std::size_t row = cell.element % distances.rows;
    return TilePlaces::Place{static_cast<std::uint32_t>(stream - locations.begin()),
                             static_cast<std::uint32_t>(row * distances.packet_bytes +
                                                        cell.copy * distances.copy_bytes)};
  };
  TilePlaces places{locations.size(), {}, {}};
  std::ranges::transform(tile.inputs, std::back_inserter(places.inputs), place);
  std::ranges::transform(tile.outputs, std::back_inserter(places.outputs), place);
  return places;
}

TilePlaces word_places(const TileProgram& tile, std::size_t copies, std::size_t copy_bytes) {
  TilePlaces places;
  const auto add = [&](const std::vector<TileProgram::Cell>& cells,
                       std::vector<TilePlaces::Place>& of_cells) {
    const std::size_t of_copy = cells.size() / copies;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      of_cells.push_back({static_cast<std::uint32_t>(places.streams + i % of_copy),
                          static_cast<std::uint32_t>(cells[i].copy * copy_bytes)});
    }
    places.streams += of_copy;
  };
  add(tile.inputs, places.inputs);
  add(tile.outputs, places.outputs);
  return places;
}

std::vector<std::size_t> locations_read(const Program& program) {
  std::vector<std::size_t> locations;
  for (const Element input : program.inputs) locations.push_back(input / program.rows);
  sort_once(locations);
  return locations;
}

std::vector<std::size_t> locations_in_use(const Program& program) {
  std::vector<std::size_t> locations = locations_read(program);
  for (const Element output : program.outputs) locations.push_back(output / program.rows);
  sort_once(locations);
  return locations;
}

}  // namespace xorloom
