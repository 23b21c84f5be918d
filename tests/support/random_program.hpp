#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A layout with no parity: all that the packet engine reads of a code. rows is 1…16.
inline Code packet_layout(std::size_t locations, std::size_t rows, std::size_t packet_bytes) {
  Code code;
  code.spec = "layout";
  code.field = Field(rows);
  code.locations = locations;
  code.arrangement = Arrangement::kPacket;
  code.packet_bytes = packet_bytes;
  return code;
}

/// A program whose inputs are a random half of the cells, and whose outputs are all others but one.
/// Each output and temporary is the sum of 0…9 inputs, outputs and temporaries before it.
inline Program random_program(std::size_t locations, std::size_t rows, std::size_t temporaries,
                              std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Program program;
  program.locations = locations;
  program.rows = rows;
  std::vector<Element> cells(locations * rows);
  std::iota(cells.begin(), cells.end(), Element{0});
  std::ranges::shuffle(cells, random);
  const auto half = cells.begin() + static_cast<std::ptrdiff_t>(cells.size() / 2);
  program.inputs = {cells.begin(), half};
  program.outputs = {half, cells.end() - 1};
  std::vector<Element> targets = program.outputs;
  for (std::size_t t = 0; t < temporaries; ++t) {
    targets.push_back(program.first_temporary() + static_cast<Element>(t));
  }
  std::ranges::shuffle(targets, random);
  std::vector<Element> readable = program.inputs;
  for (const Element target : targets) {
    Equation equation{target, {}};
    const std::size_t operands = std::min<std::size_t>(random() % 10, readable.size());
    std::ranges::sample(readable, std::back_inserter(equation.operands),
                        static_cast<std::ptrdiff_t>(operands), random);
    std::ranges::sort(equation.operands);
    program.equations.push_back(equation);
    readable.push_back(target);
  }
  check_program(program);
  return program;
}

}  // namespace xorloom
