#include "cli/measuring/peak.hpp"

#include <cstdint>
#include <vector>

#include "cli/measuring/rounds.hpp"
#include "codes/families/families.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/computation.hpp"

namespace xorloom::cli {
namespace {

constexpr Element kStreams = 4;  ///< inputs, and outputs: they stay in registers
constexpr int kPeakTurns = 32;
constexpr std::size_t kPeakChunkBytes = 1024;
constexpr std::size_t kPeakRounds = 9;

/// Each output is the sum of many terms, one after the other, beside the other outputs. On packets
/// values go round between outputs; on words products of inputs are added up.
Program busy_program(Arrangement arrangement, const Field& field) {
  Program program;
  program.locations = 2 * kStreams;
  program.rows = 1;
  const bool is_words = arrangement == Arrangement::kWord;
  if (is_words) program.field = field;
  std::vector<Element> last;
  for (Element i = 0; i < kStreams; ++i) {
    program.inputs.push_back(i);
    program.outputs.push_back(kStreams + i);
    last.push_back(i);
  }
  Element next = 2 * kStreams;
  Field::Symbol factor = 2;
  for (int turn = 0; turn < kPeakTurns; ++turn) {
    for (Element i = 0; i < kStreams; ++i) {
      const bool is_end = turn + 1 == kPeakTurns;
      const Element target = is_end ? kStreams + i : next++;
      // Any two values are different sums, so that no XOR gives nothing.
      const Element other = (i + static_cast<Element>(turn) % (kStreams - 1) + 1) % kStreams;
      const Operand second(turn == 0 || is_words ? other : last[other],
                           is_words ? factor : Field::Symbol{1});
      if (is_words) factor = factor % 251 + 2;
      if (last[i] == second.element) continue;
      std::vector<Operand> operands{Operand(last[i]), second};
      program.equations.push_back({target, std::move(operands)});
      last[i] = target;
    }
  }
  sort_equations(program);
  check_program(program);
  return program;
}

}  // namespace

double peak_operations(Isa isa, Arrangement arrangement) {
  Code code = make_code(arrangement == Arrangement::kWord ? "rs:k=4,m=4" : "parity:k=7");
  const auto computation = make_computation(code, busy_program(arrangement, code.field), isa);
  std::vector<std::uint8_t> bytes(code.locations * kPeakChunkBytes, 0x5a);
  std::vector<std::uint8_t*> chunks;
  for (std::size_t l = 0; l < code.locations; ++l)
    chunks.push_back(bytes.data() + l * kPeakChunkBytes);
  const std::size_t columns = computation->columns(kPeakChunkBytes);
  const double seconds = timed_alone(
      [&](std::size_t calls) {
        for (std::size_t i = 0; i < calls; ++i) {
          computation->run(chunks.data(), kPeakChunkBytes, 0, columns);
        }
      },
      false, kPeakRounds);
  const TileCounts& tile = computation->counts();
  const auto tiles = static_cast<double>(kPeakChunkBytes * kStreams) /
                     static_cast<double>(tile.vectors_written * tile.vector_bytes);
  return tiles * static_cast<double>(tile.operations * tile.vector_bytes) / seconds;
}

}  // namespace xorloom::cli
