#include "gen/vector/tile_places.hpp"

#include <algorithm>
#include <utility>

namespace xorloom {
namespace {

void sort_once(std::vector<std::size_t>& locations) {
  std::ranges::sort(locations);
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
}

/// Places of `elements` in each copy: place_of(i) in the first one, copy_bytes further in each
/// next.
template <typename PlaceOf>
std::vector<TilePlaces::Place> copied(const std::vector<Element>& elements, std::size_t copies,
                                      std::size_t copy_bytes, const PlaceOf& place_of) {
  std::vector<TilePlaces::Place> places;
  for (std::size_t copy = 0; copy < copies; ++copy) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto [stream, offset] = place_of(i);
      places.push_back({static_cast<std::uint32_t>(stream),
                        static_cast<std::uint32_t>(offset + copy * copy_bytes)});
    }
  }
  return places;
}

}  // namespace

TilePlaces packet_places(const Program& program, std::size_t copies, std::size_t packet_bytes,
                         std::size_t copy_bytes) {
  const std::vector<std::size_t> locations = locations_in_use(program);
  const auto places = [&](const std::vector<Element>& elements) {
    return copied(elements, copies, copy_bytes, [&](std::size_t i) {
      const auto stream = std::ranges::lower_bound(locations, elements[i] / program.rows);
      return std::pair(stream - locations.begin(), elements[i] % program.rows * packet_bytes);
    });
  };
  TilePlaces result{{}, places(program.inputs), places(program.outputs)};
  for (const std::size_t location : locations) {
    result.streams.push_back({static_cast<std::uint32_t>(location), 0});
  }
  return result;
}

TilePlaces word_places(const Program& program, std::size_t copies, std::size_t copy_bytes) {
  const auto places = [&](const std::vector<Element>& elements, std::size_t first) {
    return copied(elements, copies, copy_bytes,
                  [&](std::size_t i) { return std::pair(first + i, std::size_t{0}); });
  };
  TilePlaces result{{}, places(program.inputs, 0), places(program.outputs, program.inputs.size())};
  for (const std::vector<Element>* cells : {&program.inputs, &program.outputs}) {
    for (const Element cell : *cells) {
      result.streams.push_back({static_cast<std::uint32_t>(cell / program.rows),
                                static_cast<std::uint32_t>(cell % program.rows)});
    }
  }
  return result;
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
